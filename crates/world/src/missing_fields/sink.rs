//! Output formats of generated records: JSON text for a response, or a JSON value for code that inspects the record.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use crate::random::Seed;
use crate::value::{Members, Value};

/// Kind of a JSON value that contains other values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Container {
    /// A JSON object.
    Record,
    /// A JSON array.
    List,
}

/// Target for a JSON value that the caller writes in parts. For an object, the caller opens the object, writes the name
/// and value of each field, and closes the object.
pub trait Sink {
    /// Writes a complete JSON value.
    fn leaf(&mut self, value: Value);
    /// Opens an object or array. The following calls write the contents, until [`Sink::close`] closes the object or
    /// array.
    fn open(&mut self, kind: Container);
    /// Sets the field name of the next value.
    fn name(&mut self, name: &str);
    /// Closes the innermost object or array.
    fn close(&mut self, kind: Container);

    /// Writes a value to this sink with the function `write`. The seed is a cache key: all calls with one seed write an
    /// identical value. A sink may therefore cache the value and not call `write` again.
    fn kept(&mut self, _: Seed, write: impl FnOnce(&mut Self))
    where
        Self: Sized,
    {
        write(self);
    }
}

/// Maximum total size of the JSON texts that one thread caches, in bytes.
const KEPT: usize = 16 << 20;

/// Cache of the JSON texts of rows that never change.
#[derive(Debug, Default)]
struct TextCache {
    texts: HashMap<Seed, Box<[u8]>>,
    bytes: usize,
}

thread_local! {
    static TEXTS: RefCell<TextCache> = RefCell::default();
}

impl TextCache {
    fn insert(&mut self, key: Seed, text: &[u8]) {
        if self.bytes + text.len() > KEPT {
            *self = TextCache::default();
        }
        self.bytes += text.len();
        self.texts.insert(key, text.into());
    }
}

/// A [`Sink`] that writes JSON text.
#[derive(Debug, Default)]
pub struct Text {
    out: Vec<u8>,
    /// True if a comma must be written before the next value or field.
    is_inside: bool,
}

impl Text {
    /// Creates an empty JSON text with capacity for a response of 16 KiB.
    #[must_use]
    pub fn new() -> Self {
        Text { out: Vec::with_capacity(16 << 10), is_inside: false }
    }

    /// Returns the written JSON text.
    #[must_use]
    pub fn done(self) -> String {
        // The sink writes only valid UTF-8, so the conversion cannot fail.
        String::from_utf8(self.out).unwrap_or_default()
    }

    /// Returns the length of the written JSON text in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Returns true if no JSON text has been written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Skips one value: writes nothing, but the next value or field begins with a comma. The caller inserts the skipped
    /// value into the finished text later.
    pub fn skip(&mut self) {
        self.is_inside = true;
    }

    fn write_comma(&mut self) {
        if self.is_inside {
            self.out.push(b',');
        }
    }
}

impl Sink for Text {
    fn leaf(&mut self, value: Value) {
        self.write_comma();
        // Writing to a vector cannot fail, and field names are always strings.
        let _ = serde_json::to_writer(&mut self.out, &value);
        self.is_inside = true;
    }

    fn open(&mut self, kind: Container) {
        self.write_comma();
        self.out.push(if kind == Container::Record { b'{' } else { b'[' });
        self.is_inside = false;
    }

    fn name(&mut self, name: &str) {
        self.write_comma();
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
        self.write_comma();
        let start = self.out.len();
        TEXTS.with_borrow(|kept| {
            self.out.extend_from_slice(kept.texts.get(&key).map_or(&[], |text| text));
        });
        if self.out.len() == start {
            self.is_inside = false;
            write(self);
            TEXTS.with_borrow_mut(|kept| kept.insert(key, &self.out[start..]));
        }
        self.is_inside = true;
    }
}

/// A [`Sink`] that builds a JSON value in memory.
#[derive(Debug, Default)]
pub struct Tree {
    /// Objects and arrays that are not yet closed. The innermost is last. Each entry has the name of the field that
    /// contains the object or array.
    open: Vec<(Cow<'static, str>, Value)>,
    /// Name of the next field.
    name: Cow<'static, str>,
    whole: Value,
}

impl Tree {
    /// Returns the built JSON value, or `null` if nothing was added.
    #[must_use]
    pub fn done(self) -> Value {
        self.whole
    }

    fn add(&mut self, value: Value) {
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
        self.add(value);
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
            self.add(value);
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
    fn text_and_tree_sinks_build_same_json() {
        let (mut text, mut tree) = (Text::new(), Tree::default());
        write(&mut text);
        write(&mut tree);
        let expected = json!({"a\"": {"x": [1, 2.5]}, "b": [{}, {}], "c": null});
        assert_eq!(text.done(), expected.to_string());
        assert_eq!(serde_json::Value::from(tree.done()), expected);
    }
}
