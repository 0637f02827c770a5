//! The beginnings of bodies.

use std::fmt;

/// The beginning of a body, for people to read. `Display` of an error never shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Excerpt {
    text: String,
    total: usize,
}

impl Excerpt {
    /// Bytes of a body that are kept.
    pub const LIMIT: usize = 2048;

    /// Keeps the beginning of `body`; bytes that are not UTF-8 become U+FFFD.
    #[must_use]
    pub fn of(body: &[u8]) -> Self {
        let head = beginning(body, Self::LIMIT);
        Excerpt { text: String::from_utf8_lossy(head).into_owned(), total: body.len() }
    }

    /// The same with secrets taken out, before the cut: half a secret is not found.
    pub(crate) fn redacted(body: &[u8], redact: impl FnOnce(&mut String)) -> Self {
        let mut head = String::from_utf8_lossy(beginning(body, 2 * Self::LIMIT)).into_owned();
        redact(&mut head);
        Excerpt { total: body.len(), ..Excerpt::of(head.as_bytes()) }
    }

    /// What was kept.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Length of the whole body in bytes.
    #[must_use]
    pub fn total(&self) -> usize {
        self.total
    }
}

/// The first bytes of a text; a character cut at the limit is dropped, not turned into U+FFFD.
fn beginning(body: &[u8], limit: usize) -> &[u8] {
    let head = &body[..body.len().min(limit)];
    match std::str::from_utf8(head) {
        Err(error) if error.error_len().is_none() => &head[..error.valid_up_to()],
        _ => head,
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} (of {} bytes)", self.text, self.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_at_the_cut_of_an_excerpt_is_taken_out_whole() {
        let body = "x".repeat(Excerpt::LIMIT - 3) + "secret and more";
        let excerpt =
            Excerpt::redacted(body.as_bytes(), |text| *text = text.replace("secret", "…"));
        assert!(excerpt.text().ends_with("x…"), "{excerpt:?}");
        assert_eq!(excerpt.total(), body.len());
    }

    #[test]
    fn an_excerpt_is_never_cut_inside_a_character() {
        let body = "é".repeat(Excerpt::LIMIT);
        let excerpt = Excerpt::of(&body.as_bytes()[1..]);
        assert!(excerpt.text().starts_with('\u{fffd}'));
        assert!(Excerpt::of(body.as_bytes()).text().chars().all(|c| c == 'é'));
        assert_eq!(Excerpt::of(b"\xff").text(), "\u{fffd}");
    }
}
