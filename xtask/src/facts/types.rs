//! Collects the facts (API properties) of records, unions and enums from the model. Snapshot tests and `diff` compare
//! these properties.

use proc_macro2::TokenStream;

use super::{Aspect, Facts, ItemKind, Subject, Thing};
use crate::emit::{Homes, field_type, rust_type};
use crate::model::{Field, Mode, Model, Record, Type};
use crate::names::value_name;

pub(super) fn types(model: &Model, homes: &Homes, facts: &mut Facts) {
    let home = |name: &str| homes.of_name(name).unwrap_or("shared").to_owned();
    for record in model.records.values() {
        let whole = Subject::whole(ItemKind::Record, &record.name);
        let home = home(&record.name);
        for field in &record.fields {
            facts.things.insert(whole.part(&field.name), member(field, &home, model));
        }
        let thing =
            Thing::new(&home).with(Aspect::Is, used(record)).with(Aspect::Docs, &*record.doc);
        facts.things.insert(whole, thing);
    }

    for union in model.unions.values() {
        let whole = Subject::whole(ItemKind::Choice, &union.name);
        let home = home(&union.name);
        for shape in &union.shapes {
            let tags = shape
                .tags
                .iter()
                .map(|(member, texts)| format!("{member} is {}", texts.join(" or ")));
            let thing = Thing::new(&home)
                .with(Aspect::Type, spelled(&shape.ty))
                .with(Aspect::Rules, tags.collect::<Vec<_>>().join(", "));
            facts.things.insert(whole.part(&shape.name), thing);
        }
        let thing = Thing::new(&home).with(Aspect::Is, "a choice").with(Aspect::Docs, &*union.doc);
        facts.things.insert(whole, thing);
    }

    for open in model.enums.values() {
        let whole = Subject::whole(ItemKind::Enum, &open.name);
        let home = home(&open.name);
        for (value, variant) in &open.variants {
            let thing = Thing::new(&home).with(Aspect::Is, &**variant);
            facts.things.insert(whole.part(value), thing);
        }
        let kind = if open.native { "open, written by hand" } else { "open" };
        let thing = Thing::new(&home).with(Aspect::Is, kind).with(Aspect::Docs, &*open.doc);
        facts.things.insert(whole, thing);
    }
}

fn used(record: &Record) -> &'static str {
    match (record.native, record.requestable) {
        (true, _) => "written by hand",
        (false, true) => "built by callers",
        (false, false) => "read",
    }
}

fn member(field: &Field, home: &str, model: &Model) -> Thing {
    let mut presence = if field.required { "required" } else { "optional" }.to_owned();
    if field.nullable {
        presence.push_str(", may be null");
    }
    if field.mode == Mode::Loose || field.mode == Mode::Meta {
        presence.push_str(", lenient");
    }
    let ident = (field.ident != value_name(&field.name)).then_some(&field.ident);
    let unit = match field.ty.names().as_slice() {
        names if names.contains(&"UnixSeconds") => "seconds since 1970",
        names if names.contains(&"UnixMillis") => "milliseconds since 1970",
        _ => "",
    };
    // The accepted values that the record's own schema lists, if its enum has further values.
    let names = field.ty.names();
    let open = names.iter().find_map(|name| model.enums.get(*name)).filter(|open| !open.native);
    let fewer = open
        .is_some_and(|open| open.variants.iter().any(|(value, _)| !field.values.contains(value)));
    let values = if fewer { field.values.join(", ") } else { String::new() };

    Thing::new(home)
        .with(Aspect::Type, tokens(&field_type(field)))
        .with(Aspect::Presence, presence)
        .with_some(Aspect::Ident, &ident)
        .with(Aspect::Unit, unit)
        .with(Aspect::Values, values)
        .with_some(Aspect::Deprecated, &field.deprecated)
        .with(Aspect::Docs, &*field.doc)
}

/// Returns the Rust type that generated code uses for a JSON type, as text. The prefixes `rt::` and `serde_json::` are
/// omitted.
pub(crate) fn spelled(ty: &Type) -> String {
    tokens(&rust_type(ty))
}

/// Formats tokens of a Rust type with the usual spaces and without the prefixes `rt::` and `serde_json::`.
pub(super) fn tokens(tokens: &TokenStream) -> String {
    let mut text = String::new();
    for token in tokens.to_string().split_whitespace() {
        text.push_str(token);
        if matches!(token, "impl" | ",") {
            text.push(' ');
        }
    }
    text.replace("rt::", "").replace("serde_json::", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_read_as_people_write_them() {
        let map = Type::Map(Box::new(Type::List(Box::new(Type::Integer))));
        assert_eq!(spelled(&Type::Option(Box::new(map))), "Option<BTreeMap<String, Vec<i64>>>");
        assert_eq!(tokens(&quote::quote!(impl Into<rt::Moment>)), "impl Into<Moment>");
        assert_eq!(spelled(&Type::Tuple(vec![Type::String, Type::Any])), "(String, Json,)");
    }
}
