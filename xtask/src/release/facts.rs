//! The owner's data in `release.toml`, such as the repository's address: which values are missing, and the files that
//! contain them.
//!
//! The file is the only place with the address of the repository. Manifests, `server.json` and `CODEOWNERS` get the
//! values from [`fill`] when a release is built.

use std::path::Path;

use super::{read, versions};
use crate::fault::{Fault, Result};

const FILE: &str = "release.toml";

/// Returns the names of the empty values, with their descriptions.
pub(super) fn missing(root: &Path) -> Result<Vec<String>> {
    let text = read(root, FILE)?;
    let empty = entries(&text).filter(|(_, value, _)| value.is_empty());
    Ok(empty.map(|(name, _, comment)| format!("{name}: {comment}")).collect())
}

/// Writes the owner's data into the manifests, `server.json` and `CODEOWNERS`. Returns the names of the written
/// files.
///
/// # Errors
/// If a value is empty, or a file cannot be read or written.
pub fn fill(root: &Path) -> Result<Vec<String>> {
    if let Some(first) = missing(root)?.first() {
        return Err(Fault::file(
            &root.join(FILE),
            format!("this fact is empty: {first}"),
            "fill it in",
        ));
    }
    let text = read(root, FILE)?;
    let fact = |wanted: &str| {
        entries(&text)
            .find(|(name, ..)| *name == wanted)
            .map(|(_, value, _)| value)
            .unwrap_or_default()
    };
    let (repository, owner, conduct, mcp_name) =
        (fact("repository"), fact("owner"), fact("conduct"), fact("mcp_name"));

    let mut files = vec![
        ("CODEOWNERS".to_owned(), format!("* {owner}\n")),
        (
            "CODE_OF_CONDUCT.md".to_owned(),
            read(root, "CODE_OF_CONDUCT.md")?.replace("CONTACT", conduct),
        ),
        (
            "Cargo.toml".to_owned(),
            read(root, "Cargo.toml")?.replacen(
                "license = ",
                &format!("repository = \"{repository}\"\nlicense = "),
                1,
            ),
        ),
        (
            "python/pyproject.toml".to_owned(),
            read(root, "python/pyproject.toml")?
                + &format!("\n[project.urls]\nRepository = \"{repository}\"\n"),
        ),
        (
            "server.json".to_owned(),
            read(root, "server.json")?
                .replace("MCP_NAME", mcp_name)
                .replace("REPOSITORY", repository),
        ),
    ];
    for manifest in versions::published_manifests(root)? {
        let text = read(root, &manifest)?;
        let text =
            text.replacen("license.workspace", "repository.workspace = true\nlicense.workspace", 1);
        files.push((manifest, text));
    }

    for (name, text) in &files {
        let path = root.join(name);
        std::fs::write(&path, text)
            .map_err(|error| Fault::file(&path, error.to_string(), "make the file writable"))?;
    }
    Ok(files.into_iter().map(|(name, _)| name).collect())
}

/// Iterates over the entries of the file: name, value, and the comment above.
fn entries(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let mut comment = "";
    text.lines().filter_map(move |line| {
        if let Some(words) = line.strip_prefix("# ") {
            comment = words;
            return None;
        }
        let (name, value) = line.split_once(" = ")?;
        Some((name, value.trim_matches('"'), comment))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_name_value_and_comment() {
        let text =
            "# About the file.\n\n# An address.\nrepository = \"\"\n# A name.\nowner = \"@a\"\n";
        let entries: Vec<_> = entries(text).collect();
        assert_eq!(entries, [("repository", "", "An address."), ("owner", "@a", "A name.")]);
    }
}
