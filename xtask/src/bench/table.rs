//! Reads and writes the benchmark sections of a documentation page. The sections are between two marker comments. The
//! text outside the markers is written by hand and is not changed.

use std::collections::BTreeMap;

use super::suites::{Bound, Measured, NAMES};
use crate::fault::{Fault, Result};

const BEGIN: &str = "<!-- Written by `cargo xtask bench`. -->";
const END: &str = "<!-- End of the tables that `cargo xtask bench` writes. -->";

/// Returns the benchmark sections of the documentation page. The key is the name of the benchmark suite, and the value
/// is the Markdown text of its section.
pub(super) fn read(page: &str) -> BTreeMap<String, String> {
    let generated = page.split_once(BEGIN).and_then(|(_, rest)| rest.split_once(END));
    let sections = generated.map_or("", |(sections, _)| sections).split("\n## ").skip(1);
    let named = |section: &str| {
        let (name, _) = section.split_once('\n')?;
        Some((name.trim().to_owned(), format!("## {}\n", section.trim_end())))
    };
    sections.filter_map(named).collect()
}

/// Replaces the generated sections of a page by `sections`, and returns the new page. The key of `sections` is the name
/// of the benchmark suite.
pub(super) fn page_with(page: &str, sections: &BTreeMap<String, String>) -> Result<String> {
    let marks =
        page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) = marks.ok_or_else(|| {
        let remedy = format!("write `{BEGIN}` and `{END}` where the tables belong");
        Fault::at("", "docs/book/src/measurements.md has no markers for the tables", remedy)
    })?;
    let ordered = NAMES.iter().filter_map(|name| sections.get(*name));
    let text: String = ordered.map(|section| format!("\n{section}")).collect();
    Ok(format!("{before}{BEGIN}\n{text}\n{END}{after}"))
}

/// Formats the Markdown section of one benchmark suite. The section has a heading, the command and a table.
pub(super) fn section(name: &str, measured: &Measured, machine: &str) -> String {
    let mut text = format!(
        "## {name}\n\n{}\n\n`{}`. {machine}.\n\n\
         | measured | ours | compared with | theirs | ratio | ratio range | bound |\n|---|---|---|---|---|---|---|\n",
        measured.about, measured.command
    );

    for (row, bound) in &measured.rows {
        let (reading, ratio) = (&row.median, row.median.ratio());
        let spread = match row.rounds {
            1 => "one round".to_owned(),
            rounds => format!("{:.2} to {:.2} in {rounds} rounds", row.least, row.most),
        };
        let bound = match bound {
            Some(Bound::AtMost(most)) => verdict(format!("at most {most:.2}"), ratio <= *most),
            Some(Bound::AtLeast(least)) => verdict(format!("at least {least:.2}"), ratio >= *least),
            None => String::new(),
        };

        text.push_str(&format!(
            "| {} | {} | {} | {} | {ratio:.3} | {spread} | {bound} |\n",
            reading.what,
            figure(reading.ours, &reading.unit),
            reading.peer,
            figure(reading.theirs, &reading.unit),
        ));
    }
    text
}

fn verdict(bound: String, met: bool) -> String {
    if met { format!("{bound}: met") } else { format!("{bound}: **missed**") }
}

fn figure(figure: f64, unit: &str) -> String {
    let digits = if figure >= 100.0 { 0 } else { 2 };
    format!("{figure:.digits$} {unit}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::rows::{Reading, Row};

    fn measured(ours: f64) -> Measured {
        let reading = Reading {
            what: "a call".to_owned(),
            ours,
            peer: "by hand".to_owned(),
            theirs: 100.0,
            unit: "instructions".to_owned(),
        };
        let row = Row { median: reading, least: 1.0, most: 1.2, rounds: 3 };
        let rows = vec![(row, Some(Bound::AtMost(1.1)))];
        Measured { about: "About.", command: "run it".to_owned(), rows }
    }

    #[test]
    fn a_row_names_spread_and_bound() {
        let text = section("call", &measured(120.0), "rustc");
        let row = "| a call | 120 instructions | by hand | 100 instructions | 1.200 | 1.00 to 1.20 in 3 rounds | at most 1.10: **missed** |";
        assert!(text.contains(row), "{text}");
        assert!(section("call", &measured(105.0), "rustc").contains("at most 1.10: met"));
    }

    #[test]
    fn a_run_of_one_suite_leaves_the_others_and_the_text_around() {
        let page = format!("# Page\n\nBefore.\n\n{BEGIN}\n{END}\n\nAfter.\n");
        let call = section("call", &measured(105.0), "rustc");
        let first = page_with(&page, &BTreeMap::from([("call".to_owned(), call)])).expect("marks");

        let mut sections = read(&first);
        sections.insert("lists".to_owned(), section("lists", &measured(90.0), "rustc"));
        let second = page_with(&first, &sections).expect("marks");
        assert_eq!(read(&second), sections);
        assert!(
            second.starts_with("# Page\n\nBefore.") && second.ends_with("After.\n"),
            "{second}"
        );
        assert_eq!(page_with(&second, &read(&second)).expect("marks"), second);
    }
}
