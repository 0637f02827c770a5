//! Comments out overlay actions that match nothing in a new OpenAPI document. If an `x-` field is invalid for the new
//! document, appends an action that removes the field.
//!
//! A target can list several names, such as `$.paths['/a','/b']`. If only `'/b'` matches nothing, only this name is
//! deleted. If the whole target matches nothing, the action is commented out. Comments and layout of the overlay are
//! kept.

use crate::overlay_findings::{Fate, Finding};

/// Text that is inserted into each line of an unmatched action, so that the action becomes a comment.
const MARK: &str = "# matches nothing in the new OpenAPI document: ";

/// Returns the repaired text of the overlay, and one message per change, such as
/// `line 12: removed '/b', which matches nothing`.
#[must_use]
pub(super) fn repair(overlay: &str, findings: &[Finding]) -> (String, Vec<String>) {
    let mut lines: Vec<String> = overlay.lines().map(str::to_owned).collect();
    let mut notes = Vec::new();

    for (index, finding) in findings.iter().enumerate() {
        let (Fate::Unmatched, Some(first)) = (finding.fate, finding.line) else { continue };
        let first = first.saturating_sub(1) as usize;
        let Some(end) = end_of_action(&lines, first) else { continue };
        let Some(name) = finding.name.as_deref() else {
            for line in &mut lines[first..end] {
                let indent = line.len() - line.trim_start().len();
                line.insert_str(indent, MARK);
            }
            notes.push(format!("line {}: commented out, because {}", first + 1, finding.what));
            continue;
        };

        let repeated = findings[..index]
            .iter()
            .any(|other| (other.action, &other.name) == (finding.action, &finding.name));
        if !repeated && remove_name(&mut lines[first..end], name) {
            notes.push(format!("line {}: removed {name}, which matches nothing", first + 1));
        }
    }

    (lines.join("\n") + "\n", notes)
}

/// Appends one overlay action for each `x-` field in `lost`. The new action removes the field. The existing action that
/// sets the field stays, because it can set the field of several operations.
///
/// Each entry of `lost` is the JSONPath of a field, and the reason why its value is invalid. Returns one message for
/// the user per new action.
#[must_use]
pub(super) fn remove_facts(overlay: &mut String, lost: &[(String, String)]) -> Vec<String> {
    for (target, reason) in lost {
        overlay.push_str(&format!(
            "\n  # This action removes a value that is invalid in the new OpenAPI document: {reason}. \
             Keep the action, or delete it and correct the value elsewhere in the overlay.\n  \
             - target: {target}\n    remove: true\n"
        ));
    }
    let note = |(target, reason): &(String, String)| {
        format!("end of the file: added an action that removes {target}, because {reason}")
    };
    lost.iter().map(note).collect()
}

/// Returns the index of the first line after an overlay action. `first` is the index of the action's first line.
fn end_of_action(lines: &[String], first: usize) -> Option<usize> {
    let indent = indent(lines.get(first)?);
    let mut end = first + 1;
    for (number, line) in lines.iter().enumerate().skip(first + 1) {
        let text = line.trim_start();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if self::indent(line) <= indent {
            break;
        }
        end = number + 1;
    }
    Some(end)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Removes a quoted name and its comma from the list of names in an action's target. For example, removing `'/b'`
/// changes `$.paths['/a','/b']` to `$.paths['/a']`. Returns false if the lines do not contain the name.
fn remove_name(lines: &mut [String], name: &str) -> bool {
    let Some(number) = lines.iter().position(|line| line.contains(name)) else { return false };
    let line = lines[number].clone();
    let (head, tail) = line.split_once(name).unwrap_or((&line, ""));

    if let Some(rest) = tail.trim_start().strip_prefix(',') {
        lines[number] = format!("{head}{}", rest.trim_start());
        return true;
    }
    // For the last name of a list, the comma before it is removed. It can be at the end of the line
    // above.
    lines[number] = format!("{}{tail}", head.trim_end_matches([' ', ',']));
    if head.trim().is_empty() && number > 0 {
        lines[number] = format!("{head}{tail}");
        let above = lines[number - 1].trim_end().trim_end_matches(',').to_owned();
        lines[number - 1] = above;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERLAY: &str = "\
actions:
  # A remark.
  - target: $.paths['/a', '/b','/c'].get
    update: {x-credits: 1}
  - target: $.paths['/d'].get
    update:
      x-credits: 2

  # Another remark.
  - target: $.paths['/e']
    remove: true
";

    fn finding(line: u64, name: Option<&str>) -> Finding {
        Finding {
            fate: Fate::Unmatched,
            action: line as usize,
            line: Some(line),
            name: name.map(str::to_owned),
            target: String::new(),
            what: "the target of an overlay action matches nothing".to_owned(),
        }
    }

    #[test]
    fn name_is_removed_from_any_place_of_its_list() {
        for (name, left) in [
            ("'/a'", "$.paths['/b','/c'].get"),
            ("'/b'", "$.paths['/a', '/c'].get"),
            ("'/c'", "$.paths['/a', '/b'].get"),
        ] {
            let (repaired, notes) = repair(OVERLAY, &[finding(3, Some(name))]);
            assert!(repaired.contains(left), "{repaired}");
            assert_eq!(notes.len(), 1);
        }
    }

    #[test]
    fn last_name_on_a_line_of_its_own_takes_the_comma_above() {
        let overlay =
            "actions:\n  - target: >-\n      $.paths['/a',\n      '/b']\n    update: {x: 1}\n";
        let (repaired, _) = repair(overlay, &[finding(2, Some("'/b'"))]);
        assert_eq!(repaired, overlay.replace("'/a',\n      '/b']", "'/a'\n      ]"));
    }

    #[test]
    fn whole_action_is_commented_out_and_its_neighbours_stay() {
        let (repaired, notes) = repair(OVERLAY, &[finding(5, None)]);
        let marked = repaired.lines().filter(|line| line.contains(MARK)).count();
        assert_eq!((marked, notes.len()), (3, 1), "{repaired}");
        assert!(repaired.contains("\n  # Another remark.\n  - target: $.paths['/e']\n"));
    }

    #[test]
    fn other_findings_change_nothing() {
        let needless = Finding { fate: Fate::Needless, ..finding(3, None) };
        assert_eq!(repair(OVERLAY, &[needless]), (OVERLAY.to_owned(), vec![]));
    }
}
