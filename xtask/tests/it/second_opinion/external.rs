//! Reads the operations of the client that progenitor generates, with their parameters and response types, from its Rust
//! code.

use std::collections::BTreeMap;

use serde_json::Value;
use syn::{FnArg, GenericArgument, Item, PathArguments};
use xtask::progenitor;

use super::{Client, Said};

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

/// Returns the operations of the client that progenitor generates.
pub(super) fn theirs(document: &Value) -> Client {
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
    /// example, `Vec<String>` is `list of text`, and `()` is `nothing`.
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
