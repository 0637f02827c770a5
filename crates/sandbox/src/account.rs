//! Accounts of callers. They contain API keys with balances, the free allowance of callers without a key, and the rate
//! limit.
//!
//! For the credentials and the price of a request, the functions return the charge or an error response.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::time::Duration;

use axum::http::StatusCode;
use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Operation, Price};
use serde::{Deserialize, Serialize};

use crate::key::{Key, SavedKey};
use crate::refusal::Refusal;
use crypto_intel_world::timestamp::DAY;

/// API key of a sandbox for which no keys are configured.
pub const DEFAULT_KEY: &str = "sk-sandbox";
/// Free credits per day for each IP address that sends requests without a key.
pub(crate) const FREE_CREDITS: i64 = 30;

/// Account that is charged for a request.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Identity {
    /// Index of an API key, in the order in which the keys were added to the builder.
    Key(usize),
    /// IP address of a caller without a key.
    Address(IpAddr),
}

/// Remaining credits of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Balance {
    /// Remaining credits of the API key. `None` for a caller without a key.
    pub(crate) credits: Option<i64>,
    /// Remaining credits of today's free allowance. `None` for a caller with a key.
    pub(crate) free_remaining: Option<i64>,
}

/// Charge of one request, which can be refunded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Charge {
    identity: Identity,
    operation: &'static str,
    pub(crate) credits: i64,
    /// True if the request is free because the caller recently paid for the same operation.
    pub(crate) in_window: bool,
    at: i64,
}

/// Rules that apply to all accounts, such as the rate limit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Rules {
    pub(crate) require_key: bool,
    /// Maximum number of requests in any 60 seconds, per key or per IP address. `None` means no limit.
    pub(crate) per_minute: Option<usize>,
    /// Length of the time after a paid call during which the caller can call the same operation again for free. SQL
    /// jobs are never free.
    pub(crate) window: Duration,
    /// True if `window` also applies to the chat endpoints, so that a repeated chat call can be free.
    pub(crate) chat_window: bool,
}

/// All accounts of a sandbox. Times are Unix milliseconds of the sandbox's clock.
#[derive(Debug)]
pub(crate) struct Accounts {
    rules: Rules,
    keys: Vec<Purse>,
    /// Free credits used on the current day, by IP address of the caller. The field `day` is the current day, in days
    /// since 1970-01-01.
    free_used: HashMap<IpAddr, i64>,
    day: i64,
    paid_at: HashMap<(Identity, &'static str), i64>,
    recent: HashMap<Identity, VecDeque<i64>>,
}

/// An API key, with the credits granted to it and charged to it.
#[derive(Debug)]
struct Purse {
    key: Key,
    granted: i64,
    charged: i64,
}

impl Purse {
    fn balance(&self) -> i64 {
        self.granted - self.charged
    }
}

/// All accounts as a saved state stores them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SavedAccounts {
    rules: Rules,
    keys: Vec<SavedPurse>,
    day: i64,
    free_used: Vec<(IpAddr, i64)>,
    paid_at: Vec<(Identity, String, i64)>,
    recent: Vec<(Identity, VecDeque<i64>)>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct SavedPurse {
    key: SavedKey,
    granted: i64,
    charged: i64,
}

const MINUTE: i64 = 60_000;

impl Accounts {
    pub(crate) fn new(rules: Rules, keys: Vec<(String, i64)>) -> Self {
        let purse = |(key, granted)| Purse { key: Key::Known(key), granted, charged: 0 };
        Accounts {
            rules,
            keys: keys.into_iter().map(purse).collect(),
            free_used: HashMap::new(),
            day: 0,
            paid_at: HashMap::new(),
            recent: HashMap::new(),
        }
    }

    /// Converts all accounts for a saved state. The result contains hashes of the API keys instead of the keys.
    pub(crate) fn to_saved(&self) -> SavedAccounts {
        let purse = |purse: &Purse| SavedPurse {
            key: purse.key.to_saved(),
            granted: purse.granted,
            charged: purse.charged,
        };
        let mut saved = SavedAccounts {
            rules: self.rules.clone(),
            keys: self.keys.iter().map(purse).collect(),
            day: self.day,
            free_used: self.free_used.iter().map(|(address, used)| (*address, *used)).collect(),
            paid_at: self
                .paid_at
                .iter()
                .map(|((who, id), at)| (who.clone(), (*id).to_owned(), *at))
                .collect(),
            recent: self.recent.iter().map(|(who, at)| (who.clone(), at.clone())).collect(),
        };
        saved.free_used.sort_unstable();
        saved.paid_at.sort_unstable();
        saved.recent.sort_unstable();
        saved
    }

