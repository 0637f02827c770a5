//! `cintel exam`: gives tasks over the sandbox's data to an agent, or solves them by script.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use crypto_intel_exam::{Candidate, Mark, table};

use crate::failure::{Exit, Failure};
use crate::output::jq_worker;
use crate::settings::duration;
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    let task = Arg::new("task").long("task").value_name("NAME").help("Only this task");

    let run = run_arguments(Command::new("run").arg(task.clone()));
    let solve =
        Command::new("solve").about("Solve the tasks by script, through the tools").arg(task).arg(
            Arg::new("seeds")
                .long("seeds")
                .value_name("N,…")
                .value_delimiter(',')
                .value_parser(value_parser!(u64))
                .default_value("1,2,3,4,5")
                .help("Seeds of the sandboxes"),
        );

    let list = Command::new("list").about("List the tasks");
    command.subcommand_required(true).arg_required_else_help(true).subcommands([run, solve, list])
}

fn run_arguments(command: Command) -> Command {
    let option = |name: &'static str| Arg::new(name).long(name);
    command
        .about("Give each task to a program and mark its answers")
        .arg(option("time").value_name("TIME").default_value("10m").help("Time limit of one task"))
        .arg(
            option("at-least")
                .value_name("N")
                .value_parser(value_parser!(usize))
                .help("Minimum number of right answers [default: all]"),
        )
        .arg(
            option("pass-env")
                .value_name("NAME")
                .action(ArgAction::Append)
                .help("Pass this environment variable to the program; all but PATH are removed"),
        )

        .arg(
            Arg::new("command")
                .value_name("COMMAND")
                .num_args(1..)
                .required(true)
                .last(true)
                .help("Program and arguments, after `--`"),
        )
        .after_help(
            "The program gets one JSON object on standard input (task, question, now, mcp_url, mcp_token, credits) and \
             the same in the environment variables CINTEL_EXAM_…. Its last line of output is {\"answer\": …}. The exam \
             has a random seed, which is printed at the end; an exam with `--seed` is not official. The exit code is 0 \
             if enough answers are right, else 9.",
        )
}

pub(crate) async fn run(given: &ArgMatches) -> Result<(), Failure> {
    match given.subcommand() {
        Some(("run", given)) => put(given).await,
        Some(("solve", given)) => solve(given).await,
        _ => {
            for task in crypto_intel_exam::all() {
                terminal::print(&format!("{}: {}\n", task.id, task.question));
            }
            Ok(())
        }
    }
}

async fn put(given: &ArgMatches) -> Result<(), Failure> {
    let command = given.get_many::<String>("command").into_iter().flatten().cloned().collect();
    let time = match given.get_one::<String>("time") {
        Some(text) => duration(text)?,
        None => Duration::from_secs(600),
    };
    let variables = given.get_many::<String>("pass-env").into_iter().flatten().cloned().collect();
    let candidate = Candidate { command, time, variables };
    let only = only(given)?;
    let tasks = if only.is_some() { 1 } else { crypto_intel_exam::all().len() };
    let wanted = given.get_one::<usize>("at-least").copied().unwrap_or(tasks);
    if wanted > tasks {
        return Err(Failure::usage(format!("--at-least {wanted} is more than the {tasks} tasks"))
            .next(format!("write a number from 0 to {tasks}")));
    }

    let worker = jq_worker()?;
    let chosen = given.get_one::<u64>("seed").copied();
    let seed = match chosen {
        Some(seed) => seed,
        None => random_seed()?,
    };
    let marks = crypto_intel_exam::run(&candidate, seed, only.as_deref(), &worker, tell);
    let marks = marks.await;
    let marks = marks
        .map_err(|error| Failure::new(Exit::Local, format!("the exam cannot run: {error}")))?;
    terminal::print(&table(&marks));
    terminal::note(&match chosen {
        Some(seed) => format!("seed {seed}, chosen with `--seed`: this exam is not official"),
        None => format!("seed {seed}"),
    });

    match marks.iter().filter(|mark| mark.right).count() {
        right if right >= wanted => Ok(()),
        right => {
            let message = format!("{right} of {tasks} answers are right, fewer than {wanted}");
            Err(Failure::new(Exit::Partial, message)
                .next("`--task NAME` runs one task; `--at-least N` accepts fewer right answers"))
        }
    }
}

/// A seed that the examined program cannot guess.
fn random_seed() -> Result<u64, Failure> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::new(Exit::Local, format!("no seed can be generated: {error}")))?;
    Ok(u64::from_ne_bytes(bytes))
}

async fn solve(given: &ArgMatches) -> Result<(), Failure> {
    let only = only(given)?;
    let worker = jq_worker()?;
    let mut marks = Vec::new();
    for seed in given.get_many::<u64>("seeds").into_iter().flatten() {
        let of_seed = crypto_intel_exam::solve(*seed, only.as_deref(), &worker).await;
        of_seed.iter().filter(|mark| !mark.right).for_each(tell);
        marks.extend(of_seed);
    }

    terminal::print(&table(&marks));
    match marks.iter().filter(|mark| !mark.right).count() {
        0 => Ok(()),
        wrong => Err(Failure::new(Exit::Partial, format!("{wrong} tasks are not solved"))),
    }
}

fn only(given: &ArgMatches) -> Result<Option<String>, Failure> {
    let Some(name) = given.get_one::<String>("task") else { return Ok(None) };
    match crypto_intel_exam::all().iter().any(|task| task.id == name) {
        true => Ok(Some(name.clone())),
        false => Err(Failure::usage(format!("there is no task `{name}`"))
            .next("`cintel exam list` shows the tasks")),
    }
}

/// Prints one mark to standard error while other tasks still run.
fn tell(mark: &Mark) {
    let outcome = match (&mark.note, mark.right) {
        (_, true) => "right".to_owned(),
        (Some(note), false) => format!("no answer: {note}"),
        (None, false) => format!("wrong: {}", mark.given),
    };
    terminal::note(&format!("{}: {outcome}", mark.task));
}
