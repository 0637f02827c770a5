//! Edits the manifests of crates whose features are the domains.

use std::path::Path;

use crate::emit;
use crate::fault::{Fault, Result};

/// Replaces the lines between the two marks of a manifest by the generated features.
pub(super) fn with_features(path: &Path, manifest: &str, features: &str) -> Result<String> {
    let parts = manifest
        .split_once(emit::FEATURES_BEGIN)
        .and_then(|(head, rest)| Some((head, rest.split_once(emit::FEATURES_END)?.1)));
    let Some((head, tail)) = parts else {
        return Err(Fault::file(
            path,
            "the comments around the generated features are missing",
            format!("put `{}` and `{}` below [features]", emit::FEATURES_BEGIN, emit::FEATURES_END),
        ));
    };
    Ok(format!("{head}{features}{tail}"))
}