    /// Creates accounts from their saved form. The saved form contains the time of the last paid call for each caller
    /// and operation. Drops the times of operations that this release's catalogue does not contain.
    pub(crate) fn from_saved(saved: SavedAccounts) -> Self {
        let purse = |purse: SavedPurse| Purse {
            key: Key::Hashed(purse.key),
            granted: purse.granted,
            charged: purse.charged,
        };
        let paid = |(who, id, at): (Identity, String, i64)| {
            let operation = OPERATIONS.iter().find(|operation| operation.id == id)?;
            Some(((who, operation.id), at))
        };
        Accounts {
            rules: saved.rules,
            keys: saved.keys.into_iter().map(purse).collect(),
            free_used: saved.free_used.into_iter().collect(),
            day: saved.day,
            paid_at: saved.paid_at.into_iter().filter_map(paid).collect(),
            recent: saved.recent.into_iter().collect(),
        }
    }

    /// Replaces the saved hash of an API key by the key's text. If no account has the key, adds an account with
    /// `credits` credits.
    pub(crate) fn learn(&mut self, key: &str, credits: i64) {
        if self.find(key).is_none() {
            self.keys.push(Purse { key: Key::Known(key.to_owned()), granted: credits, charged: 0 });
        }
    }

    /// Returns the API keys whose text is stored, in the order in which they were added. Keys of which only the hash is
    /// stored are left out.
    pub(crate) fn known_keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().filter_map(|purse| purse.key.text())
    }

    /// Returns the index of an API key. If only the hash of the key was stored, also stores the text of the key.
    pub(crate) fn find(&mut self, token: &str) -> Option<usize> {
        self.keys.iter_mut().position(|purse| purse.key.is(token))
    }

    /// Identifies a caller by the `authorization` header, or by the IP address if the header is missing.
    ///
    /// # Errors
    /// Returns status 401 if the key is unknown, if the header is malformed, or if a key is required and missing.
    pub(crate) fn identify(
        &mut self,
        authorization: Option<&[u8]>,
        address: IpAddr,
    ) -> Result<Identity, Refusal> {
        let refused =
            |message: &str| Refusal::new(StatusCode::UNAUTHORIZED, "UNAUTHORIZED", message);
        let Some(header) = authorization else {
            if self.rules.require_key {
                return Err(refused("an API key is required: `Authorization: Bearer sk-...`"));
            }
            return Ok(Identity::Address(address));
        };

        let token = std::str::from_utf8(header).ok().and_then(|text| {
            let (scheme, token) = text.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
        });
        let Some(token) = token else {
            return Err(refused("the Authorization header must be `Bearer sk-...`"));
        };

        let found = self.find(token).map(Identity::Key);
        found.ok_or_else(|| refused("the API key is not valid"))
    }

    /// Records a request of the account `identity` for the rate limit.
    ///
    /// # Errors
    /// Returns status 429 and the number of seconds to wait if the limit is reached.
    pub(crate) fn admit(&mut self, identity: &Identity, now: i64) -> Result<(), Refusal> {
        let Some(per_minute) = self.rules.per_minute else { return Ok(()) };
        let recent = self.recent.entry(identity.clone()).or_default();
        // If the clock was set back, some stored times are in the future. They are dropped, because they would expire
        // too late.
        recent.retain(|at| (now - MINUTE..=now).contains(at) && *at > now - MINUTE);
        if recent.len() >= per_minute {
            let oldest = recent.front().copied().unwrap_or(now);
            let wait = (oldest + MINUTE - now).max(1);
            let message = format!("more than {per_minute} requests in 60 seconds");
            let mut refusal = Refusal::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", message);
            refusal.retry_after = Some((wait + 999) / 1000);
            return Err(refusal);
        }
        recent.push_back(now);
        Ok(())
    }

    /// Charges `price` credits for a call of `operation`. If the operation has free repeats, further calls by this
    /// caller are free for the configured time after a paid call.
    ///
    /// # Errors
    /// Returns status 402 if the balance or the free allowance is too low.
    pub(crate) fn charge(
        &mut self,
        identity: &Identity,
        operation: &'static Operation,
        price: i64,
        now: i64,
    ) -> Result<Charge, Refusal> {
        self.charge_within(self.rules.window, identity, operation, price, now)
    }

