//! Formats the API changes between two versions as plain text for a terminal, as Markdown for a pull request, or as
//! JSON for other programs.

use serde_json::json;

use super::{Change, Class, Diff};
use crate::assumptions::Verdict;

/// Output format of `cargo xtask diff`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    Markdown,
    Json,
}

/// Options for the output of `cargo xtask diff`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    pub format: Format,
    /// True if the output lists each changed documentation text. If false, one line contains only the number of
    /// changed texts. JSON output always lists the texts.
    pub docs: bool,
}

impl From<Format> for View {
    fn from(format: Format) -> Self {
        View { format, docs: false }
    }
}

/// Formats the API changes between two versions, and recommends the version number of the client's next release.
/// `current` is the client's version number before this release, such as `0.1.0`.
#[must_use]
pub fn show(diff: &Diff, view: impl Into<View>, current: &str) -> String {
    let View { format, docs } = view.into();
    match format {
        Format::Text => text(diff, docs, current),
        Format::Markdown => markdown(diff, docs, current),
        Format::Json => json(diff, current),
    }
}

/// Returns the changes of one class, such as all breaking changes. If `docs` is false, leaves out changed documentation
/// texts, and also returns a sentence with their number. The sentence is `None` if the number is 0.
fn listed(diff: &Diff, class: Class, docs: bool) -> (Vec<&Change>, Option<String>) {
    let of_class = diff.changes.iter().filter(|change| change.class == class);
    let (counted, listed): (Vec<_>, Vec<_>) =
        of_class.partition(|change| !docs && change.is_of_text());
    let sentence = match counted.len() {
        0 => None,
        1 => Some("1 changed documentation text; `--docs` lists it".to_owned()),
        count => Some(format!("{count} changed documentation texts; `--docs` lists them")),
    };
    (listed, sentence)
}

/// Formats the number of changes of each class, such as `2 breaking, 1 docs`.
fn counts(diff: &Diff) -> String {
    let counts = Class::ALL.iter().map(|class| (diff.count(*class), class.word()));
    let counts: Vec<String> = counts
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    counts.join(", ")
}

/// Returns the next version of the crate after a change of the class `class`. From version 1.0 on, [`Class::bump`]
/// decides which number increases. Below version 1.0, a breaking change increases the minor number, and any other
/// change increases the patch number.
fn next(current: &str, class: Class) -> Option<String> {
    let parts: Vec<u64> = current.split('.').map_while(|part| part.parse().ok()).collect();
    let [major, minor, patch] = parts[..] else { return None };
    Some(match (class.bump(), major) {
        ("major", 0) => format!("0.{}.0", minor + 1),
        ("major", _) => format!("{}.0.0", major + 1),
        ("minor", 1..) => format!("{major}.{}.0", minor + 1),
        _ => format!("{major}.{minor}.{}", patch + 1),
    })
}

/// Formats the recommended version of the next release, such as `a major version: 0.1.0 becomes 0.2.0`. Below version
/// 1.0, a breaking change increases the minor number, but is still called a major version.
fn bump(diff: &Diff, current: &str) -> String {
    let Some(class) = diff.heaviest() else { return String::new() };
    let version = format!("a {} version", class.bump());
    match next(current, class) {
        Some(next) => format!("{version}: {current} becomes {next}"),
        None => version,
    }
}

fn versions(diff: &Diff) -> String {
    let (old, new) = &diff.versions;
    if old == new {
        format!("The OpenAPI document has the unchanged version {new}.")
    } else {
        format!("The OpenAPI document changed from version {old} to {new}.")
    }
}

fn with(change: &Change, mark: &str) -> String {
    if change.with.is_empty() {
        return String::new();
    }
    let list: Vec<String> = change.with.iter().map(|name| format!("{mark}{name}{mark}")).collect();
    format!(" (with {})", list.join(", "))
}

const NOTHING: &str = "Nothing changes for users of the Rust API.\n";

fn text(diff: &Diff, docs: bool, current: &str) -> String {
    if diff.heaviest().is_none() {
        return NOTHING.to_owned() + &assumptions_in_text(diff);
    }
    let mut text = format!(
        "{}\nChanges for users of the Rust API: {}. The next release must be {}.\n",
        versions(diff),
        counts(diff),
        bump(diff, current),
    );
    for class in Class::ALL {
        let (changes, counted) = listed(diff, class, docs);
        if diff.count(class) > 0 {
            text.push_str(&format!("\n{} ({})\n", class.word(), class.bump()));
        }
        text.extend(counted.map(|sentence| format!("  {sentence}\n")));
        for change in changes {
            let with = with(change, "");
            text.push_str(&format!(
                "  {}: {} {}{with}\n",
                change.domain, change.subject, change.says
            ));
        }
    }
    text + &assumptions_in_text(diff)
}

fn assumptions_in_text(diff: &Diff) -> String {
    if diff.assumptions.is_empty() {
        return String::new();
    }
    let met = diff.assumptions.iter();
    let lines = met.map(|met| format!("  {}\n", met.to_string().replace('\n', "\n  ")));
    format!(
        "\nassumptions that the new OpenAPI document confirms or refutes\n{}",
        lines.collect::<String>()
    )
}

