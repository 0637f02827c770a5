//! Accounting of a company. Each [`Quarter`] is computed from the previous quarter, so that all statements balance.
//!
//! Amounts are in thousands of USD. A balance at the end of a quarter is the balance at the end of the previous quarter
//! plus flows of the quarter. For example, the cash balance changes by the sum of the cash flow statement. So assets
//! always equal liabilities plus equity.

use crate::equity::company::Company;
use crate::random::Seed;

/// Number of the quarter 2017 Q1, with which the accounting of each company begins. The number of a quarter is
/// `year * 4 + quarter - 1`.
pub(super) const FIRST: i64 = 2017 * 4;

/// Flows of one quarter and balances at its end, in thousands of USD.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Quarter {
    /// Number of the quarter since year 0: `year * 4 + quarter - 1`.
    pub(super) number: i64,
    pub(super) revenue: i64,
    pub(super) cost: i64,
    pub(super) research: i64,
    pub(super) sga: i64,
    pub(super) depreciation: i64,
    pub(super) interest: i64,
    pub(super) tax: i64,
    pub(super) net_income: i64,
    pub(super) stock_compensation: i64,
    pub(super) operating_cash: i64,
    pub(super) capex: i64,
    pub(super) acquisitions: i64,
    pub(super) investment_purchases: i64,
    pub(super) debt_issued: i64,
    pub(super) equity_issued: i64,
    pub(super) dividends: i64,
    pub(super) fx: i64,
    pub(super) beginning_cash: i64,
    pub(super) cash: i64,
    pub(super) receivables: i64,
    pub(super) inventory: i64,
    pub(super) property: i64,
    pub(super) goodwill: i64,
    pub(super) investments: i64,
    pub(super) payables: i64,
    /// Deferred revenue. For a bank, this field contains the deposits of its customers.
    pub(super) deferred: i64,
    pub(super) debt: i64,
    pub(super) paid_in: i64,
    pub(super) retained: i64,
    pub(super) oci: i64,
    /// Number of shares, in thousands.
    pub(super) shares: i64,
}

impl Quarter {
    pub(super) fn operating_income(&self) -> i64 {
        self.revenue - self.cost - self.research - self.sga
    }

    pub(super) fn current_assets(&self) -> i64 {
        self.cash + self.receivables + self.inventory
    }

    pub(super) fn assets(&self) -> i64 {
        self.current_assets() + self.property + self.goodwill + self.investments
    }

    /// Returns the debt that is due within one year. It is one fifth of all debt.
    pub(super) fn current_debt(&self) -> i64 {
        self.debt / 5
    }

    pub(super) fn current_liabilities(&self) -> i64 {
        self.payables + self.deferred + self.current_debt()
    }

    pub(super) fn liabilities(&self) -> i64 {
        self.payables + self.deferred + self.debt
    }

    pub(super) fn equity(&self) -> i64 {
        self.paid_in + self.retained + self.oci
    }

    /// Adds the flows of an earlier period, for example its revenue, to the flows of this period. Also takes the
    /// beginning cash of the earlier period. The end balances do not change.
    fn add_flows(mut self, earlier: &Quarter) -> Self {
        for (mine, theirs) in [
            (&mut self.revenue, earlier.revenue),
            (&mut self.cost, earlier.cost),
            (&mut self.research, earlier.research),
            (&mut self.sga, earlier.sga),
            (&mut self.depreciation, earlier.depreciation),
            (&mut self.interest, earlier.interest),
            (&mut self.tax, earlier.tax),
            (&mut self.net_income, earlier.net_income),
            (&mut self.stock_compensation, earlier.stock_compensation),
            (&mut self.operating_cash, earlier.operating_cash),
            (&mut self.capex, earlier.capex),
            (&mut self.acquisitions, earlier.acquisitions),
            (&mut self.investment_purchases, earlier.investment_purchases),
            (&mut self.debt_issued, earlier.debt_issued),
            (&mut self.equity_issued, earlier.equity_issued),
            (&mut self.dividends, earlier.dividends),
            (&mut self.fx, earlier.fx),
        ] {
            *mine += theirs;
        }

        self.beginning_cash = earlier.beginning_cash;
        self
    }
}

/// Merges consecutive quarters into one period. The period has the sum of all flows and the balances of the last
/// quarter. Returns `None` for an empty slice.
pub(super) fn merge(quarters: &[Quarter]) -> Option<Quarter> {
    let mut quarters = quarters.iter();
    let mut whole = *quarters.next()?;
    for quarter in quarters {
        whole = quarter.add_flows(&whole);
    }
    Some(whole)
}

#[expect(clippy::cast_possible_truncation, reason = "thousands of USD of a company")]
fn thousands(value: f64) -> i64 {
    value.round() as i64
}

#[expect(clippy::cast_precision_loss, reason = "thousands of USD of a company")]
fn part(whole: i64, share: f64) -> i64 {
    thousands(whole as f64 * share)
}

/// Computes all quarters of a company, from the first quarter to quarter number `last`.
pub(super) fn build(company: &Company, seed: Seed, last: i64) -> Vec<Quarter> {
    let mut quarters: Vec<Quarter> = Vec::new();
    let mut before = opening_balances(company);
    for number in FIRST..=last {
        let quarter = next_quarter(company, seed.at_time(number), number, &before);
        quarters.push(quarter);
        before = quarter;
    }
    quarters
}

