//! What can be asked about: one row per topic, with the operation that knows it and what of its answer
//! is shown.

use super::topic::Topic;

mod asset;
mod holder;
mod market;
mod stock;

/// Every topic; within one kind of subject what is more special stands first, for words that two
/// have.
pub(in crate::chat) fn all() -> impl Iterator<Item = &'static Topic> {
    [asset::TOPICS, stock::TOPICS, holder::TOPICS, market::TOPICS].into_iter().flatten()
}
