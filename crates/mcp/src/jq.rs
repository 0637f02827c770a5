//! `jq` programs over results, so that an agent reads the figure it needs instead of all rows.
//!
//! A program comes from a model that may have read anything. So it can look at its input and at
//! nothing else: there is no environment, no input, no output of its own; and what could run for
//! ever (definitions, endless generators) is refused before it starts. A program that is slow all
//! the same is given up after [`LIMIT`].

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jaq_core::load::parse::{BinaryOp, Pattern, Term};
use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Vars, data, unwrap_valr};
use jaq_json::{Val, read};
use tokio::sync::oneshot;

use crate::problem::Problem;
use crate::truncate::{Json, json_from_text};

/// How long a program may run.
const LIMIT: Duration = Duration::from_secs(5);
/// Programs that were given up and still run: with this many no more are taken.
const STRAYS: usize = 4;
/// Bytes of output at most.
const OUTPUT: usize = 16 * 1024 * 1024;
/// Bytes of a program at most.
const PROGRAM: usize = 16 * 1024;
/// Largest number that `range` may count to.
const RANGE: u64 = 100_000;

/// Definitions beside those of the language. Missing figures (`null`) are left out of all of them,
/// and never count as 0.
const DEFINITIONS: &str = "
def sum(f): reduce (.[] | f | values) as $x (0; . + $x);
def mean(f): [.[] | f | values] | if length == 0 then null else add / length end;
def median(f): [.[] | f | values] | sort | (length / 2 | floor) as $middle | if length == 0 then null
  elif length % 2 == 1 then .[$middle] else (.[$middle - 1] + .[$middle]) / 2 end;
def stdev(f): [.[] | f | values] | if length < 2 then null
  else (add / length) as $mean | (map(. - $mean | . * .) | add / (length - 1) | sqrt) end;
def top($n; f): map(select(f != null)) | sort_by(f) | reverse | .[:$n];
def count_by(f): group_by(f) | map({key: (.[0] | f), count: length});
";

/// Functions that a program may not call: what runs without end, and what reaches out of the
/// program.
const REFUSED: &[&str] = &[
    "repeat",
    "while",
    "until",
    "combinations",
    "env",
    "input",
    "inputs",
    "halt",
    "halt_error",
    "debug",
    "stderr",
    "debug_empty",
    "stderr_empty",
    "input_filename",
    "input_line_number",
];
/// Native functions that are not even there.
const ABSENT: &[&str] = &["env", "halt", "debug_empty", "stderr_empty"];

static LEFT_BEHIND: AtomicUsize = AtomicUsize::new(0);

/// What the program makes of `input`, one JSON text for each of its outputs.
pub(crate) async fn run(program: &str, input: String) -> Result<Vec<Json>, Problem> {
    check(program)?;
    if LEFT_BEHIND.load(Ordering::Relaxed) >= STRAYS {
        return Err(Problem::arguments(
            "too many jq programs that were given up are still running",
        )
        .next("wait a moment, and use a simpler program"));
    }

    let (done, mut outcome) = oneshot::channel();
    let text = program.to_owned();
    // A thread of its own: programs recurse as deep as their input, and may have to be left behind.
    let thread = std::thread::Builder::new().name("jq".to_owned()).stack_size(32 << 20);
    let spawned = thread.spawn(move || {
        if done.send(execute(&text, &input)).is_err() {
            LEFT_BEHIND.fetch_sub(1, Ordering::Relaxed);
        }
    });
    if spawned.is_err() {
        return Err(Problem::internal("no thread can be started for the jq program"));
    }

    match tokio::time::timeout(LIMIT, &mut outcome).await {
        Ok(Ok(outputs)) => outputs,
        Ok(Err(_)) => {
            Err(Problem::arguments("the jq program failed").next("use a simpler program"))
        }
        Err(_) => {
            LEFT_BEHIND.fetch_add(1, Ordering::Relaxed);
            // From here on the thread sees that nobody waits, unless it was just in time.
            outcome.close();
            if let Ok(outputs) = outcome.try_recv() {
                LEFT_BEHIND.fetch_sub(1, Ordering::Relaxed);
                return outputs;
            }
            Err(Problem::arguments(format!("the jq program ran for more than {LIMIT:?}"))
                .next("filter with `select` first, or use a simpler program"))
        }
    }
}

