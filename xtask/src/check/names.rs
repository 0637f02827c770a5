//! Checks that each generated name is a valid and unique Rust name. If an earlier pass produces a wrong name, this
//! check reports the name before the compiler does.

use std::collections::{BTreeMap, BTreeSet};

use crate::fault::Fault;
use crate::model::Model;
use crate::names::{request_name, static_name, value_name};
use crate::report::Report;
use crate::schemas::escape;

use super::is_reserved;

/// Names that an API domain must not have, because generated modules or Cargo features already have these names.
pub(crate) const MODULES: &[&str] =
    &["all", "catalogue", "default", "domains", "mod", "round_trip", "shared", "tables"];

/// Names of the client's modules and of the crates that the client re-exports. The generated module of an API domain
/// must not have one of these names. Otherwise the existing module or crate would hide the generated module.
pub(crate) const CLIENT_MODULES: &[&str] = &[
    "api",
    "base_url",
    "blocking",
    "builder",
    "bytes",
    "cache",
    "classify",
    "client",
    "completeness",
    "credits",
    "dynamic",
    "extend",
    "http",
    "http_body",
    "http_service",
    "key",
    "mistakes",
    "moment",
    "paging",
    "prelude",
    "raw",
    "reqwest",
    "resolve",
    "retry",
    "sql",
    "sql_quotes",
    "sse",
    "tls",
    "tower_layer",
    "tower_service",
    "transport",
    "values",
    "watch",
];

const HINT: &str = "please report this error; to avoid it, choose another name in the overlay";

/// Checks that every generated name is valid and unique.
pub fn names(model: &Model, report: &mut Report) {
    let mut check = Check { report, types: BTreeMap::new() };
    for tag in &model.tags {
        check.rust("/tags", &tag.module);
    }

    for operation in &model.operations {
        let place =
            format!("/paths/{}/{}", escape(&operation.path), operation.method.to_lowercase());
        let id = &operation.id;
        let request = request_name(id);
        check.rust(&place, &value_name(id));
        check.rust(&place, &static_name(id));
        check.ty(&place, &request);
        let idents = operation.params.iter().map(|param| param.ident.as_str());
        check.check_distinct(&place, idents);
    }

    for record in model.records.values().filter(|record| !record.native) {
        let place = format!("/components/schemas/{}", record.name);
        check.ty(&place, &record.name);
        check.check_distinct(
            &place,
            record.fields.iter().map(|field| field.ident.as_str()).chain(["extra"]),
        );
    }

    for union in model.unions.values() {
        let place = format!("/components/schemas/{}", union.name);
        check.ty(&place, &union.name);
        check.check_distinct(
            &place,
            union.shapes.iter().map(|shape| shape.name.as_str()).chain(["Other"]),
        );
    }

    for open in model.enums.values().filter(|open| !open.native) {
        let place = format!("/components/schemas/{}", open.name);
        check.ty(&place, &open.name);
        check.check_distinct(
            &place,
            open.variants.iter().map(|(_, name)| name.as_str()).chain(["Other"]),
        );
    }
}

struct Check<'a> {
    report: &'a mut Report,
    /// JSON pointer of the schema or operation from which each type is generated. The key is the type's name.
    types: BTreeMap<String, String>,
}

impl Check<'_> {
    fn rust(&mut self, place: &str, name: &str) {
        if syn::parse_str::<syn::Ident>(name).is_err() {
            let reason = format!("`{name}` is not a valid Rust name");
            self.report.refuse(Fault::at(place, reason, HINT));
        }
    }

    fn ty(&mut self, place: &str, name: &str) {
        self.rust(place, name);
        if is_reserved(name) {
            let reason = format!("the generated code already uses the name `{name}`");
            self.report.refuse(Fault::at(place, reason, HINT));
        }
        if let Some(other) = self.types.insert(name.to_owned(), place.to_owned()) {
            let reason = format!("the type at {other} is also called `{name}`");
            self.report.refuse(Fault::at(place, reason, HINT));
        }
    }

    fn check_distinct<'n>(&mut self, place: &str, names: impl Iterator<Item = &'n str>) {
        let mut seen = BTreeSet::new();
        for name in names {
            self.rust(place, name);
            if !seen.insert(name) {
                let reason = format!("two items would be called `{name}`");
                self.report.refuse(Fault::at(place, reason, HINT));
            }
        }
    }
}
