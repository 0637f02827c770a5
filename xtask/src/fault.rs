//! Errors in the generator's input or in the command line. Each error has a reason, a location and a hint.
//!
//! A run collects all faults. The command prints them in groups, together with overlay actions that resolve them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

/// An error in an input file or in the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Location of the fault: `FILE`, `#POINTER`, `FILE#POINTER`, `FILE, line N#POINTER` or a command line argument.
    /// POINTER is a JSON pointer.
    place: String,
    reason: String,
    hint: String,
    /// YAML of the overlay action that resolves the fault, without its target, such as `remove: true`.
    action: Option<String>,
    /// Location of the overlay action that set the invalid value, such as `spec/overlay.yaml, line 12`. `None` if no
    /// overlay action set the value.
    setter: Option<String>,
}

impl Fault {
    fn new(place: String, reason: impl Into<String>, hint: impl Into<String>) -> Self {
        Fault { place, reason: reason.into(), hint: hint.into(), action: None, setter: None }
    }

    /// Creates a fault at a JSON pointer, or at `FILE#POINTER`, where POINTER is a JSON pointer into FILE.
    pub fn at(
        pointer: impl fmt::Display,
        reason: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        let pointer = pointer.to_string();
        let place = if pointer.is_empty() || pointer.starts_with('/') {
            format!("#{pointer}")
        } else {
            pointer
        };
        Fault::new(place, reason, hint)
    }

    /// Creates a fault that concerns a whole file.
    pub fn file(path: &Path, reason: impl Into<String>, hint: impl Into<String>) -> Self {
        Fault::new(path.display().to_string(), reason, hint)
    }

    /// Creates a fault that reports a wrong or missing command line argument. For example, if `argument` is `--spec`,
    /// the location of the fault is ``the argument `--spec` ``.
    pub fn usage(argument: &str, reason: impl Into<String>, hint: impl Into<String>) -> Self {
        Fault::new(format!("the argument `{argument}`"), reason, hint)
    }

    /// Adds an overlay action that resolves the fault, such as `update: {x-rename: B}` or `remove: true`.
    #[must_use]
    pub fn settled_by(mut self, action: impl Into<String>) -> Self {
        self.action = Some(action.into());
        self
    }

    /// Adds the path of the input file in front of the fault's JSON pointer.
    #[must_use]
    pub fn within(mut self, file: &Path) -> Self {
        if self.place.starts_with('#') {
            self.place = format!("{}{}", file.display(), self.place);
        }
        self
    }

    /// Puts the path of the overlay file and the line of the invalid action before the fault's JSON pointer. `lines`
    /// contains the number of the first line of each action.
    #[must_use]
    pub fn within_overlay(mut self, file: &Path, lines: &[u64]) -> Self {
        let action = self.place.strip_prefix("#/actions/").and_then(|rest| rest.split('/').next());
        let line = action.and_then(|action| lines.get(action.parse::<usize>().ok()?));
        match line {
            Some(line) => self.place = format!("{}, line {line}{}", file.display(), self.place),
            None => return self.within(file),
        }
        self
    }

    /// Returns the JSON pointers of values that can cause the fault: the pointer of the fault, and the pointer of the
    /// field that the suggested overlay action sets.
    fn causes(&self) -> Vec<String> {
        let place = self.place.strip_prefix('#').unwrap_or(&self.place);
        let update = self.action.as_ref().and_then(|action| action.strip_prefix("update: {"));
        let member = update.and_then(|update| update.split(':').next());
        let member = member.map(|member| format!("{place}/{member}"));
        member.into_iter().chain([place.to_owned()]).collect()
    }

    /// Returns the location of the fault for error messages. If an overlay action set the invalid value, the location
    /// begins with this action.
    fn shown_place(&self) -> String {
        match &self.setter {
            Some(setter) => format!("{setter}, which sets {}", self.place),
            None => self.place.clone(),
        }
    }

    /// Returns the JSONPath of the invalid value. Returns `None` if the location of the fault has no JSON pointer.
    pub(crate) fn target(&self) -> Option<String> {
        let (_, pointer) = self.place.split_once('#')?;
        Some(json_path(pointer))
    }

    /// Returns the JSONPath of an invalid `x-` field and the reason of the fault. Returns `None` unless the overlay set
    /// this field on an operation, path or parameter.
    fn lost_fact(&self) -> Option<(String, String)> {
        self.setter.as_ref()?;
        let (_, pointer) = self.place.split_once('#')?;
        let end = pointer.find("/x-").filter(|_| pointer.starts_with("/paths/"))?;
        let rest = pointer[end + 1..].split('/').next().unwrap_or_default();
        Some((yaml(&json_path(&pointer[..end + 1 + rest.len()])), self.reason.clone()))
    }

    /// Returns the YAML text of the complete overlay action that resolves the fault. Returns `None` if no action is
    /// suggested.
    fn paste(&self) -> Option<String> {
        let action = self.action.as_ref()?;
        Some(format!("  - target: {}\n    {action}", yaml(&self.target()?)))
    }
}

/// Converts a JSON pointer to a JSONPath.
fn json_path(pointer: &str) -> String {
    let mut path = "$".to_owned();
    for token in pointer.split('/').skip(1) {
        let token = token.replace("~1", "/").replace("~0", "~");
        let plain = token.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if token.bytes().all(|byte| byte.is_ascii_digit()) && !path.ends_with("responses") {
            path.push_str(&format!("[{token}]"));
        } else if plain && !token.starts_with(|c: char| c.is_ascii_digit()) {
            path.push_str(&format!(".{token}"));
        } else {
            let token = token.replace('\\', "\\\\").replace('\'', "\\'");
            path.push_str(&format!("['{token}']"));
        }
    }
    path
}

