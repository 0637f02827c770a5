//! Records: the described members with the types that the generator gave them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{strings, text, type_of};
use crate::fault::{Fault, Result};
use crate::lower::Types;
use crate::model::{Answer, Field, Kind, Mode, Operation, Record, Type};
use crate::names::value_name;
use crate::report::{Change, Report};

/// The records that calls and answers hold, directly or within others.
pub fn records(
    document: &Value,
    operations: &[Operation],
    types: &Types,
    report: &mut Report,
) -> Result<BTreeMap<String, Record>> {
    let mut records = BTreeMap::new();
    for (name, schema) in
        document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten()
    {
        if let Some(record) = record(document, name, schema, types, report)? {
            records.insert(name.clone(), record);
        }
    }
    loosen_meta(operations, &mut records);
    reach(operations, &mut records);
    for (name, record) in &records {
        if record.used_by.is_empty() {
            report.note(
                Change::Dropped,
                "a record that no call and no answer holds",
                format!("/components/schemas/{name}"),
            );
        }
    }
    records.retain(|_, record| !record.used_by.is_empty());
    Ok(records)
}

fn record(
    document: &Value,
    name: &str,
    schema: &Value,
    types: &Types,
    report: &mut Report,
) -> Result<Option<Record>> {
    let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
        return Ok(None);
    };
    let native = schema.get("x-is-native").is_some();
    let lenient = schema.get("x-lenient").and_then(Value::as_str);
    let required = strings(&schema["required"]);
    let mut fields = Vec::new();
    for (member, inner) in properties {
        let ident = value_name(member);
        let rust = if native {
            // Never written; the runtime has the struct.
            syn::parse_quote!(())
        } else {
            let structure = types.structs.get(name).map(Vec::as_slice).unwrap_or_default();
            structure
                .iter()
                .find(|(field, _)| field == member)
                .map(|(_, ty)| ty.clone())
                .ok_or_else(|| {
                    Fault::at(
                        format!("/components/schemas/{name}/properties/{member}"),
                        "the generator made no field of this member",
                        "please report this; an overlay that removes the member gets you further",
                    )
                })?
        };
        let ty = type_of(document, inner);
        let nullable = inner.get("nullable").is_some_and(|flag| flag == true);
        let required = required.contains(member);
        let mode = mode(&ty, required, nullable, lenient.is_some());
        fields.push(Field {
            name: member.clone(),
            ident,
            doc: text(inner, "description"),
            mode,
            rust: spelled(rust, mode),
            ty,
            required,
            nullable,
            deprecated: inner.get("x-deprecated").and_then(Value::as_str).map(str::to_owned),
        });
    }
    let mut doc = text(schema, "description");
    if let Some(sentence) = lenient {
        report.note(
            Change::Assumed,
            "a record whose members are assumed",
            format!("/components/schemas/{name}"),
        );
        doc = format!("{doc}\n\nAssumed: {sentence}");
    }
    Ok(Some(Record {
        name: name.to_owned(),
        doc,
        fields,
        native,
        used_by: BTreeSet::new(),
        requestable: false,
    }))
}

fn mode(ty: &Type, required: bool, nullable: bool, lenient: bool) -> Mode {
    match ty {
        Type::List(_) | Type::Map(_) if lenient => Mode::OptionalList,
        _ if lenient => Mode::Loose,
        Type::List(_) | Type::Map(_) if required => Mode::List,
        Type::List(_) | Type::Map(_) => Mode::OptionalList,
        // Any value includes null, and its absence reads as null.
        Type::Any if required => Mode::Nullable,
        // A figure that is absent reads as one without a value, which says so when it is asked.
        Type::Named(name) if name == "MetricValue" && required => Mode::Metric,
        _ if required && nullable => Mode::Nullable,
        _ if required => Mode::Required,
        _ => Mode::Optional,
    }
}

/// What an answer says of itself must not cost the answer: each member of a `meta` may be missing
/// or of another type, and so may the whole.
fn loosen_meta(operations: &[Operation], records: &mut BTreeMap<String, Record>) {
    let mut metas: BTreeSet<String> = BTreeSet::new();
    for operation in operations {
        if let Answer::Rows { meta, .. } | Answer::One { meta, .. } = &operation.answer {
            metas.insert(meta.clone());
        }
    }

    for record in records.values_mut() {
        for field in record.fields.iter_mut().filter(|field| field.name == "meta") {
            let Type::Named(name) = &field.ty else { continue };
            metas.insert(name.clone());
            let mode = if field.mode == Mode::Required { Mode::Meta } else { Mode::Loose };
            set_mode(field, mode);
        }
    }

    for (_, record) in records.iter_mut().filter(|(name, _)| metas.contains(*name)) {
        for field in &mut record.fields {
            let mode = mode(&field.ty, field.required, field.nullable, true);
            set_mode(field, mode);
        }
    }
}

fn set_mode(field: &mut Field, mode: Mode) {
    field.mode = mode;
    field.rust = spelled(field.rust.clone(), mode);
}

/// The field's type in that mode: `Option` exactly where the mode can leave it empty.
fn spelled(rust: syn::Type, mode: Mode) -> syn::Type {
    let bare = inner_of("Option", &rust).unwrap_or(rust);
    match mode {
        Mode::Required | Mode::List | Mode::OptionalList | Mode::Metric | Mode::Meta => bare,
        Mode::Nullable | Mode::Optional | Mode::Loose => syn::parse_quote!(Option<#bare>),
    }
}

/// `T` of `Wrapper<T>`.
pub(crate) fn inner_of(wrapper: &str, ty: &syn::Type) -> Option<syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|segment| segment.ident == wrapper)?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(inner) => Some(inner.clone()),
        _ => None,
    })
}

/// Marks what each operation can reach, and what a caller builds.
fn reach(operations: &[Operation], records: &mut BTreeMap<String, Record>) {
    for operation in operations {
        let asked = operation.params.iter().filter_map(|param| match &param.kind {
            Kind::Json(ty) => Some(ty),
            _ => None,
        });
        for ty in asked {
            follow(ty, &operation.module, true, records);
        }
        match &operation.answer {
            Answer::Rows { row: ty, meta } | Answer::One { data: ty, meta } => {
                follow(ty, &operation.module, false, records);
                follow(&Type::Named(meta.clone()), &operation.module, false, records);
            }
            Answer::Bare(ty) => follow(ty, &operation.module, false, records),
            Answer::Stream | Answer::Empty => {}
        }
    }
}

fn follow(ty: &Type, module: &str, asked: bool, records: &mut BTreeMap<String, Record>) {
    let mut open: Vec<String> = ty.names().into_iter().map(str::to_owned).collect();
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        if let Some(record) = records.get_mut(&name) {
            record.used_by.insert(module.to_owned());
            record.requestable |= asked;
            open.extend(record.fields.iter().flat_map(|field| field.ty.names()).map(str::to_owned));
        }
    }
}
