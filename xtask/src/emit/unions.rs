//! Writes Rust enums for JSON values that can have one of several types. In OpenAPI documents, such values have
//! `oneOf` or `anyOf` schemas.

use super::{docs, rust_type};
use crate::model::{Model, Shape, Type, Union};

/// Writes a union as an `rt::union!` macro call. Code formatters do not change macro calls, so this function indents
/// the text itself.
pub(crate) fn union(union: &Union, model: &Model) -> String {
    let doc = docs::line(&union.doc);
    let doc = if doc.is_empty() { format!("One of the forms of `{}`.", union.name) } else { doc };
    let shapes: String = union.shapes.iter().map(|shape| line(shape, model)).collect();
    format!("\nrt::union! {{\n    /// {doc}\n    {} {{\n{shapes}    }}\n}}\n", union.name)
}

fn line(shape: &Shape, model: &Model) -> String {
    let is_record = |ty: &Type| matches!(ty, Type::Named(name) if model.records.get(name).is_some_and(|record| !record.native));
    let (kind, ty) = match &shape.ty {
        ty if is_record(ty) => ("record", ty),
        Type::Boxed(inner) if is_record(inner) => ("boxed", &**inner),
        ty => ("value", ty),
    };
    let ty = rust_type(ty).to_string().replace(' ', "").replace(',', ", ");

    let tags: Vec<String> =
        shape.tags.iter().map(|(member, texts)| format!("({member:?}, &{texts:?})")).collect();
    let tags = if tags.is_empty() || kind == "value" {
        String::new()
    } else {
        format!(" [{}]", tags.join(", "))
    };

    let doc = match shape.ty.bare() {
        Type::Named(name) | Type::Union(name) | Type::Enum(name) => format!("A [`{name}`]."),
        Type::String => "A text.".to_owned(),
        Type::Integer | Type::Wide => "A whole number.".to_owned(),
        Type::Number | Type::Exact => "A number.".to_owned(),
        Type::Boolean => "A flag.".to_owned(),
        Type::List(_) => "A list.".to_owned(),
        Type::Map(_) => "An object.".to_owned(),
        _ => "A value.".to_owned(),
    };

    format!("        /// {doc}\n        {kind} {}({ty}){tags},\n", shape.name)
}
