//! Formats the report of `cargo xtask adopt` for the maintainer. After the command has written the files, it prints a
//! summary. The last line of the summary lists the open decisions.

use std::path::Path;

use super::{Adoption, Renamed};
use crate::assumptions::{Met, Verdict};
use crate::diff::{self, Format, View};
use crate::fault::Result;
use crate::regen::{OVERLAY, UNPUBLISHED};
use crate::{decisions, tree};

/// Maximum number of lines of a list that the report shows. For a longer list, an additional line contains the number
/// of omitted lines.
const SHOWN: usize = 30;
/// Limit for lists that the report always shows completely. Other lists have the limit [`SHOWN`].
const ALL: usize = usize::MAX;

impl Adoption {
    /// Formats the report: differences, moved operations, documentation texts, changes to the overlay, and open
    /// decisions. If `docs` is false, the report contains only the number of new documentation texts, and not the
    /// texts. `current` is the client's version number before the next release.
    #[must_use]
    pub fn told(&self, docs: bool, current: &str) -> String {
        let mut text = format!("Comparison with the new version of {}\n\n", self.place.display());
        text.push_str(&diff::show(&self.diff, View { format: Format::Text, docs }, current));
        text.push_str(&self.moved_operations());
        text.push_str(&decisions::told(&self.decisions));
        text.push_str(&list("Changes made to the overlay", &self.repairs));
        text.push_str(&self.changed_texts(docs));
        text.push_str(&list("New lines in the generator's report", &self.report.0));
        text.push_str(&list("Lines that are no longer in the generator's report", &self.report.1));
        text.push_str(&self.to_mend());
        text
    }

    fn moved_operations(&self) -> String {
        let published =
            format!("Operations that are now published; they were removed from {UNPUBLISHED}");
        let withdrawn = format!(
            "Operations that are not in the new OpenAPI document; they were moved to \
             {UNPUBLISHED}.\nKeep them there, add `x-deprecated: REASON`, or delete them"
        );
        let pairs = |renamed: &[Renamed]| -> Vec<String> {
            renamed.iter().map(|pair| format!("{} is now {}", pair.old, pair.new)).collect()
        };
        let operations =
            "Operations that the publisher renamed; `x-rename` in the overlay keeps the old names";
        let in_place = "Records that the publisher now defines inline; the client keeps the old names of the records";
        let kept =
            "Records that the publisher renamed; `x-rename` in the overlay keeps the old names";
        list_up_to(ALL, kept, &pairs(&self.renamed))
            + &list_up_to(ALL, in_place, &self.written_in_place)
            + &list_up_to(ALL, operations, &pairs(&self.renamed_operations))
            + &list_up_to(ALL, &published, &self.moves.published)
            + &list_up_to(ALL, &withdrawn, &self.moves.withdrawn)
    }

    fn changed_texts(&self, docs: bool) -> String {
        let new = self.texts.new.iter().map(|(place, theirs)| format!("{place}: {theirs:?}"));
        let changed = self.texts.changed.iter().map(|(place, ours, theirs)| {
            format!("{place}\n    ours:   {ours:?}\n    theirs: {theirs:?}")
        });
        let changed_title = "Documentation texts that the publisher changed; compare them with \
            our texts, which are kept";
        let new_title = "New documentation texts; replace each placeholder with a text of our own";
        // Changed texts are always listed, because no placeholder in the repository marks them.
        let changed = list_up_to(ALL, changed_title, &changed.collect::<Vec<_>>());
        let new: Vec<String> = new.collect();
        match (docs, new.len()) {
            (true, _) | (_, 0) => changed + &list_up_to(ALL, new_title, &new),
            (false, count) => changed + &format!("\n{new_title}: {count}; `--docs` lists them\n"),
        }
    }

