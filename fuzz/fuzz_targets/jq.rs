//! Fuzzes jq programs over JSON data. A program must not panic, and an error message must not contain input data. The
//! program `.` must return its input and must not change a digit of a number.
//!
//! The limits on time and memory need a child process, in which the address sanitizer does not work. Therefore programs
//! that may loop are compiled but not run. `crates/jq/tests` tests the limits.
#![no_main]
#![allow(dead_code, reason = "this target does not use every item of the included modules")]

use libfuzzer_sys::fuzz_target;

/// Private modules of the crate `crypto-intel-jq`. Their source files are compiled here again.
#[path = "../../crates/jq/src/assignment.rs"]
mod assignment;
#[path = "../../crates/jq/src/error.rs"]
mod error;
#[path = "../../crates/jq/src/program.rs"]
mod program;

/// A text that occurs only in the input data, so error messages must not contain it.
const SECRET: &str = "q7ZkOnlyInData";
/// Parts of jq programs that can run forever or use all memory. A program that contains one of them is compiled but not
/// run.
const ENDLESS: [&str; 14] = [
    "def",
    "repeat",
    "range",
    "recurse",
    "while",
    "until",
    "limit",
    "input",
    "*",
    "foreach",
    "reduce",
    "combinations",
    "..",
    "implode",
];
const MOST_RESULTS: usize = 1_000;

fuzz_target!(|text: &str| {
    // The first line is the program, and the rest is the data.
    let (source, data) = text.split_once('\n').unwrap_or((text, "null"));
    if source.len() > 2_000 {
        return;
    }
    // As in the child process, the program runs on a stack of known size. The address sanitizer needs a larger stack.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(512 << 20);
        thread
            .spawn_scoped(scope, || run(source, data))
            .expect("a thread")
            .join()
            .expect("no panic");
    });
});

fn run(source: &str, data: &str) {
    let is_json = serde_json::from_str::<&serde_json::value::RawValue>(data).is_ok();
    if is_json {
        let identity = program::Program::compile(".").expect("a program");
        let mut results = Vec::new();
        identity
            .run(data.as_bytes(), Vec::new(), |result| Ok(results.push(result)))
            .expect("JSON is data");
        let digits = |text: &str| text.split(|c: char| !c.is_ascii_digit()).collect::<String>();
        let is_plain = !data.contains(['"', '\\']);
        assert!(
            !is_plain || digits(results[0].get()) == digits(data),
            "{} is not {data}",
            results[0]
        );
    }

    let Ok(program) = program::Program::compile(source) else { return };
    if ENDLESS.iter().any(|part| source.contains(part)) {
        return;
    }
    let hidden = format!(
        r#"{{"a":"{SECRET}","rows":[{{"b":"{SECRET}","n":1.50}}],"{{}}":[null,true,-0.0,1e400]}}"#
    );
    let inputs = [hidden.as_bytes(), data.as_bytes()];
    for input in &inputs[..1 + usize::from(is_json)] {
        let mut count = 0;
        let ended = program.run(input, vec!["b".to_owned()], |_| {
            count += 1;
            match count < MOST_RESULTS {
                true => Ok(()),
                false => Err(error::Error::new(error::ErrorKind::Output, "enough")),
            }
        });
        if let Err(error) = ended {
            // A program may put its data into a message by calling `error`.
            let raises = source.contains("error");
            assert!(raises || !error.message().contains(SECRET), "{}", error.message());
        }
    }
}
