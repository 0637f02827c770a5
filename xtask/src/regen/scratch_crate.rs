//! Generates a crate outside the repository, to test the generator with another OpenAPI document.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::paths::root;
use super::pipeline::Output;
use crate::emit;
use crate::fault::{Fault, Result};

/// Returns an error if the folder contains files, but no generated `Cargo.toml`. A new or empty folder is accepted.
pub fn check_folder(dir: &Path) -> Result<()> {
    let known = fs::read_to_string(dir.join("Cargo.toml"));
    if known.is_ok_and(|manifest| manifest.starts_with(emit::MANIFEST_MARK)) {
        return Ok(());
    }
    let fault = |reason: &str| Fault::file(dir, reason, "pass a new or an empty folder to `--out`");
    match fs::read_dir(dir).map(|mut entries| entries.next().is_some()) {
        Ok(true) => Err(fault("the folder contains files that this command did not write")),
        Ok(false) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(fault(&error.to_string())),
    }
}

/// Returns the files of a crate in the folder `dir`: the generated source files, `openapi.json`, `REPORT.md`,
/// `Cargo.toml` and `lib.rs`. The key is the path.
pub fn crate_files(dir: &Path, output: Output) -> Result<BTreeMap<PathBuf, String>> {
    let root = root();
    let mut files = BTreeMap::new();
    for (name, text) in output.sources {
        files.insert(dir.join("src/generated").join(name), text);
    }
    files.insert(dir.join("REPORT.md"), output.report);
    files.insert(dir.join("src/generated/openapi.json"), output.openapi);
    let core = root.join("crates/core");
    files
        .insert(dir.join("Cargo.toml"), emit::manifest(&output.model, &core.display().to_string()));
    let lib = root.join("crates/api/src/lib.rs");
    let text = fs::read_to_string(&lib).map_err(|error| {
        Fault::file(&lib, error.to_string(), "run the command inside the repository")
    })?;
    files.insert(dir.join("src/lib.rs"), text);
    Ok(files)
}
