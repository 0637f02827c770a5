//! Snapshot tests of the public API of the generated client, with one snapshot per domain. A snapshot has one or more
//! lines for each API item, such as an operation or a field. A reviewer of the snapshots sees each change that affects
//! users.
//!
//! The lines come from the generator's model. Other tests parse the generated sources and compare them with the
//! model.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, FnArg, ImplItem, Item, ReturnType, Token, Type, Visibility};
use xtask::facts::{self, Aspect, Facts, ItemKind, Subject};
use xtask::names::value_name;
use xtask::regen::{self, Inputs};

/// Describes the generated source file of each domain in lines, such as `record CreditBalance.balance: Option<f64>`.
/// The keys of `sources` are file names. The keys of the result are these names without `.rs`.
pub(crate) fn surface(sources: &BTreeMap<String, String>) -> BTreeMap<String, BTreeSet<String>> {
    let rows = rows(&sources["catalogue.rs"]);
    let beside = ["catalogue.rs", "mod.rs", "round_trip.rs", "tables.rs"];
    let domains = sources.iter().filter(|(name, _)| !beside.contains(&name.as_str()));
    domains
        .map(|(name, text)| {
            let mut lines = BTreeSet::new();
            for item in syn::parse_file(text).unwrap().items {
                describe(item, &rows, &mut lines);
            }
            (name.trim_end_matches(".rs").to_owned(), lines)
        })
        .collect()
}

/// Returns one line for each operation in `catalogue.rs`. The key is the name of the operation's Rust static. For the
/// key `CREDIT_BALANCE`, the line is `credit-balance: GET /v1/me/credit-balance, price Free, paging None`.
fn rows(catalogue: &str) -> BTreeMap<String, String> {
    let mut rows = BTreeMap::new();
    for item in syn::parse_file(catalogue).unwrap().items {
        let Item::Static(item) = item else { continue };
        let Expr::Struct(row) = *item.expr else { continue };
        let member = |name: &str| {
            let field = row
                .fields
                .iter()
                .find(|field| matches!(&field.member, syn::Member::Named(ident) if ident == name));
            tidy(&field.unwrap().expr).trim_matches('"').replace("rt::", "")
        };

        let about = format!(
            "{}: {} {}, {}, {}",
            member("id"),
            member("method").replace("Method::", ""),
            member("path"),
            member("price").replace("Price::", "price "),
            member("paging").replace("Paging::", "paging "),
        );
        rows.insert(item.ident.to_string(), about);
    }

    rows
}

fn describe(item: Item, rows: &BTreeMap<String, String>, lines: &mut BTreeSet<String>) {
    match item {
        Item::Struct(item) => {
            let name = &item.ident;
            for field in &item.fields {
                let (Some(ident), Visibility::Public(_)) = (&field.ident, &field.vis) else {
                    continue;
                };
                if ident != "extra" {
                    lines.insert(format!("record {name}.{ident}: {}", tidy(&field.ty)));
                }
            }

            if item.fields.iter().any(|field| matches!(field.vis, Visibility::Public(_))) {
                lines.insert(format!("record {name}"));
            }
        }
        Item::Impl(item) => {
            let owner = tidy(&item.self_ty).replace("crate::", "");
            if let Some((path, _)) = &item.trait_ {
                lines.insert(format!("{owner} is {}", tidy(path).replace("rt::", "")));
                return;
            }

            for member in item.items {
                if let ImplItem::Fn(method) = member {
                    lines.insert(method_line(&owner, &method.sig));
                }
            }
        }
        Item::Macro(item) => {
            let name = item.mac.path.segments.last().unwrap().ident.to_string();
            let parsed = match name.as_str() {
                "request" | "stream_request" => {
                    let request: Request = item.mac.parse_body().unwrap();
                    let answer = request.answer.as_ref().map_or("a stream".to_owned(), tidy);
                    let row = request.row.split("::").last().unwrap().trim();
                    lines.insert(format!("operation {} ({})", rows[row], request.name));
                    lines.insert(format!(
                        "{} answers {}",
                        request.name,
                        answer.replace("rt::", "")
                    ));
                    return;
                }

                "record" => {
                    let record: Record = item.mac.parse_body().unwrap();
                    for (field, wire) in record.fields.iter().filter(|(field, wire)| field != wire)
                    {
                        lines.insert(format!(
                            "record {}.{field} is {wire:?} on the wire",
                            record.name
                        ));
                    }
                    return;
                }

                "from_integers" => {
                    lines.insert(format!("enum {} takes whole numbers", item.mac.tokens));
                    return;
                }

                "open_enum" => item.mac.parse_body::<OpenEnum>().unwrap(),
                _ => return,
            };
            lines.insert(format!("enum {}", parsed.name));
            for (variant, value) in parsed.variants {
                lines.insert(format!("enum {}::{variant} = {value}", parsed.name));
            }
        }
        _ => {}
    }
}

