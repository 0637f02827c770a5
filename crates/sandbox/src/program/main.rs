//! The sandbox as a program. `cargo run -p crypto-intel-sandbox -- --help` lists its flags.
//!
//! The program starts a sandbox, prints the address and the key of the sandbox, and stops after Ctrl-C.

use std::io::{self, Write};
use std::process::ExitCode;

use crypto_intel_sandbox::Sandbox;

mod flags;
mod greeting;
mod settings;

use flags::CommandLine;
use settings::Settings;

/// Exit status for an invalid command line.
const MISUSED: u8 = 2;

fn main() -> ExitCode {
    let settings = match flags::read(std::env::args_os().skip(1)) {
        Ok(CommandLine::Run(settings)) => *settings,
        Ok(CommandLine::Text(text)) => return print(&text),
        Err(problem) => {
            eprintln!("error: {problem}\n`{} --help` lists all flags", flags::NAME);
            return ExitCode::from(MISUSED);
        }
    };

    match run(settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Starts the sandbox, and serves requests until a signal arrives. Saves the state at the end, if a flag requests it.
fn run(settings: Settings) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| format!("the runtime cannot be started: {error}"))?;

    runtime.block_on(async {
        let wish = wish_to_end().map_err(|error| format!("signals cannot be received: {error}"))?;
        let known = settings.start_info();
        let save = settings.save.clone();
        let sandbox = settings.start().await?;
        print(&greeting::render(&sandbox, &known));
        wish.await;

        if let Some(file) = save {
            let state = sandbox.save().map_err(|error| error.to_string())?;
            state.write(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        stop(sandbox).await.map_err(|error| format!("the sandbox did not stop cleanly: {error}"))
    })
}

/// Stops the sandbox. Prints the requests whose responses were not recorded.
async fn stop(sandbox: Sandbox) -> io::Result<()> {
    #[cfg(feature = "record")]
    for missed in sandbox.not_recorded() {
        eprintln!("not recorded: {missed}");
    }
    sandbox.stop().await
}

/// Installs handlers for the signals `SIGINT` (Ctrl-C) and `SIGTERM`, and returns a future that waits for a signal. A
/// signal that arrives while the sandbox starts is not lost.
#[cfg(unix)]
fn wish_to_end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        let either = (std::pin::pin!(interrupt.recv()), std::pin::pin!(terminate.recv()));
        futures_util::future::select(either.0, either.1).await;
    })
}

#[cfg(not(unix))]
fn wish_to_end() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without signals the program runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// Prints a text. Ignores the error if the reader has closed the pipe, as `head` does.
fn print(text: &str) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}
