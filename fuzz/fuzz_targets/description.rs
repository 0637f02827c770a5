//! Fuzzes the code generator with an OpenAPI document and an overlay. The generator must write code or return error
//! messages, and must never panic.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use xtask::{load, regen};

/// Line between the OpenAPI document and the overlay in the input text.
const OVERLAY: &str = "\n--- overlay ---\n";

fuzz_target!(|text: &str| {
    let (description, overlay) = match text.split_once(OVERLAY) {
        Some((description, overlay)) => (description, Some(overlay)),
        None => (text, None),
    };
    let Ok(description) = load::described(Path::new("description"), description) else { return };
    let overlay = overlay.and_then(|text| load::parsed(Path::new("overlay"), text).ok());
    if let Err(faults) = regen::run_in_memory(vec![description], overlay.as_ref()) {
        assert!(!faults.to_string().is_empty());
    }
});
