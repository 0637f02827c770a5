//! Compares our catalogue of API operations with the client that progenitor, a public generator, creates from the same
//! OpenAPI document. Both must have the same operations, parameters, request bodies and responses. Each allowed
//! difference has a listed reason.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use syn::{FnArg, GenericArgument, Item, PathArguments};
use xtask::model::{Answer, Body, Location, Model, Operation, ParamKind, Type};
use xtask::progenitor;
use xtask::regen::{self, Output};

/// Types that one generator assigns to an operation: the type of the response, and the type of each parameter. The
/// key of a parameter is its location and name.
#[derive(Debug, Default)]
struct Said {
    params: BTreeMap<String, String>,
    answer: String,
}

/// Response type and parameter types of each operation in the output of one generator. The key is the method and path
/// of the operation, such as `GET /a`.
type Client = BTreeMap<String, Said>;

// ---- Operations by progenitor ---------------------------------------------------------------

/// Types that progenitor generates in the module `types`.
#[derive(Default)]
struct Types {
    /// Fields of each struct, by the struct's name. Each tuple contains the JSON name of a field, whether the field
    /// is required, and its type.
    structs: BTreeMap<String, Vec<(String, bool, syn::Type)>>,
    newtypes: BTreeMap<String, syn::Type>,
    /// Enums by name. The boolean is true if the enum has only unit variants, so that its JSON values are strings.
    enums: BTreeMap<String, bool>,
}

fn theirs(document: &Value) -> Client {
    let tokens = progenitor::client(document).unwrap_or_else(|fault| panic!("{fault}"));
    let file: syn::File = syn::parse2(tokens).unwrap();
    let mut types = Types::default();
    let mut methods = Vec::new();
    for item in file.items {
        match item {
            Item::Mod(item) if item.ident == "types" => {
                item.content
                    .into_iter()
                    .flat_map(|(_, items)| items)
                    .for_each(|item| types.add(item));
            }
            Item::Impl(item) if item.trait_.is_none() => methods.extend(item.items),
            _ => {}
        }
    }

    let mut client = Client::new();
    for method in methods {
        let syn::ImplItem::Fn(method) = method else { continue };
        let doc = doc(&method.attrs);
        let Some((_, request)) = doc.rsplit_once("Sends a `") else { continue };
        let mut parts = request.split('`');
        let (verb, path) = (parts.next().unwrap(), parts.nth(1).unwrap());
        client.insert(format!("{verb} {path}"), types.method(&method, path));
    }
    client
}

fn doc(attributes: &[syn::Attribute]) -> String {
    let texts = attributes.iter().filter_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Returns the JSON name of a field and whether it has a default value, as declared in its serde attribute.
fn attribute(field: &syn::Field) -> (Option<String>, bool) {
    let (mut name, mut default) = (None, false);
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        let read = attribute.parse_nested_meta(|meta| {
            default |= meta.path.is_ident("default");
            let Ok(value) = meta.value() else { return Ok(()) };
            let value: syn::Expr = value.parse()?;
            if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = value
                && meta.path.is_ident("rename")
            {
                name = Some(text.value());
            }
            Ok(())
        });
        read.unwrap();
    }
    (name, default)
}

/// Returns the JSON name of a struct field, whether it is required, and its type.
fn member(field: syn::Field) -> (String, bool, syn::Type) {
    let (renamed, default) = attribute(&field);
    let ident = field.ident.as_ref().unwrap().to_string();
    let name = renamed.unwrap_or_else(|| ident.trim_start_matches("r#").to_owned());
    (name, !default, field.ty)
}

impl Types {
    fn add(&mut self, item: Item) {
        match item {
            Item::Struct(item) => match item.fields {
                syn::Fields::Named(fields) => {
                    let members = fields.named.into_iter().map(member);
                    self.structs.insert(item.ident.to_string(), members.collect());
                }

                syn::Fields::Unnamed(fields) => {
                    let inner = fields.unnamed.into_iter().next().unwrap().ty;
                    self.newtypes.insert(item.ident.to_string(), inner);
                }
                syn::Fields::Unit => {}
            },
            Item::Enum(item) => {
                let texts = item.variants.iter().all(|arm| matches!(arm.fields, syn::Fields::Unit));
                self.enums.insert(item.ident.to_string(), texts);
            }
            _ => {}
        }
    }

