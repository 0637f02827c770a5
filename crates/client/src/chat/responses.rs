//! Adds the events of the responses stream up to an answer.

use std::collections::BTreeMap;

use crypto_intel_api::generated::chat::{Response, ResponseContentPart, ResponseOutputItem};
use crypto_intel_core::Charge;
use serde_json::{Map, Value, json};

use super::answer::{ResponseExt, is_text};
use super::ends::{self, End};
use super::events::{EventPlace, Read, ResponseEvent, ResponsePhase, read};
use super::items::{Item, Part, PlainDelta, without_content};
use super::progress::{New, Progress};
use super::protocol::{Fold, Fresh, StreamProtocol, Taken, Verdict, text_in};

/// The stream of `responses`.
#[derive(Debug, Default)]
pub struct ResponsesProtocol {
    /// The last object that was the answer as a whole, without its output.
    base: Option<Response>,
    /// By index in the output, and by turn where an index comes twice.
    items: BTreeMap<ItemKey, Item>,
    /// The answer has said that it is at its end.
    complete: bool,
    /// Text is counted, not kept.
    forgets: bool,
    /// Bytes of text that were given out.
    given: usize,
    /// The part that the last text belongs to.
    last_text: Option<(ItemKey, u64)>,
    /// Where the last plain delta said that it belongs.
    last_place: Option<EventPlace>,
    /// Text of an earlier part came after that of a later one.
    disordered: bool,
    /// A whole text is not the one that its deltas made.
    contradicts: bool,
    held: usize,
}

/// Index in the output, and how many items of that index came before.
type ItemKey = (u64, u32);

impl StreamProtocol for ResponsesProtocol {
    type Item = ResponseEvent;
}

impl Fold for ResponsesProtocol {
    type Event = ResponseEvent;
    type Answer = Response;

    fn take(&mut self, kind: &str, data: &str) -> Taken<ResponseEvent> {
        match read(kind, data) {
            Read::Event(event) => self.event(event, data.len()),
            Read::Reported(error) => Taken::Reported(error),
            Read::Unreadable(error) => Taken::Unreadable(error),
        }
    }

    fn take_text(&mut self, kind: &str, data: &str) -> Option<String> {
        if !matches!(kind, "message" | "" | PlainDelta::KIND) {
            return None;
        }
        let delta = serde_json::from_str::<PlainDelta<'_>>(data).ok()?;
        if delta.kind != PlainDelta::KIND {
            return None;
        }

        let fresh = match self.last_place.take() {
            Some(place) if delta.is_at(&place) => {
                let fresh = self.more(&place, &delta.delta);
                self.last_place = Some(place);
                fresh
            }
            _ => {
                let place = delta.place();
                let fresh = self.delta(&place, &delta.delta);
                self.last_place = Some(place);
                fresh
            }
        };
        Some(match fresh {
            Fresh::Event => delta.delta.into_owned(),
            Fresh::Rest(rest) => rest,
            Fresh::None => String::new(),
        })
    }

    fn into_text(event: ResponseEvent) -> Option<String> {
        match event {
            ResponseEvent::TextDelta(_, text) => Some(text),
            _ => None,
        }
    }

    fn is_complete(&self) -> bool {
        self.complete
    }

    fn judge(&self) -> Result<(), Verdict> {
        if self.contradicts || self.disordered { Err(Verdict::Contradiction) } else { Ok(()) }
    }

    fn has_usage(&self) -> bool {
        self.base.as_ref().is_some_and(|base| base.usage.is_some())
    }

    const CLOSES_WITH_DONE: bool = false;

    fn credits_used(&self) -> Option<i64> {
        self.base.as_ref()?.credits_used()
    }

    fn held(&self) -> usize {
        self.held
    }

    fn forget(&mut self) {
        self.forgets = true;
    }

    fn answer(self) -> Response {
        let mut response = self.base.unwrap_or_default();
        response.output = self.items.into_values().map(Item::into_item).collect();
        if response.output_text.as_deref().unwrap_or_default().is_empty() {
            let text = response.text().into_owned();
            response.output_text = (!text.is_empty()).then_some(text);
        }
        response
    }
}

