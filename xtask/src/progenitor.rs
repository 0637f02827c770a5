//! The external generator, for comparison: its whole output, and the panics it is known for.
//!
//! progenitor's own client is what this project's is measured against, and a second opinion on the
//! operations of the catalogue. Nothing of it is written into the client: its request builders and their
//! bodies are half of its lines, compile slowly, and cannot be given the client's error and reply.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use openapiv3::OpenAPI;
use progenitor_impl::{GenerationSettings, Generator, InterfaceStyle};
use serde_json::Value;

use crate::fault::{Fault, Result};

const HINT: &str = "please report this; an overlay that removes the place gets you further";

/// The generator's whole output in builder style for the same document, for comparison.
pub fn untreated(document: &Value) -> Result<proc_macro2::TokenStream> {
    let mut settings = GenerationSettings::new();
    settings.with_interface(InterfaceStyle::Builder);
    guarded(|| generate(document, &settings)).map_err(|reason| Fault::at("", reason, HINT))
}

/// The generator's client with a method of plain arguments for each operation, which is easy to read.
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

/// Both generators panic on what they do not expect: a panic of the work is its fault.
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
    /// Whether a panic of this thread is caught and told as a fault.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Keeps caught panics off the terminal. The hook is of the whole process, so it is set once and
/// asks the thread; changing it back and forth would lose the panics of other threads.
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
