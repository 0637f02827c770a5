//! Finds columns that a table can omit, such as translations, pictures and opaque ids. Shortens long values.

use crypto_intel::catalogue::{OPERATIONS, Operation};
use serde_json::value::RawValue;

use crate::json::to_json;

/// Maximum number of characters of a text in a table. Longer texts are shortened.
const MAX_TEXT: usize = 80;
/// Maximum number of items of a long list in a table. A list is long if its JSON text has more than [`MAX_LIST`] bytes.
/// Other lists keep all items.
pub(super) const MAX_ITEMS: usize = 3;
const MAX_LIST: usize = 40;
/// Words that identify picture fields. A field is a picture field if its values are URLs and its name contains one of
/// these words. For example, `logo_url` contains `logo`.
const PICTURES: &[&str] =
    &["image", "avatar", "logo", "icon", "banner", "thumbnail", "photo", "picture", "cover"];

/// Returns `name` if the column is a translation of an English column. For example, `summary.zh` is a translation if a
/// column `summary.en` exists.
pub(super) fn translation(name: &str, names: &[String]) -> Option<String> {
    let (above, language) = name.rsplit_once('.')?;
    let english = format!("{above}.en");
    (is_other_language(language) && names.contains(&english)).then(|| name.to_owned())
}

/// Returns true if the text has the form of a two-letter language code and is not `en`.
pub(super) fn is_other_language(code: &str) -> bool {
    code.len() == 2 && code != "en" && code.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Returns true if any operation accepts this id as an argument: `id`, the name of any parameter, or a name such as
/// `project_id`, if an operation `project-…` has a parameter `id`. In a path such as `a.b.id`, only the last name
/// counts.
pub(super) fn is_accepted(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    let of_thing = last.strip_suffix("_id").map(|thing| format!("{thing}-"));
    let has_id = |operation: &Operation| {
        let is_of_thing = of_thing.as_ref().is_some_and(|start| operation.id.starts_with(start));
        is_of_thing && operation.param("id").is_some()
    };
    last == "id" || OPERATIONS.iter().any(|known| known.param(last).is_some() || has_id(known))
}

/// Returns true if the rows contain a slug in addition to the id `name`, such as `project_slug` in addition to
/// `project_id`. The id can then be omitted, because people can read the slug, and operations accept the slug too.
pub(super) fn has_slug(name: &str, names: &[String], cells: &[Vec<String>]) -> bool {
    let slug = name.strip_suffix("id").map(|above| format!("{above}slug"));
    let index = names.iter().position(|other| Some(other) == slug.as_ref());
    index.is_some_and(|index| cells[index].iter().all(|value| value.len() > 2 && value != "null"))
}

/// Returns true if the field contains pictures. If `has_id` is true, also returns true if the field contains links:
/// rows that have an identifier do not need links.
pub(super) fn is_picture_or_link(name: &str, values: &[String], has_id: bool) -> bool {
    let mut present = values.iter().filter(|value| *value != "null" && *value != "[]").peekable();
    if present.peek().is_none() {
        return false;
    }
    let is_url = |value: &String| {
        let text = value.trim_start_matches(['[', '"']);
        text.starts_with("http://") || text.starts_with("https://")
    };
    let last = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
    let is_picture = PICTURES.iter().any(|part| last.contains(part));
    let is_media = |value: &String| value.starts_with("[{") && value.contains("://");
    let is_media_list = last == "media" && values.iter().any(is_media);
    is_media_list || (present.all(is_url) && (is_picture || has_id))
}

/// Returns true if all values are ids without a meaning for a reader: UUIDs, hashes, very long numbers, or lists of
/// these ids. A table shows at most its first column of opaque ids, because one id identifies the row.
pub(super) fn is_opaque_id(values: &[String]) -> bool {
    let is_opaque = |text: &str| {
        let hash = text.strip_prefix("0x").filter(|hash| hash.len() == 64);
        let is_hex =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_uuid =
            text.len() == 36 && text.split('-').count() == 5 && text.split('-').all(is_hex);
        is_uuid
            || hash.is_some_and(is_hex)
            || (text.len() > 30 && text.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let mut texts = values
        .iter()
        .filter(|value| *value != "null" && *value != "[]")
        .flat_map(|value| value.split(',').map(|part| part.trim_matches(['[', ']', '"'])))
        .peekable();
    texts.peek().is_some() && texts.all(is_opaque)
}

/// Removes the `.0` of a whole number: `5.0` becomes `5`.
pub(super) fn plain_number(json: &str) -> &str {
    let whole = json.strip_suffix(".0").unwrap_or(json);
    let is_number = whole.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
    if is_number { whole } else { json }
}

/// Shortens a long text or list, and adds a note such as `… (+40 characters)`. Returns the value, and true if it was
/// shortened. If the result with the note would not be shorter than the original value, returns the original value.
pub(super) fn shorten(json: &str) -> (String, bool) {
    if json.len() > MAX_LIST
        && let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(json)
        && items.len() > MAX_ITEMS
    {
        let first: Vec<_> = items[..MAX_ITEMS].iter().map(|item| item.get()).collect();
        let rest = items.len() - MAX_ITEMS;
        let short = format!("[{},\"… (+{rest} items)\"]", first.join(","));
        return if short.len() < json.len() { (short, true) } else { (json.to_owned(), false) };
    }
    if json.len() <= MAX_TEXT {
        return (json.to_owned(), false);
    }
    let Ok(text) = serde_json::from_str::<String>(json) else { return (json.to_owned(), false) };
    let Some((end, _)) = text.char_indices().nth(MAX_TEXT) else { return (json.to_owned(), false) };
    let rest = text[end..].chars().count();
    let note = format!("… (+{rest} characters)");
    match rest <= note.chars().count() {
        true => (json.to_owned(), false),
        false => (to_json(&format!("{}{note}", &text[..end])).get().to_owned(), true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_or_list_is_shortened_only_if_that_saves_characters() {
        let text = |length: usize| format!("\"{}\"", "x".repeat(length));
        assert_eq!(shorten(&text(90)), (text(90), false));
        let (short, is_shortened) = shorten(&text(120));
        assert!(is_shortened && short.ends_with("… (+40 characters)\""), "{short}");

        let list = |last: &str| format!("[{0},{0},{0},{last}]", text(12));
        assert_eq!(shorten(&list("1")), (list("1"), false));
        let (short, is_shortened) = shorten(&list(&text(60)));
        assert!(is_shortened && short.ends_with("\"… (+1 items)\"]"), "{short}");
    }
}
