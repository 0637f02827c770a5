//! Checks documented and estimated numbers of tokens with a public tokenizer.

use crypto_intel::catalogue::OPERATIONS;
use crypto_intel_mcp::{Settings, estimate_tokens};
use serde_json::json;

use crate::common::{sandbox, server};

/// Returns the number of tokens of a text with the public tokenizer `o200k_base`.
fn count(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

#[tokio::test]
async fn the_list_of_tools_is_small() {
    let sandbox = sandbox().await;
    let general = server(&sandbox, Settings::new());
    let listed = count(&serde_json::to_string(general.tools()).expect("JSON"));
    assert!(listed <= 1_500, "{listed} tokens");

    // For comparison, a server with one tool per operation.
    let typed = server(&sandbox, Settings::new().tool("all"));
    let all = count(&serde_json::to_string(&typed.tools()[general.tools().len()..]).expect("JSON"));
    let native = |settings: Settings| {
        let native = server(&sandbox, settings.tool("native"));
        (native.tools().len(), count(&serde_json::to_string(native.tools()).expect("JSON")))
    };
    let (whole, market) = (native(Settings::new()), native(Settings::new().only("market")));
    let strict = server(&sandbox, Settings::new().strict_schemas(true));
    let strict = count(&serde_json::to_string(strict.tools()).expect("JSON"));
    println!(
        "tools: {listed} tokens; strict {strict}; one for each operation: {all}; native {whole:?}; native, market {market:?}"
    );
    assert!(all > 10 * listed, "{all}");
}

#[test]
fn token_estimate_is_near_a_public_tokenizer() {
    let (mut estimated, mut counted) = (0, 0);
    for operation in OPERATIONS {
        let text = format!("{operation:?}");
        let (guess, truth) = (estimate_tokens(&text), count(&text));
        assert!(guess * 10 >= truth * 7, "{}: {guess} of {truth}", operation.id);
        estimated += guess;
        counted += truth;
    }
    let rows = json!((0..200)
        .map(|n| json!({"timestamp": 1_780_000_000 + n * 3600, "value": 64_123.45 + f64::from(n) * 1.37, "address": format!("0x{n:040x}")}))
        .collect::<Vec<_>>())
    .to_string();
    estimated += estimate_tokens(&rows);
    counted += count(&rows);

    println!("estimated {estimated}, counted {counted}");
    assert!(
        estimated * 100 >= counted * 90 && estimated * 100 <= counted * 150,
        "{estimated} of {counted}"
    );
}
