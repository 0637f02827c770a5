//! Runs the command of an operation: plans the request, sends it, reads further pages if the user wants them, and
//! writes the rows.

use std::pin::pin;

use clap::ArgMatches;
use crypto_intel::catalogue::{Answer, Operation, Paging};
use crypto_intel::{
    Completeness, CompletenessState, DynamicAnswer, Error, ResumeToken, extend::Paged as _,
};
use serde_json::json;

use super::missing_parts::missing;
use super::plan::Planned;
use super::resolve;
use super::resolved_values;
use super::watch::{self, Repetition};
use crate::arguments::catalogue::LIMIT;
use crate::arguments::catalogue::{positional, record};
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{self, Ending, Options, Rows};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::terminal;

pub(crate) async fn run(
    operation: &'static Operation,
    given: &ArgMatches,
    settings: &Settings,
) -> Result<(), Failure> {
    let mut options = Options::read(given, settings)?;
    options.check_fields(operation)?;
    options.title = title(operation, given);
    let watch = Repetition::read(given)?;
    let has_rows = !matches!(operation.answer, Answer::Stream | Answer::Bytes | Answer::Empty);
    if watch.is_some() && !has_rows {
        let message =
            format!("{}: `--every` compares rows, but the response has no rows", operation.id);
        return Err(Failure::usage(message).next("leave `--every` out"));
    }

    let connection = Connection::open(settings)?;
    let mut resolved = Vec::new();
    if let Some(resolve) = resolved_values::name_search(&connection.client, operation, given) {
        if given.get_flag("dry-run") {
            resolve::dry_run(&resolve);
            return Ok(());
        }
        resolved = resolved_values::arguments(operation, resolve).await?;
    }
    let planned = Planned::new(&connection.client, operation, given, &resolved, settings)?;
    if given.get_flag("dry-run") {
        return dry_run(&connection, &planned);
    }
    let outcome = match watch {
        Some(watch) => watch::run(operation, &planned, options, watch, &connection).await,
        None => send(operation, planned, options).await,
    };
    connection.close();
    outcome
}

/// Returns the title of a chart: the identifier of the operation and the values of its positional arguments.
fn title(operation: &Operation, given: &ArgMatches) -> String {
    let values = positional(operation).filter_map(|param| given.get_one::<String>(param.name));
    let words: Vec<&str> =
        std::iter::once(operation.id).chain(values.map(String::as_str)).collect();
    words.join(" ")
}

async fn send(
    operation: &'static Operation,
    planned: Planned,
    options: Options,
) -> Result<(), Failure> {
    match operation.answer {
        Answer::Stream => return stream(planned).await,
        Answer::Bytes | Answer::Empty => {
            let reply = planned.request.call().clone().send_raw().await?;
            terminal::write(&reply.body);
            return Ok(());
        }
        Answer::Rows { .. } | Answer::One { .. } | Answer::Bare(_) => {}
    }

    if options.raw {
        let reply = planned.request.call().clone().send_raw().await?;
        return output::whole(options, None, &reply.body);
    }
    match planned.reads_on {
        true => pages(operation, &planned, options).await,
        false => one_request(operation, &planned, options).await,
    }
}

/// Sends one request and writes the rows of its response.
async fn one_request(
    operation: &'static Operation,
    planned: &Planned,
    options: Options,
) -> Result<(), Failure> {
    let Some(pager) = planned.pager() else {
        let reply = planned.request.clone().await?;
        let count = reply.rows().len();
        let completeness =
            Completeness::of_answer(planned.request.call(), &reply.position(), count);

        let ending = match planned.rows.filter(|limit| *limit < count as u64) {
            Some(limit) => {
                Ending::new(limit, cut_at_limit(Some(count as u64))).next("raise `--limit`")
            }
            None if operation.param(LIMIT).is_some() => {
                Ending::new(count as u64, completeness).next("raise `--limit`")
            }
            None => Ending::new(count as u64, completeness),
        };
        return print_answer(operation, &reply, planned.rows, options, &ending);
    };

    // The request goes through a pager of one page, because only a pager applies `--resume`.
    let mut pages = pager.pages();
    let page = pages.try_next().await?;
    let Some(page) = page else {
        return Rows::start(options, record(operation)).finish();
    };

    let rows = page.reply.rows().len() as u64;
    let shown = planned.rows.map_or(rows, |limit| rows.min(limit));
    let ending = page_ending(shown, &page.reply, page.resume, planned.rows.is_some());
    print_answer(operation, &page.reply, planned.rows, options, &ending)
}

/// Creates the [`Ending`] after a command has read one page of a list. The ending states whether the list is complete,
/// was cut by `--limit`, or continues on the next page.
fn page_ending(
    rows: u64,
    reply: &DynamicAnswer,
    resume: Option<ResumeToken>,
    has_limit: bool,
) -> Ending {
    let total = reply.position().total.and_then(|total| u64::try_from(total).ok());
    let Some(token) = resume else {
        return Ending::new(rows, Completeness::new(CompletenessState::Complete));
    };
    match has_limit {
        true => Ending::new(rows, cut_at_limit(total).with_resume(Some(token)))
            .next("raise `--limit`, or read all with `--all`"),
        false => {
            let next = format!("read on with `--all`, or with --resume '{token}'");
            let state = Completeness::new(CompletenessState::MoreAvailable);
            Ending::new(rows, state.with_total(total).with_resume(Some(token))).next(next)
        }
    }
}

