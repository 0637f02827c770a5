//! Fuzzes the reader of recordings with random files. The reader must return a recording, or an error with the file
//! name. A sandbox that replays the recording must respond to every request.
#![no_main]

use std::sync::LazyLock;

use crypto_intel::http::Request;
use crypto_intel::http_service::Body;
use crypto_intel::tower_service::Service as _;
use crypto_intel_sandbox::Sandbox;
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

const FILE: &str = "get-market-fear-greed-0001.json";
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| TempDir::new().expect("a folder"));

fuzz_target!(|bytes: &[u8]| {
    std::fs::write(FOLDER.path().join(FILE), bytes).expect("a written file");
    let sandbox = match Sandbox::builder().replay(FOLDER.path()).without_socket() {
        Ok(sandbox) => sandbox,
        Err(error) => {
            assert!(error.to_string().contains(FILE), "{error}");
            return;
        }
    };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(async {
        for path in
            ["/gateway/v1/market/fear-greed", "/gateway/v1/none?b=1&a=%FF", "/chat/completions"]
        {
            let request = Request::builder().uri(path).body(Body::empty()).expect("a request");
            let answer = sandbox.service().call(request).await.expect("no error");
            assert!(answer.status().as_u16() >= 200, "{}", answer.status());
        }
    });
});
