//! Tests of jq programs in real child processes. The child processes run this test executable.

use std::time::Duration;

use crypto_intel_jq::{ErrorKind, Worker, is_worker, run_worker};

const ROWS: &str = r#"[{"k":"a","v":1.50,"n":null},{"k":"b","v":null,"n":null},{"k":"a","v":4}]"#;

/// Programs that exceed the limit on memory, time or output, and the expected kind of error.
const BOMBS: &[(&str, ErrorKind)] = &[
    (r#""a" * 10000000000"#, ErrorKind::Memory),
    ("reduce range(100000) as $i (0; [.])", ErrorKind::Memory),
    (r#""[" * 100000 + "]" * 100000 | fromjson"#, ErrorKind::Memory),
    ("[limit(100000000; repeat(1))]", ErrorKind::Memory),
    ("def f: [f]; f", ErrorKind::Memory),
    ("[range(1e12)]", ErrorKind::Memory),
    ("last(repeat(.))", ErrorKind::Time),
    ("until(false; .)", ErrorKind::Time),
    ("def f: f; f", ErrorKind::Time),
    ("repeat(.)", ErrorKind::Output),
    ("[] | .[500000000] = 1", ErrorKind::Memory),
    ("[range(1000000)] | map([range(1000000)])", ErrorKind::Memory),
];

/// Acts as the child process of the other tests. The other tests run this test executable again, with the name of this
/// function as an argument.
#[tokio::test]
async fn this_test_program_serves_as_worker() {
    if is_worker() {
        run_worker();
        std::process::exit(0);
    }
    assert_eq!(outcome("1 + 1").await, "2");
}

fn worker() -> Worker {
    let program = std::env::current_exe().expect("this program");
    Worker::new(program).argument("--exact").argument("this_test_program_serves_as_worker")
}

async fn outcome(program: &str) -> String {
    match worker().run(program, ROWS, &["v", "optional"]).await {
        Ok(outputs) => outputs.iter().map(|output| output.get()).collect::<Vec<_>>().join(" "),
        Err(error) => format!("{:?}: {}", error.kind(), error.message()),
    }
}

#[tokio::test]
async fn programs_return_what_jq_returns() {
    let programs = [
        (".[0].v", "1.50"),
        ("length", "3"),
        ("sum(.v)", "5.5"),
        ("mean(.v)", "2.75"),
        ("median(.v)", "2.75"),
        ("top(1; .v) | .[0].k", r#""a""#),
        ("count_by(.k)", r#"[{"key":"a","count":2},{"key":"b","count":1}]"#),
        ("map(select(.v == null)) | length", "1"),
        (".[].k", r#""a" "b" "a""#),
        ("[.. | numbers] | length", "2"),
        ("0/0", "null"),
        ("env, $ENV", "{} {}"),
        (".[0] | [.k, .v, .n] | @csv", r#""\"a\",1.50,""#),
        (".[0] | setpath([\"x\", 1]; 2) | .x", "[null,2]"),
        ("{} | .a.b.c = 1, (.a[2].b |= 7)", r#"{"a":{"b":{"c":1}}} {"a":[null,null,{"b":7}]}"#),
        ("map(.v += 1) | .[0] | del(.k, .n) | keys_unsorted", r#"["v"]"#),
        // As in jq, an assignment has one result for each value of its right side.
        (".[0].k = (1, 2) | .[0].k", "1 2"),
        ("[1, nan, infinite]", "[1,null,1.7976931348623157e308]"),
        ("[range(20000) | {v: .}] | .[].v += 1 | .[19999].v", "20000"),
    ];

    // Definitions, loops and recursion are allowed, because the limits apply to them.
    let loops = [
        ("def double: . * 2; .[2].v | double", "8"),
        ("1 | until(. > 50; . * 2)", "64"),
        ("[3 | recurse(if . > 0 then . - 1 else empty end)] | length", "4"),
        ("[range(0; 5000)] | length", "5000"),
    ];

    for (program, expected) in programs.into_iter().chain(loops) {
        assert_eq!(outcome(program).await, expected, "{program}");
    }
}

#[tokio::test]
async fn helpers_never_treat_missing_numbers_as_zero() {
    for program in ["sum(.n)", "mean(.n)", "median(.n)", "stdev(.n)", "sum(.optional)", "sum(.n.x)"]
    {
        assert_eq!(outcome(program).await, "null", "{program}");
    }
    assert_eq!(outcome("[] | sum(.v)").await, "0");
    for program in
        ["sum(.volume)", "mean(.volume)", "median(.volume)", "top(3; .volume)", "count_by(.volume)"]
    {
        let error = worker().run(program, ROWS, &["optional"]).await.expect_err(program);
        assert_eq!(error.kind(), ErrorKind::Data, "{program}");
        for word in ["`volume`", "k, n, optional, v"] {
            assert!(error.message().contains(word), "{program}: {error}");
        }
    }
}

#[tokio::test]
async fn error_messages_name_the_mistake() {
    for (program, word) in [
        (".[", "not valid jq"),
        ("nonsense(1)", "nonsense"),
        ("input", "input"),
        ("halt", "halt"),
        ("debug", "debug"),
        (r#"import "a" as a; ."#, "not valid jq"),
    ] {
        let error = worker().check(program).await.expect_err(program);
        assert_eq!(error.kind(), ErrorKind::Program, "{program}: {error}");
        assert!(error.message().contains(word) || error.message().contains("modules"), "{error}");
    }

    let error = worker().run("{(1): 2}", ROWS, &[]).await.expect_err("a key is a text in JSON");
    assert!(error.message().contains("key that is not a string"), "{error}");
    for program in ["[1] | .[9e15] = 1", "[1] | .[-2] = 1", "\"x\" | .a.b = 1"] {
        let error = worker().run(program, ROWS, &[]).await.expect_err(program);
        assert_eq!(error.kind(), ErrorKind::Data, "{program}: {error}");
    }

    let large = format!("[{}]", vec![r#"{"secret":"s3cr3t"}"#; 20_000].join(","));
    let error = worker().run(".foo", &large, &[]).await.expect_err("a list has no members");
    assert!(error.message().len() < 200 && !error.message().contains("s3cr3t"), "{error}");

    let error =
        worker().run(".[].k | if . == \"b\" then error(\"bad\") else . end", ROWS, &[]).await;
    let error = error.expect_err("raised");
    assert_eq!((error.message(), error.outputs().len()), ("bad", 1));
}

#[tokio::test]
async fn error_messages_contain_no_value_of_the_data() {
    let data = r#"{"a":"s3cr3t","rows":[{"b":1}]}"#;
    for program in [".rows[.a]", ".a | tonumber", ".a | fromjson", ".a | .[0]", ".a * {}"] {
        let error = worker().run(program, data, &[]).await.expect_err(program);
        assert_eq!(error.kind(), ErrorKind::Data, "{program}: {error}");
        assert!(!error.message().contains("s3cr3t"), "{program}: {error}");
    }
}

#[tokio::test]
async fn bombs_end_only_their_own_process() {
    let many_brackets = "[".repeat(8_000);
    let mut bombs: Vec<(&str, ErrorKind)> = BOMBS.to_vec();
    bombs.push((&many_brackets, ErrorKind::Program));

    let worker = worker().time_limit(Duration::from_secs(1));
    for (program, expected) in bombs {
        let error = worker.run(program, ROWS, &[]).await.expect_err(program);
        let kinds = [expected, ErrorKind::Memory, ErrorKind::Time];
        assert!(kinds.contains(&error.kind()), "{}: {error:?}", &program[..program.len().min(40)]);
        assert_eq!(outcome("length").await, "3");
    }
    #[cfg(target_os = "linux")]
    assert!(resident_kilobytes() < 200_000, "{} kB are used", resident_kilobytes());
}

/// Returns the resident memory of this process in kilobytes.
#[cfg(target_os = "linux")]
fn resident_kilobytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("the state of this process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[tokio::test]
async fn more_programs_than_slots_run_concurrently() {
    let many = (0..12).map(|_| tokio::spawn(outcome("length")));
    for one in many.collect::<Vec<_>>() {
        assert_eq!(one.await.expect("no panic"), "3");
    }
}
