//! Tests of `cintel auth`: storing and deleting API keys.

use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

use super::{builder, cintel, run, stderr, stdout};

/// Runs `cintel auth` with an API key on standard input and without a key in the environment.
async fn auth(home: &Path, arguments: &[&str], key: &str) -> Output {
    let mut command = cintel(home, "http://127.0.0.1:1", &[&["auth"], arguments].concat());
    command.env_remove("CRYPTO_INTEL_API_KEY");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let key = key.to_owned();
    let running = tokio::task::spawn_blocking(move || {
        let mut program = command.spawn().expect("it starts");
        // The write may fail, because some commands do not read standard input.
        let _ = program.stdin.take().expect("a pipe").write_all(key.as_bytes());
        program.wait_with_output().expect("an end")
    });
    running.await.expect("a thread")
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn stored_key_is_private_and_environment_overrides_it() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    let login = cintel(home.path(), &sandbox.url(), &["auth", "login"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut login = login.expect("the program starts");
    login.stdin.take().expect("a pipe").write_all(b"sk-kept-in-a-file-9876\n").expect("written");
    assert!(login.wait().expect("an end").success());

    let file = home.path().join(".config/cintel/keys/default");
    let mode = std::fs::metadata(&file).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let status = |with_variable: bool| {
        let mut command = cintel(home.path(), &sandbox.url(), &["auth", "status"]);
        if !with_variable {
            command.env_remove("CRYPTO_INTEL_API_KEY");
        }
        run(command)
    };
    assert!(stdout(&status(true).await).contains("****6789"));
    assert!(stdout(&status(false).await).contains("****9876"));
}

/// Tests `--keyring`, and a key file that refers to the keyring, in builds without the feature `keyring`. These builds
/// cannot access the keyring of a developer.
#[cfg(not(feature = "keyring"))]
#[tokio::test(flavor = "multi_thread")]
async fn missing_keyring_is_an_error_with_a_next_step() {
    let home = tempfile::tempdir().expect("a folder");
    let login = auth(home.path(), &["login", "--keyring"], "sk-for-a-keyring-1234\n").await;
    assert_eq!(login.status.code(), Some(1), "{}", stderr(&login));
    assert!(stderr(&login).contains("cannot be written: this build was compiled without"));
    assert!(stderr(&login).contains("  next: `cintel auth login` without `--keyring`"));
    assert!(!stderr(&login).contains("sk-for-a-keyring"), "{}", stderr(&login));
    let file = home.path().join(".config/cintel/keys/default");
    assert!(!file.exists());

    // An unreadable key file is an error. It must not be treated as a missing key.
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    std::fs::write(&file, "@keyring\n").expect("a file");
    let status = auth(home.path(), &["status"], "").await;
    assert_eq!(status.status.code(), Some(1), "{}", stderr(&status));
    assert!(stderr(&status).contains("cannot be read"), "{}", stderr(&status));
    let login = auth(home.path(), &["login"], "sk-in-a-file-instead-5678\n").await;
    assert!(login.status.success(), "{}", stderr(&login));
    assert!(stderr(&login).contains("note: the key in the system's keyring cannot be removed"));
    let status = auth(home.path(), &["status"], "").await;
    assert!(stdout(&status).contains("****5678"), "{}", stderr(&status));
}
