//! The external generator (progenitor), for comparison.
//!
//! The project compares its client with progenitor's client, and its catalogue with progenitor's operations as a
//! second opinion. The generated client does not contain progenitor's output: half of the output is request builders
//! and their bodies, it compiles slowly, and it cannot have the client's error and reply types.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use openapiv3::OpenAPI;
use progenitor_impl::{GenerationSettings, Generator, InterfaceStyle};
use serde_json::Value;

use crate::fault::{Fault, Result};

const HINT: &str = "please report this; an overlay that removes this part avoids the error";

/// Returns the complete output in builder style for the same document.
pub fn untreated(document: &Value) -> Result<proc_macro2::TokenStream> {
    let mut settings = GenerationSettings::new();
    settings.with_interface(InterfaceStyle::Builder);
    guarded(|| generate(document, &settings)).map_err(|reason| Fault::at("", reason, HINT))
}

/// Returns the client with positional arguments per operation, which is easy to parse.
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

/// Runs `work`, and converts its panic to a fault. Both generators panic on unexpected input.
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
        Err(format!("gave up: {text}"))
    })
}

thread_local! {
    /// True while panics of this thread are caught.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Keeps caught panics off the terminal. The panic hook is global, so it is set once and checks the thread. Replacing
/// it for each run would lose panics of other threads.
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