fn method_line(owner: &str, signature: &syn::Signature) -> String {
    let arguments: Vec<String> = signature
        .inputs
        .iter()
        .filter_map(|input| match input {
            FnArg::Typed(input) => Some(format!("{}: {}", tidy(&input.pat), tidy(&input.ty))),
            FnArg::Receiver(_) => None,
        })
        .collect();
    let arguments = arguments.join(", ").replace("rt::", "");
    let result = match &signature.output {
        ReturnType::Type(_, ty) if tidy(ty) != "Self" => format!(" -> {}", tidy(ty)),
        _ => String::new(),
    };
    format!("{owner}.{}({arguments}){result}", signature.ident)
}

/// Formats Rust tokens with the usual spaces: `Vec<String>` instead of `Vec < String >`.
fn tidy(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (from, to) in
        [(" :: ", "::"), (":: ", "::"), (" < ", "<"), (" >", ">"), (" ,", ","), ("& ", "&")]
    {
        text = text.replace(from, to);
    }
    text.replace("< ", "<").replace("( ", "(").replace(" (", "(").replace(" )", ")")
}

/// Parsed arguments of the macro `request`: `Name, &catalogue::ROW, Answer`.
struct Request {
    name: syn::Ident,
    row: String,
    answer: Option<Type>,
}

impl Parse for Request {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![,]>()?;
        let row = input.parse::<Expr>()?.to_token_stream().to_string();
        let more = input.parse::<Option<Token![,]>>()?.is_some();
        Ok(Request { name, row, answer: if more { Some(input.parse()?) } else { None } })
    }
}

/// Parsed arguments of the macro `record`, such as `CreditBalance { 0 loose balance "balance", .. }`. Each entry is the
/// index, the mode, the Rust name and the JSON name of a field. The index and the mode are ignored.
struct Record {
    name: syn::Ident,
    fields: Vec<(String, String)>,
}

impl Parse for Record {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.parse()?;
        let body;
        syn::braced!(body in input);
        let mut fields = Vec::new();
        while !body.is_empty() {
            body.parse::<syn::LitInt>()?;
            body.parse::<syn::Ident>()?;
            let field: syn::Ident = body.parse()?;
            fields.push((field.to_string(), body.parse::<syn::LitStr>()?.value()));
            body.parse::<Token![,]>()?;
        }
        Ok(Record { name, fields })
    }
}

/// Parsed arguments of the macro `open_enum`: `Name { Variant = "value", .. }`.
struct OpenEnum {
    name: syn::Ident,
    variants: Vec<(String, String)>,
}

impl Parse for OpenEnum {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        input.call(syn::Attribute::parse_outer)?;
        let name = input.parse()?;
        let body;
        syn::braced!(body in input);
        let variants = Punctuated::<Pair, Token![,]>::parse_terminated(&body)?;
        Ok(OpenEnum { name, variants: variants.into_iter().map(|pair| pair.0).collect() })
    }
}

struct Pair((String, String));

impl Parse for Pair {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        input.call(syn::Attribute::parse_outer)?;
        let variant: syn::Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let value: syn::LitStr = input.parse()?;
        Ok(Pair((variant.to_string(), value.to_token_stream().to_string())))
    }
}

/// Returns the committed source files in `crates/api/src/generated`, by file name.
pub(crate) fn committed() -> BTreeMap<String, String> {
    let folder = xtask::regen::root().join("crates/api/src/generated");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect()
}

/// Reads the OpenAPI documents in `spec/`. Returns the properties of their API items, such as the price of an operation
/// or the type of a field.
fn published() -> Facts {
    let inputs = Inputs::from_repository(&regen::root()).unwrap();
    let (model, _) = inputs.model().unwrap_or_else(|faults| panic!("{faults}"));
    Facts::from_model(&model)
}

/// Compares the public API of each domain, such as `account`, with its snapshot. The test continues after a difference,
/// so one run shows all changed domains.
#[test]
fn what_users_see() {
    let mut settings = insta::Settings::clone_current();
    settings.set_omit_expression(true);
    let mut changed = Vec::new();
    for (domain, lines) in published().lines() {
        let compare = || insta::assert_snapshot!(domain.clone(), lines.join("\n"));
        if catch_unwind(AssertUnwindSafe(|| settings.bind(compare))).is_err() {
            changed.push(domain);
        }
    }
    assert!(changed.is_empty(), "changed: {}", changed.join(", "));
}

