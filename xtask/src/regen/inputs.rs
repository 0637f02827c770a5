//! Reads the generator's input files, and runs the generator. Each error message names the file that contains the
//! error.
//!
//! The inputs are OpenAPI documents and the overlay, as files or as parsed JSON values. The result is the model of the
//! API or all generated files.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::paths::{DESCRIPTIONS, OVERLAY, root};
use super::pipeline::{self, Output};
use crate::fault::{Faults, Result};
use crate::model::Model;
use crate::overlay_findings::{self, Finding};
use crate::passes::{loosen, overlay};
use crate::report::Report;
use crate::{load, origin, read};

/// Paths and texts of the generator's input files. Errors and the report use these paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inputs {
    pub descriptions: Vec<(PathBuf, String)>,
    pub overlay: Option<(PathBuf, String)>,
}

/// The merged OpenAPI document after the overlay was applied.
struct Joined {
    document: Value,
    /// Version numbers in the OpenAPI documents, in the order of the input files.
    versions: Vec<String>,
    report: Report,
    findings: Vec<Finding>,
}

impl Inputs {
    /// Reads OpenAPI documents and an overlay from files. The path of a file in the repository is stored relative to
    /// the root, so that the report is the same on every machine.
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

    /// Reads the OpenAPI documents and the overlay of the repository at `root`.
    pub fn from_repository(root: &Path) -> Result<Self> {
        let named = |path: &str| Ok((PathBuf::from(path), load::text(&root.join(path))?));
        Ok(Inputs {
            descriptions: DESCRIPTIONS.iter().map(|path| named(path)).collect::<Result<_>>()?,
            overlay: Some(named(OVERLAY)?),
        })
    }

    /// Merges the OpenAPI documents, and applies the overlay.
    fn document(&self) -> Result<Joined, Faults> {
        let (mut documents, mut versions) = (Vec::new(), Vec::new());
        for (path, text) in &self.descriptions {
            let mut document = load::described(path, text)?;
            versions.push(read::text(&document["info"], "version"));
            let name = mark_of(path);
            let several = self.descriptions.len() > 1;
            origin::mark(&mut document, several.then_some(name.as_str()));
            documents.push(document);
        }

        let (mut document, mut report) =
            pipeline::join(documents).map_err(|fault| fault.within(self.first()))?;
        let mut findings = Vec::new();
        if let Some((path, text)) = &self.overlay {
            let actions = load::parsed(path, text)?;
            // To find the lines, the overlay must be parsed again. This is done only if there are faults or findings.
            let lines = || load::action_lines(text);
            findings = overlay::overlay(&mut document, &actions, &mut report)
                .map_err(|fault| fault.within_overlay(path, &lines()))?;
            if !findings.is_empty() {
                overlay_findings::locate(&mut findings, &lines());
            }
            report.name_overlay(path, text);
            overlay_findings::note(&findings, &mut report);
        }

        Ok(Joined { document, versions, report, findings })
    }

    /// Returns the problems that a maintainer must review. A problem is an overlay action whose target matches nothing,
    /// that is not needed, or that contradicts the OpenAPI document.
    pub fn findings(&self) -> Result<Vec<Finding>, Faults> {
        Ok(self.document()?.findings)
    }

    fn first(&self) -> &Path {
        self.descriptions.first().map_or(Path::new(""), |(path, _)| path)
    }

    /// Runs the whole generator. Returns the generated files in memory.
    pub fn output(&self) -> Result<Output, Faults> {
        let Joined { document, versions, report, findings } = self.document()?;
        let output =
            pipeline::transform(document, report).map_err(|faults| faults.within(self.first()))?;
        Ok(Output { versions, findings, ..output })
    }

    /// Builds the model and the report, but does not generate source code.
    pub fn model(&self) -> Result<(Model, Report), Faults> {
        let Joined { document, mut report, .. } = self.document()?;
        let model = pipeline::decide(document, &mut report)
            .map_err(|faults| faults.within(self.first()))?;
        Ok((model, report))
    }
}

/// Returns the name of a file for locations such as `FILE#POINTER`. An absolute path is shortened to the file name,
/// because a location that begins with a slash is read as a JSON pointer.
fn mark_of(path: &Path) -> String {
    let name = path.file_name().filter(|_| path.is_absolute());
    name.map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Runs the whole generator for the given files.
pub fn run(descriptions: &[PathBuf], overlay: Option<&Path>) -> Result<Output, Faults> {
    Inputs::read(descriptions, overlay)?.output()
}

/// Runs the whole generator for the OpenAPI documents and the overlay of the repository.
pub fn published() -> Result<Output, Faults> {
    Inputs::from_repository(&root())?.output()
}

/// Runs the whole generator for OpenAPI documents in memory.
pub fn run_in_memory(documents: Vec<Value>, overlay: Option<&Value>) -> Result<Output, Faults> {
    let (document, report, findings) = merge_documents(documents, overlay)?;
    Ok(Output { findings, ..pipeline::transform(document, report)? })
}

/// Builds the model of OpenAPI documents in memory.
pub fn model_in_memory(documents: Vec<Value>, overlay: Option<&Value>) -> Result<Model, Faults> {
    let (document, mut report, _) = merge_documents(documents, overlay)?;
    pipeline::decide(document, &mut report)
}

/// Returns the merged OpenAPI document of the repository after changes that make it valid for the external generator
/// `progenitor`.
pub fn plain() -> Result<Value, Faults> {
    let Joined { mut document, report: mut notes, .. } =
        Inputs::from_repository(&root())?.document()?;
    pipeline::prepare(&mut document, &mut notes)?;
    loosen::loosen(&mut document, &mut notes);
    Ok(document)
}

/// Merges OpenAPI documents in memory, and applies the overlay.
fn merge_documents(
    mut documents: Vec<Value>,
    overlay_actions: Option<&Value>,
) -> Result<(Value, Report, Vec<Finding>)> {
    documents.iter_mut().for_each(|document| origin::mark(document, None));
    let (mut document, mut report) = pipeline::join(documents)?;
    let mut findings = Vec::new();
    if let Some(actions) = overlay_actions {
        findings = overlay::overlay(&mut document, actions, &mut report)?;
        overlay_findings::note(&findings, &mut report);
    }
    Ok((document, report, findings))
}
