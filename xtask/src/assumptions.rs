//! Compares the repository's assumptions about undocumented operations with other OpenAPI documents, such as a new
//! version of the published document. If these documents contain such an operation, they confirm or refute the
//! assumptions. `spec/unpublished.openapi.json` and the overlay contain the assumptions.

use std::collections::BTreeSet;
use std::fmt;

use crate::model::{Answer, Model, Operation, Param, ParamKind, Provenance, Type};

/// Result of comparing the repository's assumptions about one undocumented operation with an OpenAPI document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The OpenAPI document agrees with all assumptions about the operation.
    Confirmed,
    /// The OpenAPI document contradicts an assumption about the operation. Each string is a sentence about one
    /// difference.
    Refuted(Vec<String>),
    /// The OpenAPI document does not contain the operation.
    Open,
}

impl Verdict {
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Confirmed => "confirmed",
            Verdict::Refuted(_) => "refuted",
            Verdict::Open => "open",
        }
    }
}

/// One undocumented operation, the repository's assumption about it, and the [`Verdict`] on this assumption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Met {
    /// Identifier of the operation in the client.
    pub operation: String,
    pub method: String,
    pub path: String,
    /// Description of the assumption: the operation's `x-assumed`.
    pub assumed: String,
    pub verdict: Verdict,
}

/// Compares each undocumented operation of the model `ours` with the operation of the model `facts` that has the same
/// method and path. If `facts` has no such operation, compares with the operation that has the same identifier. Returns
/// one result per undocumented operation.
///
/// The two models can differ in their OpenAPI documents and in their overlays.
#[must_use]
pub fn meet(ours: &Model, facts: &Model) -> Vec<Met> {
    let assumed =
        ours.operations.iter().filter(|operation| operation.provenance == Provenance::Assumed);
    assumed
        .map(|operation| Met {
            operation: operation.id.clone(),
            method: operation.method.clone(),
            path: operation.path.clone(),
            assumed: operation.note.clone().unwrap_or_default(),
            verdict: verdict(operation, ours, facts),
        })
        .collect()
}

fn verdict(operation: &Operation, ours: &Model, facts: &Model) -> Verdict {
    let same = |known: &&Operation| known.twin_of == operation.twin_of;
    let there =
        |known: &&Operation| (&known.method, &known.path) == (&operation.method, &operation.path);

    let mut differences = Vec::new();
    let by_path = facts.operations.iter().filter(same).find(there);
    let found = by_path.or_else(|| {
        let moved = facts.operations.iter().filter(same).find(|known| known.id == operation.id)?;
        differences.push(format!(
            "the OpenAPI document has the operation `{}` at {} {}",
            moved.id, moved.method, moved.path
        ));
        Some(moved)
    });
    let Some(fact) = found else { return Verdict::Open };

    if fact.id != operation.id {
        differences.push(format!("the operation is called `{}`", fact.id));
    }
    parameters(operation, fact, &mut differences);
    let mut shapes = Shapes { ours, facts, seen: BTreeSet::new(), differences };
    shapes.answers(&operation.answer, &fact.answer);
    match shapes.differences {
        none if none.is_empty() => Verdict::Confirmed,
        some => Verdict::Refuted(some),
    }
}

fn parameters(ours: &Operation, fact: &Operation, differences: &mut Vec<String>) {
    let named = |operation: &'_ Operation, name: &str| {
        operation.params.iter().position(|param| param.name == name)
    };
    for param in &ours.params {
        match named(fact, &param.name) {
            None => {
                differences.push(format!("the OpenAPI document has no parameter `{}`", param.name))
            }
            Some(index) => parameter(param, &fact.params[index], differences),
        }
    }
    for param in fact.params.iter().filter(|param| named(ours, &param.name).is_none()) {
        let needed = if param.required { "required " } else { "" };
        differences.push(format!("the OpenAPI document has a {needed}parameter `{}`", param.name));
    }
}

