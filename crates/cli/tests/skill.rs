//! Tests the skill package: a set of files that teach AI agents to use `cintel`. Runs every shell command in these
//! files, with a sandbox as the service.
#![cfg(all(unix, feature = "agents"))]

use std::path::Path;
use std::process::{Command, Output};

use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};

/// Returns the commands in the `sh` code blocks of a Markdown text.
fn commands(text: &str) -> Vec<String> {
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.flat_map(str::lines).map(str::to_owned).collect()
}

/// Returns the paths of all files in a folder and its subfolders.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_of_the_skill_package_runs() {
    let home = tempfile::tempdir().expect("a folder");
    let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
    let sandbox = Sandbox::builder().clock(clock).start().await.expect("a free port");
    let shell = |line: &str| {
        let program =
            Path::new(env!("CARGO_BIN_EXE_cintel")).parent().expect("a folder").to_owned();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", line]).current_dir(home.path()).env_clear();
        command.env("PATH", program).env("HOME", home.path());
        command.env("CRYPTO_INTEL_BASE_URL", sandbox.url());
        command.env("CRYPTO_INTEL_API_KEY", sandbox.key());
        command
    };
    let run = |mut command: Command| async move {
        let running = tokio::task::spawn_blocking(move || command.output());
        running.await.expect("a thread").expect("a shell")
    };
    let errors = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();

    let installed = run(shell("cintel skill install .")).await;
    assert!(installed.status.success(), "{}", errors(&installed));
    let texts =
        files(home.path()).into_iter().filter_map(|path| std::fs::read_to_string(path).ok());
    let commands: Vec<String> = texts.flat_map(|text| commands(&text)).collect();
    assert!(commands.len() > 150, "{}", commands.len());

    let mut failed = Vec::new();
    for line in &commands {
        let output = run(shell(line)).await;
        if !output.status.success() {
            failed.push(format!("{line}: {}", errors(&output)));
        }
    }
    assert!(failed.is_empty(), "{} of {}: {failed:#?}", failed.len(), commands.len());
}
