//! Extracts the release notes of a version from the changelog.

use std::path::Path;

use super::read;
use crate::fault::{Fault, Result};

/// Returns the section of `CHANGELOG.md` for `version`. If the changelog has no section for `version`, returns the
/// section "Unreleased".
pub fn notes(root: &Path, version: &str) -> Result<String> {
    let text = read(root, "CHANGELOG.md")?;
    let section = section(&text, version).or_else(|| section(&text, "Unreleased"));
    section.filter(|section| !section.is_empty()).map(str::to_owned).ok_or_else(|| {
        Fault::file(
            &root.join("CHANGELOG.md"),
            format!("the changelog has no section for version {version}"),
            format!("add a heading `## {version}`"),
        )
    })
}

/// Returns the text between the `##` heading that begins with `version` and the next `##` heading.
fn section<'t>(text: &'t str, version: &str) -> Option<&'t str> {
    let start = text.match_indices("\n## ").find_map(|(at, mark)| {
        let heading = &text[at + mark.len()..];
        let rest = heading.strip_prefix(version)?;
        (!rest.starts_with(|next: char| next.is_alphanumeric() || next == '.')).then_some(at + 1)
    })?;
    let body = &text[start + text[start..].find('\n')?..];
    let end = body.find("\n## ").unwrap_or(body.len());
    Some(body[..end].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn section_ends_at_the_next_heading() {
        let text =
            "# Changelog\n\n## 0.10.0\nten\n\n## 0.1.0: first\n### A\none\n\n## 0.0.1\nzero\n";
        assert_eq!(section(text, "0.1.0"), Some("### A\none"));
        assert_eq!(section(text, "0.10.0"), Some("ten"));
        assert_eq!(section(text, "0.0.1"), Some("zero"));
        assert_eq!(section(text, "0.1"), None);
    }
}
