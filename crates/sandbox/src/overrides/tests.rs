use crypto_intel_world::args::Carriers;
use serde_json::json;

use super::*;
use crate::fault::Fault;

fn args(query: &str) -> Args {
    let operation = check::checked("market-price", &Override::invented()).unwrap();
    Args::read(operation, Carriers { query, ..Carriers::default() }).unwrap()
}

fn taken(overrides: &Overrides, query: &str, calls: usize) -> Vec<Option<Content>> {
    (0..calls).map(|_| overrides.take(&args(query))).collect()
}

#[test]
fn a_sequence_is_used_step_by_step_and_its_last_step_stays() {
    let overrides = Overrides::default();
    let sequence = Override::data(json!([]))
        .then(Override::status(503).times(2))
        .then(Override::partial(json!({"value": 1.0})));
    overrides.add("market-price", sequence).unwrap();
    let (data, fault) = (Content::Data(json!([])), Content::Fault(Fault::status(503)));
    let last = Content::Partial(json!({"value": 1.0}));
    let expected = [data, fault.clone(), fault, last.clone(), last].map(Some);
    assert_eq!(taken(&overrides, "symbol=BTC", 5), expected);
    assert_eq!(overrides.written().len(), 1);

    overrides.add("market-price", Override::invented().times(1)).unwrap();
    assert_eq!(taken(&overrides, "symbol=BTC", 2), [Some(Content::Invented), None]);
    assert!(overrides.written().is_empty());
}

#[test]
fn conditions_choose_between_overrides() {
    let overrides = Overrides::default();
    let text = |text: &str| Override::partial(json!({"symbol": text}));
    overrides.add("market-price", text("ETH").when("symbol", "ETH")).unwrap();
    overrides.add("market-price", text("any")).unwrap();
    let seen = |query: &str| match overrides.take(&args(query)) {
        Some(Content::Partial(part)) => part["symbol"].as_str().unwrap().to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!((seen("symbol=ETH"), seen("symbol=BTC")), ("ETH".to_owned(), "any".to_owned()));

    overrides.add("market-price", text("new").when("symbol", "ETH")).unwrap();
    assert_eq!((seen("symbol=ETH"), overrides.written().len()), ("new".to_owned(), 2));
    overrides.clear(Some("market-price"));
    assert!(overrides.written().is_empty());
}

#[test]
fn an_override_is_read_as_it_is_written() {
    let overrides = Overrides::default();
    let steps = json!([
        {"data": [{"timestamp": 1, "value": 2.0}], "times": 1},
        {"fault": "status=503;retry-after=1", "times": 3},
        {"partial": {"value": 1.0}, "times": 2},
        {"invented": true},
    ]);
    let whole = json!({"operation": "market-price", "when": {"symbol": "BTC"}, "steps": steps});
    for (operation, script) in read_all(&json!([whole]).to_string()).unwrap() {
        overrides.add(&operation, script).unwrap();
    }
    assert_eq!(overrides.written(), [whole]);

    let short = r#"{"operation": "market-price", "data": [], "times": 2}"#;
    let (_, script) = read_all(short).unwrap().remove(0);
    assert_eq!(script, Override::data(json!([])).times(2));
}

#[test]
fn what_is_no_override_is_refused_with_its_place() {
    for (text, reason) in [
        ("{", "is not JSON"),
        ("1", "must be a JSON object with"),
        (r#"{"data": []}"#, "`operation` is required"),
        (r#"{"operation": "market-price"}"#, "exactly one of"),
        (r#"{"operation": "market-price", "rows": []}"#, "cannot have `rows`"),
        (r#"{"operation": "market-price", "data": [], "partial": {}}"#, "exactly one of"),
        (
            r#"{"operation": "market-price", "data": [], "steps": [{"data": []}]}"#,
            "must be inside a step",
        ),
        (r#"{"operation": "market-price", "steps": []}"#, "at least one step"),
        (r#"{"operation": "market-price", "data": [], "times": -1}"#, "whole number"),
        (r#"{"operation": "market-price", "fault": "explode"}"#, "`explode` is not a known fault"),
        (r#"{"operation": "market-price", "text": 1}"#, "`text` has the wrong type"),
        (r#"{"operation": "market-price", "when": 1, "data": []}"#, "`when` must be"),
    ] {
        let error = read_all(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }

    let wrong_settings = [
        ("market-pric", Override::invented(), "did you mean `market-price`?"),
        ("market-price", Override::data(json!([])).times(0), "at least 1"),
        ("market-price", Override::text("x"), "`text` is only for chat operations"),
        ("market-price", Override::fault("clock=+1d".parse().unwrap()), "`Sandbox::inject`"),
        ("market-price", Override::invented().when("sybmol", 1), "there is no parameter `sybmol`"),
        ("responses-stream", json!({}).into(), "use a `text`"),
    ];

    let point = json!({"timestamp": 1, "value": 1.0});
    let wrong_fields = [
        (
            "market-price",
            json!([point, {"timestamp": 1}]).into(),
            "`data[1].value` is required; `partial`",
        ),
        (
            "market-price",
            json!([{"timestamp": 1, "value": "x"}]).into(),
            "`data[0].value` must be a number, not a string",
        ),
        (
            "market-price",
            Override::partial(json!({"vale": 1})),
            "`data[*].vale` is unknown: did you mean `value`?",
        ),
    ];

    let wrong_types = [
        (
            "market-price",
            Override::invented().then(json!([1])),
            "step 2: `data[0]` must be an object",
        ),
        ("market-price", Override::data(f64::NAN), "the answer must be an object"),
        ("equity-price", json!({"data": 1, "meta": {}}).into(), "`data` must be an object"),
    ];

    let scripts = wrong_settings.into_iter().chain(wrong_fields).chain(wrong_types);
    for (operation, script, reason) in scripts {
        let error = Overrides::default().add(operation, script).unwrap_err().to_string();
        assert!(error.contains(reason), "{operation}: {error}");
    }
}

/// Tests that unchecked overrides accept responses with unknown fields. A newer version of the service can return such
/// responses.
#[test]
fn unchecked_override_accepts_unknown_fields_and_keeps_other_rules() {
    let fields = json!({"value": "1.0", "mood": "calm"});
    let overrides = Overrides::default();
    let error = overrides.add("market-price", Override::partial(fields.clone())).unwrap_err();
    assert!(error.to_string().contains("`data[*].mood` is not a known field"), "{error}");

    overrides.add("market-price", Override::partial(fields).unchecked()).unwrap();
    let written = overrides.written();
    assert_eq!(written[0]["unchecked"], true);
    assert!(read(written[0].clone()).unwrap().1.unchecked);
    let text = Override::text("no chat").unchecked();
    assert!(overrides.add("market-price", text).is_err());
    let wrong = json!({"operation": "market-price", "data": [], "unchecked": 1});
    assert!(read(wrong).unwrap_err().to_string().contains("`unchecked` must be true or false"));
}