    /// Charges like [`charge`](Self::charge), but uses `window` as the time in which a repeat is free.
    ///
    /// # Errors
    /// Returns the errors of [`charge`](Self::charge).
    pub(crate) fn charge_within(
        &mut self,
        window: Duration,
        identity: &Identity,
        operation: &'static Operation,
        price: i64,
        now: i64,
    ) -> Result<Charge, Refusal> {
        let mut charge = Charge {
            identity: identity.clone(),
            operation: operation.id,
            credits: price,
            in_window: false,
            at: now,
        };

        if price == 0 {
            return Ok(charge);
        }

        let slot = (identity.clone(), operation.id);
        let window = i64::try_from(window.as_millis()).unwrap_or(i64::MAX);
        let by_model = matches!(operation.price, Price::ByModel(_));
        let is_meant = operation.free_window.is_some() || (by_model && self.rules.chat_window);
        let has_window = is_meant && window > 0;

        if has_window && self.paid_at.get(&slot).is_some_and(|at| (0..window).contains(&(now - at)))
        {
            charge.credits = 0;
            charge.in_window = true;
            return Ok(charge);
        }

        match identity {
            Identity::Key(index) => {
                let purse = &mut self.keys[*index];
                let balance = purse.balance();
                if balance < price {
                    let message =
                        format!("the call costs {price} credits, but the balance is {balance}");
                    return Err(Refusal::new(StatusCode::PAYMENT_REQUIRED, "FORBIDDEN", message));
                }

                purse.charged += price;
            }
            Identity::Address(address) => {
                self.turn_day(now);
                let used = self.free_used.entry(*address).or_default();
                if *used + price > FREE_CREDITS {
                    let message = format!(
                        "the call costs {price} credits, but only {} of today's {FREE_CREDITS} free credits are left; they are renewed at 00:00 UTC",
                        FREE_CREDITS - *used
                    );
                    return Err(Refusal::new(
                        StatusCode::PAYMENT_REQUIRED,
                        "FREE_QUOTA_EXHAUSTED",
                        message,
                    ));
                }

                *used += price;
            }
        }

        if has_window {
            self.paid_at.insert(slot, now);
        }

        Ok(charge)
    }

    /// Refunds the charge of a failed call.
    pub(crate) fn refund(&mut self, charge: &Charge) {
        if charge.credits == 0 {
            return;
        }
        match &charge.identity {
            Identity::Key(index) => self.keys[*index].charged -= charge.credits,
            Identity::Address(address) => {
                if let Some(used) = self.free_used.get_mut(address) {
                    *used = (*used - charge.credits).max(0);
                }
            }
        }
        let slot = (charge.identity.clone(), charge.operation);
        if self.paid_at.get(&slot) == Some(&charge.at) {
            self.paid_at.remove(&slot);
        }
    }

    /// Returns the remaining credits of the account `identity`. `now` is in Unix milliseconds.
    pub(crate) fn balance(&mut self, identity: &Identity, now: i64) -> Balance {
        match identity {
            Identity::Key(index) => {
                Balance { credits: Some(self.keys[*index].balance()), free_remaining: None }
            }
            Identity::Address(address) => {
                self.turn_day(now);
                let used = self.free_used.get(address).copied().unwrap_or(0);
                Balance { credits: None, free_remaining: Some(FREE_CREDITS - used) }
            }
        }
    }

    /// Iterates over all API keys with their remaining credits. The text of a key is empty if the
    /// accounts store only the hash of the key.
    #[cfg(feature = "page")]
    pub(crate) fn keys(&self) -> impl Iterator<Item = (&str, i64)> {
        self.keys.iter().map(|purse| (purse.key.text().unwrap_or_default(), purse.balance()))
    }

    /// Returns the remaining credits of the API key `key`. Returns `None` if no account has this key.
    pub(crate) fn balance_of(&mut self, key: &str) -> Option<i64> {
        self.find(key).map(|index| self.keys[index].balance())
    }

    /// Returns the sum of all charges of the API key `key`, minus refunds. Returns `None` if no account has this key.
    pub(crate) fn charged_to(&mut self, key: &str) -> Option<i64> {
        self.find(key).map(|index| self.keys[index].charged)
    }

