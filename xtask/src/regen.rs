//! `cargo xtask regen`: from descriptions to code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::emit::reference;
use crate::fault::{Fault, Faults, Result};
use crate::lock::{LOCK, Lock};
use crate::model::Model;
use crate::overlay_findings::{self, Finding};
use crate::passes::enums::Enum;
use crate::passes::{self, runtime_types};
use crate::report::Report;
use crate::types::{self, Types};
use crate::{check, emit, load, origin, read};

/// Operations that are known from other sources than a published description.
pub const UNPUBLISHED: &str = "spec/unpublished.openapi.json";
/// The descriptions of the repository, below its root. Where two of them describe the same operation or record,
/// the first one counts, so a published description outranks the unpublished operations.
pub const DESCRIPTIONS: &[&str] =
    &["spec/data.openapi.json", "spec/chat.openapi.yaml", UNPUBLISHED];
/// The overlay of the repository.
pub const OVERLAY: &str = "spec/overlay.yaml";

/// Everything one run produces, in memory.
pub struct Output {
    pub model: Model,
    pub report: String,
    /// Contents by path below `src/generated`.
    pub sources: BTreeMap<String, String>,
    /// Actions of the overlay that want a look.
    pub findings: Vec<Finding>,
}

/// The root of the repository: the one that this runs in, or else the one that this was compiled in.
pub fn root() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let is_root = |dir: &&Path| dir.join(OVERLAY).is_file() && dir.join("xtask/src").is_dir();
    let compiled = || Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    here.ancestors().find(is_root).unwrap_or_else(compiled).to_owned()
}

/// What a run reads, as text, each under the name that faults and the report call it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inputs {
    pub descriptions: Vec<(PathBuf, String)>,
    pub overlay: Option<(PathBuf, String)>,
}

impl Inputs {
    /// Reads files. Those of the repository are called the same on every machine.
    pub fn read(descriptions: &[PathBuf], overlay: Option<&Path>) -> Result<Self> {
        let root = root();
        let named = |path: &Path| {
            Ok((path.strip_prefix(&root).unwrap_or(path).to_owned(), load::text(path)?))
        };
        Ok(Inputs {
            descriptions: descriptions.iter().map(|path| named(path)).collect::<Result<_>>()?,
            overlay: overlay.map(named).transpose()?,
        })
    }

    /// The descriptions and the overlay of the repository at `root`.
    pub fn of(root: &Path) -> Result<Self> {
        let named = |path: &str| Ok((PathBuf::from(path), load::text(&root.join(path))?));
        Ok(Inputs {
            descriptions: DESCRIPTIONS.iter().map(|path| named(path)).collect::<Result<_>>()?,
            overlay: Some(named(OVERLAY)?),
        })
    }

    /// The document that all passes but the first few work on.
    fn document(&self) -> Result<(Value, Report, Vec<Finding>), Faults> {
        let mut documents = Vec::new();
        for (path, text) in &self.descriptions {
            let mut document = load::described(path, text)?;
            let name = path.display().to_string();
            let several = self.descriptions.len() > 1;
            origin::mark(&mut document, several.then_some(name.as_str()));
            documents.push(document);
        }
        let (mut document, mut report) =
            joined(documents).map_err(|fault| fault.within(self.first()))?;
        let mut findings = Vec::new();
        if let Some((path, text)) = &self.overlay {
            let actions = load::parsed(path, text)?;
            findings = passes::overlay::overlay(&mut document, &actions, &mut report)
                .map_err(|fault| fault.within(path))?;
            overlay_findings::locate(&mut findings, &load::action_lines(text));
            overlay_findings::note(&findings, &mut report);
        }
        Ok((document, report, findings))
    }

    /// What a run finds wrong with the actions of the overlay.
    pub fn findings(&self) -> Result<Vec<Finding>, Faults> {
        Ok(self.document()?.2)
    }

    fn first(&self) -> &Path {
        self.descriptions.first().map_or(Path::new(""), |(path, _)| path)
    }

