//! The terminal: what goes to it, how wide it is, and whether it shows colours.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicU8, Ordering};

use terminal_size::{Width, terminal_size};
use unicode_width::UnicodeWidthStr;

/// When colours are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

static COLOR: AtomicU8 = AtomicU8::new(0);

/// Sets when colours are shown, for the whole run.
pub(crate) fn set_color(color: Color) {
    COLOR.store(color as u8, Ordering::Relaxed);
}

/// Whether standard output shows colours.
pub(crate) fn has_color() -> bool {
    match COLOR.load(Ordering::Relaxed) {
        1 => true,
        2 => false,
        _ => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            stdout_is_terminal() && !refused
        }
    }
}

/// Whether a person reads standard output.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Whether a person reads standard error.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Columns of the terminal: `COLUMNS`, what the terminal says, or 100 where there is none.
pub(crate) fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    told.or_else(|| terminal_size().map(|(Width(columns), _)| usize::from(columns)))
        .unwrap_or(100)
        .max(20)
}

/// Prints text that is data. A reader that has gone away, such as `head`, ends the program quietly.
pub(crate) fn print(text: &str) {
    write(text.as_bytes());
}

/// The same for bytes.
pub(crate) fn write(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
        if error.kind() == io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        eprintln!("error: standard output: {error}");
        std::process::exit(1);
    }
}

/// Waits for Ctrl-C. From then on it does not end the program by itself.
pub(crate) async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Nothing can be caught here, so that the signal ends the program.
        std::future::pending::<()>().await;
    }
}

/// Tells the user something beside the data.
pub(crate) fn note(text: &str) {
    // Nobody reads a standard error that is closed.
    let _ = writeln!(io::stderr().lock(), "{}", harmless(text));
}

/// The text without anything that a terminal would obey: control characters, and the marks that
/// turn the direction of writing, are spelt out. New lines and tabs stay.
pub(crate) fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\t' => shown.push(letter),
            _ if is_harmful(letter) => shown.extend(letter.escape_unicode()),
            _ => shown.push(letter),
        }
    }
    shown
}

/// The text with such characters as the escapes of JSON: `\u202e`.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\t' => safe.push(letter),
            _ if is_harmful(letter) => {
                let mut units = [0; 2];
                for unit in letter.encode_utf16(&mut units) {
                    safe.push_str(&format!("\\u{unit:04x}"));
                }
            }
            _ => safe.push(letter),
        }
    }
    safe
}

/// Whether a terminal obeys the character instead of showing it, or nobody sees it.
pub(crate) fn is_harmful(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
            | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Words on lines of at most this width.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let mut lines = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        if used > 0 && used + 1 + word.width() > width {
            lines.push('\n');
            used = 0;
        }
        if used > 0 {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += word.width();
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sequence_reaches_the_terminal() {
        let attack = "\u{1b}]0;title\u{7}\u{9b}31mred\u{202e}abc\r\n";
        let shown = harmless(attack);
        assert!(!shown.chars().any(|letter| is_harmful(letter) && letter != '\n'), "{shown}");
        assert_eq!(shown, "\\u{1b}]0;title\\u{7}\\u{9b}31mred\\u{202e}abc\\u{d}\n");
        assert_eq!(escaped("a\u{202e}\u{e0041}\n"), "a\\u202e\\udb40\\udc41\n");
        assert_eq!(harmless("Zürich 東京\t1"), "Zürich 東京\t1");
    }
}