/// Formats a string as a YAML scalar on one line.
fn yaml(text: &str) -> String {
    let plain = !text.contains(": ") && !text.contains(" #") && !text.contains(['"', '\n', '\t']);
    if plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", self.reason)?;
        writeln!(f, "   at: {}", self.shown_place())?;
        write!(f, " hint: {}", self.hint)?;
        match self.paste() {
            Some(paste) => write!(f, "\npaste:\n{paste}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}

/// All faults of a run. The list is never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Creates the list of faults without duplicates. Returns `None` if `faults` is empty.
    #[must_use]
    pub fn from_list(mut faults: Vec<Fault>) -> Option<Self> {
        let mut seen = std::collections::BTreeSet::new();
        faults.retain(|fault| seen.insert((fault.place.clone(), fault.reason.clone())));
        (!faults.is_empty()).then_some(Faults(faults))
    }

    /// Adds the path of the input file in front of the JSON pointers of all faults.
    #[must_use]
    pub fn within(self, file: &Path) -> Self {
        Faults(self.0.into_iter().map(|fault| fault.within(file)).collect())
    }

    /// Stores in each fault the overlay action that set the faulty value. `setter` returns this action for the JSON
    /// pointer of a value, or `None` if the overlay did not set the value.
    #[must_use]
    pub fn attributed(mut self, setter: impl Fn(&str) -> Option<String>) -> Self {
        for fault in &mut self.0 {
            if fault.setter.is_none() {
                fault.setter = fault.causes().iter().find_map(|place| setter(place));
            }
        }
        self
    }

    /// Returns one pair for each fault: the JSONPath of the invalid `x-` field, and the reason of the fault. The list
    /// is empty if any fault is not in an `x-` field under `paths` that the overlay set.
    #[must_use]
    pub fn lost_facts(&self) -> Vec<(String, String)> {
        let facts: Option<Vec<_>> = self.0.iter().map(Fault::lost_fact).collect();
        facts.unwrap_or_default()
    }

    /// Returns the number of faults.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Faults(vec![fault])
    }
}

/// Maximum number of locations that are printed for faults with the same reason and hint. The remaining locations are
/// only counted.
const SHOWN: usize = 20;

/// Faults with the same reason and hint at different locations.
struct Repeated<'a> {
    reason: &'a str,
    places: Vec<String>,
}

impl fmt::Display for Repeated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "error: {}", self.reason)?;
        for place in self.places.iter().take(SHOWN) {
            writeln!(f, "   at: {place}")?;
        }
        match self.places.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => writeln!(f, "       and {more} more places"),
        }
    }
}

/// Formats several faults in groups. The faults of a group have the same hint. After the groups, the text contains
/// suggested overlay actions that correct the faults. A single fault is formatted like a [`Fault`].
impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = self.0.as_slice() {
            return only.fmt(f);
        }

        let mut groups: BTreeMap<&str, Vec<Repeated>> = BTreeMap::new();
        for fault in &self.0 {
            let group = groups.entry(&fault.hint).or_default();
            match group.iter_mut().find(|known| known.reason == fault.reason) {
                Some(known) => known.places.push(fault.shown_place()),
                None => group
                    .push(Repeated { reason: &fault.reason, places: vec![fault.shown_place()] }),
            }
        }
        for (hint, faults) in &groups {
            for fault in faults {
                fault.fmt(f)?;
            }
            writeln!(f, " hint: {hint}\n")?;
        }

        let actions: Vec<_> = self.0.iter().filter_map(Fault::paste).collect();
        if !actions.is_empty() {
            writeln!(f, "paste into `actions` of the overlay, and correct it where needed:")?;
            for action in &actions {
                writeln!(f, "{action}")?;
            }
            writeln!(f)?;
        }
        write!(f, "{} faults in {} groups", self.0.len(), groups.len())
    }
}

impl std::error::Error for Faults {}

pub type Result<T, E = Fault> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_grouped_by_what_settles_them() {
        let faults = Faults::from_list(vec![
            Fault::at("/paths/~1a~1{b}/get/tags", "two tags", "choose one")
                .settled_by("update: {tags: [A]}"),
            Fault::at("b.yaml#/components/schemas/It's", "no name", "name it")
                .settled_by("update: {x-rename: Its}"),
            Fault::at("/paths/~1c/get", "three tags", "choose one"),
            Fault::at("/paths/~1c/get", "three tags", "choose one"),
        ])
        .unwrap();
        insta::assert_snapshot!(faults.within(Path::new("a.json")), @r"
        error: two tags
           at: a.json#/paths/~1a~1{b}/get/tags
        error: three tags
           at: a.json#/paths/~1c/get
         hint: choose one

        error: no name
           at: b.yaml#/components/schemas/It's
         hint: name it

        paste into `actions` of the overlay, and correct it where needed:
          - target: $.paths['/a/{b}'].get.tags
            update: {tags: [A]}
          - target: $.components.schemas['It\'s']
            update: {x-rename: Its}

        3 faults in 2 groups
        ");
        assert_eq!(Faults::from_list(Vec::new()), None);
    }

    #[test]
    fn equal_faults_are_one_with_many_places() {
        let faults = (0..600).map(|n| Fault::at(format!("/paths/{n}"), "no answer", "add one"));
        let text = Faults::from_list(faults.collect()).unwrap().to_string();
        assert!(text.lines().count() < 30, "{text}");
        assert!(text.contains("at: #/paths/19\n       and 580 more places\n"), "{text}");
        assert!(text.ends_with("600 faults in 1 groups"), "{text}");
    }
}