fn parameter(ours: &Param, fact: &Param, differences: &mut Vec<String>) {
    let mut differs = |what: &str, fact: String, ours: String| {
        if fact != ours {
            differences.push(format!("{what} is {fact}, not {ours} as assumed"));
        }
    };
    let name = &ours.name;
    let needed = |param: &Param| if param.required { "required" } else { "optional" }.to_owned();
    let default = |param: &Param| match &param.default {
        Some(default) => format!("`{default}`"),
        None => "none".to_owned(),
    };
    differs(
        &format!("the location of the parameter `{name}`"),
        format!("{:?}", fact.location).to_lowercase(),
        format!("{:?}", ours.location).to_lowercase(),
    );
    differs(&format!("the parameter `{name}`"), needed(fact), needed(ours));
    differs(&format!("the type of the parameter `{name}`"), kind(&fact.kind), kind(&ours.kind));
    differs(&format!("the default of the parameter `{name}`"), default(fact), default(ours));
}

/// Formats the type, bounds and accepted values of a parameter for a message.
fn kind(kind: &ParamKind) -> String {
    let range = |word: &str, min: Option<String>, max: Option<String>| match (min, max) {
        (None, None) => word.to_owned(),
        (min, max) => {
            format!("{word} {}..{}", min.unwrap_or_default(), max.unwrap_or_default())
        }
    };

    match kind {
        ParamKind::String { min, max } => {
            range("text", min.map(|n| n.to_string()), max.map(|n| n.to_string()))
        }
        ParamKind::Integer { min, max } => {
            range("integer", min.map(|n| n.to_string()), max.map(|n| n.to_string()))
        }
        ParamKind::Number { min, max } => {
            range("number", min.map(|n| n.to_string()), max.map(|n| n.to_string()))
        }
        ParamKind::Boolean => "boolean".to_owned(),
        ParamKind::Enum(_, values) => {
            let mut values = values.clone();
            values.sort();
            format!("one of {}", values.join(", "))
        }
        ParamKind::List { repeated: true } => "a repeated list".to_owned(),
        ParamKind::List { repeated: false } => "a list with commas".to_owned(),
        ParamKind::Moment => "a moment".to_owned(),
        ParamKind::Json(ty) => ty_name(ty),
        ParamKind::Bytes => "bytes".to_owned(),
        ParamKind::Constant(flag) => format!("always {flag}"),
    }
}

