//! Extension trait to read earlier portfolios of ETFs.

use crypto_intel_api::generated::equity::EquityEtfHoldingsResponse;

use super::optional;

/// Extension trait for responses with ETF holdings. The method `next_as_of` returns the date to use in the next
/// request. With this method, a program can read all earlier portfolios of an ETF, one request after another.
pub trait EtfHoldingsExt {
    /// Returns the value of the parameter `as_of` for a request that reads older portfolios. Returns `None` if no older
    /// portfolio is available. A response contains the portfolio of the date `as_of` and, if available, the next older
    /// portfolio.
    ///
    /// If this response contains no portfolios, the method returns the date of the newest available portfolio. If this
    /// response contains portfolios, but all of them lack a date, the method returns `None`.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
    /// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
    /// use crypto_intel::prelude::*;
    ///
    /// let mut holdings = client.equity_etf_holdings("SPY").await?;
    /// let mut portfolios = holdings.data.snapshots.len();
    /// while let Some(as_of) = holdings.data.next_as_of() {
    ///     holdings = client.equity_etf_holdings("SPY").as_of(as_of).await?;
    ///     portfolios += holdings.data.snapshots.len();
    /// }
    /// assert_eq!(portfolios, holdings.data.available_periods.len());
    /// # Ok(())
    /// # }
    /// ```
    fn next_as_of(&self) -> Option<&str>;
}

impl EtfHoldingsExt for EquityEtfHoldingsResponse {
    fn next_as_of(&self) -> Option<&str> {
        // Dates of the form `YYYY-MM-DD` have the same order as strings.
        let received = self.snapshots.iter().filter_map(|snapshot| optional(&snapshot.fund.as_of));
        let received = received.map(String::as_str);
        let periods = self.available_periods.iter().filter_map(|period| optional(&period.as_of));
        let periods = periods.map(String::as_str);
        match received.min() {
            Some(oldest) => periods.filter(|as_of| *as_of < oldest).max(),
            // If the response has no portfolios, the newest portfolio is next. If the response has portfolios without
            // dates, their positions are unknown. `None` then prevents an endless loop.
            None if self.snapshots.is_empty() => periods.max(),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(periods: &[&str], received: &[Option<&str>]) -> Option<String> {
        let periods: Vec<_> = periods
            .iter()
            .map(|as_of| serde_json::json!({"as_of": as_of, "year": 2025, "quarter": 1}))
            .collect();
        let received: Vec<_> = received
            .iter()
            .map(|as_of| serde_json::json!({"fund": {"as_of": as_of}, "holdings": []}))
            .collect();
        let holdings = serde_json::json!({
            "symbol": "SPY", "available_periods": periods, "snapshots": received,
        });
        let holdings: EquityEtfHoldingsResponse = serde_json::from_value(holdings).unwrap();
        holdings.next_as_of().map(str::to_owned)
    }

    #[test]
    fn next_as_of_is_newest_unread_portfolio() {
        let periods = ["2025-12-31", "2025-09-30", "2025-06-30", "2025-03-31"];
        let (first, second, last) = (Some(periods[0]), Some(periods[1]), Some(periods[3]));
        for (received, expected) in [
            (&[first, second][..], Some(periods[2])),
            (&[second], Some(periods[2])),
            (&[Some("2025-08-15")], Some(periods[2])),
            (&[last], None),
            (&[], first),
            (&[None], None),
        ] {
            assert_eq!(next(&periods, received).as_deref(), expected, "{received:?}");
        }
        assert_eq!(next(&[], &[]), None);
    }

    #[test]
    fn walk_over_portfolios_ends() {
        let periods = ["2025-12-31", "2025-09-30", "2025-06-30"];
        let mut as_of = next(&periods, &[]);
        let mut walked = Vec::new();
        while let Some(date) = as_of {
            as_of = next(&periods, &[Some(&date)]);
            walked.push(date);
        }
        assert_eq!(walked, periods);
    }
}
