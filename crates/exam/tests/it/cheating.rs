//! Tests the exam with shell scripts that do not read the data through the MCP tools. For example, a script with the
//! answers of an earlier exam must solve at most two tasks.

use std::time::Duration;

use crypto_intel_exam::{Candidate, Exam, Mark, run};

use crate::jq_worker;

fn candidate(script: &str) -> Candidate {
    Candidate {
        command: ["bash", "-c", script].map(str::to_owned).to_vec(),
        time: Duration::from_secs(60),
        variables: Vec::new(),
    }
}

async fn marks(candidate: &Candidate, exam: Exam, only: &str) -> Vec<Mark> {
    run(candidate, exam, Some(only), &jq_worker(), |_| {}).await.expect("a port")
}

#[tokio::test]
async fn a_program_is_handed_each_question_and_marked_by_its_answer() {
    let exam = Exam::with_seed(1);
    let right = exam.answers().await.expect("answers")[0].1.clone();
    let script = format!(
        r#"test -n "$CINTEL_EXAM_MCP_TOKEN" && read -r sheet && case $sheet in *mcp_url*"It is 2026-"*) echo thinking; echo '{{"answer": {right}}}';; esac"#
    );
    let mark = marks(&candidate(&script), exam, "price").await.remove(0);
    assert!(mark.right && mark.calls == 0 && mark.requests == 0, "{mark:?}");
    assert!(!marks(&candidate(r#"echo '{"answer": 1}'"#), exam, "price").await[0].right);

    for (script, note) in [
        ("exit 3", "no answer: the program ended with exit status: 3"),
        ("echo nonsense", "the last line of the output is not JSON"),
        (r#"echo '{"result": 1}'"#, "the last line of the output has no field `answer`"),
    ] {
        let mark = marks(&candidate(script), exam, "price").await.remove(0);
        assert!(mark.note.as_ref().is_some_and(|text| text.contains(note)), "{script}: {mark:?}");
    }
    let slow = Candidate { time: Duration::from_millis(200), ..candidate("sleep 60") };
    let mark = marks(&slow, exam, "price").await.remove(0);
    assert!(mark.note.as_ref().is_some_and(|note| note.contains("no answer within")));
}

/// Tests that a script with the answers of an earlier exam fails in a new exam.
#[tokio::test]
async fn a_shell_case_with_answers_of_an_earlier_exam_solves_at_most_two_tasks() {
    let earlier = Exam::with_seed(11).answers().await.expect("answers");
    let arms: Vec<_> = earlier
        .iter()
        .map(|(question, answer)| format!("{question}) echo '{{\"answer\": {answer}}}';;"))
        .collect();
    let script = format!("case $CINTEL_EXAM_TASK in {} esac", arms.join("\n"));
    let exam = Exam::random().expect("random numbers");
    let marks = run(&candidate(&script), exam, None, &jq_worker(), |_| {}).await.expect("a port");
    let score = crypto_intel_exam::Score::of_marks(&marks);
    assert_eq!(score.tasks, 80);
    assert!(score.right <= 2 && score.calls == 0, "{score:?}");
}

/// Tests that an examined program finds neither the seed nor the answers. The program searches its environment, `/proc`
/// and local ports.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_finds_neither_seed_nor_answers_outside_of_its_tools() {
    let exam = Exam::random().expect("random numbers");
    let answer = exam.answers().await.expect("answers")[0].1.to_string();
    let script = r#"
        env; cat /proc/$PPID/cmdline /proc/$PPID/environ /proc/self/environ
        ls -l /proc/$PPID/fd; ls -la . "$HOME"; cat /proc/$PPID/task/*/cmdline
        for port in $(awk 'NR > 1 && $4 == "0A" { print $2 }' /proc/net/tcp | cut -d: -f2); do
            for path in /gateway/v1/market/price?symbol=BTC /sandbox/faults /mcp; do
                curl -s --max-time 5 "http://127.0.0.1:$((16#$port))$path" | head -c 400
            done
        done
        echo; echo '{"answer": "unknown"}'"#;
    let found = std::env::temp_dir().join(format!("crypto-intel-exam-{}", std::process::id()));
    let script = format!("{{ {script}; }} 2>&1 | tee {}", found.display());
    let mark = marks(&candidate(&script), exam, "price").await.remove(0);
    let text = String::from_utf8_lossy(&std::fs::read(&found).expect("what the program found"))
        .into_owned();
    std::fs::remove_file(&found).expect("removed");

    assert!(!mark.right && text.contains("CINTEL_EXAM_TASK"), "{text}");
    // No request reached the sandbox, which has no port.
    assert_eq!(mark.requests, 0, "{text}");
    for secret in [exam.seed().to_string(), format!("{:x}", exam.seed()), answer] {
        assert!(!text.contains(&secret), "{secret}: {text}");
    }
}