fn ty_name(ty: &Type) -> String {
    match ty {
        Type::String => "text".to_owned(),
        Type::Integer | Type::Wide => "integer".to_owned(),
        Type::Number | Type::Exact => "number".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Any => "any value".to_owned(),
        Type::Enum(name) | Type::Named(name) | Type::Union(name) => format!("`{name}`"),
        Type::List(inner) => format!("a list of {}", ty_name(inner)),
        Type::Map(inner) => format!("a map to {}", ty_name(inner)),
        Type::Option(inner) | Type::Boxed(inner) => ty_name(inner),
        Type::Tuple(places) => {
            format!("({})", places.iter().map(ty_name).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Compares the response types of two models field by field. Record names may differ.
struct Shapes<'a> {
    ours: &'a Model,
    facts: &'a Model,
    /// Pairs of records that were compared already. Each pair has the name of a record in the model `ours` and the name
    /// of a record in the model `facts`.
    seen: BTreeSet<(String, String)>,
    differences: Vec<String>,
}

impl Shapes<'_> {
    fn answers(&mut self, ours: &Answer, fact: &Answer) {
        match (ours, fact) {
            (Answer::Rows { row: ours, .. }, Answer::Rows { row: fact, .. }) => {
                self.types("data[]", ours, fact);
            }
            (Answer::One { data: ours, .. }, Answer::One { data: fact, .. }) => {
                self.types("data", ours, fact);
            }
            (Answer::Bare(ours), Answer::Bare(fact)) => self.types("answer", ours, fact),
            (ours, fact) if ours == fact => {}
            (ours, fact) => {
                self.differences.push(format!(
                    "the response is {}, not {} as assumed",
                    form(fact),
                    form(ours)
                ));
            }
        }
    }

    fn types(&mut self, at: &str, ours: &Type, fact: &Type) {
        match (ours.bare(), fact.bare()) {
            (Type::List(ours), Type::List(fact)) => self.types(&format!("{at}[]"), ours, fact),
            (Type::Map(ours), Type::Map(fact)) => self.types(&format!("{at}.*"), ours, fact),
            (Type::Named(ours), Type::Named(fact)) => self.records(at, ours, fact),
            (Type::Enum(ours), Type::Enum(fact)) => self.enums(at, ours, fact),
            (Type::Union(_), Type::Union(_)) => {}
            (ours, fact) if ours == fact => {}
            (ours, fact) => {
                let (ours, fact) = (ty_name(ours), ty_name(fact));
                self.differences.push(format!("`{at}` is {fact}, not {ours} as assumed"));
            }
        }
    }

    fn records(&mut self, at: &str, ours: &str, fact: &str) {
        if !self.seen.insert((ours.to_owned(), fact.to_owned())) {
            return;
        }
        let (one, other) = (self.ours.records.get(ours), self.facts.records.get(fact));
        let Some((one, other)) = one.zip(other) else {
            if ours != fact {
                self.differences.push(format!("`{at}` is `{fact}`, not `{ours}` as assumed"));
            }
            return;
        };

        for field in &one.fields {
            let member = format!("{at}.{}", field.name);
            let Some(known) = other.fields.iter().find(|known| known.name == field.name) else {
                self.differences.push(format!("the OpenAPI document has no field `{member}`"));
                continue;
            };
            self.types(&member, &field.ty, &known.ty);

            let state = |required: bool, nullable: bool| match (required, nullable) {
                (true, false) => "always present",
                (true, true) => "always present, but can be null",
                (false, false) => "optional",
                (false, true) => "optional, and can be null",
            };
            let fact = state(known.required, known.nullable);
            let assumed = state(field.required, field.nullable);
            if fact != assumed {
                self.differences.push(format!("`{member}` is {fact}, not {assumed} as assumed"));
            }
        }
        let ours: BTreeSet<&str> = one.fields.iter().map(|field| field.name.as_str()).collect();
        for field in other.fields.iter().filter(|field| !ours.contains(field.name.as_str())) {
            let what = ty_name(&field.ty);
            let name = format!("{at}.{}", field.name);
            self.differences
                .push(format!("the OpenAPI document has a field `{name}` of type {what}"));
        }
    }

    fn enums(&mut self, at: &str, ours: &str, fact: &str) {
        let values = |model: &Model, name: &str| -> BTreeSet<String> {
            let open = model.enums.get(name).into_iter();
            open.flat_map(|open| &open.variants).map(|(value, _)| value.clone()).collect()
        };
        let (one, other) = (values(self.ours, ours), values(self.facts, fact));
        for value in other.difference(&one) {
            self.differences.push(format!("`{at}` can also have the value `{value}`"));
        }
        for value in one.difference(&other) {
            self.differences.push(format!("`{at}` cannot have the value `{value}`"));
        }
    }
}

fn form(answer: &Answer) -> String {
    match answer {
        Answer::Rows { .. } => "rows in `data`".to_owned(),
        Answer::One { .. } => "one object in `data`".to_owned(),
        Answer::Bare(ty) => ty_name(ty),
        Answer::Stream => "a stream".to_owned(),
        Answer::Bytes => "bytes".to_owned(),
        Answer::Empty => "empty".to_owned(),
    }
}

impl fmt::Display for Met {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Met { operation, method, path, assumed, verdict } = self;
        match verdict {
            Verdict::Confirmed => write!(
                f,
                "confirmed: `{operation}` ({method} {path}) is as assumed; delete its `x-assumed`, \
                 `x-provenance` and `x-lenient` from `spec/`"
            ),
            Verdict::Refuted(differences) => {
                write!(f, "refuted: `{operation}` ({method} {path}): {assumed}")?;
                differences.iter().try_for_each(|difference| write!(f, "\n  - {difference}"))
            }
            Verdict::Open => write!(f, "still assumed: `{operation}` ({method} {path})"),
        }
    }
}

/// Formats the confirmed and refuted assumptions as a Markdown section for a report. Returns an empty string if no
/// assumption was confirmed or refuted.
#[must_use]
pub fn to_markdown(met: &[Met]) -> String {
    let decided = met.iter().filter(|met| met.verdict != Verdict::Open);
    let lines: Vec<String> = decided.map(|met| format!("- {met}\n")).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!(
        "\n## Confirmed and refuted assumptions: {}\n\nThe new OpenAPI document confirms or refutes assumptions of the files in `spec/`:\n\n{}",
        lines.len(),
        lines.concat()
    )
}
