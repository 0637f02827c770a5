//! Prints the sandbox's responses to example requests, so that a maintainer can compare the responses before and after
//! a change.
//!
//! For every operation, the requests are the example request and its variants. A variant sets one parameter to another
//! value that the parameter allows. `cargo run --release -p crypto-intel-world --example dump > before.txt` writes one
//! line for each response.
//!
//! With the argument `time`, the program prints the computing times of uncached responses in microseconds: the time to
//! find the rows, and the time to write the rows. `time OPERATION` measures only one operation, for use with a
//! profiler.

use std::error::Error;
use std::io::{BufWriter, Write};
use std::time::{Duration, Instant};

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_api::generated::tables;
use crypto_intel_core::{Answer, Operation, ParamKind, Type};
use crypto_intel_world::args::Args;
use crypto_intel_world::missing_fields::sink::{Container, Sink, Text};
use crypto_intel_world::random::Seed;
use crypto_intel_world::row_filters::RowFilters;
use crypto_intel_world::{Context, Data, Refusal, data, example};
use serde_json::Value;

/// Pairs of a random seed and a current time in Unix seconds: Monday 2026-06-15 and Saturday 2026-06-13.
const WORLDS: [(u64, i64); 2] = [(1, 1_781_530_662), (42, 1_781_357_405)];

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    match args.next().as_deref() {
        Some("time") => time(args.next().as_deref()),
        _ => dump(),
    }
}

fn dump() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for (seed, now) in WORLDS {
        let ctx = Context::new(Seed::new(seed), now);
        for operation in OPERATIONS {
            for params in variants(operation) {
                let shown = example::args(operation, &params).and_then(|args| answer(&ctx, &args));
                let said: Vec<_> =
                    params.iter().map(|(name, value)| format!("{name}={value}")).collect();
                let text = shown.unwrap_or_else(|refusal| format!("refused: {refusal}"));
                writeln!(out, "{seed} {} {} {text}", operation.id, said.join("&"))?;
            }
        }
    }
    Ok(())
}

fn time(only: Option<&str>) -> Result<(), Box<dyn Error>> {
    const ROUNDS: usize = 24;
    let asked: Vec<_> = OPERATIONS
        .iter()
        .filter(|operation| only.is_none_or(|only| operation.id == only))
        .filter_map(|operation| {
            Some((*operation, example::args(operation, &example::parameters(operation)).ok()?))
        })
        .collect();
    let mut ctx = Context::new(Seed::new(1), WORLDS[0].1);
    let mut rows: Vec<_> =
        asked.iter().map(|(operation, _)| (Vec::new(), 0, operation.id)).collect();

    // Each round requests all operations, at times one second apart. The first two rounds only fill the caches.
    for round in 0..ROUNDS + 2 {
        for ((_, args), (taken, bytes, _)) in asked.iter().zip(&mut rows) {
            ctx.now += 1;
            let start = Instant::now();
            let Ok(found) = data(&ctx, args) else { continue };
            let finding = start.elapsed();

            let start = Instant::now();
            // One page of the default size is written.
            let page = args.integer("limit").and_then(|limit| usize::try_from(limit).ok());
            *bytes = written(&ctx, args, found, page.unwrap_or(20)).len();
            if round >= 2 {
                taken.push((finding, start.elapsed()));
            }
        }
    }

    // The median is used, because other running programs make some measurements too slow.
    let middle = |mut taken: Vec<(Duration, Duration)>| {
        taken.sort_by_key(|(finding, writing)| *finding + *writing);
        taken.get(taken.len() / 2).copied()
    };
    let mut rows: Vec<_> = rows
        .into_iter()
        .filter_map(|(taken, bytes, id)| middle(taken).map(|taken| (taken, bytes, id)))
        .collect();
    rows.sort_by_key(|((finding, writing), ..)| std::cmp::Reverse(*finding + *writing));

    let count = u32::try_from(rows.len()).unwrap_or(1).max(1);
    let mean = |part: fn(&(Duration, Duration)) -> Duration| {
        (rows.iter().map(|(taken, ..)| part(taken)).sum::<Duration>() / count).as_micros()
    };
    println!("{:>10} {:>10} {:>8}  µs to find, µs to write, bytes", "", "", "");
    for ((finding, writing), bytes, id) in &rows {
        println!("{:>10} {:>10} {bytes:>8}  {id}", finding.as_micros(), writing.as_micros());
    }
    let bytes = rows.iter().map(|(_, bytes, _)| bytes).sum::<usize>() / rows.len().max(1);
    println!("{:>10} {:>10} {bytes:>8}  mean", mean(|taken| taken.0), mean(|taken| taken.1));
    Ok(())
}

/// Returns the example arguments of an operation, and variants of them. A variant changes one argument to another value
/// that its parameter allows.
fn variants(operation: &Operation) -> Vec<Vec<(&'static str, Value)>> {
    let usual = example::parameters(operation);
    let mut all = vec![usual.clone()];
    for param in operation.params {
        let choices: Vec<Value> = match param.kind {
            ParamKind::Enum(values) => values.iter().map(|value| Value::from(*value)).collect(),
            ParamKind::Boolean => vec![true.into(), false.into()],
            ParamKind::String { .. } | ParamKind::Moment | ParamKind::List { .. } => {
                vec![example::value(param)]
            }
            _ => continue,
        };
        for choice in choices {
            let mut changed = usual.clone();
            changed.retain(|(name, _)| *name != param.name);
            changed.push((param.name, choice));
            all.push(changed);
        }
    }
    all
}

fn answer(ctx: &Context, args: &Args) -> Result<String, Refusal> {
    Ok(written(ctx, args, data(ctx, args)?, 100))
}

/// Returns at most `most` rows as JSON text, in the format of the service.
fn written(ctx: &Context, args: &Args, found: Data, most: usize) -> String {
    let ty = match args.operation.answer {
        Answer::Rows { row, .. } => row,
        Answer::One { data, .. } => data,
        Answer::Bare(ty) => ty,
        Answer::Stream | Answer::Bytes | Answer::Empty => return String::new(),
    };

    let mut text = Text::new();
    let mut rows = match found {
        Data::One(row) => {
            row.write(ctx, ty, &mut text);
            return text.done();
        }
        Data::Rows(rows) => rows,
    };
    let ty = if matches!(args.operation.answer, Answer::Bare(_)) { row_of(ty) } else { ty };
    let filters = RowFilters::new(ctx, args, ty);
    filters.decide(ctx, ty, &mut rows);
    filters.apply(&mut rows);

    text.open(Container::List);
    rows.into_iter().take(most).for_each(|row| row.write(ctx, ty, &mut text));
    text.close(Container::List);
    text.done()
}

/// Returns the type of the rows in a response of type `answer`. The rows are the first field of `answer` that is a list
/// of records. If `answer` has no such field, returns [`Type::Any`].
fn row_of(answer: Type) -> Type {
    let Type::Record(name) = answer else { return Type::Any };
    let fields = tables::record(name).map_or(&[][..], |record| record.fields);
    let row = fields.iter().find_map(|field| match field.ty {
        Type::List(row @ Type::Record(_)) => Some(*row),
        _ => None,
    });
    row.unwrap_or(Type::Any)
}