fn failed(message: impl std::fmt::Display) -> Problem {
    Problem::arguments(format!("jq: {message}")).next(
        "mend the program; its input is the list of rows (or the one value) as `service_data` would show it without \
         columns, so begin with `.[]` or `map(...)`",
    )
}

fn execute(program: &str, input: &str) -> Result<Vec<Json>, Problem> {
    let input = read::parse_single(input.as_bytes()).map_err(|error| failed(error.to_string()))?;
    let own = jaq_core::load::parse(DEFINITIONS, |parser| parser.defs()).unwrap_or_default();
    let needs_absent = ["debug", "stderr", "halt", "halt_error"];
    let defs = jaq_core::defs()
        .chain(jaq_std::defs().filter(|def| !needs_absent.contains(&def.name)))
        .chain(jaq_json::defs())
        .chain(own);
    let funs = jaq_core::funs()
        .chain(jaq_std::base_funs())
        .chain(jaq_std::extra_funs().filter(|fun| !ABSENT.contains(&fun.0)))
        .chain(jaq_json::funs());

    let arena = Arena::default();
    let modules = Loader::new(defs)
        .load(&arena, File { code: program, path: () })
        .map_err(|_| failed("the program is not valid jq"))?;
    let filter = Compiler::default().with_funs(funs).compile(modules).map_err(|errors| {
        let names: HashSet<_> = errors
            .iter()
            .flat_map(|(_, errors)| errors.iter().map(|(name, _)| (*name).to_owned()))
            .collect();
        let mut names: Vec<_> = names.into_iter().collect();
        names.sort_unstable();
        failed(format!("not defined: {}", names.join(", ")))
    })?;

    let ctx = Ctx::<data::JustLut<Val>>::new(&filter.lut, Vars::new([]));
    let (mut outputs, mut bytes) = (Vec::new(), 0);
    for output in filter.id.run((ctx, input)).map(unwrap_valr) {
        let text = output.map_err(|error| failed(error.to_string()))?.to_string();
        bytes += text.len();
        if bytes > OUTPUT {
            return Err(failed(format!("the outputs are more than {OUTPUT} bytes")));
        }
        outputs.push(json(text));
    }
    Ok(outputs)
}

/// jq knows numbers that JSON does not; where there are some, they become `null`.
fn json(text: String) -> Json {
    match serde_json::value::RawValue::from_string(text) {
        Ok(json) => json,
        Err(_) => json_from_text("null".to_owned()),
    }
}

/// Refuses what could run without end or look out of the program.
fn check(program: &str) -> Result<(), Problem> {
    if program.len() > PROGRAM {
        return Err(failed(format!("the program is longer than {PROGRAM} bytes")));
    }
    let term = jaq_core::load::parse(program, |parser| parser.term());
    look(&term.ok_or_else(|| failed("the program is not valid jq"))?)
}

fn look(term: &Term<&str>) -> Result<(), Problem> {
    use jaq_core::load::lex::StrPart;

    match term {
        Term::Id | Term::Recurse | Term::Num(_) | Term::Break(_) => Ok(()),
        Term::Var(name) if *name == "$ENV" => Err(failed("`$ENV` is not available")),
        Term::Var(_) => Ok(()),
        Term::Str(_, parts) => parts.iter().try_for_each(|part| match part {
            StrPart::Term(term) => look(term),
            _ => Ok(()),
        }),
        Term::Arr(inner) => inner.as_deref().map_or(Ok(()), look),
        Term::Obj(members) => members.iter().try_for_each(|(key, value)| {
            look(key)?;
            value.as_ref().map_or(Ok(()), look)
        }),
        Term::Neg(inner) | Term::Label(_, inner) => look(inner),
        Term::BinOp(left, op, right) => {
            if let BinaryOp::Pipe(Some(pattern)) = op {
                look_at_pattern(pattern)?;
            }
            look(left)?;
            look(right)
        }
        Term::Fold(_, source, pattern, steps) => {
            look(source)?;
            look_at_pattern(pattern)?;
            steps.iter().try_for_each(look)
        }
        Term::TryCatch(body, catch) => {
            look(body)?;
            catch.as_deref().map_or(Ok(()), look)
        }
        Term::IfThenElse(cases, otherwise) => {
            for (condition, then) in cases {
                look(condition)?;
                look(then)?;
            }
            otherwise.as_deref().map_or(Ok(()), look)
        }
        Term::Def(_, _) => Err(failed("definitions (`def`) are not available")),
        Term::Call(name, arguments) => {
            let refused = REFUSED.contains(name) || (*name == "recurse" && !arguments.is_empty());
            if refused || (*name == "range" && !arguments.iter().all(is_small)) {
                return Err(failed(format!(
                    "`{name}` is not available here{}",
                    if *name == "range" { " but with plain numbers or `length`" } else { "" }
                )));
            }
            arguments.iter().try_for_each(look)
        }
        Term::Path(inner, path) => {
            look(inner)?;
            path.0.iter().try_for_each(|(part, _)| match part {
                jaq_core::path::Part::Index(index) => look(index),
                jaq_core::path::Part::Range(from, to) => from.iter().chain(to).try_for_each(look),
            })
        }
    }
}

