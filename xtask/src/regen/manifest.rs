//! Updates the generated Cargo features in the `Cargo.toml` of a crate.

use std::path::Path;

use crate::emit;
use crate::fault::{Fault, Result};

/// Replaces the lines between the two marker lines of a `Cargo.toml` by the generated Cargo features.
pub(super) fn with_features(path: &Path, manifest: &str, features: &str) -> Result<String> {
    let parts = manifest
        .split_once(emit::FEATURES_BEGIN)
        .and_then(|(head, rest)| Some((head, rest.split_once(emit::FEATURES_END)?.1)));
    let Some((head, tail)) = parts else {
        return Err(Fault::file(
            path,
            "Cargo.toml has no marker comments around the generated features",
            format!("put `{}` and `{}` below [features]", emit::FEATURES_BEGIN, emit::FEATURES_END),
        ));
    };
    Ok(format!("{head}{features}{tail}"))
}
