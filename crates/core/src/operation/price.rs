//! List prices of operations, and prices of credits.

/// List price of one call, in credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Price {
    /// Nothing is charged.
    Free,
    /// This many credits.
    Credits(u32),
    /// Depends on the model and the reasoning effort; a call without an effort counts as one with
    /// `none`.
    ByModel(&'static [ModelPrice]),
    /// Not published.
    Unknown,
}

/// One line of a price table by model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelPrice {
    /// Model name.
    pub model: &'static str,
    /// Reasoning effort; `None` stands for every effort.
    pub effort: Option<&'static str>,
    /// Credits per call.
    pub credits: u32,
}

/// The price of a credit at one volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanRow {
    /// Name of the plan.
    pub name: &'static str,
    /// USD per credit, as a decimal number in text so that it stays exact.
    pub usd_per_credit: &'static str,
    /// The plan holds for purchases of more than this many credits.
    pub above: u64,
}

/// The smallest purchase of credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopUpRow {
    /// Amount paid in USD, as a decimal number in text, so that it stays exact.
    pub usd: &'static str,
    /// The credits that it buys at the list price, about.
    pub credits: u64,
}
