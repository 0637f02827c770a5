//! Reads the generator's input files of the two versions to compare: from given files, from git revisions, or from the
//! working tree.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Diff, assumed};
use crate::facts::Facts;
use crate::fault::{Fault, Faults, Result};
use crate::load;
use crate::model::Model;
use crate::regen::{DESCRIPTIONS, Inputs, OVERLAY, UNPUBLISHED};
use crate::schemas::METHODS;

/// Stack size in bytes of a thread that runs the generator, which walks schemas by recursion.
const STACK: usize = 512 << 20;

/// Compares two versions of the API. `pair` names two files or git revisions. If `pair` is `None`, compares the last
/// commit with the working tree.
pub fn between(root: &Path, pair: Option<(&str, &str)>) -> Result<Diff, Faults> {
    let (old, new) = match pair {
        Some((old, new)) => match foreign_documents(root, old, new)? {
            Some(both) => both,
            None => (version(root, old)?, version(root, new)?),
        },
        None => (revision(root, "HEAD")?, Inputs::from_repository(root)?),
    };
    Ok(compared(&old, &new)?.0)
}

/// Compares two versions of the API. Returns the differences, and the [`Facts`] about the new version.
pub fn compared(old: &Inputs, new: &Inputs) -> Result<(Diff, Facts), Faults> {
    let read = |inputs: &Inputs| -> Result<(Model, Facts), Faults> {
        let (model, _) = inputs.model()?;
        let facts = Facts::from_model(&model);
        Ok((model, facts))
    };
    let (before, now) = in_parallel(|| read(old), || read(new));
    let ((old_model, before), (new_model, now)) = (before?, now?);
    let assumptions = assumed::decided((old, &old_model), (new, &new_model))?;
    drop((old_model, new_model));
    Ok((Diff { assumptions, ..super::diff(&before, &now) }, now))
}

/// Runs two functions in parallel, and returns both results.
pub fn in_parallel<A: Send, B>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> (A, B) {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(STACK);
        // The comparison cannot continue if the system creates no thread.
        let first = builder.spawn_scoped(scope, first).expect("a thread to compare in");
        let second = second();
        match first.join() {
            Ok(first) => (first, second),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// Reads two OpenAPI documents of another service, without the overlay. Returns `None` if `old` or `new` is not the
/// path of a file. Also returns `None` if one of the files has an operation in common with the repository's published
/// documents.
fn foreign_documents(root: &Path, old: &str, new: &str) -> Result<Option<(Inputs, Inputs)>> {
    let files = [old, new].map(Path::new);
    if !files.iter().all(|file| file.is_file()) {
        return Ok(None);
    }
    let inputs = Inputs::from_repository(root)?;
    for file in files {
        if place_of(&inputs, file, &load::text(file)?)?.is_some() {
            return Ok(None);
        }
    }
    let alone = |file: &Path| Inputs::read(&[file.to_owned()], None);
    Ok(Some((alone(files[0])?, alone(files[1])?)))
}

/// Reads the generator's input files of one version. If `name` is a git revision, reads all files from this revision.
/// If `name` is a file, reads the files of the working tree, but replaces one published OpenAPI document by this file.
/// The replaced document is the one that has the most operations in common with the file.
fn version(root: &Path, name: &str) -> Result<Inputs> {
    let path = Path::new(name);
    if path.is_file() {
        let (mut inputs, index) = replaced(Inputs::from_repository(root)?, path)?;
        // Errors then name the given file, not the document of the repository that it replaces.
        inputs.descriptions[index].0 = path.to_owned();
        return Ok(inputs);
    }
    if path.exists() {
        return Err(Fault::file(
            path,
            "this is a folder",
            "pass the path of an OpenAPI document, or a git revision",
        ));
    }
    revision(root, name)
}

/// Finds the published OpenAPI document in `inputs` that has the most operations in common with `file`. Replaces the
/// text of this document by the text of `file`, but keeps its path. Returns the changed `inputs` and the index of the
/// document.
pub fn replaced(mut inputs: Inputs, file: &Path) -> Result<(Inputs, usize)> {
    let text = load::text(file)?;
    let Some(index) = place_of(&inputs, file, &text)? else {
        return Err(Fault::file(
            file,
            "this document and the documents of the repository have no operation in common",
            "use `cargo xtask regen --spec FILE --out DIR` for the document of another service",
        ));
    };
    inputs.descriptions[index].1 = text;
    Ok((inputs, index))
}

/// Compares the OpenAPI document in `file` with each published document in `inputs`. `text` is the content of `file`.
/// Returns the index of the published document that has the most operations in common with `file`. Returns `None` if
/// no published document has an operation in common with `file`.
fn place_of(inputs: &Inputs, file: &Path, text: &str) -> Result<Option<usize>> {
    let document = load::described(file, text)?;
    let mut best = (None, 0);
    for (index, (path, known)) in inputs.descriptions.iter().enumerate() {
        if path == Path::new(UNPUBLISHED) {
            continue;
        }
        let known = load::described(path, known)?;
        let common = operations(&document).filter(|(path, method)| {
            known["paths"].get(path.as_str()).is_some_and(|item| item.get(**method).is_some())
        });
        let common = common.count();
        if common > best.1 {
            best = (Some(index), common);
        }
    }
    Ok(best.0)
}

fn operations(document: &serde_json::Value) -> impl Iterator<Item = (&String, &&'static str)> {
    let paths = document.get("paths").and_then(serde_json::Value::as_object);
    paths.into_iter().flatten().flat_map(|(path, item)| {
        let methods = METHODS.iter().filter(|method| item.get(**method).is_some());
        methods.map(move |method| (path, method))
    })
}

/// Reads the OpenAPI documents and the overlay of a git revision.
fn revision(root: &Path, name: &str) -> Result<Inputs> {
    let commit = git(root, &["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")])
        .map_err(|why| {
            let reason = match why.trim() {
                "" => format!("`{name}` is neither a file nor a git revision"),
                why => format!("`{name}` is not a file, and git reports: {why}"),
            };
            Fault::usage(
                name,
                reason,
                "pass the path of an OpenAPI document, or a revision such as HEAD~1",
            )
        })?;

    let show = |path: &str| -> Result<(PathBuf, String)> {
        let text = git(root, &["show", &format!("{}:{path}", commit.trim())]).map_err(|why| {
            Fault::usage(
                name,
                format!("the revision has no `{path}`: {}", why.trim()),
                "pass a revision that contains the file",
            )
        })?;
        Ok((path.into(), text.trim_start_matches('\u{feff}').to_owned()))
    };

    // Old git revisions do not contain the file of unpublished operations.
    let is_there = |path: &&&str| **path != UNPUBLISHED || show(path).is_ok();
    let descriptions = DESCRIPTIONS.iter().filter(is_there).map(|path| show(path));
    Ok(Inputs { descriptions: descriptions.collect::<Result<_>>()?, overlay: Some(show(OVERLAY)?) })
}

/// Runs a git command. Returns the standard output of the command. If the command fails, returns an error message.
fn git(root: &Path, arguments: &[&str]) -> Result<String, String> {
    let done = Command::new("git").arg("-C").arg(root).args(arguments).output();
    let done = done.map_err(|error| format!("git could not be started: {error}"))?;
    if done.status.success() {
        String::from_utf8(done.stdout).map_err(|error| error.to_string())
    } else {
        Err(String::from_utf8_lossy(&done.stderr).into_owned())
    }
}
