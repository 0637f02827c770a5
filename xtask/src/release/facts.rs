//! Reads `release.toml`, which contains data about the project's owner, such as the address of the repository.
//!
//! No other committed file contains this data. When a release is built, [`fill`] copies it into `Cargo.toml` files,
//! `server.json`, `CODEOWNERS` and other files.

use std::path::Path;

use super::{read, versions};
use crate::fault::{Fault, Result};

const FILE: &str = "release.toml";

/// Returns the name and the comment of each empty value in `release.toml`.
pub(super) fn missing(root: &Path) -> Result<Vec<String>> {
    let text = read(root, FILE)?;
    let empty = entries(&text).filter(|(_, value, _)| value.is_empty());
    Ok(empty.map(|(name, _, comment)| format!("{name}: {comment}")).collect())
}

/// Copies the data of `release.toml` into `Cargo.toml` files, `server.json`, `CODEOWNERS` and other files. Returns the
/// paths of the written files.
///
/// # Errors
///
/// Returns an error if a value in `release.toml` is empty, if the data was already copied, or if a file cannot be read
/// or written.
pub fn fill(root: &Path) -> Result<Vec<String>> {
    if let Some(first) = missing(root)?.first() {
        return Err(Fault::file(
            &root.join(FILE),
            format!("a value is empty: {first}"),
            "add the value to release.toml",
        ));
    }
    let manifest = read(root, "Cargo.toml")?;
    if manifest.contains("\nrepository = ") {
        return Err(Fault::file(
            &root.join("Cargo.toml"),
            "the file already contains the data of release.toml",
            "restore the files from Git before you copy the data again",
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

    let edited = [
        ("CODEOWNERS", format!("* {owner}\n")),
        ("CODE_OF_CONDUCT.md", read(root, "CODE_OF_CONDUCT.md")?.replace("CONTACT", conduct)),
        (
            "Cargo.toml",
            manifest.replacen(
                "license = ",
                &format!("repository = \"{repository}\"\nlicense = "),
                1,
            ),
        ),
        (
            "python/pyproject.toml",
            read(root, "python/pyproject.toml")?
                + &format!("\n[project.urls]\nRepository = \"{repository}\"\n"),
        ),
        (
            "server.json",
            read(root, "server.json")?
                .replace("MCP_NAME", mcp_name)
                .replace("REPOSITORY", repository),
        ),
    ];
    let mut files = Vec::from(edited.map(|(name, text)| (name.to_owned(), text)));

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

/// Iterates over the entries of `release.toml`. Each item contains the name, the value, and the comment line above the
/// entry.
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
