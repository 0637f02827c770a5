//! Tests of invariants that all operations of the generated API catalogue must fulfil. Each test collects all
//! violations and fails once.

use std::collections::{BTreeMap, BTreeSet};

use crypto_intel_api::generated::catalogue::{OPERATIONS, PLANS, TIERS};
use crypto_intel_api::generated::tables;
use crypto_intel_core::{
    Answer, Body, Convention, In, Operation, Paging, ParamKind, Price, Provenance, Rule, Type,
};

/// Asserts that all operations fulfil an invariant. `law` returns the reason why an operation violates the
/// invariant. It returns `None` if the operation fulfils the invariant.
#[track_caller]
fn every(law: impl Fn(&Operation) -> Option<String>) {
    let broken: Vec<String> = OPERATIONS
        .iter()
        .filter_map(|operation| Some(format!("{}: {}", operation.id, law(operation)?)))
        .collect();
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

/// Returns true if the operation is the streaming variant of another operation.
fn is_twin(operation: &Operation) -> bool {
    operation.answer == Answer::Stream
}

#[test]
fn there_are_at_least_145_operations() {
    let twins = OPERATIONS.iter().filter(|operation| is_twin(operation)).count();
    let own = OPERATIONS.len() - twins;
    assert!(own >= 145, "{own} operations, and {twins} streaming twins");
}

#[test]
fn ids_and_paths_are_unique_and_operations_are_sorted_by_tag_and_id() {
    let ids: BTreeSet<_> = OPERATIONS.iter().map(|operation| operation.id).collect();
    assert_eq!(ids.len(), OPERATIONS.len());

    let paths: BTreeSet<_> = OPERATIONS
        .iter()
        .map(|operation| (operation.method.as_str(), operation.path, is_twin(operation)))
        .collect();
    assert_eq!(paths.len(), OPERATIONS.len());

    let order: Vec<_> = OPERATIONS.iter().map(|operation| (operation.tag, operation.id)).collect();
    assert!(order.is_sorted(), "{order:?}");

    every(|operation| {
        let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        (!operation.id.chars().all(kebab)).then(|| "not in kebab case".to_owned())
    });
}

#[test]
fn every_operation_and_parameter_is_described() {
    every(|operation| {
        (operation.summary.is_empty() || operation.tag.is_empty())
            .then(|| "no summary or no tag".to_owned())
    });
    every(|operation| {
        let parameter = operation.params.iter().find(|param| param.doc.trim().is_empty())?;
        Some(format!("nothing about `{}`", parameter.name))
    });
}

#[test]
fn every_assumption_is_explained_in_sentences() {
    every(|operation| match (operation.provenance, operation.note) {
        (Provenance::Assumed, None) => Some("assumed, without a note".to_owned()),
        (_, Some(note)) if !note.ends_with('.') => Some(format!("not a sentence: {note}")),
        _ => None,
    });
}

#[test]
fn prices_are_positive_or_free_or_unknown() {
    every(|operation| match operation.price {
        Price::Credits(0) => Some("0 credits, which is free".to_owned()),
        Price::ByModel([]) => Some("an empty table".to_owned()),
        Price::ByModel(lines) if lines.iter().any(|line| line.credits == 0) => {
            Some("a model for 0 credits".to_owned())
        }
        Price::ByModel(lines) => {
            let keys: BTreeSet<_> = lines.iter().map(|line| (line.model, line.effort)).collect();
            (keys.len() != lines.len()).then(|| "two prices for one model".to_owned())
        }
        Price::Free | Price::Credits(_) | Price::Unknown => None,
    });
    let known = OPERATIONS.iter().filter(|operation| operation.price != Price::Unknown).count();
    assert!(known > OPERATIONS.len() / 2, "{known} known prices");
}

/// Tests that the price tiers, and the tier of each operation, match the service's prose documentation. A tier contains
/// groups of operations, such as all paths below `news/`. A group has no tier if the documentation names only some of
/// its operations.
#[test]
fn tiers_are_those_of_the_interface() {
    let tiers: Vec<_> = TIERS.iter().map(|tier| (tier.name, tier.credits)).collect();
    let stated = [("Light", 1), ("Standard", 2), ("Heavy", 4), ("Financial statements", 6)];
    assert_eq!(tiers, stated);
    every(|operation| {
        let tier = stated.iter().find(|(name, _)| operation.tier == Some(name));
        let is_priced = tier.is_none_or(|(_, credits)| operation.price == Price::Credits(*credits));
        (!is_priced).then(|| format!("{:?} in {tier:?}", operation.price))
    });

    let begins = |operation: &Operation, groups: &[&str]| {
        let path = operation.path.strip_prefix("/gateway/v1/").unwrap_or(operation.path);
        groups.iter().any(|group| path.starts_with(group))
    };

    every(|operation| {
        let expected = match operation {
            _ if operation.price == Price::Unknown || operation.price == Price::Free => None,
            one if begins(one, &["social/", "news/", "fund/", "exchange/", "dex/", "web/"]) => {
                Some("Light")
            }
            one if begins(one, &["equity/candles", "equity/listings", "equity/profile"]) => {
                Some("Standard")
            }
            one if begins(one, &["market/", "wallet/", "project/defi/"]) => Some("Standard"),

            one if begins(one, &["equity/overview", "equity/metrics", "equity/etf-holdings"]) => {
                Some("Heavy")
            }
            one if begins(
                one,
                &["onchain/sql", "token/dex-trades", "search/wallet", "heatscore/"],
            ) =>
            {
                Some("Heavy")
            }
            one if begins(one, &["hyperliquid/", "prediction-market/polymarket/"]) => Some("Heavy"),
            one if begins(one, &["prediction-market/kalshi/"]) => Some("Heavy"),
            one if begins(one, &["equity/income", "equity/balance", "equity/cash"]) => {
                Some("Financial statements")
            }
            _ => None,
        };
        (operation.tier != expected).then(|| format!("{:?}, not {expected:?}", operation.tier))
    });
}

#[test]
fn description_has_no_callbacks() {
    let document = include_str!("../../crates/api/src/generated/openapi.json");
    for member in ["callbacks", "webhooks"] {
        assert!(!document.contains(&format!("\"{member}\":")), "{member}");
    }
}

#[test]
fn plans_get_cheaper_with_volume() {
    let usd: Vec<f64> = PLANS.iter().map(|plan| plan.usd_per_credit.parse().unwrap()).collect();
    assert!(usd.windows(2).all(|pair| pair[0] > pair[1]), "{usd:?}");
    assert!(PLANS.windows(2).all(|pair| pair[0].above < pair[1].above));
    assert_eq!(PLANS[0].above, 0);
}

#[test]
fn paging_names_parameters_of_the_right_kind() {
    every(|operation| {
        let paging = operation.paging;
        let numbers = [paging.limit(), paging.offset()].into_iter().flatten();
        let mut texts = paging.token().into_iter();
        let kind = |name: &str| operation.param(name).map(|(_, param)| param.kind);
        let wrong = { numbers }
            .find(|name| !matches!(kind(name), Some(ParamKind::Integer { .. })))
            .or_else(|| texts.find(|name| !matches!(kind(name), Some(ParamKind::String { .. }))))?;
        Some(format!("`{wrong}` is {:?}", kind(wrong)))
    });
    // An operation with a parameter for a cursor or a pagination key has paging.
    every(|operation| {
        let looks = ["cursor", "pagination_key"].iter().any(|name| operation.param(name).is_some());
        (looks && operation.paging == Paging::None).then(|| "a cursor, but no paging".to_owned())
    });
}

#[test]
fn parameters_are_unique_and_path_parameters_are_in_the_path() {
    every(|operation| {
        let names: BTreeSet<_> = operation.params.iter().map(|param| param.name).collect();
        (names.len() != operation.params.len()).then(|| "a parameter twice".to_owned())
    });

    every(|operation| {
        let in_path: BTreeSet<&str> = operation
            .path
            .split('{')
            .skip(1)
            .filter_map(|part| Some(part.split_once('}')?.0))
            .collect();
        let described: BTreeSet<&str> = operation
            .params
            .iter()
            .filter(|param| param.location == In::Path)
            .map(|param| param.name)
            .collect();
        (in_path != described).then(|| format!("{in_path:?} but {described:?}"))
    });

    every(|operation| {
        let optional =
            operation.params.iter().find(|param| param.location == In::Path && !param.required)?;
        Some(format!("`{}` may be left out of the path", optional.name))
    });

    every(|operation| {
        let in_body = operation.params.iter().any(|param| param.location == In::Body);
        (in_body != (operation.body != Body::None)).then(|| "body and members disagree".to_owned())
    });
}

#[test]
fn rules_and_defaults_fit_the_parameters() {
    every(|operation| {
        let names = operation.rules.iter().flat_map(|rule| match rule {
            Rule::AtLeastOne(names) | Rule::ExactlyOne(names) => names.iter(),
        });
        let wrong = names
            .into_iter()
            .find(|name| operation.param(name).is_none_or(|(_, param)| param.required))?;
        Some(format!("a rule over `{wrong}`, which is missing or required anyway"))
    });

    every(|operation| {
        let odd = operation.params.iter().find(|param| {
            param.default.is_some_and(|default| match param.kind {
                ParamKind::Integer { min, max } => default.parse::<i64>().map_or(true, |number| {
                    min.is_some_and(|min| number < min) || max.is_some_and(|max| number > max)
                }),
                ParamKind::Number { min, max } => default.parse::<f64>().map_or(true, |number| {
                    min.is_some_and(|min| number < min) || max.is_some_and(|max| number > max)
                }),
                ParamKind::Boolean => default.parse::<bool>().is_err(),
                ParamKind::Enum(values) => !values.contains(&default),
                _ => false,
            })
        })?;
        Some(format!("`{}` defaults to {:?}, which it does not take", odd.name, odd.default))
    });

    every(|operation| {
        let upside_down = operation.params.iter().find(|param| match param.kind {
            ParamKind::Integer { min: Some(min), max: Some(max) } => min > max,
            ParamKind::Number { min: Some(min), max: Some(max) } => min > max,
            ParamKind::String { min: Some(min), max: Some(max) } => min > max,
            _ => false,
        })?;
        Some(format!("`{}` has no value within its bounds", upside_down.name))
    });
}

#[test]
fn answers_and_parameters_name_records_that_exist() {
    every(|operation| {
        let mut names = Vec::new();
        match operation.answer {
            Answer::Rows { row: ty, meta } | Answer::One { data: ty, meta } => {
                named(&ty, &mut names);
                names.push(meta);
            }
            Answer::Bare(ty) => named(&ty, &mut names),
            Answer::Stream | Answer::Bytes | Answer::Empty => {}
        }
        for param in operation.params {
            if let ParamKind::Json(ty) = param.kind {
                named(&ty, &mut names);
            }
        }
        let missing = names.into_iter().find(|name| tables::record(name).is_none())?;
        Some(format!("`{missing}` is in no table"))
    });
}

#[test]
fn records_name_records_that_exist_and_are_sorted_for_lookup() {
    let mut broken = BTreeMap::new();
    for record in tables::RECORDS {
        let mut names = Vec::new();
        record.fields.iter().for_each(|field| named(&field.ty, &mut names));
        names.retain(|name| tables::record(name).is_none());
        if !names.is_empty() {
            broken.insert(record.name, names);
        }
    }
    assert!(broken.is_empty(), "{broken:?}");

    assert!(tables::RECORDS.is_sorted_by_key(|record| record.name), "looked up by bisection");
}

/// Appends the names of all record types inside a type to `names`.
fn named(ty: &Type, names: &mut Vec<&'static str>) {
    match ty {
        Type::Record(name) => names.push(name),
        Type::List(inner) | Type::Map(inner) => named(inner, names),
        _ => {}
    }
}

/// Tests that the README states the current number of operations.
#[test]
fn the_readme_has_the_number_of_operations() {
    let own: Vec<_> = OPERATIONS.iter().filter(|operation| !is_twin(operation)).collect();
    let chat = own.iter().filter(|operation| operation.tag == "Chat").count();
    let line = format!("{} data endpoints and {chat} chat endpoints", own.len() - chat);
    let readme = include_str!("../../README.md").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(readme.contains(&line), "the README does not say `{line}`");
}

#[test]
fn unknown_model_names_a_similar_one_and_all_known_ones() {
    let find = |id| OPERATIONS.iter().find(|known| known.id == id).expect("an operation");
    let chat = find("responses");
    assert_eq!(chat.check_model("svc-2.0-instant"), Ok(()));
    assert_eq!(find("market-price").check_model("anything"), Ok(()));

    let unknown = chat.check_model("svc-2.0-instnat").expect_err("unknown");
    assert_eq!(unknown.closest(), Some("svc-2.0-instant"));
    let unknown = chat.check_model("gpt\n4").expect_err("unknown");
    assert_eq!(unknown.closest(), None);
    let text = unknown.to_string();
    assert!(
        !text.contains('\n') && unknown.known().iter().all(|known| text.contains(known)),
        "{text}"
    );
}

/// Tests that the example value of each parameter is valid. Code samples, help texts and tests use these values.
#[test]
fn every_example_fits_its_parameter() {
    let mut faults = Vec::new();
    for operation in OPERATIONS {
        for param in operation.params {
            let Some(example) = param.example else { continue };
            let is_number = example.parse::<f64>().is_ok();
            let fits_kind = match param.kind {
                ParamKind::Enum(values) => values.contains(&example),
                ParamKind::Integer { .. } | ParamKind::Number { .. } => is_number,
                _ => true,
            };
            let fits_text = match param.convention {
                Some(Convention::Ticker) => example.to_uppercase() == example,
                Some(Convention::Address) => example.len() == 42 && example.starts_with("0x"),
                Some(Convention::UnixSeconds | Convention::UnixMillis) => is_number,
                _ => true,
            };

            // Some texts contain an example, as in "Ticker of the US listing, for example `AAPL`."
            let ticker = param.doc.split_once(", for example `").filter(|_| param.required);
            let is_described = ticker.is_none_or(|(_, text)| text.starts_with(example));
            if !(fits_kind && fits_text && (is_described || operation.tag != "Equity")) {
                faults.push(format!("{} {}: {example}", operation.id, param.name));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}