fn markdown(diff: &Diff, docs: bool, current: &str) -> String {
    if diff.heaviest().is_none() {
        return NOTHING.to_owned() + &assumptions_in_markdown(diff);
    }
    let mut text = format!(
        "{}\n\nChanges for users of the Rust API: {}. The next release must be **{}**.\n",
        escape(&versions(diff)),
        counts(diff),
        bump(diff, current),
    );

    for class in Class::ALL {
        if diff.count(class) == 0 {
            continue;
        }
        text.push_str(&format!("\n#### {} ({})\n\n", capital(class.word()), class.bump()));
        let (changes, counted) = listed(diff, class, docs);
        text.extend(counted.map(|sentence| format!("- {sentence}\n")));
        for change in changes {
            let with = with(change, "`");
            let subject = code(&change.subject.to_string());
            text.push_str(&format!(
                "- {}: {subject} {}{}\n",
                change.domain,
                escape(&change.says),
                with
            ));
        }
    }
    text + &assumptions_in_markdown(diff)
}

fn assumptions_in_markdown(diff: &Diff) -> String {
    if diff.assumptions.is_empty() {
        return String::new();
    }
    let lines = diff.assumptions.iter().map(|met| format!("- {}\n", escape(&met.to_string())));
    format!(
        "\n#### Assumptions that the new OpenAPI document confirms or refutes\n\n{}",
        lines.collect::<String>()
    )
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'"))
}

/// Escapes Markdown characters in a text from an OpenAPI document. Does not change code spans.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut code = false;
    for c in text.chars() {
        if c == '`' {
            code = !code;
        }
        if !code && matches!(c, '<' | '>' | '[' | ']' | '*' | '_' | '|' | '\\' | '@' | '#') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

fn json(diff: &Diff, current: &str) -> String {
    let changes: Vec<_> = diff
        .changes
        .iter()
        .map(|change| {
            json!({
                "class": change.class.word(),
                "bump": change.class.bump(),
                "change": change.what.word(),
                "domain": change.domain,
                "kind": change.subject.kind.word(),
                "name": change.subject.name,
                "part": change.subject.part,
                "aspect": change.aspect.map(|aspect| format!("{aspect:?}").to_lowercase()),
                "old": change.old,
                "new": change.new,
                "says": change.says,
                "with": change.with,
            })
        })
        .collect();

    let assumptions = diff.assumptions.iter().map(|met| {
        let differences = match &met.verdict {
            Verdict::Refuted(differences) => differences.as_slice(),
            Verdict::Confirmed | Verdict::Open => &[],
        };
        json!({
            "verdict": met.verdict.word(),
            "operation": met.operation,
            "method": met.method,
            "path": met.path,
            "assumed": met.assumed,
            "differences": differences,
        })
    });

    let heaviest = diff.heaviest();
    let whole = json!({
        "description": {"old": diff.versions.0, "new": diff.versions.1},
        "bump": heaviest.map(Class::bump),
        "crate": {"old": current, "new": heaviest.and_then(|class| next(current, class))},
        "counts": {
            "breaking": diff.count(Class::Breaking),
            "behaviour": diff.count(Class::Behaviour),
            "additive": diff.count(Class::Additive),
            "docs": diff.count(Class::Docs),
        },
        "changes": changes,
        "assumptions": assumptions.collect::<Vec<_>>(),
    });
    format!("{whole:#}\n")
}

#[cfg(test)]
mod tests {
    use super::super::What;
    use super::*;
    use crate::facts::{Aspect, ItemKind, Subject};

    #[test]
    fn versions_grow_by_the_rules_of_cargo() {
        for (current, class, wanted) in [
            ("0.1.0", Class::Breaking, Some("0.2.0")),
            ("0.1.0", Class::Additive, Some("0.1.1")),
            ("0.1.4", Class::Docs, Some("0.1.5")),
            ("1.2.3", Class::Breaking, Some("2.0.0")),
            ("1.2.3", Class::Behaviour, Some("1.3.0")),
            ("1.2.3", Class::Docs, Some("1.2.4")),
            ("next", Class::Docs, None),
        ] {
            assert_eq!(next(current, class).as_deref(), wanted);
        }
    }

    #[test]
    fn texts_are_counted_unless_they_are_asked_for() {
        let change = |part: &str, aspect, says: &str| Change {
            class: Class::Docs,
            what: What::Changed,
            domain: "market".to_owned(),
            subject: Subject { kind: ItemKind::Record, name: "R".into(), part: Some(part.into()) },
            aspect: Some(aspect),
            old: None,
            new: None,
            says: says.to_owned(),
            with: Vec::new(),
        };

        let diff = Diff {
            changes: vec![
                change("a", Aspect::Docs, "is described differently"),
                change("b", Aspect::Docs, "is described differently"),
                change("c", Aspect::Source, "has the source B instead of A"),
            ],
            ..Diff::default()
        };
        let shown = |format, docs| {
            let text = show(&diff, View { format, docs }, "0.1.0");
            text.split_once("(patch)\n").unwrap().1.trim_start().to_owned()
        };

        let other = "market: record R.c has the source B instead of A\n";
        let counted = "2 changed documentation texts; `--docs` lists them\n";
        assert_eq!(shown(Format::Text, false), format!("{counted}  {other}"));
        assert_eq!(shown(Format::Text, true).lines().count(), 3);
        assert!(shown(Format::Markdown, false).starts_with(&format!("- {counted}- market: ")));
        assert_eq!(shown(Format::Markdown, true).lines().count(), 3);
    }

    #[test]
    fn words_of_a_description_become_no_markup() {
        assert_eq!(escape("<b> [a](b) `x<y` @all"), r"\<b\> \[a\](b) `x<y` \@all");
    }
}
