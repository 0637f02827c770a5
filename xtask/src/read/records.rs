//! Reads the schemas of the OpenAPI document as records and unions of the model. The types of their fields were
//! computed by the library typify.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::unions::{is_ambiguous, union};
use super::{deprecated, strings, text};
use crate::model::{Answer, Field, Meaning, Mode, Operation, ParamKind, Record, Type, Union};
use crate::names::{unique, value_name};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas::escape;
use crate::types::Types;

/// Maximum number of fields of a record. The runtime crate stores the index of a field in one byte.
const MEMBERS: usize = 256;

/// Message of the generator's report. It is for a union in which no constant field distinguishes the records, so one
/// JSON value can match several records.
const AMBIGUOUS: &str = "a value can match several records of a union; the client uses the record with the fewest missing and unknown fields, and the first record if several records have equally few";

/// Reads the records and unions that requests and responses contain, directly or through other types.
pub fn records(
    document: &Value,
    operations: &[Operation],
    types: &Types,
    report: &mut Report,
) -> (BTreeMap<String, Record>, BTreeMap<String, Union>) {
    let (mut records, mut unions) = (BTreeMap::new(), BTreeMap::new());
    for (name, schema) in
        document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten()
    {
        if let Some(record) = record(name, schema, types, report) {
            records.insert(name.clone(), record);
        } else if let Some(shapes) = types.unions.get(name) {
            let union = union(document, name, schema, shapes);
            if is_ambiguous(document, &union) {
                report.note(Change::Decided, AMBIGUOUS, union.at.as_str());
            }
            unions.insert(name.clone(), union);
        }
    }

    let mut held = Collected { records, unions };
    held.reach(operations);
    held.forget(document, operations, report);
    loosen_meta(operations, &mut held.records);
    apart_from_reply(operations, &mut held.records, report);
    (held.records, held.unions)
}

/// Reads a schema with `properties` as a record. If the type of a required field contains the same record again, the
/// field becomes optional, because the record would otherwise be infinite. The keyword `x-lenient` marks a schema whose
/// fields are not confirmed by the documentation of the service. The fields of this schema are decoded leniently. The
/// text of `x-lenient` is appended to the documentation of the record.
fn record(name: &str, schema: &Value, types: &Types, report: &mut Report) -> Option<Record> {
    let properties = schema.get("properties").and_then(Value::as_object)?;
    let native = schema.get("x-is-native").is_some();
    let lenient = schema.get("x-lenient").and_then(Value::as_str);
    let required = strings(&schema["required"]);
    let at = origin::location(schema, &format!("/components/schemas/{name}"));

    let known = field_names(&at, properties, &required, report);
    let mut idents: BTreeSet<String> = BTreeSet::new();
    let mut fields = Vec::new();
    for (member, inner) in properties {
        if !known.contains(member.as_str()) {
            continue;
        }
        let ident = ident(&at, member, &idents, report);
        idents.insert(ident.clone());
        let place = format!("/components/schemas/{name}/properties/{}", escape(member));
        let ty = match types.records.get(name).and_then(|members| members.get(member)) {
            Some(ty) => ty.clone(),
            None => types.at(&place),
        };

        let nullable = inner.get("nullable").is_some_and(|flag| flag == true);
        let mut required = required.contains(member);
        if required && !nullable && matches!(ty, Type::Boxed(_)) {
            report.note(
                Change::Decided,
                "a required field whose type contains the same record again becomes optional, \
                 because the record would otherwise be infinite",
                origin::location(inner, &place),
            );
            required = false;
        }

        fields.push(Field {
            name: member.clone(),
            ident,
            doc: text(inner, "description"),
            mode: mode(
                &ty,
                required,
                nullable,
                lenient.is_some() || inner.get("x-assumed").is_some(),
            ),
            ty,
            required,
            nullable,
            values: values(inner),
            deprecated: deprecated(inner),
            meaning: meaning(inner),
        });
    }

    let mut doc = text(schema, "description");
    if let Some(sentence) = lenient {
        report.note(
            Change::Assumed,
            "a record with assumed fields",
            format!("/components/schemas/{name}"),
        );
        doc = format!("{doc}\n\nAssumed: {sentence}");
    }
    Some(Record {
        name: name.to_owned(),
        at,
        doc,
        fields,
        native,
        used_by: BTreeSet::new(),
        requestable: false,
    })
}

