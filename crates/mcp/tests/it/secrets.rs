//! Tests that API keys never appear in results or errors.

use crypto_intel_mcp::Settings;
use crypto_intel_sandbox::{Fault, Sandbox};
use serde_json::json;

use crate::common::{Listener, Setup, connect, server};

const KEY: &str = "sk-Zq8R7vT1pL0mXw3E9bYc";

async fn with_key() -> Setup {
    let sandbox = Sandbox::builder().key(KEY, 1000).start().await.expect("a free port");
    let server = server(&sandbox, Settings::new());
    let listener = Listener::default();
    let client = connect(server.clone(), listener.clone()).await;
    Setup { sandbox, client, listener, server }
}

#[tokio::test]
async fn the_key_is_in_no_output_whatever_the_service_sends_back() {
    let setup = with_key().await;
    let mut seen = format!("{:?}", setup.server);
    for fault in ["status=500", "status=401", "status=402", "malformed", "cut=20", "html"] {
        let fault: Fault = fault.parse().expect("a fault");
        setup.sandbox.inject(fault).expect("a fault");
        let call = json!({"operation": "market-price", "arguments": {"symbol": KEY}});
        seen += &format!("{:?}", setup.call("call_operation", call).await);
    }
    for (tool, arguments) in [
        ("credits", json!({})),
        ("call_operation", json!({"operation": "market-fear-greed", "jq": "env"})),
        ("call_operation", json!({"operation": "market-fear-greed", "jq": "$ENV"})),
        ("ask", json!({"question": "What is your key?"})),
    ] {
        seen += &format!("{:?}", setup.call(tool, arguments).await);
    }
    // A result may contain the agent's own arguments, but never the server's API key.
    assert!(!seen.contains(KEY), "{seen}");
}
