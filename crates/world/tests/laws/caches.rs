//! Laws about caches: a response must never depend on values that a thread has cached during earlier calls.

use std::thread;

use crypto_intel_core::{Operation, Param, ParamKind};
use crypto_intel_world::random::Seed;
use crypto_intel_world::{Context, Halt, ScenarioEffects, example};

use crate::time::operations;
use crate::world_client::{World, ensure};
use crate::{Held, Law};

const DAY: i64 = 86_400;
const HOUR: i64 = 3_600;

pub(crate) const LAWS: &[Law] = &[
    ("Responses do not depend on earlier calls", responses_ignore_earlier_calls),
    ("Responses do not depend on scenarios of earlier calls", responses_ignore_earlier_scenarios),
];

/// A call: an operation with the names and values of its arguments.
type Call = (&'static Operation, Vec<(&'static str, String)>);

/// Names of string and list parameters, each with valid values. In some calls, one of these values replaces the example
/// value.
const OTHERS: &[(&str, &[&str])] = &[
    ("pair", &["ETH/BTC", "SOL/ETH", "KRW-BTC", "LINK/USDC", "btcusdt"]),
    ("symbol", &["ETH", "SOL", "AAPL", "NVDA", "SPY"]),
    ("handle", &["ethereum", "Uniswap", "zk_daily", "trader12"]),
    ("q", &["ethereum", "uniswap", "aave"]),
    ("id", &["ethereum", "uniswap"]),
    ("address", &["0x3333333333333333333333333333333333333333"]),
];

fn pick(seed: Seed, values: &[&str]) -> Option<String> {
    (!values.is_empty()).then(|| seed.pick(values).to_owned())
}

/// Returns a random valid value of a parameter. Returns `None` if the valid values of the parameter are not known.
fn other_value(param: &Param, seed: Seed, now: i64) -> Option<String> {
    match param.kind {
        ParamKind::Enum(values) => pick(seed, values),
        ParamKind::Boolean => Some(seed.chance(0.5).to_string()),
        ParamKind::Moment if param.name == "from" => {
            Some((now - seed.range(2 * HOUR, 40 * DAY)).to_string())
        }
        ParamKind::Moment if param.name == "to" => {
            Some((now - seed.range(-HOUR, 2 * HOUR)).to_string())
        }
        ParamKind::List { .. } if param.name == "include" => Some("labels".to_owned()),
        ParamKind::String { .. } | ParamKind::List { .. } => {
            let (_, values) = OTHERS.iter().find(|(name, _)| *name == param.name)?;
            pick(seed, values)
        }
        _ => None,
    }
}

/// Returns a call of an operation with its example arguments. Some of these arguments are replaced by random valid
/// values.
fn random_call(operation: &'static Operation, seed: Seed, now: i64) -> Call {
    let usual = example::parameters(operation);
    let mut params: Vec<_> =
        usual.iter().map(|(name, value)| (*name, example::written(value))).collect();
    for param in operation.params {
        let seed = seed.named(param.name);
        let changes = seed.named("changes").chance(0.4);
        if let Some(value) = changes.then(|| other_value(param, seed, now)).flatten() {
            params.retain(|(name, _)| *name != param.name);
            params.push((param.name, value));
        }
    }
    (operation, params)
}

fn random_calls(world: &World) -> Vec<Call> {
    let seed = world.ctx.seed.named("questions");
    operations().map(|one| random_call(one, seed.named(one.id), world.ctx.now)).collect()
}

fn response(ctx: Context, (operation, params): &Call) -> String {
    let params: Vec<_> = params.iter().map(|(name, text)| (*name, text.as_str())).collect();
    World { ctx }.text(operation, &params)
}

/// Tests that cached values do not change responses. One thread makes a series of calls in the `earlier` contexts
/// (other times or scenarios), and repeats them in the context of `world`. Each call for `world` is repeated in a new
/// thread. Returns an error if the two responses for `world` differ.
fn check_after(world: &World, earlier: &[Context]) -> Held {
    let calls = random_calls(world);
    let used = thread::scope(|scope| {
        let thread = scope.spawn(|| {
            for ctx in earlier {
                calls.iter().for_each(|call| drop(response(*ctx, call)));
            }
            calls.iter().map(|call| response(world.ctx, call)).collect::<Vec<_>>()
        });
        thread.join()
    });
    let used = used.map_err(|_| "a panic".to_owned())?;

    for (call, used) in calls.iter().zip(&used) {
        let fresh = thread::scope(|scope| scope.spawn(|| response(world.ctx, call)).join());
        let fresh = fresh.map_err(|_| format!("a panic of {}", call.0.id))?;
        ensure(fresh == *used, || {
            let equal = fresh.bytes().zip(used.bytes()).take_while(|(a, b)| a == b).count();
            let cut = |text: &str| {
                let around = equal.saturating_sub(60)..(equal + 60).min(text.len());
                String::from_utf8_lossy(&text.as_bytes()[around]).into_owned()
            };
            let (id, params) = (call.0.id, &call.1);
            format!("{id} {params:?}: …{}…, but …{}…", cut(&fresh), cut(used))
        })?;
    }
    Ok(())
}

/// Maximum ages of three earlier times, in seconds: 30 days, 3 days and 10 minutes. The test chooses each time randomly
/// within its limit. It makes the same calls at the three times, and then at the current time.
const BEFORE: [i64; 3] = [30 * DAY, 3 * DAY, 600];

fn responses_ignore_earlier_calls(world: &World) -> Held {
    let (ctx, seed) = (world.ctx, world.ctx.seed.named("before"));
    let earlier =
        BEFORE.map(|most| Context { now: ctx.now - seed.at_time(most).range(1, most), ..ctx });
    check_after(world, &earlier)
}

fn responses_ignore_earlier_scenarios(world: &World) -> Held {
    let crash = Some(world.ctx.now.div_euclid(DAY));
    let halt = Some(Halt { venue: "binance", since: world.ctx.now - DAY });
    let scenario =
        ScenarioEffects { crash, halt, expired_portfolios: true, ..ScenarioEffects::default() };
    let disturbed = World { ctx: Context { scenario, ..world.ctx } };

    check_after(world, &[disturbed.ctx])?;
    check_after(&disturbed, &[world.ctx])
}