/// Tests that the committed snapshot files of this module are equal to the files that `cargo xtask adopt` would write.
/// The headers of the files are not compared.
#[test]
fn the_snapshots_are_those_that_adopt_writes() {
    let folder = regen::root().join(facts::SNAPSHOTS);
    let named = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let there: BTreeSet<String> = named
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name.starts_with("it__surface__") && name.ends_with(".snap"))
        .collect();
    let written = facts::snapshots(&published());
    let names: BTreeSet<String> = written
        .keys()
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(there, names, "a domain without a snapshot, or a snapshot without a domain");
    for (path, text) in written {
        let known = fs::read_to_string(regen::root().join(&path)).unwrap();
        let contents = |text: &str| text.splitn(3, "---\n").nth(2).map(str::to_owned);
        assert!(contents(&known) == contents(&text), "{} differs", path.display());
    }
}

/// Returns the number of domains in the catalogue.
fn crypto_intel_tags() -> usize {
    let operations = crypto_intel_api::generated::catalogue::OPERATIONS.iter();
    operations.map(|operation| operation.tag).collect::<BTreeSet<_>>().len()
}

/// Tests that the records in the generated sources have the same fields and types as in the generator's model.
#[test]
fn the_facts_of_records_are_those_of_the_sources() {
    let surface = surface(&committed());
    assert_eq!(surface.len(), crypto_intel_tags() + 1, "one domain per tag, and the shared one");
    let in_sources: BTreeSet<String> = surface
        .values()
        .flatten()
        .filter_map(|line| line.strip_prefix("record ")?.split_once(": "))
        .map(|(member, ty)| format!("{member}: {}", plain(ty)))
        .collect();

    let facts = published();
    let members = facts.things.iter().filter_map(|(subject, thing)| {
        let part = subject.part.as_ref().filter(|_| subject.kind == ItemKind::Record)?;
        // The record `MetricValue` is hand-written in the runtime crate, so it is left out.
        let ident = thing.aspects.get(&Aspect::Ident).cloned().unwrap_or_else(|| value_name(part));
        (subject.name != "MetricValue")
            .then(|| format!("{}.{ident}: {}", subject.name, plain(thing.says(Aspect::Type))))
    });
    let in_facts: BTreeSet<String> = members.collect();
    let differing: Vec<&String> = in_sources.symmetric_difference(&in_facts).collect();
    assert!(differing.is_empty(), "{differing:#?}");
}

fn plain(ty: &str) -> String {
    ty.replace([' ', '\n'], "").replace("serde_json::", "").replace("rt::", "")
}

/// Tests that the generator's model and the generated catalogue contain the same properties of each operation, such as
/// its path, its price and its required parameters.
#[test]
fn the_facts_of_operations_are_those_of_the_catalogue() {
    use crypto_intel_api::generated::catalogue::OPERATIONS;
    use crypto_intel_core::{Paging, ParamKind, Price};

    let facts = published();
    let said = |name: &str, part: Option<&str>| {
        let part = part.map(str::to_owned);
        let subject = Subject { kind: ItemKind::Operation, name: name.to_owned(), part };
        facts.things.get(&subject).unwrap_or_else(|| panic!("no facts of {subject}"))
    };

    let mut wrong = Vec::new();
    for row in OPERATIONS {
        let whole = said(row.id, None);
        let price = match row.price {
            Price::Free => "nothing".to_owned(),
            Price::Credits(1) => "1 credit".to_owned(),
            Price::Credits(number) => format!("{number} credits"),
            Price::Unknown => "unknown".to_owned(),
            Price::ByModel(_) => whole.says(Aspect::Costs).to_owned(),
        };

        let same = whole.says(Aspect::Is) == format!("{} {}", row.method, row.path)
            && whole.says(Aspect::Costs) == price
            && whole.says(Aspect::Pages).is_empty() == (row.paging == Paging::None)
            && whole.says(Aspect::Deprecated) == row.deprecated.unwrap_or_default()
            && whole.says(Aspect::Rules).is_empty() == row.rules.is_empty();
        if !same {
            wrong.push(format!("{}: {whole:?}", row.id));
        }

        for param in row.params {
            let thing = said(row.id, Some(param.name));
            let values = match param.kind {
                ParamKind::Enum(values) => values.join(", "),
                _ => String::new(),
            };
            let listed = thing.says(Aspect::Values);
            let number = |number: Option<i64>| number.map_or(String::new(), |n| n.to_string());
            let bounded = match param.kind {
                ParamKind::Integer { min, max } => [min, max]
                    .iter()
                    .all(|bound| thing.says(Aspect::Bounds).contains(&number(*bound))),
                _ => true,
            };

            let same = thing.says(Aspect::Place).starts_with("argument") == param.required
                && thing.says(Aspect::Default) == param.default.unwrap_or_default()
                && thing.says(Aspect::Deprecated) == param.deprecated.unwrap_or_default()
                && (listed.is_empty() || listed == values)
                && bounded;
            if !same {
                wrong.push(format!("{}.{}: {thing:?}", row.id, param.name));
            }
        }
    }

    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
