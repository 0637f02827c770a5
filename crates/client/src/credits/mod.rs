//! Credits: what calls cost by the list, what the service says they cost, and what may be spent.
//!
//! The two figures are never mixed. The list price is known before a call and holds for the
//! [`Budget`]; what the service reports comes with the answer, differs from the list at times, and
//! is only ever shown.

mod ledger;
mod price;
mod usd;

pub use ledger::{Budget, Ledger, Spending};
pub(crate) use price::price_of;
pub use price::{Credits, Estimate, list_price};
pub use usd::{Plan, Usd};
