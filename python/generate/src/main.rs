//! Generates the Python files `_operations.py` and `_records.py`. The input is the catalogue of operations and the
//! generated descriptions of records.
//!
//! `cargo run -p crypto-intel-python-generate -- FOLDER` writes the files. With `--check`, the command writes no files,
//! and checks that the existing files are up to date.

mod names;
mod operations;
mod records;

use std::path::Path;
use std::process::ExitCode;

const HEADER: &str =
    "# Written by `crypto-intel-python-generate` from the catalogue. Do not edit.\n";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (folder, checks) = match &args[..] {
        [folder] => (Path::new(folder), false),
        [folder, check] if check == "--check" => (Path::new(folder), true),
        _ => {
            eprintln!("usage: crypto-intel-python-generate FOLDER [--check]");
            return ExitCode::from(2);
        }
    };

    let files = [("_operations.py", operations::module()), ("_records.py", records::module())];
    for (name, text) in files {
        let path = folder.join(name);
        if !checks {
            if let Err(error) = std::fs::write(&path, text) {
                eprintln!("{}: {error}", path.display());
                return ExitCode::FAILURE;
            }
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(&text) {
            eprintln!("{} differs from the catalogue; generate the file again:", path.display());
            eprintln!("cargo run -p crypto-intel-python-generate -- python/crypto_intel");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
