//! `cintel api`: sends a request with any HTTP method and path. It can call operations that are missing in the
//! catalogue of this release.

use clap::{Arg, ArgAction, ArgMatches, Command};
use crypto_intel::Method;
use serde_json::{Map, Value};

use crate::arguments::options;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::{self, Options};
use crate::settings::{Settings, read_file};
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    let method = Arg::new("method").value_name("METHOD").required(true);
    let path = Arg::new("path").value_name("PATH").required(true);
    let field = Arg::new("field").short('f').long("field").value_name("NAME=VALUE");
    let input = Arg::new("input").long("input").value_name("FILE").conflicts_with("field");
    let dry_run = Arg::new("dry-run").long("dry-run").action(ArgAction::SetTrue);
    command
        .arg(method.help("GET, POST, DELETE, .."))
        .arg(path.help("Path below the base URL, such as /gateway/v1/market/price"))
        .arg(field.action(ArgAction::Append).help(
            "Query parameter, or field of the JSON body of a POST; write NAME:=JSON if the value is not a string",
        ))
        .arg(input.help("File with the JSON body, or - for standard input"))
        .arg(dry_run.help("Print the request without sending it"))
        .args(options::rendering())
        .arg(options::raw())
        .arg(options::limit().help("Print at most this many rows"))
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let method = given.get_one::<String>("method").map(|name| name.to_uppercase());
    let method = method.unwrap_or_default().parse::<Method>();
    let method = method.map_err(|_| {
        Failure::usage("the argument METHOD is not an HTTP method")
            .next("write GET, POST, PUT, PATCH or DELETE")
    })?;
    let path = given.get_one::<String>("path").cloned().unwrap_or_default();
    let fields: Vec<&String> = given.get_many("field").into_iter().flatten().collect();
    let options = Options::read(given, settings)?;

    let connection = Connection::open(settings)?;
    let has_body = !matches!(method, Method::GET | Method::HEAD | Method::DELETE);
    let mut target = path.clone();
    let mut body = None;
    if let Some(file) = given.get_one::<String>("input") {
        let text = read_file(file)?;
        let value: Value = serde_json::from_str(&text)
            .map_err(|error| Failure::usage(format!("`{file}` is not JSON: {error}")).next(BODY))?;
        body = Some(value);
    } else if has_body && !fields.is_empty() {
        body = Some(Value::Object(members(&fields)?));
    } else {
        for field in &fields {
            let (name, value) = named(field)?;
            let separator = if target.contains('?') { '&' } else { '?' };
            let pair: String =
                form_urlencoded::Serializer::new(String::new()).append_pair(name, value).finish();
            target.push_str(&format!("{separator}{pair}"));
        }
    }

    if given.get_flag("dry-run") {
        let body = body.map_or(String::new(), |body| format!("{body}\n"));
        terminal::print(&format!(
            "{method} {target}\n{body}price: unknown for raw requests\nnothing was sent\n"
        ));
        return Ok(());
    }
    let mut request = connection.client.raw(method, target);
    if let Some(body) = &body {
        request = request.json(body);
    }
    let reply = request.bytes().await?;
    connection.close();
    output::whole(options, None, &reply.body)
}

const BODY: &str = "write the body as JSON, or build it from fields: `-f name=text -f count:=3`";

/// Builds a JSON object from `NAME=VALUE` and `NAME:=JSON` arguments.
fn members(fields: &[&String]) -> Result<Map<String, Value>, Failure> {
    fields
        .iter()
        .map(|field| {
            let (name, value) = named(field)?;
            let Some(name) = name.strip_suffix(':') else {
                return Ok((name.to_owned(), Value::from(value)));
            };
            let value = serde_json::from_str(value).map_err(|error| {
                Failure::usage(format!("`{field}` is not JSON: {error}")).next(BODY)
            })?;
            Ok((name.to_owned(), value))
        })
        .collect()
}

fn named(field: &str) -> Result<(&str, &str), Failure> {
    field.split_once('=').ok_or_else(|| {
        Failure::usage(format!("`{field}` is not NAME=VALUE")).next("write `-f symbol=BTC`")
    })
}