impl ResponsesProtocol {
    fn event(&mut self, event: ResponseEvent, length: usize) -> Taken<ResponseEvent> {
        use ResponseEvent as E;
        // What comes may change where deltas belong.
        self.last_place = None;

        let fresh = match &event {
            E::TextDelta(place, text) => self.delta(place, text),
            E::TextDone(place, text) => self.rest(place, text),
            E::ReasoningDelta(place, text) => {
                self.held += text.len();
                self.thought(place).push_str(text);
                Fresh::None
            }
            E::ReasoningDone(place, text) => {
                self.held += text.len();
                text.clone_into(self.thought(place));
                Fresh::None
            }
            E::RefusalDelta(place, text) | E::RefusalDone(place, text) => {
                self.held += text.len();
                let done = matches!(event, E::RefusalDone(..));
                self.refused(place, text, done);
                Fresh::None
            }
            E::ArgumentsDelta(place, text) => {
                self.held += text.len();
                self.item(place, "function_call").arguments.push_str(text);
                Fresh::None
            }
            E::ArgumentsDone(place, text) => {
                self.held += text.len();
                text.clone_into(&mut self.item(place, "function_call").arguments);
                Fresh::None
            }
            E::PartAdded(place, part) | E::PartDone(place, part) => {
                self.held += length;
                self.part_is(place, part)
            }
            E::ItemAdded(place, item) => {
                self.held += length;
                self.announced(place, item);
                self.item_is(&of_item(place, item), item)
            }
            E::ItemDone(place, item) => {
                self.held += length;
                let place = of_item(place, item);
                let fresh = self.item_is(&place, item);
                self.item(&place, &item.type_).is_done = true;
                fresh
            }
            E::Response(phase, response) => match ended(phase, response) {
                Some(End::Failed(error)) => {
                    self.base = Some((**response).clone());
                    return Taken::Reported(error);
                }
                end => {
                    self.complete |= end.is_some();
                    self.response(phase, response, end.is_some())
                }
            },
            E::Other { kind, data } => self.other(kind, data),
        };
        Taken::Event(event, fresh)
    }

