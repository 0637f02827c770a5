//! Finds the output item to which a stream event belongs.

use crypto_intel_api::generated::chat::ResponseOutputItem;

use super::{ItemKey, ResponsesProtocol};
use crate::chat::events::EventPlace;
use crate::chat::items::{Item, Part, without_content};

impl ResponsesProtocol {
    /// Handles an event that contains an output item. Some services send the output index 0 for every item, so several
    /// items of an answer can have the same index. If the answer has items with the event's index, and all these items
    /// have other identifiers, this method creates a new item. The method creates no item if an identifier is missing.
    pub(super) fn add_item_if_new(&mut self, place: &EventPlace, item: &ResponseOutputItem) {
        let index = place.output_index;
        let of_index = self.items.range((index, 0)..=(index, u32::MAX));
        let mut turn = 0;
        for ((_, n), known) in of_index {
            if known.item.id.is_none() || item.id.is_none() || known.item.id == item.id {
                return;
            }
            turn = n.saturating_add(1);
        }
        if turn > 0 {
            self.held += ITEM_SIZE;
            let draft = Item { item: without_content(item), ..Item::default() };
            self.items.insert((index, turn), draft);
        }
    }

    /// Returns the key of the output item to which the event position `place` refers. Only items with the output index
    /// of `place` are searched. An item without a type counts as an item of the type `kind`. The result is the key of
    /// the first of these items that exists:
    ///
    /// 1. The item with the identifier in `place`. If `place` contains no identifier, the last item of the type `kind`.
    /// 2. The last item of the type `kind` that is incomplete or has no identifier.
    ///
    /// If neither item exists, the result is the key for a new item. Rule 2 is needed because some services send a new
    /// identifier with each event.
    pub(super) fn item_key(&mut self, place: &EventPlace, kind: &str) -> ItemKey {
        let index = place.output_index;
        let (mut turn, mut open) = (0, None);
        for ((_, n), item) in self.items.range((index, 0)..=(index, u32::MAX)).rev() {
            turn = turn.max(n.saturating_add(1));
            let (known, asked) = (&item.item.id, &place.item_id);
            let is_of_kind = item.item.type_.is_empty() || item.item.type_ == kind;
            if known.is_some() && known == asked || asked.is_none() && is_of_kind {
                return (index, *n);
            }
            let may_be = is_of_kind && (known.is_none() || !item.is_done);
            if open.is_none() && may_be {
                open = Some(*n);
            }
        }
        if open.is_none() {
            self.held += ITEM_SIZE;
        }
        (index, open.unwrap_or(turn))
    }

    pub(super) fn item(&mut self, place: &EventPlace, kind: &str) -> &mut Item {
        let key = self.item_key(place, kind);
        self.item_at(key, place, kind)
    }

    pub(super) fn item_at(&mut self, key: ItemKey, place: &EventPlace, kind: &str) -> &mut Item {
        let item = self.items.entry(key).or_default();
        if item.item.type_.is_empty() {
            kind.clone_into(&mut item.item.type_);
        }
        if item.item.id.is_none() {
            item.item.id.clone_from(&place.item_id);
        }
        item
    }

    pub(super) fn part(&mut self, place: &EventPlace) -> (&mut Part, (ItemKey, u64)) {
        let key = self.item_key(place, "message");
        let index = place.content_index;
        let part = self.item_at(key, place, "message").parts.entry(index).or_default();
        if part.part.type_.is_empty() {
            "output_text".clone_into(&mut part.part.type_);
        }
        (part, (key, index))
    }
}

/// Estimated memory of an output item in bytes, without its text.
const ITEM_SIZE: usize = 512;