    fn method(&self, method: &syn::ImplItemFn, path: &str) -> Said {
        let body = quote::quote!(#method).to_string();
        // Returns the name of an argument in HTTP requests: `q` for the code `QueryParam::new("q", & q)`, and `X-Id`
        // for the code `append("X-Id", x_id.to_string()...)`.
        let wire = |ident: &str, before: &str, after: &str| {
            body.match_indices(before).find_map(|(at, _)| {
                let (name, rest) =
                    body[at + before.len()..].trim_start().strip_prefix('"')?.split_once('"')?;
                let rest = rest.trim_start().strip_prefix(',')?.trim_start();
                let rest = rest.strip_prefix(after).unwrap_or(rest).trim_start();
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '#')?;
                (rest[..end] == *ident).then(|| name.to_owned())
            })
        };

        let optional_header = |ident: &str| {
            let before = format!("if let Some (value) = {ident} {{ header_map . append (");
            let (_, rest) = body.split_once(&before)?;
            Some(rest.trim_start().strip_prefix('"')?.split_once('"')?.0.to_owned())
        };
        let mut said = Said::default();

        for argument in &method.sig.inputs {
            let FnArg::Typed(argument) = argument else { continue };
            let syn::Pat::Ident(pattern) = &*argument.pat else { continue };
            let ident = pattern.ident.to_string();
            let (required, ty) = self.class(&argument.ty);
            let needed = if required { "required" } else { "optional" };
            if ident == "body" {
                match self.structs.get(&ty) {
                    Some(members) => {
                        for (name, there, member) in members {
                            let (required, ty) = self.class(member);
                            let needed = if required && *there { "required" } else { "optional" };
                            said.params.insert(format!("body {name}"), format!("{needed} {ty}"));
                        }
                    }
                    None => drop(said.params.insert("body".to_owned(), format!("{needed} {ty}"))),
                }
                continue;
            }

            let (place, name) = if let Some(name) = wire(&ident, "QueryParam :: new (", "&") {
                ("query", name)
            } else if let Some(name) =
                optional_header(&ident).or_else(|| wire(&ident, "header_map . append (", ""))
            {
                ("header", name)
            } else {
                let names =
                    path.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0));
                let same =
                    |name: &&str| xtask::names::value_name(name) == ident.trim_start_matches("r#");
                ("path", names.into_iter().find(same).unwrap_or(&ident).to_owned())
            };
            said.params.insert(format!("{place} {name}"), format!("{needed} {ty}"));
        }

        said.answer = match &method.sig.output {
            syn::ReturnType::Type(_, ty) => self.answer(ty),
            syn::ReturnType::Default => "nothing".to_owned(),
        };
        said
    }

    /// Returns a description of the type `T` in a method's return type `Result<ResponseValue<T>, Error<E>>`. For
    /// example, the description of `Vec<String>` is `list of text`, and the description of `()` is `nothing`.
    fn answer(&self, ty: &syn::Type) -> String {
        let inner = first(ty).and_then(|value| first(&value));
        let Some(inner) = inner else { return "nothing".to_owned() };
        if matches!(&inner, syn::Type::Tuple(places) if places.elems.is_empty()) {
            return "nothing".to_owned();
        }
        let (_, name) = self.class(&inner);
        let member = |wanted: &str| {
            let members = self.structs.get(&name)?;
            let (_, _, ty) = members.iter().find(|(name, ..)| name == wanted)?;
            Some(self.class(ty).1)
        };
        match (self.structs.get(&name).map(Vec::len), member("data"), member("meta")) {
            (Some(2), Some(data), Some(meta)) => format!("{{data: {data}, meta: {meta}}}"),
            _ => name,
        }
    }

    /// Returns whether a value of this Rust type is required, and a description of the type. For example,
    /// `Option<Vec<String>>` is not required, and its description is `list of text`.
    fn class(&self, ty: &syn::Type) -> (bool, String) {
        match ty {
            syn::Type::Reference(reference) => self.class(&reference.elem),
            syn::Type::Slice(slice) => (true, format!("list of {}", self.class(&slice.elem).1)),
            syn::Type::Tuple(places) => {
                let places: Vec<_> = places.elems.iter().map(|place| self.class(place).1).collect();
                (true, format!("({})", places.join(", ")))
            }
            syn::Type::Path(path) => {
                let name = path.path.segments.last().unwrap().ident.to_string();
                let inner = |index| {
                    argument(ty, index).map_or_else(|| "any".to_owned(), |ty| self.class(&ty).1)
                };

                match name.as_str() {
                    "Option" => (false, inner(0)),
                    "Box" => (true, inner(0)),
                    "Vec" => (true, format!("list of {}", inner(0))),
                    "HashMap" | "BTreeMap" => (true, format!("map of {}", inner(1))),
                    "Map" => (true, "map of any".to_owned()),
                    "Value" => (true, "any".to_owned()),
                    "str" | "String" | "Uuid" | "DateTime" | "NaiveDate" => {
                        (true, "text".to_owned())
                    }
                    "bool" => (true, "boolean".to_owned()),
                    "f64" | "f32" => (true, "number".to_owned()),
                    "B" | "Body" => (true, "bytes".to_owned()),
                    "ByteStream" => (true, "bytes".to_owned()),

                    name if name.starts_with(['i', 'u']) || name.starts_with("NonZero") => {
                        (true, "integer".to_owned())
                    }
                    name => match (self.newtypes.get(name), self.enums.get(name)) {
                        (Some(inner), _) => self.class(inner),
                        (_, Some(true)) => (true, "text".to_owned()),
                        _ => (true, name.to_owned()),
                    },
                }
            }
            other => (true, quote::quote!(#other).to_string()),
        }
    }
}

fn first(ty: &syn::Type) -> Option<syn::Type> {
    argument(ty, 0)
}

fn argument(ty: &syn::Type, index: usize) -> Option<syn::Type> {
    let syn::Type::Path(path) = ty else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    match arguments.args.iter().nth(index)? {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    }
}

// ---- Operations by the catalogue ------------------------------------------------------------

fn ours(model: &Model) -> Client {
    let said = |operation: &Operation| {
        let mut said = Said::default();
        for param in &operation.params {
            let place = match param.location {
                Location::Path => "path",
                Location::Query => "query",
                Location::Header => "header",
                Location::Body => "body",
            };
            let key = match &operation.body {
                Body::Whole(_) if param.location == Location::Body => "body".to_owned(),
                _ => format!("{place} {}", param.name),
            };
            let needed = if param.required { "required" } else { "optional" };
            said.params.insert(key, format!("{needed} {}", kind(&param.kind)));
        }

        said.answer = match &operation.answer {
            Answer::Rows { row, meta } => format!("{{data: list of {}, meta: {meta}}}", class(row)),
            Answer::One { data, meta } => format!("{{data: {}, meta: {meta}}}", class(data)),
            Answer::Bare(ty) => class(ty),
            Answer::Stream | Answer::Bytes => "bytes".to_owned(),
            Answer::Empty => "nothing".to_owned(),
        };
        said
    };

    let streams = |operation: &Operation| if operation.twin_of.is_some() { "#stream" } else { "" };
    let all = model.operations.iter();
    all.map(|operation| {
        let key = format!("{} {}{}", operation.method, operation.path, streams(operation));
        (key, said(operation))
    })
    .collect()
}

fn kind(kind: &ParamKind) -> String {
    match kind {
        ParamKind::String { .. } | ParamKind::Enum(..) => "text".to_owned(),
        ParamKind::Integer { .. } => "integer".to_owned(),
        ParamKind::Number { .. } => "number".to_owned(),
        ParamKind::Boolean => "boolean".to_owned(),
        ParamKind::Constant(flag) => format!("always {flag}"),
        ParamKind::List { repeated: true } => "list of text".to_owned(),
        ParamKind::List { repeated: false } => "text with commas".to_owned(),
        ParamKind::Moment => "moment".to_owned(),
        ParamKind::Bytes => "bytes".to_owned(),
        ParamKind::Json(ty) => class(ty),
    }
}

fn class(ty: &Type) -> String {
    match ty {
        Type::String | Type::Enum(_) => "text".to_owned(),
        Type::Integer | Type::Wide => "integer".to_owned(),
        Type::Number | Type::Exact => "number".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Any => "any".to_owned(),
        Type::Named(name) | Type::Union(name) => name.clone(),
        Type::List(inner) => format!("list of {}", class(inner)),
        Type::Map(inner) => format!("map of {}", class(inner)),
        Type::Option(inner) | Type::Boxed(inner) => class(inner),
        Type::Tuple(places) => {
            format!("({})", places.iter().map(class).collect::<Vec<_>>().join(", "))
        }
    }
}

// ---- The differences -------------------------------------------------------------------------

/// Allowed differences between our generator and progenitor. Each entry has a pattern for our type, a pattern for
/// progenitor's type, and the reason. `*` in a pattern matches any text.
const REASONS: &[(&str, &str, &str)] = &[
    ("* text with commas", "* text", "the overlay says that the text is a list with commas"),
    (
        "* text with commas",
        "* list of text",
        "progenitor repeats a parameter that the description joins with commas",
    ),
    ("* moment", "* text", "the overlay says that the text is a point in time"),
    ("required always *", "*", "the client always sends what chooses a stream"),
    ("optional always *", "*", "the client always sends what chooses a stream"),
    ("missing", "optional boolean", "what chooses a stream is the client's to send"),
    ("*Response", "{data: *", "both `data` and `meta` must be required to be an envelope"),
];

fn like(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        Some((head, tail)) => text.starts_with(head) && text[head.len()..].ends_with(tail),
        None => pattern == text,
    }
}