/// Returns the meaning of a field's values. A string with `format: date` is a date, and a string with
/// `format: date-time` is a date with a time. With `x-zero: unknown`, the number 0 means an unknown value. Returns
/// `None` for other schemas.
fn meaning(schema: &Value) -> Option<Meaning> {
    let is_text = schema.get("type").is_some_and(|ty| ty == "string");
    match schema.get("format").and_then(Value::as_str) {
        Some("date") if is_text => Some(Meaning::Date),
        Some("date-time") if is_text => Some(Meaning::DateTime),
        _ => schema.get("x-zero").filter(|zero| *zero == "unknown").map(|_| Meaning::ZeroIsUnknown),
    }
}

/// Returns the accepted values (`x-values`) of a field. For a list, returns the accepted values of the list's items.
fn values(schema: &Value) -> Vec<String> {
    let own = schema.get("x-values").or_else(|| schema.pointer("/items/x-values"));
    own.map(strings).unwrap_or_default()
}

/// Returns the names of the properties that become fields of a record. A record has at most [`MEMBERS`] fields. If the
/// schema has more properties, required properties are chosen before optional properties.
fn field_names<'a>(
    at: &str,
    properties: &'a Map<String, Value>,
    required: &[String],
    report: &mut Report,
) -> BTreeSet<&'a str> {
    let mut names: Vec<&str> = properties.keys().map(String::as_str).collect();
    if names.len() > MEMBERS {
        names.sort_by_key(|name| !required.iter().any(|needed| needed == name));
        for name in &names[MEMBERS..] {
            report.note(
                Change::Decided,
                format!(
                    "a record has more than {MEMBERS} fields; further fields are kept as unknown \
                     fields"
                ),
                format!("{at}/properties/{}", escape(name)),
            );
        }
        names.truncate(MEMBERS);
    }
    names.into_iter().collect()
}

/// Returns the Rust name of a field, unique in its record. The names `extra`, `new` and `default` get an underscore,
/// because every record already uses them.
fn ident(at: &str, member: &str, taken: &BTreeSet<String>, report: &mut Report) -> String {
    let wanted = value_name(member);
    let wanted = if wanted.is_empty() { "member".to_owned() } else { wanted };
    let free = match wanted.as_str() {
        "extra" | "new" | "default" => format!("{wanted}_"),
        _ => wanted.clone(),
    };
    let name = unique(&free, |name| taken.contains(name));
    if name != value_name(member) {
        report.note(
            Change::Decided,
            format!("the field `{member}` is called `{name}` in Rust"),
            format!("{at}/properties/{}", escape(member)),
        );
    }
    name
}

fn mode(ty: &Type, required: bool, nullable: bool, lenient: bool) -> Mode {
    match ty {
        Type::List(_) | Type::Map(_) if lenient => Mode::OptionalList,
        _ if lenient => Mode::Loose,
        // An empty map and `null` are different values, and the service may send both.
        Type::Map(_) if required && nullable => Mode::Nullable,
        Type::List(_) | Type::Map(_) if required => Mode::List,
        Type::List(_) | Type::Map(_) => Mode::OptionalList,
        // `null` is a valid value of any type. An absent value is read as `null`.
        Type::Any if required => Mode::Nullable,
        // An absent metric is read as a metric without a value.
        Type::Named(name) if name == "MetricValue" && required => Mode::Metric,
        _ if required && nullable => Mode::Nullable,
        _ if required => Mode::Required,
        _ => Mode::Optional,
    }
}

/// Makes each field of a `meta` record optional, and lets the field accept values of unexpected types. Unexpected
/// metadata therefore never make a response undecodable.
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
            field.mode = if field.mode == Mode::Required { Mode::Meta } else { Mode::Loose };
        }
    }

    for (_, record) in records.iter_mut().filter(|(name, _)| metas.contains(*name)) {
        for field in &mut record.fields {
            field.mode = mode(&field.ty, field.required, field.nullable, true);
        }
    }
}

/// Renames a field of a response record if `Reply` has a method or public field of this name. For example, the field
/// `body` becomes `body_`. A call returns the record inside a `Reply`, and callers access the record's fields through
/// the `Reply`. Without the new name, `reply.body` and `reply.body()` would mean different things.
fn apart_from_reply(
    operations: &[Operation],
    records: &mut BTreeMap<String, Record>,
    report: &mut Report,
) {
    let taken = super::reply::members();
    for operation in operations {
        let Answer::Bare(Type::Named(name)) = &operation.answer else { continue };
        let Some(record) = records.get_mut(name) else { continue };
        let idents: BTreeSet<String> =
            record.fields.iter().map(|field| field.ident.clone()).collect();

        for field in record.fields.iter_mut().filter(|field| taken.contains(&field.ident)) {
            let wanted = format!("{}_", field.ident);
            let ident = unique(&wanted, |name| idents.contains(name) || taken.contains(name));
            report.note(
                Change::Decided,
                format!(
                    "the field `{}` of a response is called `{ident}` in Rust, because \
                 `Reply` has a method of the same name",
                    field.name
                ),
                format!("/components/schemas/{name}/properties/{}", escape(&field.name)),
            );
            field.ident = ident;
        }
    }
}