/// Keys of a pattern may be programs.
fn look_at_pattern(pattern: &Pattern<&str>) -> Result<(), Problem> {
    match pattern {
        Pattern::Var(_) => Ok(()),
        Pattern::Arr(items) => items.iter().try_for_each(look_at_pattern),
        Pattern::Obj(members) => members.iter().try_for_each(|(key, pattern)| {
            look(key)?;
            look_at_pattern(pattern)
        }),
    }
}

/// A bound of `range` that cannot be large.
fn is_small(term: &Term<&str>) -> bool {
    match term {
        Term::Num(text) => text.parse::<u64>().is_ok_and(|number| number <= RANGE),
        Term::Call(name, arguments) => *name == "length" && arguments.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: &str = r#"[{"k":"a","v":1.50},{"k":"b","v":null},{"k":"a","v":4}]"#;

    async fn outcome(program: &str) -> String {
        match run(program, ROWS.to_owned()).await {
            Ok(outputs) => outputs.iter().map(|output| output.get()).collect::<Vec<_>>().join(" "),
            Err(problem) => format!("refused: {}", problem.message()),
        }
    }

    #[tokio::test]
    async fn programs_and_what_they_give() {
        let cases = [
            (".[0].v", "1.50"),
            ("length", "3"),
            ("sum(.v)", "5.5"),
            ("mean(.v)", "2.75"),
            ("median(.v)", "2.75"),
            ("top(1; .v) | .[0].k", r#""a""#),
            ("count_by(.k)", r#"[{"key":"a","count":2},{"key":"b","count":1}]"#),
            ("map(select(.v == null)) | length", "1"),
            (".[].k", r#""a" "b" "a""#),
            ("[range(3)] | length", "3"),
            ("[.. | numbers] | length", "2"),
            ("0/0", "null"),
        ];
        for (program, expected) in cases {
            assert_eq!(outcome(program).await, expected, "{program}");
        }
    }

    #[tokio::test]
    async fn programs_run_side_by_side() {
        let outcomes = futures_util::future::join_all((0..12).map(|_| outcome("length"))).await;
        assert!(outcomes.iter().all(|outcome| outcome == "3"), "{outcomes:?}");
    }

    #[tokio::test]
    async fn what_reaches_out_or_never_ends_is_refused() {
        let programs = [
            "env",
            "$ENV",
            "$ENV.PATH",
            "input",
            "[inputs]",
            "def f: f; f",
            "repeat(.)",
            "[range(1e18)]",
            "[range(0; .[0].v)]",
            "recurse(.)",
            "until(false; .)",
            "halt",
            "debug",
            "{a: env}",
            "\"\\(env)\"",
            ".[env]",
            "map(env)",
            "try env catch .",
            "if env then 1 else 2 end",
            "reduce env as $x (0; .)",
            "import \"a\" as a; .",
        ];
        for program in programs {
            let seen = outcome(program).await;
            assert!(seen.starts_with("refused: jq: "), "{program}: {seen}");
        }
    }

    #[tokio::test]
    async fn faults_say_what_and_where() {
        assert_eq!(outcome(".[").await, "refused: jq: the program is not valid jq");
        assert_eq!(outcome("nonsense(1)").await, "refused: jq: not defined: nonsense");
        assert!(outcome(".[].k | .x").await.starts_with("refused: jq: cannot index"));
    }
}
