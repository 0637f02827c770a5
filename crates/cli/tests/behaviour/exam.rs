//! Exit codes of an exam.

use super::{cintel, run, stderr, stdout};

#[tokio::test(flavor = "multi_thread")]
async fn exit_code_of_an_exam_follows_its_marks() {
    let home = tempfile::tempdir().expect("a folder");
    // Seed 1 is not official, so its answers can be known.
    let answers = crypto_intel_exam::Exam::with_seed(1).answers().await.expect("answers");
    let right = format!("echo '{{\"answer\": {}}}'", answers[0].1);
    let (right, wrong) = (right.as_str(), r#"echo '{"answer": "BTC"}'"#);
    let table = "| task | grade | kind | right | calls | credits | tokens |";
    for (flags, script, code, says) in [
        (&[][..], right, 0, "price: right"),
        (&[], wrong, 9, "error: 0 of 1 "),
        (&["--at-least", "0"], wrong, 0, "price: wrong: \"BTC\""),
        (&["--at-least", "1"], "exit 3", 9, "no answer; the program ended with"),
        (&["--at-least", "2"], right, 2, "--at-least 2"),
    ] {
        let fixed = ["exam", "run", "--seed", "1", "--task", "price"];
        let arguments = [&fixed[..], flags, &["--", "/bin/sh", "-c", script]].concat();
        let output = run(cintel(home.path(), "", &arguments)).await;
        assert_eq!(output.status.code(), Some(code), "{script}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{script}: {}", stderr(&output));
        // The table of marks is printed whatever the marks are.
        assert_eq!(stdout(&output).contains(table), code != 2, "{}", stdout(&output));
    }
}

/// A program of the same user cannot read the environment of the examiner, which holds the user's key, and has no key itself.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn examined_program_reaches_no_key() {
    let home = tempfile::tempdir().expect("a folder");
    let script = r#"{ cat /proc/$PPID/environ; env; ls -A "$HOME"; } 1>&2; echo '{"answer": 1}'"#;
    let arguments = ["exam", "run", "--task", "price", "--", "/bin/sh", "-c", script];
    let program = cintel(home.path(), "http://127.0.0.1:1", &arguments);

    // Root reads everything, so root runs the exam as another user.
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| {
        use std::os::unix::fs::MetadataExt as _;
        own.uid() == 0
    });
    let mut command = std::process::Command::new("setpriv");
    command.args(["--reuid=65534", "--clear-groups"]).arg(program.get_program());
    command.args(program.get_args()).env_clear();
    command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = run(if is_root { command } else { program }).await;

    let seen = stderr(&output);
    assert!(seen.contains("CINTEL_EXAM_QUESTION"), "{seen}");
    assert!(seen.contains("environ: Permission denied"), "{seen}");
    assert!(!seen.contains(super::KEY) && !seen.contains("CRYPTO_INTEL_API_KEY"), "{seen}");
}
