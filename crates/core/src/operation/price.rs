//! List prices of operations, and prices of credits.

/// List price of one call, in credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Price {
    /// Free of charge.
    Free,
    /// Charge in credits.
    Credits(u32),
    /// Depends on the model and the reasoning effort. A missing effort counts as `none`.
    ByModel(&'static [ModelPrice]),
    /// The price is not published.
    Unknown,
}

/// One line of a price table by model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelPrice {
    /// Model name.
    pub model: &'static str,
    /// Reasoning effort; `None` matches every effort.
    pub effort: Option<&'static str>,
    /// Credits per call.
    pub credits: u32,
}

/// A price tier: operations with one list price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TierRow {
    /// Name of the tier, such as `Light`.
    pub name: &'static str,
    /// Credits per call.
    pub credits: u32,
}

/// Price of a credit in one volume plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanRow {
    /// Name of the plan.
    pub name: &'static str,
    /// USD per credit, as a decimal string so that it stays exact.
    pub usd_per_credit: &'static str,
    /// The plan applies to purchases of more than this many credits.
    pub above: u64,
}

/// Smallest purchase of credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopUpRow {
    /// Amount paid in USD, as a decimal string so that it stays exact.
    pub usd: &'static str,
    /// Approximate number of credits at the list price.
    pub credits: u64,
}