    /// Begins an item of an index that another has already, if its identifier is another: some
    /// services count every item as the first.
    fn announced(&mut self, place: &EventPlace, item: &ResponseOutputItem) {
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

    /// The key of the item that a place means: the one of that identifier, or else the last of the
    /// same kind that is not whole. Some services give every event an identifier of its own, so
    /// that an unknown one does not begin another item.
    fn key(&mut self, place: &EventPlace, kind: &str) -> ItemKey {
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

    fn item(&mut self, place: &EventPlace, kind: &str) -> &mut Item {
        let key = self.key(place, kind);
        self.item_at(key, place, kind)
    }

    fn item_at(&mut self, key: ItemKey, place: &EventPlace, kind: &str) -> &mut Item {
        let item = self.items.entry(key).or_default();
        if item.item.type_.is_empty() {
            kind.clone_into(&mut item.item.type_);
        }
        if item.item.id.is_none() {
            item.item.id.clone_from(&place.item_id);
        }
        item
    }

    fn part(&mut self, place: &EventPlace) -> (&mut Part, (ItemKey, u64)) {
        let key = self.key(place, "message");
        let index = place.content_index;
        let part = self.item_at(key, place, "message").parts.entry(index).or_default();
        if part.part.type_.is_empty() {
            "output_text".clone_into(&mut part.part.type_);
        }
        (part, (key, index))
    }

    /// More text of the part that the last text belongs to, where its deltas simply go on.
    fn more(&mut self, place: &EventPlace, text: &str) -> Fresh {
        let part = self.last_text.and_then(|(key, index)| {
            self.items.get_mut(&key).and_then(|item| item.parts.get_mut(&index))
        });
        let Some(part) = part.filter(|part| part.progress.is_level()) else {
            return self.delta(place, text);
        };
        part.progress.delta(None, text);
        self.given += text.len();
        if !self.forgets {
            self.held += text.len();
            part.part.text.get_or_insert_default().push_str(text);
        }
        Fresh::Event
    }

    /// More text of a part: what of it is new.
    fn delta(&mut self, place: &EventPlace, text: &str) -> Fresh {
        let keeps = !self.forgets;
        let (part, at) = self.part(place);
        let known = keeps.then(|| part.part.text.as_deref().unwrap_or_default());
        match part.progress.delta(known, text) {
            New::All => {
                self.append(at, text);
                Fresh::Event
            }
            New::Rest(rest) => {
                self.append(at, rest);
                Fresh::Rest(rest.to_owned())
            }
            New::Nothing => Fresh::None,
            New::Other => {
                self.contradicts = true;
                self.append(at, text);
                Fresh::Event
            }
        }
    }

    /// The text of a part as a whole: what of it is new.
    fn rest(&mut self, place: &EventPlace, whole: &str) -> Fresh {
        let keeps = !self.forgets;
        let (part, at) = self.part(place);
        let known = keeps.then(|| part.part.text.as_deref().unwrap_or_default());
        let rest = match part.progress.whole(known, whole) {
            New::All => whole,
            New::Rest(rest) => rest,
            New::Nothing => return Fresh::None,
            New::Other => {
                self.contradicts = true;
                return Fresh::None;
            }
        };
        self.append(at, rest);
        Fresh::Rest(rest.to_owned())
    }

    /// Notes text that is given out.
    fn append(&mut self, at: (ItemKey, u64), text: &str) {
        self.given += text.len();
        self.disordered |= self.last_text.is_some_and(|last| at < last);
        self.last_text = Some(at);
        if self.forgets {
            return;
        }
        self.held += text.len();
        let part = self.items.get_mut(&at.0).and_then(|item| item.parts.get_mut(&at.1));
        if let Some(part) = part {
            part.part.text.get_or_insert_default().push_str(text);
        }
    }

    fn part_is(&mut self, place: &EventPlace, known: &ResponseContentPart) -> Fresh {
        let (part, _) = self.part(place);
        if !is_text(known) {
            // Of another kind: kept as it is.
            part.part.clone_from(known);
            return Fresh::None;
        }
        part.part.type_.clone_from(&known.type_);
        part.part.extra.clone_from(&known.extra);
        self.rest(place, known.text.as_deref().unwrap_or_default())
    }

    fn item_is(&mut self, place: &EventPlace, known: &ResponseOutputItem) -> Fresh {
        let mut rest = String::new();
        let is_message = known.type_ == "message";
        for (index, part) in (0..).zip(&known.content) {
            let place = EventPlace { content_index: index, ..place.clone() };
            if is_message {
                if let Fresh::Rest(text) = self.part_is(&place, part) {
                    rest.push_str(&text);
                }
            } else {
                self.item(&place, &known.type_).parts.entry(index).or_default().part = part.clone();
            }
        }

        let item = self.item(place, &known.type_);
        let old = std::mem::replace(&mut item.item, without_content(known));
        // The first identifier stays: events name the item by it.
        item.item.id = old.id.or(item.item.id.take());
        if rest.is_empty() { Fresh::None } else { Fresh::Rest(rest) }
    }

    /// The answer as a whole: what of its text is new.
    fn response(&mut self, phase: &ResponsePhase, response: &Response, is_end: bool) -> Fresh {
        let whole = response.text();
        let before: String = self.items.values().flat_map(Item::texts).collect();
        let repeats = self.forgets || whole.starts_with(&before);
        let rest = whole.get(self.given..).filter(|rest| repeats && !rest.is_empty());
        let rest = rest.map(str::to_owned);
        if is_end && !whole.is_empty() {
            self.contradicts = !repeats || whole.len() < self.given;
        }
        self.output(&response.output, rest.as_deref(), whole.len(), is_end);

        let credits = self.base.take().and_then(|base| base.meta);
        let base = self.base.insert(response.clone());
        base.output.clear();
        base.meta = base.meta.take().or(credits);
        // The name of the event says how it ended also where the status does not.
        match phase {
            ResponsePhase::Completed if base.status != "incomplete" => {
                "completed".clone_into(&mut base.status);
            }
            ResponsePhase::Incomplete => "incomplete".clone_into(&mut base.status),
            _ => {}
        }
        rest.map_or(Fresh::None, Fresh::Rest)
    }

    /// Takes in the output of the answer as a whole, whose text is of this length and ends in
    /// `rest`, which is new.
    fn output(
        &mut self,
        output: &[ResponseOutputItem],
        rest: Option<&str>,
        length: usize,
        is_end: bool,
    ) {
        if output.is_empty() {
            if let Some(rest) = rest {
                self.rest_of_answer(rest);
            }
        } else if length == 0 && self.given > 0 {
            self.add_missing(output);
        } else if is_end || length >= self.given {
            // Before the end, what lags behind the deltas is not taken for the answer.
            self.given += rest.map_or(0, str::len);
            self.replace(output);
        }
    }

    /// Adds text that only the answer as a whole has, to the part where the last text was.
    fn rest_of_answer(&mut self, rest: &str) {
        let place = match self.last_text {
            Some(((output_index, _), content_index)) => {
                EventPlace { output_index, content_index, ..EventPlace::default() }
            }
            None => EventPlace::default(),
        };
        self.delta(&place, rest);
    }

    /// Takes in what the closing answer has besides messages, whose text it does not repeat.
    fn add_missing(&mut self, output: &[ResponseOutputItem]) {
        for (index, item) in (0..).zip(output).filter(|(_, item)| item.type_ != "message") {
            let place = EventPlace { output_index: index, ..EventPlace::default() };
            self.item_is(&of_item(&place, item), item);
        }
    }

    /// The output as the answer has it counts from here on.
    fn replace(&mut self, output: &[ResponseOutputItem]) {
        self.items.clear();
        for (index, item) in (0..).zip(output) {
            let item_parts = item.content.iter().map(|part| {
                let length = part.text.as_ref().map_or(0, String::len);
                Part { part: part.clone(), progress: Progress::at(length) }
            });
            let draft = Item {
                parts: (0..).zip(item_parts).collect(),
                item: without_content(item),
                ..Item::default()
            };
            self.items.insert((index, 0), draft);
        }
    }

    fn thought(&mut self, place: &EventPlace) -> &mut String {
        let index = place.content_index;
        let is_summary = place.is_summary;
        let item = self.item(place, "reasoning");
        if is_summary {
            return item.summary.entry(index).or_default();
        }
        let part = item.parts.entry(index).or_default();
        if part.part.type_.is_empty() {
            "reasoning_text".clone_into(&mut part.part.type_);
        }
        part.part.text.get_or_insert_default()
    }

    fn refused(&mut self, place: &EventPlace, text: &str, done: bool) {
        let (part, _) = self.part(place);
        "refusal".clone_into(&mut part.part.type_);
        let mut refusal = match part.part.extra.remove("refusal") {
            Some(Value::String(before)) if !done => before,
            _ => String::new(),
        };
        refusal.push_str(text);
        part.part.extra.insert("refusal", refusal.into());
    }

    /// An event that is not known may still bring text, or the cost.
    fn other(&mut self, kind: &str, data: &Value) -> Fresh {
        if let Some(meta) = data.get("meta").filter(|meta| meta.is_object()) {
            let base = self.base.get_or_insert_default();
            base.meta = serde_json::from_value(meta.clone()).ok().or(base.meta.take());
        }
        if !brings_text(kind) {
            return Fresh::None;
        }
        match text_in(data).filter(|text| !text.is_empty()) {
            Some(text) => match self.delta(&EventPlace::default(), &text) {
                Fresh::Event => Fresh::Rest(text.into_owned()),
                fresh => fresh,
            },
            None => Fresh::None,
        }
    }
}

/// Memory that an item costs besides its text, in bytes.
const ITEM_SIZE: usize = 512;

/// Whether an unknown event is likely to be about the text of the answer.
fn brings_text(kind: &str) -> bool {
    kind.is_empty()
        || kind == "message"
        || (["text.delta", "content.delta", "message.delta", "content_block_delta"]
            .into_iter()
            .any(|end| kind.ends_with(end))
            && !["reasoning", "summary", "thinking"].into_iter().any(|word| kind.contains(word)))
}

/// How the answer in an event ended; `None` while it is written.
fn ended(phase: &ResponsePhase, response: &Response) -> Option<End> {
    match ends::of_response(response) {
        End::Open => {}
        end => return Some(end),
    }
    match phase {
        ResponsePhase::Completed | ResponsePhase::Incomplete => Some(End::Ended),
        ResponsePhase::Failed | ResponsePhase::Cancelled => {
            let message = format!("the answer ended with `{phase}`");
            Some(End::Failed(Map::from_iter([("error".to_owned(), json!({"message": message}))])))
        }
        _ => None,
    }
}

/// The place of an event about a whole item, with the identifier of the item.
fn of_item(place: &EventPlace, item: &ResponseOutputItem) -> EventPlace {
    EventPlace { item_id: item.id.clone().or_else(|| place.item_id.clone()), ..place.clone() }
}
