use proptest::prelude::*;

use super::*;
use crate::operation::In;

const CHAIN: &[&str] = &["ethereum", "bsc", "solana", "optimism"];

fn param(kind: ParamKind, convention: Option<Convention>) -> Param {
    Param { convention, ..Param::new("p", In::Query, kind, "") }
}

fn verdict(param: &Param, text: &str) -> String {
    fault(param, text).unwrap_or_else(|| "fine".to_owned())
}

#[test]
fn ids_must_be_uuids_and_handles_lose_their_at_sign() {
    let text = ParamKind::String { min: None, max: None };
    let id = param(text, Some(Convention::Uuid));
    assert_eq!(verdict(&id, "b7533e49-17d3-48a3-9663-57ddd7781e1c"), "fine");
    for slug in ["bitcoin", "b7533e4917d348a3966357ddd7781e1c", ""] {
        assert!(verdict(&id, slug).starts_with("must be a UUID"), "{slug}");
    }

    let handle = param(text, Some(Convention::Handle));
    for (given, sent) in [("@bitcoin", "bitcoin"), ("bitcoin", "bitcoin"), ("a@b", "a@b")] {
        assert_eq!(*normalise(&handle, given.into()).to_text(), *sent);
    }
}

#[test]
fn misspelled_values_are_rejected_and_new_values_accepted() {
    let interval: &[&str] = &["1m", "1h", "1d"];
    for (values, text, expected) in [
        (CHAIN, "ethereum", "fine"),
        (CHAIN, "eth", "cannot be `eth`: did you mean `ethereum`?"),
        (CHAIN, "ETH", "cannot be `ETH`: did you mean `ethereum`?"),
        (CHAIN, "Solana", "cannot be `Solana`: did you mean `solana`?"),
        (CHAIN, " bnb ", "cannot be ` bnb `: did you mean `bsc`?"),
        // `CHAIN` does not contain `polygon`, so the value is sent, and the service explains the error.
        (CHAIN, "matic", "fine"),
        (CHAIN, "berachain", "fine"),
        // This parameter accepts the short name too.
        (&["eth", "ethereum"], "eth", "fine"),
        (&["asc", "desc"], "descending", "cannot be `descending`: did you mean `desc`?"),
        (interval, "1H", "cannot be `1H`: did you mean `1h`?"),
        // The parameter accepts minutes but no months. `1M` is not a misspelled `1m`.
        (interval, "1M", "fine"),
        (&["BTC", "ETH"], "eth", "cannot be `eth`: did you mean `ETH`?"),
    ] {
        assert_eq!(verdict(&param(ParamKind::Enum(values), None), text), expected, "{text}");
    }
}

#[test]
fn moments_must_be_seconds_or_existing_dates() {
    let plain = param(ParamKind::Moment, None);
    let wanted = "must be Unix seconds or a date as YYYY-MM-DD";
    for good in ["0", "-1", "1767225600", "99999999999", "2024-02-29", "2000-02-29"] {
        assert_eq!(verdict(&plain, good), "fine", "{good}");
    }

    for text in [
        "",
        "-",
        "yesterday",
        "2026-1-31",
        "2026/01/31",
        "2026-01-31T00:00:00Z",
        "20é6-01-1",
        "99999999999999999999",
        " 1",
        "2026-01-3١",
    ] {
        assert_eq!(verdict(&plain, text), format!("{wanted}, not `{text}`"));
    }

    for text in ["2026-02-29", "1900-02-29", "2026-13-01", "2026-04-31", "2026-01-00"] {
        let expected = format!("{wanted}; the date `{text}` does not exist");
        assert_eq!(verdict(&plain, text), expected);
    }

    for (digits, unit) in [(3, "milliseconds"), (6, "microseconds"), (9, "nanoseconds")] {
        assert_eq!(
            verdict(&plain, &format!("1767225600{}", "0".repeat(digits))),
            format!("must be in seconds, not {unit}: did you mean `1767225600`?")
        );
    }
}