fn reason(ours: &str, theirs: &str) -> &'static str {
    let found = REASONS.iter().find(|(one, other, _)| like(one, ours) && like(other, theirs));
    found.map_or("NO REASON", |(_, _, reason)| reason)
}

/// Formats all differences between our client and progenitor's client. The differences are grouped by their reason.
fn compared(ours: &Client, theirs: &Client) -> String {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut differ = |place: &str, one: &str, other: &str| {
        let line = format!("{place}: {one} / {other}");
        reasons.entry(reason(one, other)).or_default().push(line);
    };
    let mut same = 0;
    for key in ours.keys().chain(theirs.keys()).collect::<BTreeSet<_>>() {
        let (Some(one), Some(other)) = (ours.get(key), theirs.get(key)) else {
            let there =
                |client: &Client| if client.contains_key(key) { "there" } else { "missing" };
            differ(key, there(ours), there(theirs));
            continue;
        };

        let names: BTreeSet<_> = one.params.keys().chain(other.params.keys()).collect();
        for name in names {
            let of = |said: &Said| said.params.get(name).cloned().unwrap_or("missing".to_owned());
            if of(one) == of(other) {
                same += 1;
            } else {
                differ(&format!("{key} {name}"), &of(one), &of(other));
            }
        }

        if one.answer == other.answer {
            same += 1;
        } else {
            differ(&format!("{key} answers"), &one.answer, &other.answer);
        }
    }

    let mut text =
        format!("{} operations, {same} parameters and answers are the same\n", ours.len());
    for (reason, lines) in reasons {
        text.push_str(&format!("\n{reason} ({})\n", lines.len()));
        lines.iter().for_each(|line| text.push_str(&format!("  {line}\n")));
    }
    text
}

