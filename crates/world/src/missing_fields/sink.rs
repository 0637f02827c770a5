//! Where records are written to: the text of an answer, or a document for who looks into it.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use crate::random::Seed;
use crate::value::{Members, Value};

/// What is opened and closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// Names with values.
    Record,
    /// Values.
    List,
}

/// Takes a value in, part by part: a record is opened, its members come each as a name and a value,
/// and it is closed.
pub trait Sink {
    /// A whole value.
    fn leaf(&mut self, value: Value);
    /// The values that follow are parts.
    fn open(&mut self, kind: Container);
    /// The value that follows is the member `name`.
    fn name(&mut self, name: &str);
    /// What was opened last is complete.
    fn close(&mut self, kind: Container);

    /// What `write` writes, which is the same for each `key`.
    fn kept(&mut self, _: Seed, write: impl FnOnce(&mut Self))
    where
        Self: Sized,
    {
        write(self);
    }
}

/// Bytes of texts that a thread keeps.
const KEPT: usize = 16 << 20;

/// Texts that were written.
#[derive(Debug, Default)]
struct TextCache {
    texts: HashMap<Seed, Box<[u8]>>,
    bytes: usize,
}

thread_local! {
    static TEXTS: RefCell<TextCache> = RefCell::default();
}

impl TextCache {
    fn keep(&mut self, key: Seed, text: &[u8]) {
        if self.bytes + text.len() > KEPT {
            *self = TextCache::default();
        }
        self.bytes += text.len();
        self.texts.insert(key, text.into());
    }
}

/// JSON as text.
#[derive(Debug, Default)]
pub struct Text {
    out: Vec<u8>,
    /// Whether a comma stands before the next part.
    is_inside: bool,
}

impl Text {
    /// Room for an answer of the usual size.
    #[must_use]
    pub fn new() -> Self {
        Text { out: Vec::with_capacity(16 << 10), is_inside: false }
    }

    /// The text so far.
    #[must_use]
    pub fn done(self) -> String {
        // Only whole texts were put in.
        String::from_utf8(self.out).unwrap_or_default()
    }

    /// Bytes so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether there is nothing yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Leaves out the value that would follow.
    pub fn skip(&mut self) {
        self.is_inside = true;
    }

    fn comma(&mut self) {
        if self.is_inside {
            self.out.push(b',');
        }
    }
}

impl Sink for Text {
    fn leaf(&mut self, value: Value) {
        self.comma();
        // A vector takes everything, and a value has only texts for names.
        let _ = serde_json::to_writer(&mut self.out, &value);
        self.is_inside = true;
    }

    fn open(&mut self, kind: Container) {
        self.comma();
        self.out.push(if kind == Container::Record { b'{' } else { b'[' });
        self.is_inside = false;
    }

    fn name(&mut self, name: &str) {
        self.comma();
        if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.out.push(b'"');
            self.out.extend_from_slice(name.as_bytes());
            self.out.extend_from_slice(b"\":");
        } else {
            let _ = serde_json::to_writer(&mut self.out, name);
            self.out.push(b':');
        }
        self.is_inside = false;
    }

    fn close(&mut self, kind: Container) {
        self.out.push(if kind == Container::Record { b'}' } else { b']' });
        self.is_inside = true;
    }

    fn kept(&mut self, key: Seed, write: impl FnOnce(&mut Self)) {
        self.comma();
        let start = self.out.len();
        TEXTS.with_borrow(|kept| {
            self.out.extend_from_slice(kept.texts.get(&key).map_or(&[], |text| text));
        });
        if self.out.len() == start {
            self.is_inside = false;
            write(self);
            TEXTS.with_borrow_mut(|kept| kept.keep(key, &self.out[start..]));
        }
        self.is_inside = true;
    }
}

/// JSON as a document.
#[derive(Debug, Default)]
pub struct Tree {
    /// What is open, the innermost last, each with the name under which it will stand.
    open: Vec<(Cow<'static, str>, Value)>,
    /// Of the next member.
    name: Cow<'static, str>,
    whole: Value,
}

impl Tree {
    /// The document; `null` if there was none.
    #[must_use]
    pub fn done(self) -> Value {
        self.whole
    }

    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            Some((_, Value::Object(members))) => {
                members.insert(std::mem::take(&mut self.name), value);
            }
            Some((_, Value::Array(items))) => items.push(value),
            _ => self.whole = value,
        }
    }
}

impl Sink for Tree {
    fn leaf(&mut self, value: Value) {
        self.put(value);
    }

    fn open(&mut self, kind: Container) {
        let value = match kind {
            Container::Record => Value::Object(Members::new()),
            Container::List => Value::Array(Vec::new()),
        };
        self.open.push((std::mem::take(&mut self.name), value));
    }

    fn name(&mut self, name: &str) {
        self.name = name.to_owned().into();
    }

    fn close(&mut self, _: Container) {
        if let Some((name, value)) = self.open.pop() {
            self.name = name;
            self.put(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn write(sink: &mut impl Sink) {
        sink.open(Container::Record);
        sink.name("a\"");
        sink.leaf(json!({"x": [1, 2.5]}).into());
        sink.name("b");
        sink.open(Container::List);
        for _ in 0..2 {
            sink.open(Container::Record);
            sink.close(Container::Record);
        }
        sink.close(Container::List);
        sink.name("c");
        sink.leaf(Value::Null);
        sink.close(Container::Record);
    }

    #[test]
    fn both_take_in_the_same() {
        let (mut text, mut tree) = (Text::new(), Tree::default());
        write(&mut text);
        write(&mut tree);
        let expected = json!({"a\"": {"x": [1, 2.5]}, "b": [{}, {}], "c": null});
        assert_eq!(text.done(), expected.to_string());
        assert_eq!(serde_json::Value::from(tree.done()), expected);
    }
}
