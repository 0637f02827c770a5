//! Finds hand-written code with record fields that a new OpenAPI document removed or changed.
//!
//! The compiler does not find this code, because the macro `record!` accepts unknown fields and values of another type.
//! This module parses the calls of `record!` and `member!` and compares their fields with the generator's models of the
//! old and the new documents.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::facts;
use crate::model::{Model, Type};

/// Folders whose Rust files are searched for `record!` and `member!`.
const FOLDERS: &[&str] = &["crates/world/src"];

/// Use of a record or field in hand-written code. The record or field does not exist in the new OpenAPI documents, or
/// the type of the field changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LostUse {
    /// Path of the Rust file, relative to the repository root.
    pub file: PathBuf,
    pub line: usize,
    pub record: String,
    /// Name of the field. `None` if the whole record was removed.
    pub member: Option<String>,
    /// Old and new Rust type of the field. `None` if the field or the record was removed.
    pub types: Option<(String, String)>,
}

impl std::fmt::Display for LostUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let LostUse { file, line, record, member, types } = self;
        let place = format!("{}:{line}", file.display());
        match (member, types) {
            (Some(member), Some((old, new))) => write!(
                f,
                "{place}: the type of `{record}.{member}` is now `{new}` instead of `{old}`. Write \
                 a value of the new type; otherwise clients reject the sandbox's responses."
            ),
            (Some(member), None) => write!(
                f,
                "{place}: the field `{member}` of `{record}` was removed, so the sandbox omits it. \
                 Delete the field here, or write its new name."
            ),
            (None, _) => write!(
                f,
                "{place}: the record `{record}` was removed. Write the new name of the record \
                 here, or delete this use of the record."
            ),
        }
    }
}

/// Finds hand-written code that uses a record or field that does not exist in `model`. Returns one entry per use.
/// `root` is the repository root.
#[must_use]
pub fn lost(root: &Path, model: &Model) -> Vec<LostUse> {
    let known = |record: &str| -> Option<BTreeSet<&str>> {
        let record = model.records.get(record)?;
        Some(record.fields.iter().map(|field| field.name.as_str()).collect())
    };

    let mut lost = BTreeSet::new();
    for file in sources(root) {
        let Ok(text) = fs::read_to_string(root.join(&file)) else { continue };
        for Use { line, record, members } in uses(&text) {
            let Some(known) = known(&record) else {
                lost.insert(LostUse {
                    file: file.clone(),
                    line,
                    record,
                    member: None,
                    types: None,
                });
                continue;
            };
            for (line, member) in
                members.into_iter().filter(|(_, member)| !known.contains(member.as_str()))
            {
                let record = record.clone();
                let member = Some(member);
                lost.insert(LostUse { file: file.clone(), line, record, member, types: None });
            }
        }
    }
    lost.into_iter().collect()
}

/// Finds hand-written code that uses a record field with a changed type. Returns one entry per use. A change counts if
/// the old type allows a JSON type that the new type does not allow. For example, a change from string to number
/// counts, but a change from enum to string does not. The value `null` is ignored. `root` is the repository root.
#[must_use]
pub fn retyped(root: &Path, old: &Model, new: &Model) -> Vec<LostUse> {
    let field = |model: &'_ Model, record: &str, member: &str| -> Option<Type> {
        let mut fields = model.records.get(record)?.fields.iter();
        fields.find(|field| field.name == member).map(|field| field.ty.clone())
    };

    let mut found = BTreeSet::new();
    for file in sources(root) {
        let Ok(text) = fs::read_to_string(root.join(&file)) else { continue };
        for Use { record, members, .. } in uses(&text) {
            for (line, member) in members {
                let types = field(old, &record, &member).zip(field(new, &record, &member));
                let Some((before, after)) = types.filter(|(old, new)| differ(old, new)) else {
                    continue;
                };
                let types = Some((facts::type_name(&before), facts::type_name(&after)));
                let (file, record, member) = (file.clone(), record.clone(), Some(member));
                found.insert(LostUse { file, line, record, member, types });
            }
        }
    }
    found.into_iter().collect()
}

