//! Runs progenitor, an external code generator, to compare its output with the generated client.
//!
//! A benchmark compares the size and build time of the two clients, and a test compares their operations. The generated
//! client does not use progenitor's code, because this code compiles slowly and cannot use the client's error and
//! response types.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use openapiv3::OpenAPI;
use progenitor_impl::{GenerationSettings, Generator, InterfaceStyle};
use serde_json::Value;

use crate::fault::{Fault, Result};

const HINT: &str = "please report the error; until it is corrected, remove the operation or schema with an overlay action";

/// Returns the client that progenitor generates in builder style from an OpenAPI document.
pub fn untreated(document: &Value) -> Result<proc_macro2::TokenStream> {
    let mut settings = GenerationSettings::new();
    settings.with_interface(InterfaceStyle::Builder);
    guarded(|| generate(document, &settings)).map_err(|reason| Fault::at("", reason, HINT))
}

/// Returns the client that progenitor generates in positional style from an OpenAPI document. In this style, a method
/// has one argument per parameter, so the generated code is easy to parse.
pub fn client(document: &Value) -> Result<proc_macro2::TokenStream> {
    let mut settings = GenerationSettings::new();
    settings.with_interface(InterfaceStyle::Positional);
    guarded(|| generate(document, &settings)).map_err(|reason| Fault::at("", reason, HINT))
}

fn generate(
    document: &Value,
    settings: &GenerationSettings,
) -> std::result::Result<proc_macro2::TokenStream, String> {
    let description: OpenAPI =
        serde_json::from_value(document.clone()).map_err(|error| error.to_string())?;
    Generator::new(settings).generate_tokens(&description).map_err(|error| error.to_string())
}

/// Runs a function that calls progenitor or typify. Converts a panic to an error, because both panic on unexpected
/// input.
pub(crate) fn guarded<T>(
    work: impl FnOnce() -> std::result::Result<T, String>,
) -> std::result::Result<T, String> {
    quieten();
    QUIET.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(false);
    outcome.unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no reason given");
        Err(format!("the code generator failed: {text}"))
    })
}

thread_local! {
    /// True while this thread runs a function whose panics are caught. The panic hook does not print these panics.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Installs a panic hook, once for all threads. The hook does not print the panics of a thread whose flag `QUIET` is
/// true, because these panics are caught. The hook prints all other panics.
fn quieten() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                loud(panic);
            }
        }));
    });
}
