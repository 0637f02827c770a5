//! Option `--jq`: runs each jq program in a separate process.

use crypto_intel_jq::{Error, ErrorKind, Worker};

use crate::failure::{Exit, Failure};

/// Returns a worker that runs each jq program in a child process. The child process runs the executable of `cintel`
/// again; see [`main`](crate::main).
pub(crate) fn worker() -> Result<Worker, Failure> {
    let program = std::env::current_exe().map_err(|error| {
        Failure::new(
            Exit::Local,
            format!("the path of the `cintel` executable is unknown: {error}"),
        )
    })?;
    Ok(Worker::new(program))
}

/// Rejects an invalid jq program, before any request is sent.
pub(crate) fn check(program: &str) -> Result<(), Failure> {
    let worker = worker()?;
    block_on(worker.check(program))?.map_err(failure)
}

/// Runs a jq program with JSON text as its input, and passes each result to `line`. JSON strings are passed without
/// quotes, other values as JSON. `members` contains the names of the rows' optional fields. Helper functions accept
/// these fields even if no row has them. For example, if no row has a `price`, `sum(.price)` fails unless `members`
/// contains `price`.
pub(super) fn run(
    program: &str,
    json: &str,
    members: &[&str],
    mut line: impl FnMut(&str),
) -> Result<(), Failure> {
    let worker = worker()?;
    let outcome = block_on(worker.run(program, json, members))?;
    let outputs = match &outcome {
        Ok(outputs) => outputs,
        Err(error) => error.outputs(),
    };
    for output in outputs {
        match serde_json::from_str::<String>(output.get()) {
            Ok(text) => line(&text),
            Err(_) => line(output.get()),
        }
    }
    outcome.map(drop).map_err(failure)
}

/// Runs a jq program with JSON text as its input. Returns true if a first result exists and is neither false nor
/// null.
pub(crate) fn holds(program: &str, json: &str, members: &[&str]) -> Result<bool, Failure> {
    let worker = worker()?;
    let outputs = block_on(worker.run(program, json, members))?.map_err(failure)?;
    Ok(outputs.first().is_some_and(|first| !matches!(first.get(), "false" | "null")))
}

/// Runs a future to its end on a separate thread, because the calling thread already runs an async runtime.
fn block_on<T: Send>(future: impl Future<Output = T> + Send) -> Result<T, Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(Exit::Local, format!("--jq: the child process cannot be started: {error}"))
    };
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.map(|runtime| runtime.block_on(future)).map_err(|error| failed(&error))
        });
        thread.join().unwrap_or_else(|_| Err(failed(&"a thread panicked")))
    })
}

fn failure(error: Error) -> Failure {
    let exit = if error.kind() == ErrorKind::Worker { Exit::Local } else { Exit::Usage };
    let failure = Failure::new(exit, format!("--jq: {}", error.message()));
    match error.kind() {
        ErrorKind::Program | ErrorKind::Data => failure.next(
            "the input is the list of rows; `--jq '.[].symbol'` prints the symbol of each row",
        ),
        ErrorKind::Worker => failure.next("omit `--jq`, or use `jq` itself: `-o json | jq`"),
        _ => failure.next("use a simpler program, or `jq` itself: `-o json | jq`"),
    }
}
