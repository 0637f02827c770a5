//! Tests of the exam with scripted strategies, small examined programs, and programs that try to cheat.

mod cheating;
mod constants;
mod reference;

use crypto_intel_exam::JqWorker;

/// Creates the jq worker of these tests. To run a jq program, the worker starts this test program again with only the
/// test [`this_test_program_serves_as_jq_worker`].
fn jq_worker() -> JqWorker {
    let program = std::env::current_exe().expect("this program");
    JqWorker::new(program).argument("--exact").argument("this_test_program_serves_as_jq_worker")
}

#[tokio::test]
async fn this_test_program_serves_as_jq_worker() {
    if crypto_intel_jq::is_worker() {
        crypto_intel_jq::run_worker();
        std::process::exit(0);
    }
    let outputs = jq_worker().run("1 + 1", "null", &[]).await.expect("a result");
    assert_eq!(outputs[0].get(), "2");
}
