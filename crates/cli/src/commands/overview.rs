//! Formats the text of `cintel --help`: the fixed commands, the operations in groups such as `Market`, and the common
//! options.

use crypto_intel::catalogue::{OPERATIONS, Operation};
use unicode_width::UnicodeWidthStr;

use super::COMMANDS;
use crate::arguments::options;
use crate::terminal;

/// Maximum width of the name column, in terminal columns. If a name is longer, its description begins on the next line.
const LONGEST: usize = 36;

pub(crate) fn text() -> String {
    let width = terminal::width().min(110);
    let own: Vec<_> = COMMANDS.iter().map(|entry| (entry.name, entry.about)).collect();
    let mut text = format!("Commands:\n{}", listed(&own, width));

    for domain in OPERATIONS.chunk_by(|a, b| a.tag == b.tag) {
        let line = |known: &&'static Operation| (known.id, known.summary);
        let lines: Vec<_> = domain.iter().map(line).collect();
        text.push_str(&format!("\n{}:\n{}", domain[0].tag, listed(&lines, width)));
    }

    let options = options::listed();
    let options: Vec<_> = options.iter().map(|(name, help)| (&**name, &**help)).collect();
    text.push_str(&format!("\nCommon options:\n{}", listed(&options, width)));
    text.push_str(&format!("\n{}", terminal::wrapped(MORE, width)));
    text
}

const MORE: &str = "`cintel COMMAND --help` explains a command and its price; `cintel ops \
                    WORDS` searches operations.";

/// Formats names and descriptions in two columns.
fn listed(lines: &[(&str, &str)], width: usize) -> String {
    let names = lines.iter().map(|(name, _)| name.width()).max().unwrap_or_default();
    // A narrow terminal has no space for two columns.
    let names = if names + 30 > width { 4 } else { names.min(LONGEST) };
    let mut text = String::new();
    for (name, meaning) in lines {
        let room = width.saturating_sub(names + 4);
        let meaning = terminal::wrapped(meaning, room);
        let mut meaning = meaning.lines();
        if name.width() > names {
            text.push_str(&format!("  {name}\n"));
        } else {
            text.push_str(&format!("  {name:<names$}  {}\n", meaning.next().unwrap_or_default()));
        }
        for line in meaning {
            text.push_str(&format!("  {:names$}  {line}\n", ""));
        }
    }
    text
}
