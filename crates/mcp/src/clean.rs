//! Characters that people do not see.

/// The text with the characters replaced by which a text can say to a model what no reader sees:
/// tags (an alphabet without shapes), marks that turn the direction of writing, and separators
/// without width. Joiners stay: emoji and several scripts need them. For JSON text, in which none
/// of them stands outside of a string.
pub(crate) fn visible(json: String) -> String {
    let hidden = |c: char| matches!(c, '\u{e0000}'..='\u{e007f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{200b}' | '\u{feff}');
    if json.is_ascii() || !json.contains(hidden) {
        return json;
    }
    json.chars().map(|c| if hidden(c) { '\u{fffd}' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn what_nobody_sees_becomes_visible_and_the_rest_stays() {
        let cases = [
            ("plain", "plain"),
            ("a\u{e0041}b", "a\u{fffd}b"),
            ("\u{202e}txt", "\u{fffd}txt"),
            ("👩\u{200d}🚀 ü 漢", "👩\u{200d}🚀 ü 漢"),
        ];
        for (text, expected) in cases {
            assert_eq!(visible(text.to_owned()), expected);
        }
    }
}
