//! Checks that the READMEs of published packages contain no relative links. A package registry shows a README without
//! the other files of the repository, so a relative link would be broken.

use std::path::Path;

use super::{read, versions};
use crate::fault::Result;

/// Returns a message for each relative link in a package README. Such a link would be broken on a package registry.
pub(super) fn relative_links(root: &Path) -> Result<Vec<String>> {
    let mut names = vec!["python/README.md".to_owned()];
    let manifests = versions::published_manifests(root)?;
    names.extend(manifests.iter().map(|name| name.replace("Cargo.toml", "README.md")));

    let mut found = Vec::new();
    for name in names {
        let text = read(root, &name)?;
        for target in link_targets(&text).filter(|target| !is_absolute(target)) {
            found.push(format!(
                "{name} has the relative link `{target}`, which does not work in a package registry"
            ));
        }
    }
    Ok(found)
}

fn link_targets(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("```").step_by(2);
    prose
        .flat_map(|part| part.split("](").skip(1))
        .filter_map(|rest| rest.split_once(')'))
        .map(|(target, _)| target)
}

fn is_absolute(target: &str) -> bool {
    target.starts_with("https://") || target.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_outside_of_code_are_targets() {
        let text =
            "[a](https://a.example) `x` [b](docs/b.md)\n```rust\nlet x = y[0](1);\n```\n[c](#part)";
        let targets: Vec<_> = link_targets(text).collect();
        assert_eq!(targets, ["https://a.example", "docs/b.md", "#part"]);
        assert_eq!(targets.iter().filter(|target| !is_absolute(target)).count(), 1);
    }
}
