//! The interface promises that a standard client works when it is pointed at the service: the
//! Python `openai` package does, at the sandbox.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crypto_intel_sandbox::Sandbox;

/// The release that is tested; a new one is a change to be looked at, not a surprise.
const PACKAGE: &str = "openai==3.52.0";

/// A virtual environment with the package, made once and kept beside the build.
fn environment() -> Result<PathBuf, String> {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(PACKAGE.replace("==", "-"));
    let python = place.join("bin/python");
    let has_package = |python: &Path| {
        let import = Command::new(python).args(["-c", "import openai"]).output();
        import.is_ok_and(|output| output.status.success())
    };
    if has_package(&python) {
        return Ok(python);
    }
    run(Command::new("python3").args(["-m", "venv"]).arg(&place))?;
    run(Command::new(&python).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--retries",
        "1",
        PACKAGE,
    ]))?;
    Ok(python)
}

fn run(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_python_client_works_unchanged() {
    let python = match tokio::task::spawn_blocking(environment).await.unwrap() {
        Ok(python) => python,
        Err(reason) => {
            eprintln!(
                "\nSKIPPED: {PACKAGE} cannot be installed here, so that nothing was proved\n{reason}"
            );
            return;
        }
    };
    let sandbox = Sandbox::start().await.unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/chat/standard_client.py");
    let (url, key) = (sandbox.url(), sandbox.key().to_owned());
    let run = move || run(Command::new(python).arg(script).args([url, key]));
    let output = tokio::task::spawn_blocking(run).await.unwrap().unwrap();
    let seen = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        seen.lines().collect::<Vec<_>>(),
        ["chat json", "chat stream", "chat tools", "responses json", "responses stream", "errors"]
    );
}
