//! Reads the extension fields (`x-`) that the overlay adds to an operation, such as its paging, its price and its
//! parameter rules.

use serde_json::Value;

use super::{needed, strings, text};
use crate::fault::{Fault, Result};
use crate::model::{Finds, Identifier, Paging, Param, Price, Provenance, RowOrder, Rule};
use crate::report::{Change, Report};

pub(super) fn paging(place: &str, operation: &Value) -> Result<Paging> {
    let Some(paging) = operation.get("x-paging") else { return Ok(Paging::None) };
    let place = format!("{place}/x-paging");
    let member = |name: &str| needed(&place, paging, name);
    let ends_by_token = match text(paging, "end").as_str() {
        "" | "has-more" => false,
        "token" => true,
        other => {
            return Err(Fault::at(
                format!("{place}/end"),
                format!("`{other}` is not a valid value of `end`"),
                "if a list ends at the first page without a token, write `end: token`; if it ends at `has_more: false`, omit `end`",
            ));
        }
    };

    Ok(match text(paging, "kind").as_str() {
        "none" => Paging::None,
        "offset" => Paging::Offset { limit: member("limit")?, offset: member("offset")? },

        "cursor" => {
            Paging::Cursor { limit: member("limit")?, cursor: member("cursor")?, ends_by_token }
        }
        "keyset" => Paging::Keyset {
            limit: member("limit")?,
            cursor: member("cursor")?,
            keys: paging["keys"]
                .as_object()
                .into_iter()
                .flatten()
                .filter_map(|(param, member)| Some((param.clone(), member.as_str()?.to_owned())))
                .collect(),
            ends_by_token,
        },
        "pagination-key" => Paging::PaginationKey {
            limit: member("limit")?,
            key: member("key")?,
            position: member("position")?,
            items: member("items")?,
        },

        other => {
            return Err(Fault::at(
                place,
                format!("`{other}` is not a kind of paging"),
                "use none, offset, cursor, keyset or pagination-key",
            ));
        }
    })
}

pub(super) fn paging_params(paging: &Paging) -> Vec<String> {
    match paging {
        Paging::None => Vec::new(),
        Paging::Offset { limit, offset } => vec![limit.clone(), offset.clone()],
        Paging::Cursor { limit, cursor, .. } => vec![limit.clone(), cursor.clone()],
        Paging::Keyset { limit, cursor, keys, .. } => [limit.clone(), cursor.clone()]
            .into_iter()
            .chain(keys.iter().map(|(param, _)| param.clone()))
            .collect(),
        Paging::PaginationKey { limit, key, .. } => vec![limit.clone(), key.clone()],
    }
}

/// Returns the fields by which the rows of a list are ordered and identified, from `x-rows`. Without `x-rows`, a
/// required field `id` identifies a row. If `x-rows` names a field that the rows do not have, `x-rows` is ignored and
/// the report contains a message.
pub(super) fn row_order(
    place: &str,
    operation: &Value,
    fields: Vec<(&str, bool)>,
    report: &mut Report,
) -> Result<RowOrder> {
    let id = fields.contains(&("id", true)).then(|| "id".to_owned());
    let by_id = RowOrder { key: id.iter().cloned().collect(), ..RowOrder::default() };
    let Some(rows) = operation.get("x-rows") else { return Ok(by_id) };

    let optional = |name: &str| rows.get(name).and_then(Value::as_str).map(str::to_owned);
    let key = match rows.get("key") {
        None => id.into_iter().collect(),
        Some(key) => strings(key),
    };
    let order = RowOrder { time: optional("time"), key, since: optional("since") };
    let named = order.time.iter().chain(&order.key);
    let unknown = named.into_iter().find(|name| !fields.iter().any(|(field, _)| field == name));
    let members = rows.as_object().into_iter().flatten();
    let misspelt = members
        .map(|(name, _)| name)
        .find(|name| !["time", "key", "since"].contains(&name.as_str()));

    match (unknown, misspelt, &order) {
        (_, Some(name), _) => Err(Fault::at(
            format!("{place}/x-rows"),
            format!("`x-rows` has no field `{name}`"),
            "write {time: FIELD, key: [FIELD, ...], since: PARAMETER}; each field is optional",
        )),
        (_, _, RowOrder { time: None, since: Some(_), .. }) => Err(Fault::at(
            format!("{place}/x-rows"),
            "`since` is set, but `time` is missing",
            "set `time` to the field that `since` is compared with",
        )),
        _ if !rows.is_object() => Err(Fault::at(
            format!("{place}/x-rows"),
            "`x-rows` is not an object",
            "write {time: FIELD, key: [FIELD, ...], since: PARAMETER}; each field is optional",
        )),

        (Some(name), ..) => {
            let what = format!(
                "`x-rows` is ignored, because the rows have no field `{name}`; correct the field \
                 name, or remove `x-rows` from the overlay"
            );
            report.note(Change::Dropped, what, place);
            Ok(by_id)
        }
        _ => Ok(order),
    }
}

