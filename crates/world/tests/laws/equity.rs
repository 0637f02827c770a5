//! Laws about companies and funds: statements that are true for the invented data of every seed at every time.

use crypto_intel_world::timestamp as calendar;

use crate::world_client::{World, ensure, figure, find, list, near, same, sum, text, timestamp};
use crate::{Held, Law};

const DAY: i64 = 86_400;

pub(crate) const LAWS: &[Law] = &[
    ("No trading day is on a weekend or a holiday", sessions_are_trading_days),
    ("The last price is from a trading day", price_is_from_trading_day),
    ("The last price is the close of the last candle", price_is_last_close),
    (
        "The volumes of a week's daily candles add up to the volume of the weekly candle",
        weekly_volumes_add_up,
    ),
    ("The change in percent agrees with the change of the price", percent_matches_change),
    (
        "A filing's number contains the year of the filing, and the statement names it as its source",
        accession_names_year,
    ),
    (
        "The duration of a statement is the time from its first to its last day",
        durations_match_dates,
    ),
    (
        "A filing is accepted after its period, and observed after it is accepted",
        filing_times_are_ordered,
    ),
    ("The latest filing of a company is the first of its filings", latest_filing_is_first),
    ("Gross profit is revenue minus cost of revenue", gross_profit_is_difference),
    ("Assets are the sum of liabilities and equity", balance_sheet_balances),
    ("The figures of four quarters add up to the last twelve months", quarters_add_up),
    ("The first valid day of a listing never changes", valid_from_is_constant),
    ("A company has a share class, and employees in proportion to its size", workforce_fits_size),
    (
        "The holdings of a fund have weights that add up to 100, and values that add up to its net assets",
        holdings_add_up,
    ),
];

const REPORTING: [&str; 3] = ["AAPL", "JPM", "COIN"];

/// Month and day of dates on which stock exchanges may be closed.
const HOLIDAYS: [&str; 5] = ["01-01", "06-19", "07-04", "12-25", "12-24"];

fn is_holiday(day: &str) -> bool {
    // Christmas Eve is a trading day unless Christmas is on a Saturday.
    HOLIDAYS[..4].contains(&&day[5..])
}

fn sessions_are_trading_days(world: &World) -> Held {
    for interval in ["day", "hour"] {
        let shown =
            world.first_row("equity-candles", &[("symbol", "AAPL"), ("interval", interval)])?;
        for candle in list(&shown, "candles") {
            let day = calendar::date(timestamp(candle, "timestamp"));
            let weekend = day.weekday().to_monday_zero_offset() > 4;
            ensure(!weekend && !is_holiday(&day.to_string()), || format!("{interval}: {day}"))?;
        }
    }
    Ok(())
}

fn price_is_from_trading_day(world: &World) -> Held {
    let price = world.first_row("equity-price", &[("symbol", "AAPL")])?;
    let time = timestamp(&price, "price_timestamp");
    // On other than trading days, the timestamp is the end of the last trading day: midnight at the start of the next
    // day.
    let day = calendar::date(time - 1);
    let is = day.weekday().to_monday_zero_offset() <= 4 && time <= world.now();
    ensure(is, || format!("{day} of {price}"))
}

fn price_is_last_close(world: &World) -> Held {
    let price = world.first_row("equity-price", &[("symbol", "AAPL")])?;
    let shown = world.first_row("equity-candles", &[("symbol", "AAPL"), ("interval", "day")])?;
    let candle = list(&shown, "candles").last().cloned().unwrap_or_default();
    if world.now() % DAY < 60 {
        return Ok(());
    }
    near("close", figure(&candle, "close"), figure(&price, "price"))?;
    same("told twice", &shown["latest_price"]["price"], &price["price"])
}

fn weekly_volumes_add_up(world: &World) -> Held {
    let from = (world.now() - 60 * DAY).to_string();
    let of = |interval: &str| {
        world.first_row(
            "equity-candles",
            &[("symbol", "MSFT"), ("interval", interval), ("from", &from)],
        )
    };
    let (weeks, days) = (of("week")?, of("day")?);
    let mut seen = 0;
    for week in list(&weeks, "candles") {
        let start = timestamp(week, "timestamp");
        let inside: Vec<_> = list(&days, "candles")
            .iter()
            .filter(|day| (start..start + 7 * DAY).contains(&timestamp(day, "timestamp")))
            .cloned()
            .collect();
        let difference = (sum(&inside, "volume") - figure(week, "volume")).abs();
        ensure(difference <= 7.0, || format!("{week} and {inside:?}"))?;
        seen += 1;
    }
    ensure(seen >= 7, || format!("{seen} weeks"))
}

fn percent_matches_change(world: &World) -> Held {
    let price = world.first_row("equity-price", &[("symbol", "NVDA")])?;
    let before = figure(&price, "price") - figure(&price, "day_change");
    let percent = figure(&price, "day_change") / before * 100.0;
    let shown = figure(&price, "day_change_percent");
    ensure((percent - shown).abs() < 0.001, || format!("{percent} and {shown}"))
}

