//! Tests of the citations of chat answers, for streamed answers and for answers in one response.

use crypto_intel::chat::{Citation, user};
use crypto_intel::{Client, prelude::*};
use crypto_intel_sandbox::Sandbox;

/// Checks that the URL of each citation begins with `/gateway/v1/`, like the paths of data operations. Also checks that
/// each citation has a title, and that the cited range of `text` begins with bold text (`**`).
fn check(citations: &[Citation], text: &str, what: &str) {
    assert!(!citations.is_empty(), "{what}: no citations");
    let characters: Vec<char> = text.chars().collect();
    for citation in citations {
        assert!(citation.url.starts_with("/gateway/v1/"), "{what}: {citation:?}");
        assert!(citation.title.is_some(), "{what}: {citation:?}");
        let range = citation.range.clone().unwrap();
        assert!(characters[range].starts_with(&['*', '*']), "{what}: {citation:?}");
    }
}

#[tokio::test]
#[expect(deprecated, reason = "the retired operation is supported")]
async fn citations_are_equal_whole_and_streamed() {
    let sandbox = Sandbox::start().await.unwrap();
    let client = Client::builder().api_key(sandbox.key()).base_url(sandbox.url()).build().unwrap();

    let request = || client.responses("svc-2.0", "price of BTC and ETH");
    let whole = request().await.unwrap();
    check(&whole.citations(), &whole.text(), "responses");
    let streamed = request().stream().await.unwrap().read_to_end().await.unwrap();
    assert_eq!(streamed.citations().len(), whole.citations().len());
    check(&streamed.citations(), &streamed.text(), "responses, streamed");

    let request = || client.chat_completions("svc-1.5", [user("price of BTC and ETH")]);
    let whole = request().await.unwrap();
    check(&whole.citations(), whole.text(), "completions");
    let streamed = request().stream().await.unwrap().read_to_end().await.unwrap();
    assert_eq!(streamed.citations().len(), whole.citations().len());
    check(&streamed.citations(), streamed.text(), "completions, streamed");
}
