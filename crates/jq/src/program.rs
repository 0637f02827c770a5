//! Compiles a jq program and runs it in the current process.
//!
//! A program reads one JSON value. Each result of the program is written as a JSON text.

use std::collections::BTreeSet;

use jaq_core::load::parse::Def;
use jaq_core::load::{self, Arena, File, Loader};
use jaq_core::{Compiler, Ctx, Filter, Vars, data, unwrap_valr};
use jaq_json::{Num, Val, read};
use serde_json::value::RawValue;

use crate::assignment::{self, desugar};
use crate::error::{Error, ErrorKind, Json, redact_values};

/// Additional functions, written in jq: `sum(f)`, `mean(f)`, `median(f)`, `stdev(f)`, `top(n; f)` and
/// `count_by(f)`. They apply to a list of rows.
///
/// If no row has the field that `f` reads, the functions raise an error that lists the existing fields. All
/// functions except `count_by` ignore rows in which the value of `f` is `null`, so a missing number never counts
/// as 0. If the value is `null` in all rows, `sum`, `mean`, `median` and `stdev` return `null`. `stdev` also returns
/// `null` for a single value.
pub const HELPERS: &str = r#"
def _has_path($path): if . == null or ($path | length) == 0 then true
  else ($path[0]) as $name | (try has($name) catch false) and (.[$name] | _has_path($path[1:])) end;
