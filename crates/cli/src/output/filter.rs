//! `--jq`: programs of jq.

use jaq_core::load::{Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Filter, Vars, data, unwrap_valr};
use jaq_json::{Val, read};

use crate::failure::Failure;

type Program = Filter<data::JustLut<Val>>;

/// Refuses what is no program, before anything is paid for.
pub(crate) fn check(program: &str) -> Result<(), Failure> {
    compile(program).map(drop)
}

/// Runs a program over JSON. Each result is handed on as a line: texts as they are, and everything
/// else as JSON.
pub(crate) fn run(program: &str, json: &str, mut line: impl FnMut(&str)) -> Result<(), Failure> {
    let filter = compile(program)?;
    let failed = |what: String| Failure::usage(format!("--jq: {what}"));
    let input = read::parse_single(json.as_bytes());
    let input = input.map_err(|error| failed(format!("the answer cannot be read: {error}")))?;

    let context = Ctx::<data::JustLut<Val>>::new(&filter.lut, Vars::new([]));
    for result in filter.id.run((context, input)).map(unwrap_valr) {
        match result {
            Ok(Val::TStr(text)) => line(&String::from_utf8_lossy(&text)),
            Ok(value) => line(&value.to_string()),
            Err(error) => {
                let failure = failed(error.to_string());
                return Err(failure.next("the input is the list of rows: begin with `.[]`"));
            }
        }
    }
    Ok(())
}

fn compile(program: &str) -> Result<Program, Failure> {
    let wrong = |what: String| {
        Failure::usage(format!("--jq: `{program}` is no program: {what}"))
            .next("the input is the list of rows; `--jq '.[].symbol'` prints a member of each")
    };
    let defs = jaq_core::defs().chain(jaq_std::defs()).chain(jaq_json::defs());
    let funs = jaq_core::funs().chain(jaq_std::funs()).chain(jaq_json::funs());
    let arena = Arena::default();
    let file = File { code: program, path: () };

    let modules = Loader::new(defs).load(&arena, file).map_err(|errors| {
        let found = errors.into_iter().map(|(_, error)| fault(error)).next();
        wrong(found.unwrap_or_default())
    })?;
    Compiler::default().with_funs(funs).compile(modules).map_err(|errors| {
        let named = errors.iter().flat_map(|(_, undefined)| undefined).next();
        wrong(named.map_or_else(String::new, |(name, kind)| {
            format!("{} `{name}` is not defined", kind.as_str())
        }))
    })
}

/// What is wrong with the text of a program.
fn fault(error: jaq_core::load::Error<&str>) -> String {
    let (expected, found) = match &error {
        jaq_core::load::Error::Io(errors) => return format!("cannot load {:?}", errors.first()),
        jaq_core::load::Error::Lex(errors) => {
            errors.first().map(|(expected, found)| (expected.as_str(), *found)).unwrap_or_default()
        }
        jaq_core::load::Error::Parse(errors) => {
            errors.first().map(|(expected, found)| (expected.as_str(), *found)).unwrap_or_default()
        }
    };
    let near: String = found.chars().take(40).collect();
    match near.is_empty() {
        true => format!("it ends where {expected} should be"),
        false => format!("`{near}` stands where {expected} should be"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(program: &str, json: &str) -> Vec<String> {
        let mut lines = Vec::new();
        run(program, json, |line| lines.push(line.to_owned())).expect("a program");
        lines
    }

    #[test]
    fn texts_come_bare_and_numbers_exact() {
        let json = r#"[{"s":"BTC","v":1.10},{"s":"ETH","v":123456789012345678901234567890}]"#;
        assert_eq!(lines(".[].s", json), ["BTC", "ETH"]);
        assert_eq!(lines(".[].v", json), ["1.10", "123456789012345678901234567890"]);
        assert_eq!(lines("map(.s)", json), [r#"["BTC","ETH"]"#]);
        assert_eq!(lines("length", json), ["2"]);
    }

    #[test]
    fn what_is_no_program_is_told() {
        for program in [".[", "nosuch", ".[] | nosuch(1)"] {
            assert!(check(program).is_err(), "{program}");
        }
        let error = run(".a", "[1]", |_| {}).expect_err("a list has no members");
        assert!(error.message().contains("--jq"), "{}", error.message());
    }
}