    /// Runs the whole line.
    pub fn output(&self) -> Result<Output, Faults> {
        let (document, report, findings) = self.document()?;
        let output = transform(document, report).map_err(|faults| faults.within(self.first()))?;
        Ok(Output { findings, ..output })
    }

    /// Everything decided, and nothing written: what comparing versions needs.
    pub fn model(&self) -> Result<(Model, Report), Faults> {
        let (document, mut report, _) = self.document()?;
        let model = decide(document, &mut report).map_err(|faults| faults.within(self.first()))?;
        Ok((model, report))
    }
}

/// The description of the repository as the external generator reads it.
pub fn plain() -> Result<Value, Faults> {
    let (mut document, mut notes, _) = Inputs::of(&root())?.document()?;
    prepare(&mut document, &mut notes)?;
    passes::loosen::loosen(&mut document, &mut notes);
    Ok(document)
}

/// Runs the whole line over descriptions on disk.
pub fn run(descriptions: &[PathBuf], overlay: Option<&Path>) -> Result<Output, Faults> {
    Inputs::read(descriptions, overlay)?.output()
}

/// The same for documents in memory.
pub fn run_in_memory(documents: Vec<Value>, overlay: Option<&Value>) -> Result<Output, Faults> {
    let (document, report, findings) = marked(documents, overlay)?;
    Ok(Output { findings, ..transform(document, report)? })
}

/// The model of documents in memory.
pub fn model_in_memory(documents: Vec<Value>, overlay: Option<&Value>) -> Result<Model, Faults> {
    let (document, mut report, _) = marked(documents, overlay)?;
    decide(document, &mut report)
}

fn marked(
    mut documents: Vec<Value>,
    overlay: Option<&Value>,
) -> Result<(Value, Report, Vec<Finding>)> {
    documents.iter_mut().for_each(|document| origin::mark(document, None));
    let (mut document, mut report) = joined(documents)?;
    let mut findings = Vec::new();
    if let Some(overlay) = overlay {
        findings = passes::overlay::overlay(&mut document, overlay, &mut report)?;
        overlay_findings::note(&findings, &mut report);
    }
    Ok((document, report, findings))
}

/// One document of version 3.0.
fn joined(documents: Vec<Value>) -> Result<(Value, Report)> {
    let mut report = Report::default();
    let mut document = passes::merge::merge(documents, &mut report)?;
    check::outline(&mut document, &mut report)?;
    passes::references::references(&mut document, &mut report);
    passes::down_convert::down_convert(&mut document, &mut report);
    Ok((document, report))
}

/// The line after the overlay; no file is touched from here on.
pub fn transform(document: Value, mut report: Report) -> Result<Output, Faults> {
    let model = decide(document, &mut report)?;
    let header = header(&model);
    let sources = emit::sources(&model, &format!("//! {header}"));
    let counts = format!(
        "# Generation report\n\n{header}\n\n{} operations, {} records, {} enums, {} domains.",
        model.operations.len(),
        model.records.len(),
        model.enums.len(),
        model.tags.len(),
    );
    let report = report.to_markdown(&counts);
    Ok(Output { model, report, sources, findings: Vec::new() })
}

/// Everything decided. Every fault of the document is told: a pass that meets one goes on without the part.
fn decide(mut document: Value, notes: &mut Report) -> Result<Model, Faults> {
    let (runtime_types, enums) = prepare(&mut document, notes)?;
    let names: BTreeSet<String> = enums.keys().cloned().collect();
    let types = types::types(&document, &names, &runtime_types, notes).unwrap_or_else(|reason| {
        notes.refuse(types::locate(&document, &names, &runtime_types, reason));
        Types::default()
    });

    let model = model(&document, runtime_types, enums, &types, notes);
    match notes.faults() {
        Some(faults) => Err(faults),
        None => Ok(model),
    }
}

