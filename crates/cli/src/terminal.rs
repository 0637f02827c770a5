//! Prints to standard output and standard error, and determines the width and colours of the terminal.
//!
//! Text from the service can contain escape sequences that control a terminal. The functions [`escape_controls`] and
//! [`escaped`] make the text safe. [`note`] and [`print_error`] call [`escape_controls`] themselves. [`print()`] and
//! [`write()`] print text unchanged, so their callers must make text from the service safe first.

use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use terminal_size::{Width, terminal_size};
use tracing_subscriber::filter::LevelFilter;
use unicode_width::UnicodeWidthStr;

/// Use of colours, as selected by `--color`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Color {
    /// Colours on a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Colours on a terminal, in files and in pipes.
    Always,
    /// No colours.
    Never,
}

static COLOR: AtomicU8 = AtomicU8::new(0);
static IS_PLAIN: AtomicBool = AtomicBool::new(false);
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Turns plain output on or off. Plain output has no progress bars, and no colours unless `--color always` is set.
pub(crate) fn set_plain(is_plain: bool) {
    IS_PLAIN.store(is_plain, Ordering::Relaxed);
}

/// Sets whether notes are hidden. Failures are always printed to standard error.
pub(crate) fn set_quiet(is_quiet: bool) {
    IS_QUIET.store(is_quiet, Ordering::Relaxed);
}

/// Returns true if neither notes nor warnings of the client library are printed to standard error.
pub(crate) fn is_quiet() -> bool {
    IS_QUIET.load(Ordering::Relaxed)
}

/// Sets the use of colours for the whole process.
pub(crate) fn set_color(color: Color) {
    COLOR.store(color as u8, Ordering::Relaxed);
}

/// Returns true if text on standard output should be coloured. `--color auto` colours only text on a terminal.
pub(crate) fn has_color() -> bool {
    match COLOR.load(Ordering::Relaxed) {
        1 => true,
        2 => false,
        _ => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            stdout_is_terminal() && !refused && !is_dumb()
        }
    }
}

/// Returns true if `TERM` is `dumb` or if agent mode is on. The output then contains no progress bars. It contains no
/// colours either, unless `--color always` is set.
pub(crate) fn is_dumb() -> bool {
    IS_PLAIN.load(Ordering::Relaxed) || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// Returns true if standard output is a terminal.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// Returns true if standard error is a terminal.
pub(crate) fn stderr_is_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Returns the width of the terminal in columns, at least 20. A number in the variable `COLUMNS` overrides the actual
/// width. The default is 100 if the width is unknown.
pub(crate) fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    told.or_else(|| terminal_size().map(|(Width(columns), _)| usize::from(columns)))
        .unwrap_or(100)
        .max(20)
}

/// Prints text to standard output. If the reader has closed the pipe, as `head` does, the process exits with code 0.
pub(crate) fn print(text: &str) {
    write(text.as_bytes());
}

/// Function that prints a failure if standard output cannot be written. `main` sets this function, so that this module
/// does not depend on the module `failure`.
pub(crate) static WRITE_FAILED: OnceLock<fn(&io::Error)> = OnceLock::new();

/// Writes bytes to standard output; see [`print()`].
pub(crate) fn write(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
        if error.kind() == io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        if let Some(report) = WRITE_FAILED.get() {
            report(&error);
        }
        std::process::exit(1);
    }
}

/// Waits for Ctrl-C. After the first call of this function, Ctrl-C no longer ends the process by itself.
pub(crate) async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // If no signal handler can be installed, Ctrl-C still ends the process.
        std::future::pending::<()>().await;
    }
}

/// Prints a note to standard error, unless notes are hidden.
pub(crate) fn note(text: &str) {
    if !is_quiet() {
        print_error(text);
    }
}

/// Prints text to standard error, even if notes are hidden.
pub(crate) fn print_error(text: &str) {
    // If standard error is closed, the message is lost.
    let _ = writeln!(io::stderr().lock(), "{}", escape_controls(text));
}

/// Prints warnings of the client library to standard error, for example that the service will remove an operation.
pub(crate) fn show_warnings() {
    tracing_subscriber::fmt()
        .with_max_level(LevelFilter::WARN)
        .with_writer(io::stderr)
        .with_target(false)
        .with_ansi(false)
        .without_time()
        .init();
}

/// Escapes control characters and some invisible characters, such as marks of text direction. An escaped character
/// looks like `\u{202e}`. Line feeds and tabs are kept. Carriage returns are escaped.
pub(crate) fn escape_controls(text: &str) -> String {
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

/// Replaces control characters and some invisible characters by JSON escapes such as `\u202e`. Line feeds and tabs are
/// kept. See [`is_harmful`].
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

/// Returns true for control characters, marks of text direction, tag characters, and some characters without a width.
/// Also returns true for line feeds and tabs, which [`escape_controls`] and [`escaped`] keep.
pub(crate) fn is_harmful(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
            | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Wraps a text at spaces into lines of at most `width` terminal columns. A word that is longer than a line is not
/// split.
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
        let shown = escape_controls(attack);
        assert!(!shown.chars().any(|letter| is_harmful(letter) && letter != '\n'), "{shown}");
        assert_eq!(shown, "\\u{1b}]0;title\\u{7}\\u{9b}31mred\\u{202e}abc\\u{d}\n");
        assert_eq!(escaped("a\u{202e}\u{e0041}\n"), "a\\u202e\\udb40\\udc41\n");
        assert_eq!(escape_controls("Zürich 東京\t1"), "Zürich 東京\t1");
    }
}