#[track_caller]
fn reasoned(output: &Output, document: &Value) -> String {
    let told = compared(&ours(&output.model), &theirs(document));
    assert!(!told.contains("NO REASON"), "ours / theirs:\n{told}");
    told
}

#[test]
fn of_our_description_both_say_the_same() {
    let output = regen::published().unwrap_or_else(|faults| panic!("{faults}"));
    let plain = regen::plain().unwrap_or_else(|faults| panic!("{faults}"));
    insta::assert_snapshot!(reasoned(&output, &plain));
}

/// Returns OpenAPI documents that progenitor accepts unchanged. Our generator does not rewrite these documents first,
/// so its passes cannot affect progenitor's result.
fn foreign() -> [(&'static str, Value); 3] {
    let answer = |schema: Value| json!({"200": {"description": "ok", "content": {"application/json": {"schema": schema}}}});
    let reference = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let query = |name: &str, schema: Value| json!({"name": name, "in": "query", "schema": schema});
    let path = |name: &str| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}});
    let description = |title: &str, paths: Value, schemas: Value| json!({"openapi": "3.0.3", "info": {"title": title, "version": "1"}, "paths": paths, "components": {"schemas": schemas}});

    let weather = description(
        "Weather",
        json!({
        "/stations": {"get": {"operationId": "stations-list", "tags": ["Stations"], "summary": "Stations",
            "parameters": [query("limit", json!({"type": "integer", "format": "int64"})), query("near", json!({"type": "string"})),
                query("kind", json!({"type": "string", "enum": ["rain", "wind"]})),
                {"name": "X-Trace-Id", "in": "header", "schema": {"type": "string"}}],
            "responses": answer(reference("StationPage"))}},
        "/stations/{station-id}": {
            "get": {"operationId": "stations-get", "tags": ["Stations"], "summary": "One", "parameters": [path("station-id")],
                "responses": answer(reference("Station"))},
            "delete": {"operationId": "stations-remove", "tags": ["Stations"], "summary": "Remove", "parameters": [path("station-id")],
                "responses": {"204": {"description": "gone"}}}}}),
        json!({"StationPage": {"type": "object", "required": ["data", "meta"], "properties": {
                "data": {"type": "array", "items": reference("Station")}, "meta": reference("Meta")}},
            "Meta": {"type": "object", "properties": {"total": {"type": "integer", "format": "int64"}}},
            "Station": {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}, "height": {"type": "number", "format": "double"}}}}),
    );

    let orders = description(
        "Orders",
        json!({
        "/orders": {"post": {"operationId": "orders-make", "tags": ["Orders"], "summary": "Order",
            "requestBody": {"required": true, "content": {"application/json": {"schema": reference("Order")}}},
            "responses": answer(json!({"type": "array", "items": reference("Line")}))}},
        "/orders/{id}/note": {"put": {"operationId": "orders-note", "tags": ["Orders"], "summary": "Note", "parameters": [path("id")],
            "requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {"schema": reference("Note")}}},
            "responses": {"204": {"description": "ok"}}}}}),
        json!({"Order": {"type": "object", "required": ["lines", "express"], "properties": {
                "lines": {"type": "array", "items": reference("Line")}, "express": {"type": "boolean"},
                "labels": {"type": "object", "additionalProperties": {"type": "string"}}, "at": {"type": "integer", "format": "int64"}}},
            "Line": {"type": "object", "required": ["article"], "properties": {"article": {"type": "string"}, "price": {"type": "number", "format": "double"}}},
            "Note": {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}, "type": {"type": "string"}}}}),
    );

    let files = description(
        "Files",
        json!({
        "/files/{name}": {
            "get": {"operationId": "files-read", "tags": ["Files"], "summary": "Read", "parameters": [path("name"), query("part", json!({"type": "array", "items": {"type": "string"}}))],
                "responses": {"200": {"description": "ok", "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}}},
            "put": {"operationId": "files-write", "tags": ["Files"], "summary": "Write", "parameters": [path("name")],
                "requestBody": {"required": true, "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}},
                "responses": {"204": {"description": "ok"}}}},
        "/count": {"get": {"operationId": "files-count", "tags": ["Files"], "summary": "Count",
            "parameters": [query("deep", json!({"type": "boolean"})), query("of", json!({"type": "string", "format": "uuid"}))],
            "responses": answer(json!({"type": "integer", "format": "int64"}))}}}),
        json!({}),
    );

    [("weather", weather), ("orders", orders), ("files", files)]
}

#[test]
fn of_foreign_descriptions_both_say_the_same() {
    let mut told = String::new();
    for (name, document) in foreign() {
        let output = crate::small::treated(&document);
        told.push_str(&format!("# {name}: {}\n", reasoned(&output, &document)));
    }
    insta::assert_snapshot!(told);
}
