//! The manifest of the generated crate: one feature per tag.

use crate::model::Model;

/// Starts the lines that the generator owns in a manifest.
pub const FEATURES_BEGIN: &str = "# One feature per tag, written by `cargo xtask regen`.";
/// Ends them.
pub const FEATURES_END: &str = "# End of the generated features.";

/// The feature lines; `forward` names the crate whose features they switch on.
pub fn features(model: &Model, forward: Option<&str>) -> String {
    let names: Vec<String> = model.tags.iter().map(|tag| tag.feature()).collect();
    let mut text = format!("{FEATURES_BEGIN}\n");
    let list = names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    text.push_str(&format!("all = [{list}]\n"));
    for name in &names {
        match forward {
            Some(krate) => text.push_str(&format!("{name} = [\"{krate}/{name}\"]\n")),
            None => text.push_str(&format!("{name} = []\n")),
        }
    }
    text + FEATURES_END
}

/// A whole manifest for a crate outside the repository.
pub fn manifest(model: &Model, core: &str) -> String {
    format!(
        "[package]\nname = \"generated-api\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [features]\ndefault = [\"all\"]\ntables = []\nround-trip = []\n{}\n\n\
         [dependencies]\ncrypto-intel-core = {{ path = {core:?} }}\nserde_json = \"1\"\n\n[workspace]\n",
        features(model, None)
    )
}
