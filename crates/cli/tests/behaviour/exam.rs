//! Exit codes of an exam.

use super::{cintel, run, stderr, stdout};

#[tokio::test(flavor = "multi_thread")]
async fn exit_code_of_an_exam_follows_its_marks() {
    let home = tempfile::tempdir().expect("a folder");
    let right = r#"echo '{"answer": "QZX"}'"#;
    let wrong = r#"echo '{"answer": "BTC"}'"#;
    let table = "| task | right | calls | credits | tokens |";
    for (flags, script, code, says) in [
        (&[][..], right, 0, "odd-one: right"),
        (&[], wrong, 9, "error: 0 of 1 "),
        (&["--at-least", "0"], wrong, 0, "odd-one: wrong: \"BTC\""),
        (&["--at-least", "1"], "exit 3", 9, "no answer; the program ended with"),
        (&["--at-least", "2"], right, 2, "--at-least 2"),
    ] {
        let fixed = ["exam", "run", "--seed", "1", "--task", "odd-one"];
        let arguments = [&fixed[..], flags, &["--", "/bin/sh", "-c", script]].concat();
        let output = run(cintel(home.path(), "", &arguments)).await;
        assert_eq!(output.status.code(), Some(code), "{script}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{script}: {}", stderr(&output));
        // The table of marks is printed whatever the marks are.
        assert_eq!(stdout(&output).contains(table), code != 2, "{}", stdout(&output));
    }
}
