//! Runs every command of the README, the guide and `tests/cmd`, and compares the outputs with the expected outputs. The
//! commands use the embedded sandbox with a stopped clock. `TRYCMD=overwrite cargo test -p crypto-intel-cli` replaces
//! the expected outputs.

use trycmd::TestCases;

/// Time of the sandbox's clock in Unix seconds: 28 May 2026, as in the guide.
const CLOCK: &str = "1780000000";

fn cases(home: &std::path::Path) -> TestCases {
    let home = home.to_str().expect("a path of this machine");
    let cases = TestCases::new();
    // trycmd skips commands that it does not find, and a test that skips all commands would pass.
    cases.register_bin("cintel", trycmd::cargo::cargo_bin!("cintel"));
    cases.insert_var("[HOME]", home.to_owned()).expect("a name of a variable");
    for (name, value) in [
        // The developer's own environment must not influence the tests.
        ("CRYPTO_INTEL_API_KEY", ""),
        ("CRYPTO_INTEL_BASE_URL", ""),
        ("CINTEL_PROFILE", ""),
        ("CINTEL_CONFIG", ""),
        ("NO_COLOR", "1"),
        ("COLUMNS", "100"),
        ("HOME", home),
        ("XDG_CONFIG_HOME", home),
        ("XDG_CACHE_HOME", home),
        ("CINTEL_CACHE", ""),
        ("CINTEL_SANDBOX_CLOCK", CLOCK),
    ] {
        cases.env(name, value);
    }
    cases
}

#[test]
fn documents_are_true() {
    let home = tempfile::tempdir().expect("a folder");
    let cases = cases(home.path());
    cases.env("CINTEL_SANDBOX", "1");
    // Omits the note about invented data in the output of each command.
    cases.env("CINTEL_QUIET", "1");
    cases.case("README.md").case("../../docs/cli.md").case("tests/cmd/*.trycmd");
    cases.run();
    std::fs::remove_file("price.svg").expect("the guide draws a picture");
    std::fs::remove_dir_all("news").expect("the guide exports a list");
}

#[test]
fn without_a_key_the_sandbox_answers_and_says_so() {
    let home = tempfile::tempdir().expect("a folder");
    let cases = cases(home.path());
    cases.case("tests/cmd/unset/*.trycmd");
    cases.run();
}
