//! Solves the exam by script, and examines small programs.

use std::time::Duration;

use crypto_intel_exam::{Candidate, JqWorker, all, run, solve, table};

/// Seeds of the table in `docs/exam.md`.
const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];
const SEED: u64 = SEEDS[0];
/// Page with the table of scripted solutions.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/exam.md");

/// jq worker of these tests: this test program, started to run only the test below.
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

/// The scripted solutions solve every task of five seeds at the cost in the committed table. Set
/// `UPDATE_EXAM_TABLE` to write the table.
#[tokio::test]
async fn every_task_is_solved_at_the_cost_in_the_table() {
    let mut marks = Vec::new();
    for seed in SEEDS {
        let of_seed = solve(seed, None, &jq_worker()).await;
        assert_eq!(of_seed.len(), all().len());
        marks.extend(of_seed);
    }
    let wrong: Vec<_> = marks.iter().filter(|mark| !mark.right).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for mark in &marks {
        let task = all().into_iter().find(|task| task.id == mark.task).expect("the task");
        assert!(mark.credits <= task.credits && mark.calls > 0, "{mark:?}");
    }

    let text = std::fs::read_to_string(TABLE).expect("the page");
    let begin = text.find("| task |").expect("the page has the table");
    let text = format!("{}{}", &text[..begin], table(&marks));
    if std::env::var_os("UPDATE_EXAM_TABLE").is_some() {
        std::fs::write(TABLE, &text).expect("written");
    }
    let committed = std::fs::read_to_string(TABLE).expect("the page");
    assert_eq!(committed, text, "set UPDATE_EXAM_TABLE and run the test again");
}

#[tokio::test]
async fn another_seed_has_other_answers() {
    for task in ["btc-price", "mean-week", "best-inflow", "short-share", "sql-high"] {
        let (one, other) =
            (solve(1, Some(task), &jq_worker()).await, solve(2, Some(task), &jq_worker()).await);
        assert_ne!(one[0].expected, other[0].expected, "{task}");
    }
}

#[tokio::test]
async fn a_program_is_handed_each_task_and_marked_by_its_answer() {
    let candidate = |script: &str| Candidate {
        command: ["sh", "-c", script].map(str::to_owned).to_vec(),
        time: Duration::from_secs(60),
        variables: Vec::new(),
    };
    let mark = async |script: &str| {
        let marks = run(&candidate(script), SEED, Some("odd-one"), &jq_worker(), |_| {}).await;
        marks.expect("a port").remove(0)
    };

    let right = mark(r#"cat > /dev/null; echo thinking; echo '{"answer": "qzx"}'"#).await;
    assert!(right.right && right.calls == 0, "{right:?}");
    let told = r#"test -n "$CINTEL_EXAM_MCP_TOKEN" && read -r sheet && case $sheet in *mcp_url*) echo '{"answer": "QZX"}';; esac"#;
    assert!(mark(told).await.right);
    assert!(!mark(r#"echo '{"answer": "BTC"}'"#).await.right);

    for (script, note) in [
        ("exit 3", "no answer; the program ended with exit status: 3"),
        ("echo nonsense", "the last line of the output is not JSON"),
        (r#"echo '{"result": 1}'"#, "the last line of the output has no `answer`"),
    ] {
        let mark = mark(script).await;
        assert!(mark.note.as_ref().is_some_and(|text| text.contains(note)), "{script}: {mark:?}");
    }
    let slow = Candidate { time: Duration::from_millis(200), ..candidate("sleep 60") };
    let marks = run(&slow, SEED, Some("odd-one"), &jq_worker(), |_| {}).await.expect("a port");
    assert!(marks[0].note.as_ref().is_some_and(|note| note.contains("no answer within")));
}

/// A program that looks for the seed, the key or the answers where it could find them.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_finds_neither_seed_nor_answers_outside_of_its_tools() {
    let seed = 7_340_981_236_501_112_233;
    let script = r#"
        env; cat /proc/$PPID/cmdline
        for port in $(awk 'NR > 1 && $4 == "0A" { print $2 }' /proc/net/tcp | cut -d: -f2); do
            curl -s --max-time 5 "http://127.0.0.1:$((16#$port))/gateway/v1/market/price?symbol=QZX" | head -c 400
            curl -s --max-time 5 "http://127.0.0.1:$((16#$port))/gateway/v1/market/price?symbol=BTC" | head -c 400
        done
        echo "" ; echo '{"answer": "unknown"}'"#;
    let folder = std::env::temp_dir().join(format!("crypto-intel-exam-{}", std::process::id()));
    let script = format!("{{ {script}; }} | tee {}", folder.display());
    let candidate = Candidate {
        command: ["bash", "-c", &script].map(str::to_owned).to_vec(),
        time: Duration::from_secs(60),
        variables: Vec::new(),
    };
    let marks = run(&candidate, seed, Some("btc-price"), &jq_worker(), |_| {}).await;
    let marks = marks.expect("a port");
    let found = std::fs::read_to_string(&folder).expect("what the program found");
    std::fs::remove_file(&folder).expect("removed");

    assert!(!marks[0].right && found.contains("CINTEL_EXAM_NOW"), "{found}");
    // The sandbox was reached, and rejected the calls without its key.
    assert!(found.contains("\"error\""), "{found}");
    assert!(!found.contains(&seed.to_string()), "{found}");
    assert!(!found.contains("CARGO"), "{found}");
    assert!(!found.contains(&marks[0].expected.to_string()), "{found}");
}