/// Brings the document into the form that people's words, bounds and defaults are read from, and gives the types
/// that are written elsewhere.
fn prepare(
    document: &mut Value,
    notes: &mut Report,
) -> Result<(BTreeSet<String>, BTreeMap<String, Enum>), Faults> {
    check::outline(document, notes)?;
    check::shape(document, notes);
    passes::inline::inline(document, notes);
    passes::unused_parts::unused_parts(document, notes);
    passes::normalize_operations::normalize_operations(document, notes);
    passes::rename::rename(document, notes);
    passes::streaming::streaming(document, notes);
    check::schemas(document, notes);
    let runtime_types = runtime_types::runtime_types(document, notes);
    passes::compose::compose(document, notes);
    Ok((runtime_types, passes::enums::enums(document, notes)))
}

/// Everything that is written, read out of the described document.
fn model(
    document: &Value,
    runtime_types: BTreeSet<String>,
    enums: BTreeMap<String, Enum>,
    types: &Types,
    report: &mut Report,
) -> Model {
    let operations = read::operations(document, types, report);
    let (records, unions) = read::records(document, &operations, types, report);

    for operation in &operations {
        if let Some(note) = &operation.note {
            report.note(crate::report::Change::Assumed, note.clone(), operation.id.clone());
        }
    }

    let plans = read::plans(document).unwrap_or_else(|fault| {
        report.refuse(fault);
        Vec::new()
    });
    let top_up = read::top_up(document).unwrap_or_else(|fault| {
        report.refuse(fault);
        None
    });

    let model = Model {
        title: read::text(&document["info"], "title"),
        version: read::text(&document["info"], "version"),
        tags: read::tags(document, report),
        operations,
        records,
        unions,
        enums,
        plans,
        top_up,
        runtime_types,
    };

    check::names(&model, report);
    model
}

fn header(model: &Model) -> String {
    let source = emit::line(&format!("{} {}", model.title, model.version));
    format!("Generated by `cargo xtask regen` from {source}. Do not edit.")
}

/// One run over the descriptions of the repository.
pub fn published() -> Result<Output, Faults> {
    Inputs::of(&root())?.output()
}

/// What one run over the repository makes.
pub struct Made {
    /// Contents by path below the root.
    pub files: BTreeMap<PathBuf, String>,
    /// Actions of the overlay that want a look.
    pub findings: Vec<Finding>,
}

/// The outputs of the repository by path below its root.
pub fn repository() -> Result<BTreeMap<PathBuf, String>, Faults> {
    Ok(made()?.files)
}

/// The outputs of the repository, and what is to be said of its overlay.
pub fn made() -> Result<Made, Faults> {
    let root = root();
    made_at(&root, &root)
}

/// The same for a repository in another folder: its descriptions, its overlay, its manifests. The generator is the
/// one whose sources are below `generator`.
pub fn made_at(root: &Path, generator: &Path) -> Result<Made, Faults> {
    let output = Inputs::of(root)?.output()?;
    let mut files = BTreeMap::new();
    for (name, text) in output.sources {
        files.insert(Path::new("crates/api/src/generated").join(name), text);
    }
    files.insert("crates/api/src/generated/REPORT.md".into(), output.report);
    files.extend(reference::files(&output.model));
    for (manifest, forward) in
        [("crates/api/Cargo.toml", None), ("crates/client/Cargo.toml", Some("crypto-intel-api"))]
    {
        let path = root.join(manifest);
        let text = fs::read_to_string(&path)
            .map_err(|error| Fault::file(&path, error.to_string(), "the crate needs a manifest"))?;
        let features = emit::features(&output.model, forward);
        files.insert(manifest.into(), with_features(&path, &text, &features)?);
    }

    let lock = Lock::of(root, generator, DESCRIPTIONS, OVERLAY, &files)?.after(Lock::read(root));
    files.insert(LOCK.into(), lock.to_text());
    Ok(Made { files, findings: output.findings })
}

/// The manifest with the lines between the two marks replaced.
fn with_features(path: &Path, manifest: &str, features: &str) -> Result<String> {
    let parts = manifest
        .split_once(emit::FEATURES_BEGIN)
        .and_then(|(head, rest)| Some((head, rest.split_once(emit::FEATURES_END)?.1)));
    let Some((head, tail)) = parts else {
        return Err(Fault::file(
            path,
            "the marks around the generated features are missing",
            format!("put `{}` and `{}` below [features]", emit::FEATURES_BEGIN, emit::FEATURES_END),
        ));
    };
    Ok(format!("{head}{features}{tail}"))
}

