//! Tests of `cintel exam`: its exit codes, and examined programs that try to cheat.

use std::path::Path;

use crypto_intel_exam::Exam;
use serde_json::{Value, json};

use super::{cintel, run, stderr, stdout};

#[tokio::test(flavor = "multi_thread")]
async fn exit_code_of_an_exam_follows_its_marks() {
    let home = tempfile::tempdir().expect("a folder");
    // An exam with seed 1 is not official, so the test can compute its answers.
    let answers = Exam::with_seed(1).answers().await.expect("answers");
    let right = format!("echo '{{\"answer\": {}}}'", answers[0].1);
    let (right, wrong) = (right.as_str(), r#"echo '{"answer": "BTC"}'"#);
    let table = "| task | grade | kind | right | calls | credits | tokens |";
    for (flags, script, code, says) in [
        (&[][..], right, 0, "price: right"),
        (&[], wrong, 9, "error: 0 of 1 "),
        (&["--at-least", "0"], wrong, 0, "price: wrong: \"BTC\""),
        (&["--at-least", "1"], "exit 3", 9, "no answer: the program ended with"),
        (&["--at-least", "2"], right, 2, "--at-least 2"),
    ] {
        let fixed = ["exam", "run", "--seed", "1", "--task", "price"];
        let arguments = [&fixed[..], flags, &["--", "/bin/sh", "-c", script]].concat();
        let output = run(cintel(home.path(), "", &arguments)).await;
        assert_eq!(output.status.code(), Some(code), "{script}: {}", stderr(&output));
        assert!(stderr(&output).contains(says), "{script}: {}", stderr(&output));
        // The table of marks is printed for all exit codes except 2.
        assert_eq!(stdout(&output).contains(table), code != 2, "{}", stdout(&output));
    }
}

/// Tests a relative path of the examined program. The program starts in an empty folder, but its path is relative to
/// the working directory of `cintel`.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn examined_program_can_have_a_relative_path() {
    use std::os::unix::fs::PermissionsExt as _;

    let home = tempfile::tempdir().expect("a folder");
    let program = home.path().join("agent");
    std::fs::write(&program, "#!/bin/sh\necho '{\"answer\": \"BTC\"}'\n").expect("written");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700)).expect("changed");

    let arguments = ["exam", "run", "--task", "price", "--at-least", "0", "--", "./agent"];
    let mut command = cintel(home.path(), "", &arguments);
    command.current_dir(home.path());
    let output = run(command).await;
    assert!(stderr(&output).contains("price: wrong: \"BTC\""), "{}", stderr(&output));
}

/// Tests that an examined program cannot get the user's API key. The environment of `cintel exam` contains the key. The
/// program runs as the same user, but cannot read this environment, and its own environment contains no key.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn examined_program_reaches_no_key() {
    let home = tempfile::tempdir().expect("a folder");
    let script = r#"{ cat /proc/$PPID/environ; env; ls -A "$HOME"; } 1>&2; echo '{"answer": 1}'"#;
    let arguments = ["exam", "run", "--task", "price", "--", "/bin/sh", "-c", script];
    let program = cintel(home.path(), "http://127.0.0.1:1", &arguments);

    // Root can read all files, so a test that runs as root starts the exam as another user.
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

/// Environment variable with the path of a folder. [`a_cheater_serves_as_examined_program`] stores possible seeds, and
/// the answers of exams with these seeds, in this folder.
#[cfg(target_os = "linux")]
const NOTES: &str = "CHEATER_NOTES";

/// Runs an exam with [`a_cheater_serves_as_examined_program`] as the examined program, and returns the output of the
/// exam.
#[cfg(target_os = "linux")]
async fn examined_cheater(notes: &Path, flags: &[&str]) -> std::process::Output {
    let program = std::env::current_exe().expect("this program");
    let program = program.to_str().expect("a path of this machine");
    let cheater = ["--exact", "exam::a_cheater_serves_as_examined_program", "--nocapture"];
    let fixed = [&["exam", "run", "--pass-env", NOTES][..], flags, &["--", program], &cheater];
    let mut command = cintel(notes, "", &fixed.concat());
    command.env(NOTES, notes);
    run(command).await
}

/// Tests a program that cheats in its exam. The program searches for the random seed of the exam, and computes the
/// answers from the seed. In the first exam, the program finds the seed on the command line (`--seed 77`) and solves
/// the tasks. The second exam is official, and the program must not find its seed.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn program_that_looks_for_the_seed_and_runs_exams_itself_knows_nothing() {
    let notes = tempfile::tempdir().expect("a folder");
    let known = examined_cheater(notes.path(), &["--seed", "77", "--at-least", "80"]).await;
    assert_eq!(known.status.code(), Some(0), "{}", stderr(&known));
    assert!(stderr(&known).contains("this exam is not official"), "{}", stderr(&known));

    let notes = tempfile::tempdir().expect("a folder");
    let official = examined_cheater(notes.path(), &["--at-least", "3"]).await;
    let told = stderr(&official);
    // Exit code 9 shows that the program solved at most two of 80 tasks, as many as with constant answers.
    assert_eq!(official.status.code(), Some(9), "{told}");
    let seed = told.lines().find_map(|line| line.strip_prefix("seed ")).expect("a seed");
    let tried: Vec<_> = std::fs::read_dir(notes.path())
        .expect("notes")
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
        .collect();
    assert!(!tried.is_empty() && !tried.iter().any(|number| number == seed), "{seed} {tried:?}");
    assert!(notes.path().join("found").is_file(), "{tried:?}");
}