/// Returns true if values of the old type can have a JSON type that is invalid for the new type. All records and unions
/// count as one JSON type, so a change from one record to another returns false. Enums count as strings.
fn differ(old: &Type, new: &Type) -> bool {
    use Type::{Any, Enum, Exact, Integer, List, Named, Number, String, Union, Wide};
    match (old.bare(), new.bare()) {
        (_, Any)
        | (Enum(_) | String, Enum(_) | String)
        | (Named(_) | Union(_), Named(_) | Union(_))
        | (Integer | Wide, Integer | Wide | Number | Exact)
        | (Number | Exact, Number | Exact) => false,
        (List(old), List(new)) => differ(old, new),
        (old, new) => old != new,
    }
}

fn sources(root: &Path) -> Vec<PathBuf> {
    let mut open: Vec<PathBuf> = FOLDERS.iter().map(PathBuf::from).collect();
    let mut files = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            let path = folder.join(entry.file_name());
            if root.join(&path).is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// A call of `record!(Name { members })` or `member!(Name.member)` in a Rust file.
struct Use {
    line: usize,
    record: String,
    members: Vec<(usize, String)>,
}

/// Returns the calls of `record!` and `member!` in a Rust file. Returns an empty list if the text is not Rust. Test
/// modules at the end of a file are skipped, because tests may use records and fields that do not exist.
fn uses(text: &str) -> Vec<Use> {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut found = Vec::new();
    if let Ok(tokens) = text.parse::<TokenStream>() {
        collect(tokens, &mut found);
    }
    found
}

fn collect(tokens: TokenStream, found: &mut Vec<Use>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else { continue };
        let before = |back: usize| index.checked_sub(back).map(|at| tokens[at].to_string());
        if before(1).as_deref() == Some("!") {
            match before(2).as_deref() {
                Some("record") => found.extend(record_use(group)),
                Some("member") => found.extend(member_use(group)),
                _ => {}
            }
        }
        collect(group.stream(), found);
    }
}

/// Parses the arguments of `record!`: `Name { member: value, member, "literal": value }`.
fn record_use(group: &Group) -> Option<Use> {
    let mut tokens = group.stream().into_iter();
    let (TokenTree::Ident(name), TokenTree::Group(members)) = (tokens.next()?, tokens.next()?)
    else {
        return None;
    };
    if members.delimiter() != Delimiter::Brace {
        return None;
    }

    let mut names = Vec::new();
    let mut begins = true;
    for token in members.stream() {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => begins = true,
            TokenTree::Ident(_) | TokenTree::Literal(_) if begins => {
                let name = token.to_string().trim_matches('"').trim_start_matches("r#").to_owned();
                names.push((token.span().start().line, name));
                begins = false;
            }
            _ => begins = false,
        }
    }
    Some(Use { line: name.span().start().line, record: name.to_string(), members: names })
}

/// Parses the arguments of `member!`: `Name.member`.
fn member_use(group: &Group) -> Option<Use> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let [TokenTree::Ident(record), TokenTree::Punct(_), TokenTree::Ident(member)] =
        tokens.as_slice()
    else {
        return None;
    };
    let line = record.span().start().line;
    Some(Use { line, record: record.to_string(), members: vec![(line, member.to_string())] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_another_json_type_is_a_difference() {
        use Type::{Any, Boolean, Enum, Integer, List, Named, Number, String, Wide};
        let named = |name: &str| Named(name.to_owned());
        for (old, new, expected) in [
            (String, Integer, true),
            (String, Type::Option(Box::new(Boolean)), true),
            (Number, Integer, true),
            (List(Box::new(String)), List(Box::new(named("A"))), true),
            (Type::Option(Box::new(Integer)), Wide, false),
            (Integer, Number, false),
            (Enum("A".to_owned()), String, false),
            (named("A"), named("B"), false),
            (named("A"), Any, false),
        ] {
            assert_eq!(differ(&old, &new), expected, "{old:?} {new:?}");
        }
    }

    #[test]
    fn uses_are_found_with_their_lines() {
        let text = "fn f() {\n    vec![record!(A {\n        one: g(2, \"x, y\"),\n        two,\n    })];\n    member!(B.three);\n    record!(C { \"2h\": 1 });\n}\n#[cfg(test)]\nmod tests { fn g() { member!(D.four) } }\n";
        let found: Vec<_> =
            uses(text).into_iter().map(|one| (one.line, one.record, one.members)).collect();
        assert_eq!(
            found,
            [
                (2, "A".to_owned(), vec![(3, "one".to_owned()), (4, "two".to_owned())]),
                (6, "B".to_owned(), vec![(6, "three".to_owned())]),
                (7, "C".to_owned(), vec![(7, "2h".to_owned())]),
            ]
        );
    }
}