def _figures(f): . as $rows | [.[] | f | values] | if length > 0 then . else
  ([$rows[] | try path(f) catch null | values] | unique
    | map(select(. as $path | ($known_members | index([$path[0]]) | not) and (any($rows[]; _has_path($path)) | not)))
    | if length > 0 then error("no row has the field `\(.[0] | map(tostring) | join("."))`; the fields are \(
        [$rows[] | objects | keys_unsorted[]] + $known_members | unique | .[:60] | join(", "))") else [] end) end;
def sum(f): if length == 0 then 0 else _figures(f) | add end;
def mean(f): _figures(f) | if length == 0 then null else add / length end;
def median(f): _figures(f) | sort | (length / 2 | floor) as $middle | if length == 0 then null
  elif length % 2 == 1 then .[$middle] else (.[$middle - 1] + .[$middle]) / 2 end;
def stdev(f): _figures(f) | if length < 2 then null
  else (add / length) as $mean | (map(. - $mean | . * .) | add / (length - 1) | sqrt) end;
def top($n; f): (_figures(f) | length) as $count | map(select(f != null)) | sort_by(f) | reverse | .[:$n];
def count_by(f): (_figures(f) | length) as $count | group_by(f) | map({key: (.[0] | f), count: length});
"#;

/// Functions of jq that the interpreter lacks or implements differently, written in jq. `env` returns an empty
/// object, and `inputs` returns nothing.
const JQ_FUNCTIONS: &str = r#"
def env: {};
def inputs: empty;
def IN(source): any(source == .; .);
def IN(values; source): any(values == source; .);
def leaf_paths: paths(scalars);
def setpath($path; $value): _assign(getpath($path); $value);
def del(path): _delete(path);
def INDEX(source; f): reduce source as $row ({}; . + {($row | f | tostring): $row});
def INDEX(f): INDEX(.[]; f);
def _parsed: fromjson;
def fromjson: [_parsed] | if length == 1 then .[0] else error("the string is not one JSON value") end;
def tonumber: if type == "number" then . elif type == "string" then (try fromjson catch null) else null end
  | if type == "number" then . else error("the value is not a number") end;
def _has_affix(f): type == "string" and (try f catch false);
def ltrimstr($prefix): if _has_affix(startswith($prefix)) then .[($prefix | length):] else . end;
def rtrimstr($suffix): if $suffix != "" and _has_affix(endswith($suffix)) then .[:-($suffix | length)] else . end;
def delpaths($paths): _delete(getpath($paths[]));
def tostream: path(def inner: (.[]? | inner), .; inner) as $path
  | getpath($path) | reduce path(.[]?) as $below ([$path, .]; [$path + $below]);
def fromstream(events): {value: null, is_whole: false} as $start | foreach events as $event ($start;
  if .is_whole then $start else . end | if ($event | length) == 2
    then setpath(["value"] + $event[0]; $event[1]) | .is_whole = ($event[0] == [])
    else .is_whole = (($event[0] | length) == 1) end;
  if .is_whole then .value else empty end);
def truncate_stream(events): . as $depth | null | events
  | if (.[0] | length) > $depth then .[0] |= .[$depth:] else empty end;
def join($separator): map(if . == null then "" else tostring end)
  | .[:-1][] += $separator | reduce .[] as $text (""; . + $text);
def from_entries: reduce .[] as $entry ({}; . + {
  ($entry | if type == "object" then [.key, .k, .name, .Name, .Key, .K | values][0] else . end
    | if type == "string" then . else tojson end):
  ($entry | if has("value") then .value elif has("v") then .v else .Value end)});
def _cells(f): if type != "array" then error("\(type) cannot be formatted as a row, only a list can") else
  map(if type == "null" then "" elif type == "string" then f
    elif type == "array" or type == "object" then error("\(type) cannot be formatted as a cell") else tostring end) end;
def @csv: _cells("\"" + gsub("\""; "\"\"") + "\"") | join(",");
def @tsv: _cells(gsub("\\\\"; "\\\\") | gsub("\t"; "\\t") | gsub("\n"; "\\n") | gsub("\r"; "\\r")) | join("\t");
"#;

/// Name of the jq function whose body is the caller's program.
const PROGRAM: &str = "_program";
/// jq variable with the names of optional fields of the input rows.
const KNOWN_MEMBERS: &str = "$known_members";
/// jq variable with the environment. Its value is an empty object.
const ENVIRONMENT: &str = "$ENV";

/// Functions of jq's standard library that programs cannot call, because these functions call a function of [`ABSENT`].
const ABSENT_DEFINITIONS: &[&str] = &["debug", "stderr", "halt", "halt_error"];
/// Native functions of the interpreter that programs cannot call, because these functions read the environment, print
/// text or end the process.
const ABSENT: &[&str] = &["env", "halt", "debug_empty", "stderr_empty"];

type Compiled = Filter<data::JustLut<Val>>;

/// A compiled jq program.
pub(crate) struct Program {
    compiled: Compiled,
    text: String,
}

impl Program {
    /// Compiles the text of a program.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Program`] for an invalid program. The message describes the first syntax error, or lists
    /// the names of functions and variables that are not defined.
    pub(crate) fn compile(text: &str) -> Result<Self, Error> {
        let parsed = |text| jaq_core::load::parse(text, |parser| parser.defs()).unwrap_or_default();
        let definitions = jaq_core::defs()
            .chain(jaq_std::defs().filter(|def| !ABSENT_DEFINITIONS.contains(&def.name)))
            .chain(jaq_json::defs())
            .chain(parsed(JQ_FUNCTIONS))
            .chain(parsed(HELPERS));
        let mut definitions: Vec<Def<&str>> = definitions.collect::<Vec<Def>>();
        let functions = jaq_core::funs()
            .chain(assignment::functions())
            .chain(jaq_std::base_funs())
            .chain(jaq_std::extra_funs().filter(|function| !ABSENT.contains(&function.0)))
            .chain(jaq_json::funs());

        // The loader accepts texts with definitions, and describes the syntax error of a text that does not parse.
        let term = load::parse(text, |parser| parser.term());
        let code = if term.is_some() { PROGRAM } else { text };
        definitions.extend(term.map(|term| {
            let body = desugar(term);
            Def { name: PROGRAM, args: Vec::new(), body }
        }));

        let arena = Arena::default();
        let file = File { code, path: () };
        let modules = Loader::new(definitions).load(&arena, file).map_err(|errors| {
            let message = errors.into_iter().map(|(_, error)| syntax_error_message(&error)).next();
            Error::new(ErrorKind::Program, message.unwrap_or_default())
        })?;

        let compiler =
            Compiler::default().with_funs(functions).with_global_vars([KNOWN_MEMBERS, ENVIRONMENT]);
        let compiled = compiler.compile(modules).map_err(|errors| {
            let names: BTreeSet<_> =
                errors.iter().flat_map(|(_, undefined)| undefined).map(|(name, _)| *name).collect();
            let names: Vec<_> = names.into_iter().collect();
            Error::new(ErrorKind::Program, format!("undefined names: {}", names.join(", ")))
        })?;
        Ok(Program { compiled, text: text.to_owned() })
    }

    /// Runs the program over a JSON text and passes each result to `output`. As in jq, the result NaN becomes `null`,
    /// and infinity becomes the largest 64-bit float.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Data`] if the input is not one JSON value, if the program fails on the data, or if a result
    /// cannot be written as JSON. Errors of `output` are returned unchanged.
    pub(crate) fn run(
        &self,
        input: &[u8],
        members: Vec<String>,
        mut output: impl FnMut(Json) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let failed = |text: String| Error::new(ErrorKind::Data, redact_values(&text, &self.text));
        let input = read::parse_single(input).map_err(|error| failed(error.to_string()))?;
        let environment = Val::Obj(Default::default());
        let members: Val = members.into_iter().map(Val::from).collect();

        let context =
            Ctx::<data::JustLut<Val>>::new(&self.compiled.lut, Vars::new([members, environment]));
        for result in self.compiled.id.run((context, input)).map(unwrap_valr) {
            output(to_json(result.map_err(|error| failed(error.to_string()))?)?)?;
        }
        Ok(())
    }
}

/// Returns the JSON text of a result.
fn to_json(result: Val) -> Result<Json, Error> {
    let text = result.to_string();
    if let Ok(json) = RawValue::from_string(text) {
        return Ok(json);
    }
    let error = |message: &str| Error::new(ErrorKind::Data, message);
    let result = to_json_numbers(result)
        .ok_or_else(|| error("a result has an object with a key that is not a string"))?;
    RawValue::from_string(result.to_string()).map_err(|_| error("a result is not valid JSON"))
}

/// Replaces NaN by `null` and infinity by the largest 64-bit float, because JSON has neither. Returns `None` if
/// the key of an object is not a text.
fn to_json_numbers(value: Val) -> Option<Val> {
    Some(match value {
        Val::Num(Num::Float(number)) if number.is_nan() => Val::Null,
        Val::Num(Num::Float(number)) => Val::Num(Num::Float(number.clamp(f64::MIN, f64::MAX))),
        Val::Arr(items) => items.iter().cloned().map(to_json_numbers).collect::<Option<_>>()?,
        Val::Obj(members) => {
            let members = members.iter().map(|(key, value)| {
                let is_text = matches!(key, Val::TStr(_));
                is_text.then(|| Some((key.clone(), to_json_numbers(value.clone())?)))?
            });
            Val::obj(members.collect::<Option<_>>()?)
        }
        other => other,
    })
}

/// Describes the first syntax error in the text of a program.
fn syntax_error_message(error: &jaq_core::load::Error<&str>) -> String {
    let (expected, found) = match error {
        jaq_core::load::Error::Io(_) => return "modules are not available".to_owned(),
        jaq_core::load::Error::Lex(errors) => {
            errors.first().map(|(expected, found)| (expected.as_str(), *found)).unwrap_or_default()
        }
        jaq_core::load::Error::Parse(errors) => {
            errors.first().map(|(expected, found)| (expected.as_str(), *found)).unwrap_or_default()
        }
    };
    let near: String = found.chars().take(40).collect();
    match near.is_empty() {
        true => format!("not valid jq: the program ends where {expected} is expected"),
        false => format!("not valid jq: found `{near}` where {expected} is expected"),
    }
}