/// Acts as an examined program that cheats. Collects possible seeds of the exam with [`seeds`], or reads the seeds that
/// an earlier run stored. Searches the exams with these seeds for the task in `CINTEL_EXAM_TASK`. Prints the answer to
/// this task, or null if none of the exams contains the task. In a normal test run, this function does nothing.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_cheater_serves_as_examined_program() {
    let (Ok(task), Ok(notes)) = (std::env::var("CINTEL_EXAM_TASK"), std::env::var(NOTES)) else {
        return;
    };
    let notes = Path::new(&notes);
    let seeds = match std::fs::read_to_string(notes.join("seeds")) {
        Ok(text) => serde_json::from_str(&text).expect("seeds"),
        Err(_) => seeds(notes).await,
    };

    let mut answer = Value::Null;
    for seed in &seeds {
        let kept = notes.join(seed);
        let answers: Vec<(String, Value)> = match std::fs::read(&kept) {
            Ok(text) => serde_json::from_slice(&text).expect("answers"),
            Err(_) => {
                let exam = Exam::with_seed(seed.parse().expect("a number"));
                let answers = exam.answers().await.expect("answers");
                std::fs::write(&kept, json!(answers).to_string()).expect("written");
                answers
            }
        };
        if let Some((_, found)) = answers.into_iter().find(|(question, _)| *question == task) {
            answer = found;
            break;
        }
    }
    println!("\n{}", json!({ "answer": answer }));
    std::process::exit(0);
}

/// Returns numbers that may be the seed of the exam. The function searches the text that [`everything_readable`]
/// returns. It collects all numbers after a word that contains `seed`, and all numbers of more than 20 digits. The last
/// returned number is the seed of a second exam, which this function runs with `cintel exam run`.
#[cfg(target_os = "linux")]
async fn seeds(notes: &Path) -> Vec<String> {
    let found = everything_readable();
    std::fs::write(notes.join("found"), &found).expect("written");
    let is_number = |word: &str| word.parse::<u128>().is_ok();
    let words: Vec<&str> =
        found.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').collect();
    let named = words.windows(2).filter(|pair| pair[0].to_ascii_lowercase().contains("seed"));
    let named = named.map(|pair| pair[1]).filter(|word| is_number(word));
    // A seed of 128 bits has about 38 digits.
    let long = words.iter().copied().filter(|word| word.len() > 20 && is_number(word));
    let mut seeds: Vec<String> = named.chain(long).map(str::to_owned).collect();

    let own = ["exam", "run", "--task", "price", "--at-least", "0", "--", "/bin/true"];
    let own = run(cintel(notes, "", &own)).await;
    let own = stderr(&own);
    let own = own.lines().find_map(|line| line.strip_prefix("seed ")).expect("a seed");
    seeds.push(own.to_owned());
    std::fs::write(notes.join("seeds"), json!(seeds).to_string()).expect("written");
    seeds
}

/// Returns the text in which a cheating program could search for the seed of its exam. The text contains the command
/// line, the environment and the names of open files of this process and its ancestor processes. It also contains the
/// names and contents of the files in the working directory and in the home folder. Unreadable parts are omitted.
#[cfg(target_os = "linux")]
fn everything_readable() -> String {
    let mut text = String::new();
    let mut process = "self".to_owned();
    while process != "0" {
        let folder = Path::new("/proc").join(&process);
        for name in ["cmdline", "environ"] {
            let bytes = std::fs::read(folder.join(name)).unwrap_or_default();
            text += &String::from_utf8_lossy(&bytes);
            text += "\n";
        }
        for file in std::fs::read_dir(folder.join("fd")).into_iter().flatten().flatten() {
            text += &format!("{:?}\n", std::fs::read_link(file.path()));
        }
        let status = std::fs::read_to_string(folder.join("status")).unwrap_or_default();
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
        process = parent.map_or("0", str::trim).to_owned();
    }
    for folder in [std::env::current_dir().ok(), std::env::var_os("HOME").map(Into::into)] {
        for file in folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten() {
            let path = file.map(|file| file.path()).unwrap_or_default();
            text += &format!("{path:?} {}\n", std::fs::read_to_string(&path).unwrap_or_default());
        }
    }
    text
}