pub(super) fn price(place: &str, operation: &Value) -> Result<Price> {
    let place = format!("{place}/x-credits");
    let fault = || {
        Fault::at(
            &place,
            "`x-credits` is not a valid price",
            "write credits as a number, `unknown`, or a list of `{model: NAME, credits: N}`",
        )
    };
    let credits =
        |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or_else(fault);

    match operation.get("x-credits") {
        None => Ok(Price::Unknown),
        Some(Value::String(word)) if word == "unknown" => Ok(Price::Unknown),
        Some(value @ Value::Number(_)) => Ok(match credits(value)? {
            0 => Price::Free,
            number => Price::Credits(number),
        }),
        Some(Value::Array(lines)) => lines
            .iter()
            .map(|line| {
                let model = needed(&place, line, "model")?;
                let effort = line.get("effort").and_then(Value::as_str).map(str::to_owned);
                Ok((model, effort, credits(&line["credits"])?))
            })
            .collect::<Result<Vec<_>>>()
            .map(Price::ByModel),
        Some(_) => Err(fault()),
    }
}

/// Returns the name of an operation's price tier (`x-tier`) and its list price. An operation with its own price
/// (`x-credits`) has no tier, even if the overlay sets a tier for its whole API domain.
pub(super) fn tier(
    place: &str,
    document: &Value,
    operation: &Value,
) -> Result<Option<(String, Price)>> {
    let Some(value) = operation.get("x-tier") else { return Ok(None) };
    let place = format!("{place}/x-tier");
    if operation.get("x-credits").is_some() {
        return Ok(None);
    }

    let tiers = super::tiers(document)?;
    let known = tiers.iter().find(|(name, _)| value.as_str() == Some(name));
    let (name, credits) = known.ok_or_else(|| {
        let names: Vec<&str> = tiers.iter().map(|(name, _)| name.as_str()).collect();
        let advice = format!("use a name of `x-tiers`: {}", names.join(", "));
        Fault::at(place, format!("`{value}` is not a price tier"), advice)
    })?;
    Ok(Some((name.clone(), Price::Credits(*credits))))
}

/// Reads `x-finds`: the kinds of identifiers in the rows of a search operation.
pub(super) fn finds(place: &str, operation: &Value, params: &[Param]) -> Result<Option<Finds>> {
    let Some(value) = operation.get("x-finds") else { return Ok(None) };
    let place = format!("{place}/x-finds");
    let text = needed(&place, value, "text")?;
    known_parameters(&place, std::slice::from_ref(&text), params)?;
    let names = value.get("names").map(strings).unwrap_or_default();
    Ok(Some(Finds { text, names, kinds: identifiers(&place, &value["kinds"])? }))
}

/// Reads `x-accepts`: the kinds of identifiers that an operation accepts, and the parameters for each kind. For
/// example, `{contract: [address, chain]}` means that the parameters `address` and `chain` together identify a
/// contract.
pub(super) fn accepts(place: &str, operation: &Value, params: &[Param]) -> Result<Vec<Identifier>> {
    let Some(value) = operation.get("x-accepts") else { return Ok(Vec::new()) };
    let place = format!("{place}/x-accepts");
    let accepts = identifiers(&place, value)?;
    accepts.iter().try_for_each(|(_, parts)| known_parameters(&place, parts, params))?;
    Ok(accepts)
}

fn identifiers(place: &str, value: &Value) -> Result<Vec<Identifier>> {
    let kinds = value.as_object().ok_or_else(|| {
        Fault::at(
            place,
            "the value must be an object that contains lists",
            "write `{contract: [address, chain]}`",
        )
    })?;
    Ok(kinds.iter().map(|(kind, parts)| (kind.clone(), strings(parts))).collect())
}

fn known_parameters(place: &str, names: &[String], params: &[Param]) -> Result<()> {
    match names.iter().find(|name| params.iter().all(|param| param.name != **name)) {
        None => Ok(()),
        Some(name) => Err(Fault::at(
            place,
            format!("the operation has no parameter `{name}`"),
            "the comment at the top of spec/overlay.yaml describes the format",
        )),
    }
}