/// Records and unions of the model. For each record and union, the method `reach` stores the names of the modules that
/// use it.
struct Collected {
    records: BTreeMap<String, Record>,
    unions: BTreeMap<String, Union>,
}

impl Collected {
    /// Adds module names to each record and union: the modules of all operations that use the record or union, directly
    /// or through other types. Also marks the records that request bodies contain.
    fn reach(&mut self, operations: &[Operation]) {
        for operation in operations {
            let asked = operation.params.iter().filter_map(|param| match &param.kind {
                ParamKind::Json(ty) => Some(ty),
                _ => None,
            });
            for ty in asked {
                self.follow(ty, &operation.module, true);
            }
            match &operation.answer {
                Answer::Rows { row: ty, meta } | Answer::One { data: ty, meta } => {
                    self.follow(ty, &operation.module, false);
                    self.follow(&Type::Named(meta.clone()), &operation.module, false);
                }
                Answer::Bare(ty) => self.follow(ty, &operation.module, false),
                Answer::Stream | Answer::Bytes | Answer::Empty => {}
            }
        }
    }

    fn follow(&mut self, ty: &Type, module: &str, asked: bool) {
        let mut open: Vec<String> = ty.names().into_iter().map(str::to_owned).collect();
        let mut seen = BTreeSet::new();
        while let Some(name) = open.pop() {
            if !seen.insert(name.clone()) {
                continue;
            }
            let mut held: Vec<&str> = Vec::new();
            if let Some(record) = self.records.get_mut(&name) {
                record.used_by.insert(module.to_owned());
                record.requestable |= asked;
                held.extend(record.fields.iter().flat_map(|field| field.ty.names()));
            }
            if let Some(union) = self.unions.get_mut(&name) {
                union.used_by.insert(module.to_owned());
                held.extend(union.shapes.iter().flat_map(|shape| shape.ty.names()));
            }
            open.extend(held.into_iter().map(str::to_owned));
        }
    }

    /// Removes the records and unions that no operation uses, and adds the reason for each to the report.
    fn forget(&mut self, document: &Value, operations: &[Operation], report: &mut Report) {
        let inlined = super::inlined_components::InlinedComponents::new(document, operations);
        let all = self.records.iter().map(|(name, record)| (name, record.used_by.is_empty()));
        let all =
            all.chain(self.unions.iter().map(|(name, union)| (name, union.used_by.is_empty())));

        for (name, _) in all.filter(|(_, unused)| *unused) {
            let schema = &document["components"]["schemas"][name];
            let place = origin::location(schema, &format!("/components/schemas/{name}"));
            if inlined.envelopes.contains(name) {
                report.note(
                    Change::Rewritten,
                    "a response with `data` and `meta` becomes an `Envelope`",
                    place,
                );
            } else if inlined.bodies.contains(name) {
                report.note(
                    Change::Rewritten,
                    "the fields of a request body become parameters",
                    place,
                );
            } else {
                report.note(
                    Change::Dropped,
                    "a record is ignored, because no request and no success response uses it",
                    place,
                );
            }
        }

        self.records.retain(|_, record| !record.used_by.is_empty());
        self.unions.retain(|_, union| !union.used_by.is_empty());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn formats_of_texts_and_zeros_of_the_overlay_are_meanings() {
        for (schema, expected) in [
            (json!({"type": "string", "format": "date"}), Some(Meaning::Date)),
            (json!({"type": "string", "format": "date-time"}), Some(Meaning::DateTime)),
            (json!({"type": "integer", "format": "date-time"}), None),
            (json!({"type": "string"}), None),
            (json!({"type": "integer", "x-zero": "unknown"}), Some(Meaning::ZeroIsUnknown)),
            (json!({"type": "integer", "x-zero": "free"}), None),
        ] {
            assert_eq!(meaning(&schema), expected, "{schema}");
        }
    }
}
