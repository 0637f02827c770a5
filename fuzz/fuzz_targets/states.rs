//! Fuzzes the parsers of all texts that users save and load again: resume tokens, chat conversations and saved
//! sandboxes. No text may cause a panic. Writing and parsing a loaded value must return an equal value.
#![no_main]

use crypto_intel::ResumeToken;
use crypto_intel::chat::{History, Thread};
use crypto_intel_sandbox::{Sandbox, SavedState};
use libfuzzer_sys::fuzz_target;
use serde::Serialize;
use serde::de::DeserializeOwned;

fuzz_target!(|text: &str| {
    if let Ok(token) = text.parse::<ResumeToken>() {
        assert_eq!(token.to_string().parse::<ResumeToken>().expect("a token"), token);
        survives_json(&token);
    }
    conversation::<Thread>(text);
    conversation::<History>(text);
    if let Ok(state) = text.parse::<SavedState>() {
        let written = state.to_string();
        assert_eq!(written.parse::<SavedState>().expect("a state").to_string(), written);
        let _ = Sandbox::builder().load(state).without_socket();
    }
});

fn conversation<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(text: &str) {
    if let Ok(value) = serde_json::from_str::<T>(text) {
        survives_json(&value);
    }
}

fn survives_json<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let written = serde_json::to_string(value).expect("JSON");
    assert_eq!(&serde_json::from_str::<T>(&written).expect("the same type"), value);
}
