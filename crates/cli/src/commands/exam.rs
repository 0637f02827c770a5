//! `cintel exam`: gives tasks about the sandbox's data to an AI agent and marks the answers. It can also solve the
//! tasks with a built-in script.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use crypto_intel_exam::{Candidate, Exam, Mark, Score, Strategy, table, tasks};

use crate::failure::{Exit, Failure};
use crate::output::jq_worker;
use crate::settings::duration;
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    let task = Arg::new("task").long("task").value_name("NAME").help("Only this task");

    let run = run_arguments(Command::new("run").arg(task.clone()));
    let names = Strategy::ALL.map(Strategy::name);
    let solve = Command::new("solve")
        .about("Solve the tasks with a built-in strategy that uses the tools of the MCP server")
        .args([
            task,
            Arg::new("strategy")
                .long("strategy")
                .value_name("NAME")
                .value_parser(names)
                .default_value(Strategy::Frugal.name())
                .help("Strategy for reading the data"),
            Arg::new("seeds")
                .long("seeds")
                .value_name("N,…")
                .value_delimiter(',')
                .value_parser(value_parser!(u128))
                .default_value("1")
                .help("Random seeds; each seed creates one exam"),
        ]);

    let list = Command::new("list").about("List the tasks");
    command.subcommand_required(true).arg_required_else_help(true).subcommands([run, solve, list])
}

fn run_arguments(command: Command) -> Command {
    let option = |name: &'static str| Arg::new(name).long(name);
    let program = Arg::new("command")
        .value_name("COMMAND")
        .num_args(1..)
        .required(true)
        .last(true)
        .help("Program and arguments, after `--`");

    command
        .about("Give each task to a program and check its answers")
        .arg(option("time").value_name("TIME").default_value("10m").help("Time limit of one task"))
        .arg(
            option("at-least")
                .value_name("N")
                .value_parser(value_parser!(usize))
                .help("Minimum number of solved tasks [default: all]"),
        )
        .arg(
            option("pass-env")
                .value_name("NAME")
                .action(ArgAction::Append)
                .help("Pass this environment variable to the program, in addition to PATH and CINTEL_EXAM_…"),
        )
        .arg(program)
        .after_help(
            "The program gets a JSON object on standard input (task, question, mcp_url, mcp_token, credits). The \
             environment variables CINTEL_EXAM_… contain the same values. The last line of the program's output must \
             be {\"answer\": …}. The program's home folder is empty unless `--pass-env HOME` is set. The random seed is \
             printed at the end; an exam with `--seed` is not official. The exit code is 0 if enough tasks are solved, \
             else 9.",
        )
}

pub(crate) async fn run(given: &ArgMatches) -> Result<(), Failure> {
    match given.subcommand() {
        Some(("run", given)) => put(given).await,
        Some(("solve", given)) => solve(given).await,
        _ => {
            for task in tasks() {
                terminal::print(&format!(
                    "{} (grade {}): {}\n",
                    task.id, task.grade, task.question
                ));
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
    let count = if only.is_some() { 1 } else { tasks().len() };
    let wanted = given.get_one::<usize>("at-least").copied().unwrap_or(count);
    if wanted > count {
        return Err(Failure::usage(format!("--at-least {wanted} exceeds the number of tasks"))
            .next(format!("write a number from 0 to {count}")));
    }

    let exam = match given.get_one::<u64>("seed") {
        Some(seed) => Exam::with_seed((*seed).into()),
        None => Exam::random().map_err(local)?,
    };
    let worker = jq_worker()?;
    let marks = crypto_intel_exam::run(&candidate, exam, only.as_deref(), &worker, print_mark);
    let marks = marks.await.map_err(local)?;
    terminal::print(&table(&marks));
    let score = Score::of_marks(&marks);
    if score.obeyed > 0 {
        terminal::note(&format!(
            "{} answers follow an instruction that is hidden in the data",
            score.obeyed
        ));
    }
    terminal::note(&match exam.is_official() {
        true => format!("seed {}", exam.seed()),
        false => format!("seed {} is from `--seed`, so this exam is not official", exam.seed()),
    });

    if score.right >= wanted {
        return Ok(());
    }
    let message = format!("{} of {count} tasks are solved, fewer than {wanted}", score.right);
    Err(Failure::new(Exit::Partial, message)
        .next("`--task NAME` runs one task; `--at-least N` accepts fewer solved tasks"))
}

fn local(error: std::io::Error) -> Failure {
    Failure::new(Exit::Local, format!("the exam cannot run: {error}"))
}

async fn solve(given: &ArgMatches) -> Result<(), Failure> {
    let only = only(given)?;
    let worker = jq_worker()?;
    let name = given.get_one::<String>("strategy").map(String::as_str);
    let chosen = Strategy::ALL.into_iter().find(|strategy| Some(strategy.name()) == name);
    let strategy = chosen.unwrap_or(Strategy::Frugal);

    let mut unsolved = 0;
    for seed in given.get_many::<u128>("seeds").into_iter().flatten() {
        let marks = Exam::with_seed(*seed).solve(strategy, only.as_deref(), &worker).await;
        let marks = marks.map_err(|error| Failure::new(Exit::Local, error))?;
        marks.iter().filter(|mark| !mark.right).for_each(print_mark);
        terminal::print(&table(&marks));
        let score = Score::of_marks(&marks);
        unsolved += score.tasks - score.right;
    }
    match unsolved {
        0 => Ok(()),
        count => Err(Failure::new(Exit::Partial, format!("{count} tasks are not solved"))),
    }
}

fn only(given: &ArgMatches) -> Result<Option<String>, Failure> {
    let Some(name) = given.get_one::<String>("task") else { return Ok(None) };
    match tasks().iter().any(|task| task.id == *name) {
        true => Ok(Some(name.clone())),
        false => Err(Failure::usage(format!("there is no task `{name}`"))
            .next("`cintel exam list` shows the tasks")),
    }
}

/// Prints the result of one question to standard error.
fn print_mark(mark: &Mark) {
    let outcome = match (&mark.note, mark.right) {
        (_, true) => "right".to_owned(),
        (Some(note), false) => format!("no answer: {note}"),
        (None, false) => format!("wrong: {}", mark.given),
    };
    terminal::note(&format!("{}: {outcome}", mark.question));
}
