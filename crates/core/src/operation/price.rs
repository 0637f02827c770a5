//! List prices of operations, and prices of credits in USD.

/// List price of one call, in credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Price {
    /// The call is free.
    Free,
    /// The call costs this number of credits.
    Credits(u32),
    /// The price depends on the chat model and the reasoning effort. A missing effort is treated as `none`.
    ByModel(&'static [ModelPrice]),
    /// The price is not published.
    Unknown,
}

/// Price of one chat model with one reasoning effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelPrice {
    /// Name of the chat model.
    pub model: &'static str,
    /// Reasoning effort for which the price applies. `None` means every effort.
    pub effort: Option<&'static str>,
    /// Price of one call in credits.
    pub credits: u32,
}

/// A price tier: a name for a list price. Several operations can have the same tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TierRow {
    /// Name of the tier, such as `Light`.
    pub name: &'static str,
    /// Price of one call in credits.
    pub credits: u32,
}

/// Price of one credit, by the size of the purchase: the list price, or a volume plan for large purchases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanRow {
    /// Name of the plan, such as `List` or `Starter`.
    pub name: &'static str,
    /// Price of one credit in USD. It is a decimal string, because a float would be rounded.
    pub usd_per_credit: &'static str,
    /// The price applies to purchases of more than this number of credits.
    pub above: u64,
}

/// The smallest purchase of credits that the service offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopUpRow {
    /// Price of the purchase in USD. It is a decimal string, because a float would be rounded.
    pub usd: &'static str,
    /// Approximate number of credits that a customer receives for this price.
    pub credits: u64,
}