fn cut_at_limit(total: Option<u64>) -> Completeness {
    Completeness::new(CompletenessState::CutAtLimit).with_total(total)
}

fn print_answer(
    operation: &'static Operation,
    reply: &DynamicAnswer,
    limit: Option<u64>,
    options: Options,
    ending: &Ending,
) -> Result<(), Failure> {
    let mut rows = Rows::start(options.clone(), record(operation));
    rows.is_list(reply.is_list());
    rows.meta(reply.meta());
    // For operations without pages, `--where` and `--sort` are applied first, and the limit afterwards.
    let limit = limit.filter(|_| operation.paging != Paging::None || !options.has_selection());
    let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    for row in reply.rows().iter().take(limit) {
        rows.push(row.get())?;
    }
    rows.finish()?;

    let Some(parts) = missing(reply) else { return options.report(ending) };
    let message = format!("{}: the response has no {parts}", operation.id);
    Err(Failure::new(Exit::Partial, message)
        .next("the rows received so far were printed; try again later"))
}

/// Reads the pages of a list one after the other, and passes each row to the writer [`Rows`] as soon as it arrives.
async fn pages(
    operation: &'static Operation,
    planned: &Planned,
    options: Options,
) -> Result<(), Failure> {
    let Some(pager) = planned.pager() else { return Ok(()) };
    let mut rows = Rows::start(options.clone(), record(operation));
    // A terminal cannot show rows and a progress bar at the same time.
    let bar = match rows.prints_at_once() && terminal::stdout_is_terminal() {
        true => Progress::hidden(),
        false => Progress::rows(operation.id),
    };
    let mut items = pager.items();
    let mut read = 0_u64;

    // One signal handler for the whole list: a signal between two rows is not lost.
    let mut interrupted = pin!(terminal::interrupted());
    loop {
        let next = tokio::select! {
            next = items.try_next() => next,
            () = &mut interrupted => {
                bar.clear();
                rows.finish()?;
                return Err(stopped(items.resume_token(), read));
            }
        };

        match next {
            Ok(Some(row)) => {
                rows.push(row.get())?;
                read += 1;
                bar.count(read);
            }
            Ok(None) => break,
            Err(error) => {
                bar.clear();
                rows.finish()?;
                let token = items.resume_token().map(|token| token.to_string());
                return Err(cut_short(error, token, read));
            }
        }
    }

    bar.clear();
    rows.finish()?;
    options.report(&list_ending(read, Completeness::of_items(&items)))
}

/// Creates the [`Ending`] of a list after `read` rows. If the list is not complete, the [`Ending`] suggests the option
/// `--resume` to read the remaining rows.
fn list_ending(read: u64, completeness: Completeness) -> Ending {
    let next = completeness.resume.as_ref().map(|token| format!("read on with --resume '{token}'"));
    let ending = Ending::new(read, completeness);
    match next {
        Some(next) => ending.next(next),
        None => ending,
    }
}

/// Creates the failure for a list that the user interrupted. The rows before the interruption were charged and printed.
fn stopped(token: Option<ResumeToken>, read: u64) -> Failure {
    let failure = Failure::new(Exit::Interrupted, format!("interrupted after {read} rows"));
    match token {
        Some(token) => failure.next(format!("continue with `--resume '{token}'`")),
        None => failure,
    }
}

/// Creates the failure for an error that ended the reading of a list. If some rows were read, the failure contains
/// their number, and a resume token if one exists.
fn cut_short(error: Error, token: Option<String>, read: u64) -> Failure {
    let token = ResumeToken::from_error(&error).map(ToString::to_string).or(token);
    let failure = Failure::from(error);
    if read == 0 {
        return failure;
    }
    let state = match failure.exit() {
        Exit::Credits => CompletenessState::StoppedByBudget,
        _ => CompletenessState::Failed,
    };
    let completeness = json!({"state": state.as_str(), "rows": read, "resume": token});
    let failure = failure
        .with_exit(Exit::Partial)
        .within(&format!("after {read} rows"))
        .with_completeness(completeness);
    match token {
        Some(token) => failure.next(format!("continue with `--resume '{token}'`")),
        None => failure,
    }
}

/// Writes a stream of events to standard output while it arrives.
async fn stream(planned: Planned) -> Result<(), Failure> {
    use futures_util::TryStreamExt as _;

    let mut stream = planned.request.call().clone().open().await?;
    while let Some(bytes) = stream.body.try_next().await? {
        output::write_guarded(&bytes);
    }
    Ok(())
}

/// Prints the result of `--dry-run`: the request and its maximum list price.
fn dry_run(connection: &Connection, planned: &Planned) -> Result<(), Failure> {
    let parts = planned.request.call().parts()?;
    let mut text = format!("{} {}\n", parts.method, parts.target);
    if let Some(body) = &parts.body {
        text.push_str(&format!("{}\n", String::from_utf8_lossy(body)));
    }

    let estimate = connection.client.estimate(&planned.request);
    if !planned.reads_on {
        text.push_str(&format!("list price: {estimate}\n"));
    } else {
        text.push_str(&format!("list price: {estimate} per page\n"));
        let most = planned.pager().and_then(|pager| pager.estimate());
        text.push_str(&match most {
            Some(most) => format!("at most: {most}\n"),
            None => "at most: unlimited; set --limit, --max-pages or --max-credits\n".to_owned(),
        });
    }
    text.push_str("nothing was sent\n");
    terminal::print(&text);
    Ok(())
}