/// A crate of its own in `dir`, from other descriptions.
pub fn crate_in(
    dir: &Path,
    descriptions: &[PathBuf],
    overlay: Option<&Path>,
) -> Result<BTreeMap<PathBuf, String>, Faults> {
    let output = run(descriptions, overlay)?;
    Ok(crate_of(dir, output)?)
}

/// Whether a crate may be written into this folder: it is new, empty, or was written by this command.
pub fn ours(dir: &Path) -> Result<()> {
    let known = fs::read_to_string(dir.join("Cargo.toml"));
    if known.is_ok_and(|manifest| manifest.starts_with(emit::MANIFEST_MARK)) {
        return Ok(());
    }
    let fault =
        |reason: &str| Fault::file(dir, reason, "name a new or an empty folder after `--out`");
    match fs::read_dir(dir).map(|mut entries| entries.next().is_some()) {
        Ok(true) => Err(fault("the folder holds something that this command did not write")),
        Ok(false) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(fault(&error.to_string())),
    }
}

/// The files of a crate in `dir` with this output.
pub fn crate_of(dir: &Path, output: Output) -> Result<BTreeMap<PathBuf, String>> {
    let root = root();
    let mut files = BTreeMap::new();
    for (name, text) in output.sources {
        files.insert(dir.join("src/generated").join(name), text);
    }
    files.insert(dir.join("REPORT.md"), output.report);
    let core = root.join("crates/core");
    files
        .insert(dir.join("Cargo.toml"), emit::manifest(&output.model, &core.display().to_string()));
    let lib = root.join("crates/api/src/lib.rs");
    let text = fs::read_to_string(&lib)
        .map_err(|error| Fault::file(&lib, error.to_string(), "run this inside the repository"))?;
    files.insert(dir.join("src/lib.rs"), text);
    Ok(files)
}

/// Writes what differs, and removes generated files that are no longer made. Gives the paths that
/// were touched.
pub fn write(base: &Path, files: &BTreeMap<PathBuf, String>) -> Result<Vec<PathBuf>> {
    let mut touched = Vec::new();
    for (path, text) in files {
        let path = base.join(path);
        if fs::read_to_string(&path).is_ok_and(|known| known == *text) {
            continue;
        }
        let written =
            path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        written.map_err(|error| {
            Fault::file(&path, error.to_string(), "check the permissions of the folder")
        })?;
        touched.push(path);
    }

    for path in stale(base, files) {
        remove(&path)?;
        touched.push(path);
    }
    Ok(touched)
}

/// Removes a file that this command once wrote; any other is not its to remove.
fn remove(path: &Path) -> Result<()> {
    let known = fs::read_to_string(path).unwrap_or_default();
    if !known.lines().take(8).any(|line| line.contains("Generated by `cargo xtask regen`")) {
        let what = if path.is_dir() { "folder" } else { "file" };
        return Err(Fault::file(
            path,
            format!("a {what} that is not generated, among those that are"),
            format!("move the {what} elsewhere, or remove it"),
        ));
    }

    fs::remove_file(path)
        .map_err(|error| Fault::file(path, error.to_string(), "remove the file by hand"))
}

/// Files in the generated folders that this run did not make.
pub fn stale(base: &Path, files: &BTreeMap<PathBuf, String>) -> Vec<PathBuf> {
    let ours = |dir: &&Path| dir.ends_with("generated") || dir.ends_with(reference::FOLDER);
    let folders = files.keys().filter_map(|path| path.parent()).filter(ours);
    let folders: BTreeSet<_> = folders.collect();

    let mut stale = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(base.join(folder)).into_iter().flatten().flatten() {
            if !files.contains_key(&folder.join(entry.file_name())) {
                stale.push(entry.path());
            }
        }
    }
    stale.sort();
    stale
}