    /// Lists everything that a person must correct: code that does not compile or uses removed fields, and overlay
    /// actions that fail `regen --check`.
    fn to_mend(&self) -> String {
        let lost: Vec<String> = self.lost.iter().map(ToString::to_string).collect();
        let compiled = self.compiled.clone().unwrap_or_default();
        let errors: Vec<String> = compiled
            .errors
            .iter()
            .map(|error| format!("{}: {}", error.place, error.message))
            .collect();
        let findings: Vec<String> = self
            .findings
            .iter()
            .map(|finding| format!("{OVERLAY}, {}: {}", finding.place(), finding.what))
            .collect();
        let unreached = "Targets that were not compiled, because a crate that they need has \
             errors. Correct the errors and run\n\
             `cargo check --workspace --all-targets`, which may report more errors";
        list_up_to(ALL, "Code that compiles, but uses removed names or changed types", &lost)
            + &list_up_to(ALL, "Overlay actions that fail `regen --check`", &findings)
            + &list_up_to(ALL, "Code that does not compile", &errors)
            + &list_up_to(ALL, unreached, &compiled.unreached)
    }

    /// Writes all prepared files to the repository, or none of them if an error occurs.
    pub fn write(&self, root: &Path) -> Result<()> {
        tree::write(root, &self.files)
    }

    /// Returns the text that is printed after the files were written: the number of written files, the completed
    /// checks, and the maintainer's open decisions.
    #[must_use]
    pub fn next_steps(&self) -> String {
        let mut text = format!("Written files: {}.", self.files.len());
        if !self.decisions.is_empty() {
            text.push_str(&format!(
                "\nAt the end of {OVERLAY}, complete the commented-out actions for {} new \
                 operations. Then run `cargo xtask regen`.",
                self.decisions.len()
            ));
        }
        text.push_str(
            "\n`git diff tests/it/snapshots` shows each change of the API as a line; \
             `cargo test -p crypto-intel-tests` checks the snapshots.\n\
             `cargo xtask diff --format markdown` writes the text of the pull request.\n",
        );
        text.push_str(&self.verdict());
        text
    }

    /// Returns one line with the result of the compilation and of `regen --check`. The line also contains the number of
    /// open problems and decisions of each kind, such as `compiler errors (2)`.
    fn verdict(&self) -> String {
        if self.files.is_empty() {
            return "Nothing changed, so nothing was compiled.".to_owned();
        }

        let mut left = Vec::new();
        let mut count = |number: usize, what: &str| {
            if number > 0 {
                left.push(format!("{what} ({number})"));
            }
        };
        let (errors, unreached) = self
            .compiled
            .as_ref()
            .map_or((0, 0), |compiled| (compiled.errors.len(), compiled.unreached.len()));
        count(errors, "compiler errors");
        count(unreached, "targets that were not compiled");
        count(self.findings.len(), "overlay actions that fail `regen --check`");
        count(self.lost.len(), "lines in crates/world that use removed names or changed types");
        count(self.decisions.len(), "new operations to complete in the overlay");
        let refuted = |met: &&Met| matches!(met.verdict, Verdict::Refuted(_));
        count(self.diff.assumptions.iter().filter(refuted).count(), "refuted assumptions");
        count(self.moves.withdrawn.len(), "withdrawn operations to keep, deprecate or delete");
        count(self.texts.new.len(), "new documentation texts to rewrite in our own words");
        count(
            self.texts.changed.len(),
            "documentation texts that the publisher changed, to compare with our texts",
        );

        let checked = match &self.compiled {
            Some(compiled) if compiled.errors.is_empty() => {
                "Every crate and test of the workspace compiles"
            }
            Some(_) => "The workspace does not compile yet",
            None => "The workspace was not compiled (`--no-check`)",
        };
        let passes = if self.findings.is_empty() { "; `regen --check` passes" } else { "" };
        match left.as_slice() {
            [] => format!("{checked}{passes}. There are no open decisions."),
            left => {
                format!("{checked}{passes}. Open decisions, listed above: {}.", left.join("; "))
            }
        }
    }
}

/// Formats at most [`SHOWN`] lines under a title. Returns an empty string for an empty list.
fn list(title: &str, lines: &[String]) -> String {
    list_up_to(SHOWN, title, lines)
}

fn list_up_to(most: usize, title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let shown: String = lines.iter().take(most).map(|line| format!("  {line}\n")).collect();
    let more = lines.len().saturating_sub(most);
    let more = if more > 0 { format!("  and {more} more\n") } else { String::new() };
    format!("\n{title}:\n{shown}{more}")
}