    /// Resets the used free credits of all IP addresses when a new UTC day has begun.
    fn turn_day(&mut self, now: i64) {
        let day = now.div_euclid(DAY * 1000);
        if day != self.day {
            self.day = day;
            self.free_used.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crypto_intel_api::generated::catalogue;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn accounts(per_minute: Option<usize>) -> Accounts {
        let rules = Rules {
            require_key: false,
            per_minute,
            window: Duration::from_secs(180),
            chat_window: false,
        };
        Accounts::new(rules, vec![("sk-a".to_owned(), 5)])
    }

    #[test]
    fn a_key_is_known_or_refused() {
        let mut accounts = accounts(None);
        let who = |accounts: &mut Accounts, header: Option<&str>| {
            accounts.identify(header.map(str::as_bytes), HERE).map_err(|r| r.status.as_u16())
        };
        assert_eq!(who(&mut accounts, Some("Bearer sk-a")), Ok(Identity::Key(0)));
        assert_eq!(who(&mut accounts, Some("bearer  sk-a ")), Ok(Identity::Key(0)));
        assert_eq!(who(&mut accounts, Some("Bearer sk-b")), Err(401));
        assert_eq!(who(&mut accounts, Some("Basic sk-a")), Err(401));
        assert_eq!(who(&mut accounts, None), Ok(Identity::Address(HERE)));
        accounts.rules.require_key = true;
        assert_eq!(who(&mut accounts, None), Err(401));
    }

    #[test]
    fn a_balance_is_used_up_and_a_failed_call_is_given_back() {
        let mut accounts = accounts(None);
        let me = Identity::Key(0);
        let charge = accounts.charge(&me, &catalogue::ONCHAIN_SQL_JOB_CREATE, 4, 0).unwrap();
        let refusal = accounts.charge(&me, &catalogue::ONCHAIN_SQL_JOB_CREATE, 4, 1).unwrap_err();
        assert_eq!((refusal.status.as_u16(), refusal.code), (402, "FORBIDDEN"));
        accounts.refund(&charge);
        assert_eq!(accounts.balance_of("sk-a"), Some(5));
        assert!(accounts.charge(&me, &catalogue::ONCHAIN_SQL_JOB_CREATE, 4, 2).is_ok());
    }

    #[test]
    fn a_repeat_within_three_minutes_is_free() {
        let mut accounts = accounts(None);
        let mut pay = |at: i64| {
            let charge =
                accounts.charge(&Identity::Key(0), &catalogue::MARKET_PRICE, 2, at).unwrap();
            (charge.credits, charge.in_window)
        };
        assert_eq!(pay(0), (2, false));
        assert_eq!(pay(179_999), (0, true));
        assert_eq!(pay(180_000), (2, false));
    }

    #[test]
    fn a_repeat_in_the_chat_is_free_where_that_is_asked_for() {
        for (asked_for, second) in [(false, 20), (true, 0)] {
            let mut accounts = accounts(None);
            accounts.keys[0].granted = 100;
            accounts.rules.chat_window = asked_for;
            let mut pay = |at: i64| {
                accounts.charge(&Identity::Key(0), &catalogue::RESPONSES, 20, at).unwrap().credits
            };
            assert_eq!((pay(0), pay(179_999)), (20, second));
        }
    }

    #[test]
    fn the_allowance_comes_back_at_midnight() {
        let mut accounts = accounts(None);
        let me = Identity::Address(HERE);
        let noon = DAY * 1000 / 2;
        assert!(accounts.charge(&me, &catalogue::RESPONSES, 20, noon).is_ok());
        let refusal = accounts.charge(&me, &catalogue::RESPONSES, 20, noon).unwrap_err();
        assert_eq!((refusal.status.as_u16(), refusal.code), (402, "FREE_QUOTA_EXHAUSTED"));
        assert_eq!(accounts.balance(&me, noon).free_remaining, Some(10));
        assert!(accounts.charge(&me, &catalogue::RESPONSES, 20, 2 * noon).is_ok());
    }

    #[test]
    fn the_window_of_the_rate_limit_slides() {
        let mut accounts = accounts(Some(2));
        let mut admit =
            |at: i64| accounts.admit(&Identity::Key(0), at).map_err(|r| r.retry_after.unwrap());
        assert_eq!(admit(0), Ok(()));
        assert_eq!(admit(30_000), Ok(()));
        assert_eq!(admit(30_001), Err(30));
        assert_eq!(admit(60_000), Ok(()));
        assert_eq!(admit(60_001), Err(30));
    }
}
