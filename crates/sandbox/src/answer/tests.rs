//! Tests that the JSON text of a response equals the JSON value of the response.

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_world::example;
use crypto_intel_world::random::Seed;

use super::*;
use crate::cursor::Cursors;

/// Tests that a response written as JSON text equals the same response built as a JSON value.
#[test]
fn the_text_of_an_answer_is_its_document() {
    let cursors = Cursors::new(Seed::new(1));
    let mut compared = 0;
    for (operation, round) in OPERATIONS.iter().flat_map(|op| [(op, 0), (op, 1)]) {
        let ctx = Context {
            // The time in the first round is 2026-06-15 13:37:42 UTC. The next round uses rows that were cached one
            // second before.
            world: world::Context::new(Seed::new(1), 1_781_530_662 + round),
            cursors: &cursors,
            nonce: 0,
            credits_used: 1,
            cached: false,
            text: None,
        };
        let args = example::args(operation, &example::parameters(operation)).unwrap();
        let Ok(found) = compose(&ctx, &args) else { continue };
        let text = found.written(&ctx, args.operation).pieces(&ctx, &args).concat();
        let document = compose(&ctx, &args).unwrap().document(&ctx, &args);
        assert_eq!(text, document.to_string().into_bytes(), "{}", operation.id);
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}