/// Returns the balances of a company at the start of 2017 Q1 ([`FIRST`]), the first quarter of its accounting.
fn opening_balances(company: &Company) -> Quarter {
    let revenue = thousands(company.revenue);
    let mut opening = Quarter {
        cash: part(revenue, 2.0),
        receivables: part(revenue, 0.5),
        inventory: if company.is_bank { 0 } else { part(revenue, 0.3) },
        property: part(revenue, 1.5),
        goodwill: part(revenue, 0.6),
        investments: part(revenue, 1.2),
        payables: part(revenue, 0.5),
        deferred: part(revenue, if company.is_bank { 3.0 } else { 0.2 }),
        debt: part(revenue, 1.0),
        shares: thousands(company.shares * 1_000.0),
        ..Quarter::default()
    };
    let equity = opening.assets() - opening.liabilities();
    opening.retained = equity / 2;
    opening.paid_in = equity - opening.retained;
    opening
}

fn next_quarter(company: &Company, seed: Seed, number: i64, before: &Quarter) -> Quarter {
    let varied = |name: &str, spread: f64| 1.0 + seed.named(name).bell() * spread;
    #[expect(clippy::cast_precision_loss, reason = "a count of quarters")]
    let years = (number - FIRST) as f64 / 4.0;
    // The fourth quarter of a year has the highest revenue.
    let season = if number % 4 == 3 { 1.15 } else { 0.95 };
    let revenue = thousands(
        company.revenue * (1.0 + company.growth).powf(years) * season * varied("revenue", 0.03),
    );
    let cost =
        if company.is_bank { 0 } else { part(revenue, company.cost_share * varied("cost", 0.02)) };
    let research = part(revenue, company.research_share * varied("research", 0.03));
    let sga = part(revenue, if company.is_bank { 0.58 } else { 0.12 } * varied("sga", 0.03));
    let depreciation = part(before.property, 0.035);
    let interest = part(before.debt, 0.01);
    let pretax = revenue - cost - research - sga - interest;
    let tax = if pretax > 0 { part(pretax, 0.19) } else { 0 };
    let net_income = pretax - tax;

    let receivables = part(revenue, 0.5 * varied("receivables", 0.05));
    let inventory = if company.is_bank { 0 } else { part(cost, 0.5 * varied("inventory", 0.06)) };
    let payables = part(revenue, 0.45 * varied("payables", 0.05));
    let deferred =
        part(revenue, if company.is_bank { 3.0 } else { 0.2 } * varied("deferred", 0.03));
    let stock_compensation = part(revenue, 0.03);
    let operating_cash = net_income + depreciation + stock_compensation
        - (receivables - before.receivables)
        - (inventory - before.inventory)
        + (payables - before.payables)
        + (deferred - before.deferred);

    let capex = part(depreciation, 1.15 * varied("capex", 0.1));
    let acquisitions = if seed.named("buys").chance(0.1) { part(revenue, 0.1) } else { 0 };
    let investment_purchases = part(revenue, 0.02 * varied("investments", 0.5));
    let debt_issued = part(before.debt, 0.01 * varied("debt", 2.0));
    let dividends = part(net_income.max(0), company.payout);
    let equity_issued = -part(net_income.max(0), 0.4 * varied("buyback", 0.2));
    let fx = part(revenue, 0.002 * seed.named("fx").bell());
    let change =
        operating_cash - capex - acquisitions - investment_purchases + debt_issued + equity_issued
            - dividends
            + fx;

    Quarter {
        number,
        revenue,
        cost,
        research,
        sga,
        depreciation,
        interest,
        tax,
        net_income,

        stock_compensation,
        operating_cash,
        capex,
        acquisitions,
        investment_purchases,
        debt_issued,
        equity_issued,
        dividends,
        fx,
        beginning_cash: before.cash,
        cash: before.cash + change,

        receivables,
        inventory,
        payables,
        deferred,
        property: before.property + capex - depreciation,
        goodwill: before.goodwill + acquisitions,
        investments: before.investments + investment_purchases,
        debt: before.debt + debt_issued,
        paid_in: before.paid_in + stock_compensation + equity_issued,
        retained: before.retained + net_income - dividends,
        oci: before.oci + fx,
        shares: part(before.shares, 0.996),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equity::COMPANIES;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn assets_equal_liabilities_plus_equity(seed in any::<u64>(), which in 0..COMPANIES.len()) {
            let books = build(&COMPANIES[which], Seed::new(seed), FIRST + 40);
            prop_assert_eq!(books.len(), 41);
            for pair in books.windows(2) {
                let [before, quarter] = pair else { unreachable!() };
                prop_assert_eq!(quarter.assets(), quarter.liabilities() + quarter.equity());
                prop_assert_eq!(quarter.beginning_cash, before.cash);
            }
            let year = merge(&books[4..8]).unwrap();
            prop_assert_eq!(year.revenue, books[4..8].iter().map(|q| q.revenue).sum::<i64>());
            prop_assert_eq!((year.beginning_cash, year.cash), (books[4].beginning_cash, books[7].cash));
        }
    }

    #[test]
    fn companies_keep_positive_cash_and_property() {
        for company in COMPANIES {
            let books = build(company, Seed::new(1), FIRST + 38);
            let last = books.last().unwrap();
            assert!(last.cash > 0 && last.property > 0, "{}: {last:?}", company.symbol);
        }
    }
}