fn accession_names_year(world: &World) -> Held {
    for symbol in REPORTING {
        let filings = world.rows("equity-filings", &[("symbol", symbol)])?;
        let statements = world.rows("equity-income-statement", &[("symbol", symbol)])?;
        for filing in &filings {
            let (number, filed) = (text(filing, "accession"), text(filing, "filed_on"));
            ensure(number.contains(&format!("-{}-", &filed[2..4])), || filing.to_string())?;
            let period = list(filing, "report_periods")[0].as_str().unwrap_or_default().to_owned();
            let Ok(statement) = find(&statements, "report_period", &period) else { continue };
            let revenue = &statement["revenue"];
            same("source", &list(revenue, "source_accessions")[0], &filing["accession"])?;
            same("id", &revenue["source_statement_ids"], &filing["source_statement_ids"])?;
        }
    }
    Ok(())
}

fn durations_match_dates(world: &World) -> Held {
    let check = |row: &serde_json::Value| {
        let day = |name: &str| calendar::read_day(text(row, name)).unwrap_or(0);
        let days = (day("report_period") - day("period_start")) / DAY + 1;
        ensure(row["duration_days"] == days, || format!("{days} in {row}"))
    };
    for period in ["quarterly", "ytd", "annual", "ttm"] {
        for row in
            world.rows("equity-income-statement", &[("symbol", "AAPL"), ("period", period)])?
        {
            check(&row)?;
        }
    }
    world.rows("equity-latest-financials", &[])?.iter().try_for_each(check)
}

fn filing_times_are_ordered(world: &World) -> Held {
    for symbol in REPORTING {
        for filing in world.rows("equity-filings", &[("symbol", symbol)])? {
            let period = list(&filing, "report_periods")[0].as_str().unwrap_or_default();
            let ended = calendar::read_day(period).unwrap_or(0);
            let accepted = timestamp(&filing, "accepted_at");
            let seen = timestamp(&filing, "source_observed_at");
            let is = ended < accepted && accepted <= seen && seen <= world.now();
            ensure(is && calendar::day_text(accepted) == text(&filing, "filed_on"), || {
                filing.to_string()
            })?;
        }
    }
    Ok(())
}

fn latest_filing_is_first(world: &World) -> Held {
    let latest = world.rows("equity-latest-filings", &[])?;
    for symbol in REPORTING {
        let first = world.first_row("equity-filings", &[("symbol", symbol)])?;
        let listed = find(&latest, "symbol", symbol)?;
        for name in ["filed_on", "form_type", "sec_url"] {
            same(name, &first[name], &listed[name])?;
        }
    }
    Ok(())
}

fn cell_value(row: &serde_json::Value, name: &str) -> Option<f64> {
    row[name]["value"].as_f64()
}

fn gross_profit_is_difference(world: &World) -> Held {
    for row in world.rows("equity-income-statement", &[("symbol", "AAPL")])? {
        if let (Some(revenue), Some(cost), Some(profit)) = (
            cell_value(&row, "revenue"),
            cell_value(&row, "cost_of_revenue"),
            cell_value(&row, "gross_profit"),
        ) {
            near("profit", revenue - cost, profit)?;
        }
    }
    Ok(())
}

fn balance_sheet_balances(world: &World) -> Held {
    for symbol in REPORTING {
        for row in world.rows("equity-balance-sheet", &[("symbol", symbol)])? {
            if let (Some(assets), Some(other)) =
                (cell_value(&row, "total_assets"), cell_value(&row, "liabilities_and_equity"))
            {
                near(symbol, assets, other)?;
            }
        }
    }
    Ok(())
}

fn quarters_add_up(world: &World) -> Held {
    let of = |period: &str| {
        world.rows("equity-income-statement", &[("symbol", "MSFT"), ("period", period)])
    };
    let (quarters, year) = (of("quarterly")?, of("ttm")?);
    let of_quarters: f64 =
        quarters.iter().take(4).filter_map(|row| cell_value(row, "revenue")).sum();
    near("revenue", of_quarters, cell_value(&year[0], "revenue").unwrap_or(0.0))
}

fn valid_from_is_constant(world: &World) -> Held {
    let of = |world: &World| world.rows("equity-listings", &[("limit", "100")]);
    for (now, later) in of(world)?.iter().zip(&of(&world.later(9 * DAY))?) {
        same("valid_from", &now["valid_from"], &later["valid_from"])?;
        ensure(text(now, "valid_from") < "2020", || now.to_string())?;
    }
    Ok(())
}

fn workforce_fits_size(world: &World) -> Held {
    for row in world.rows("equity-listings", &[("limit", "100")])? {
        let class = text(&row, "share_class");
        ensure(["Common", "Class A", "Units"].contains(&class), || row.to_string())?;
        let profile = world.first_row("equity-profile", &[("symbol", text(&row, "ticker"))])?;
        if row["security_type"] == "etf" {
            continue;
        }
        let people = figure(&profile, "employee_count");
        ensure((100.0..2_000_000.0).contains(&people), || profile.to_string())?;
    }
    let people = |symbol: &str| {
        let profile = world.first_row("equity-profile", &[("symbol", symbol)]);
        profile.map(|profile| figure(&profile, "employee_count"))
    };
    ensure(people("AAPL")? > 20.0 * people("COIN")?, || "sizes do not differ".to_owned())
}

fn holdings_add_up(world: &World) -> Held {
    let shown = world.first_row("equity-etf-holdings", &[("symbol", "SPY"), ("limit", "100")])?;
    for snapshot in list(&shown, "snapshots") {
        let total = sum(list(snapshot, "holdings"), "weight");
        ensure((total - 100.0).abs() < 0.001, || format!("{total}"))?;
        near(
            "worth",
            sum(list(snapshot, "holdings"), "market_value"),
            figure(&snapshot["fund"], "total_net_assets"),
        )?;
    }
    Ok(())
}