#[test]
fn convention_selects_date_times_or_days() {
    let date_time = param(ParamKind::Moment, Some(Convention::DateTime));
    for good in [
        "2026-01-31",
        "1767225600",
        "2026-01-31T00:00Z",
        "2026-01-31T23:59:60Z",
        "2026-01-31 12:00:00",
        "2026-01-31T12:00:00.123456+05:30",
        "2026-01-31t12:00:00z",
    ] {
        assert_eq!(verdict(&date_time, good), "fine", "{good}");
    }

    for bad in [
        "2026-01-31T",
        "2026-01-31T24:00Z",
        "2026-01-31T12",
        "2026-01-31T12:60",
        "2026-01-31T12:00:00.Z",
        "2026-01-31T12:00:00+5",
        "2026-01-31T12:00:00+05:30:00",
        "2026-01-31T12:00Z05:30",
        "2026-01-31T12:00:00:00",
        "2026-02-30T12:00:00Z",
        "2026-01-31X12:00",
    ] {
        assert_ne!(verdict(&date_time, bad), "fine", "{bad}");
    }

    let day = param(ParamKind::Moment, Some(Convention::Day));
    assert_eq!(verdict(&day, "2026-01-31"), "fine");
    assert_eq!(verdict(&day, "0"), "must be a date as YYYY-MM-DD, not `0`");
}

#[test]
fn parts_of_addresses_and_uuids_do_not_look_like_names() {
    for name in [
        "USDC",
        "bitcoin",
        "1inch",
        "Coin98",
        "Web3Auth",
        "dYdX",
        "usd-coin",
        "Wrapped Ether",
        "deadbeef",
        "Andreessen Horowitz",
        "$PEPE",
        "@uniswap",
    ] {
        assert!(looks_like_name(name), "{name}");
    }

    for part in [
        "",
        " ",
        "0xd8dA6BF2",
        "0XD8",
        "d8da6bf26964",
        "b7533e49-17d3-48a3",
        "b7533e49-17d3-48a3-9663-57ddd7781e1c",
        "So1111111111111111111111",
        "TR7NHqjeKQ",
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        "vitalik.eth",
        "TR7N…Lj6t",
    ] {
        assert!(!looks_like_name(part), "{part}");
    }
}

#[test]
fn addresses_invalid_on_every_chain_are_rejected() {
    let text = ParamKind::String { min: None, max: None };
    let address = param(text, Some(Convention::Address));
    for good in [
        "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
        "vitalik.eth",
        "0xabc.eth",
        "So11111111111111111111111111111111111111112",
        "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        "0x0000000000000000000000000000000000000000000000000000000000000002",
    ] {
        assert_eq!(verdict(&address, good), "fine", "{good}");
    }

    for (bad, why) in [
        ("USDC", "search by name to get an address"),
        ("So1111111111111111111111", "the value looks like a part of an address"),
        ("d8dA6BF26964aF9D7eEd9e03E53415D37aA96045", "did you mean `0xd8dA6BF"),
    ] {
        assert!(verdict(&address, bad).contains(why), "{bad}: {}", verdict(&address, bad));
    }

    for bad in [
        "",
        "  ",
        "0x",
        "0xO0dA6BF26964aF9D7eEd9e03E53415D37aA96045",
        "vitalik.eth vb.eth",
        "vitalik.eth\n",
    ] {
        assert_ne!(verdict(&address, bad), "fine", "{bad}");
    }
}

proptest! {
    #[test]
    fn checks_never_panic(text in "\\PC{0,40}|[0-9TZ:+. -]{0,32}") {
        for convention in [None, Some(Convention::DateTime), Some(Convention::Day)] {
            let _ = fault(&param(ParamKind::Moment, convention), &text);
        }
        let _ = fault(&param(ParamKind::Enum(CHAIN), None), &text);
        address_fault(&text);
    }

    #[test]
    fn existing_dates_and_seconds_are_accepted(
        (year, month, day) in (1i32..9999, 1u32..=12, 1u32..=28),
        second in -LAST_SECOND..=LAST_SECOND,
    ) {
        let plain = param(ParamKind::Moment, None);
        prop_assert_eq!(fault(&plain, &format!("{year:04}-{month:02}-{day:02}")), None);
        prop_assert_eq!(fault(&plain, &second.to_string()), None);
    }
}