pub(super) fn rules(place: &str, operation: &Value) -> Result<Vec<Rule>> {
    let mut rules = Vec::new();
    for rule in operation.get("x-identifiers").and_then(Value::as_array).into_iter().flatten() {
        rules.push(match (rule.get("at-least-one"), rule.get("exactly-one")) {
            (Some(names), None) => Rule::AtLeastOne(strings(names)),
            (None, Some(names)) => Rule::ExactlyOne(strings(names)),
            _ => {
                return Err(Fault::at(
                    format!("{place}/x-identifiers"),
                    "the value is not a rule",
                    "write `at-least-one: [..]` or `exactly-one: [..]`",
                ));
            }
        });
    }
    Ok(rules)
}

pub(super) fn misplaced(place: &str, operation: &Value) -> Result<Vec<(String, String)>> {
    let place = format!("{place}/x-misplaced");
    let Some(value) = operation.get("x-misplaced") else { return Ok(Vec::new()) };
    let fault = || {
        Fault::at(
            &place,
            "`x-misplaced` must be an object with one string for each misplaced parameter",
            "write `{PARAMETER: ADVICE, ...}`, with parameter names as keys",
        )
    };
    value
        .as_object()
        .ok_or_else(fault)?
        .iter()
        .map(|(name, instead)| Ok((name.clone(), instead.as_str().ok_or_else(fault)?.to_owned())))
        .collect()
}

pub(super) fn patience(place: &str, operation: &Value) -> Result<Option<u32>> {
    let Some(value) = operation.get("x-patience") else { return Ok(None) };
    match value.as_u64().and_then(|seconds| u32::try_from(seconds).ok()) {
        Some(seconds) => Ok(Some(seconds)),
        None => Err(Fault::at(
            format!("{place}/x-patience"),
            format!("`{value}` is not a whole number of seconds"),
            "write a whole number",
        )),
    }
}

pub(super) fn prefix(place: &str, path: &str, operation: &Value) -> Result<Option<String>> {
    let Some(value) = operation.get("x-prefix") else { return Ok(None) };
    match value.as_str().filter(|prefix| path.starts_with(&format!("{prefix}/"))) {
        Some(prefix) => Ok(Some(prefix.to_owned())),
        None => Err(Fault::at(
            format!("{place}/x-prefix"),
            format!("the path `{path}` does not begin with {value} and a slash"),
            "write complete segments of the path, without a slash at the end",
        )),
    }
}

pub(super) fn provenance(place: &str, operation: &Value) -> Result<Provenance> {
    match operation.get("x-provenance").and_then(Value::as_str) {
        None | Some("published description") => Ok(Provenance::PublishedDescription),
        Some("interface text") => Ok(Provenance::InterfaceText),
        Some("assumed") => Ok(Provenance::Assumed),
        Some(other) => Err(Fault::at(
            format!("{place}/x-provenance"),
            format!("`{other}` is not a provenance"),
            "use interface text, published description or assumed",
        )),
    }
}

/// Reads `x-seen-live`: the day on which the live service responded to the operation as documented. The format is
/// `YYYY-MM-DD`.
pub(super) fn seen_live(place: &str, operation: &Value) -> Result<Option<String>> {
    let Some(value) = operation.get("x-seen-live") else { return Ok(None) };
    let is_day = |text: &&str| {
        text.len() == 10
            && text.split('-').map(str::len).eq([4, 2, 2])
            && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    match value.as_str().filter(is_day) {
        Some(day) => Ok(Some(day.to_owned())),
        None => Err(Fault::at(
            format!("{place}/x-seen-live"),
            format!("{value} is not a date"),
            "write a date as YYYY-MM-DD",
        )),
    }
}

/// Returns the length of the free window in seconds, from `x-free-window`. The free window is the time after a call
/// during which a repeated call is free. Returns `None` if the price is not a fixed number of credits, or if the
/// success status is not 200.
pub(super) fn free_window(document: &Value, price: &Price, success: u16) -> Result<Option<u32>> {
    let Some(value) = document.get("x-free-window") else { return Ok(None) };
    let seconds = value.as_u64().and_then(|seconds| u32::try_from(seconds).ok());
    let Some(seconds) = seconds else {
        return Err(Fault::at(
            "/x-free-window",
            format!("`{value}` is not a whole number of seconds"),
            "write a whole number",
        ));
    };
    let has_one = matches!(price, Price::Credits(_)) && success == 200;
    Ok(has_one.then_some(seconds))
}
