//! Lookup tables for the generator's model, built once. For example, one table contains the operations whose response
//! is a given record.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{Answer, Field, Model, Operation, Paging, Record, Type};

pub(super) struct Index<'a> {
    /// Operations whose whole response body is one record. The key is the name of the record.
    bare: BTreeMap<&'a str, Vec<&'a Operation>>,
    /// Names of the records with a pagination key, each with the name of the record's field that contains this
    /// pagination key. A client sends the pagination key to request the next page.
    keys: BTreeMap<&'a str, &'a str>,
    /// Names of the records that are the type of the field `meta` in a response or in another record.
    metas: BTreeSet<String>,
    /// Streaming variants of operations. The key is the identifier of the operation without streaming.
    twins: BTreeMap<&'a str, &'a Operation>,
}

impl<'a> Index<'a> {
    pub(super) fn new(model: &'a Model) -> Self {
        let mut index = Index {
            bare: BTreeMap::new(),
            keys: BTreeMap::new(),
            metas: metas(model),
            twins: BTreeMap::new(),
        };
        for operation in &model.operations {
            if let Some(whole) = &operation.twin_of {
                index.twins.entry(whole).or_insert(operation);
            }
            let Answer::Bare(Type::Named(answer)) = &operation.answer else { continue };
            index.bare.entry(answer).or_default().push(operation);
            let Paging::PaginationKey { key, position, .. } = &operation.paging else { continue };
            let held = model.records.get(answer).and_then(|record| field(record, position));
            if let Some(Type::Named(held)) = held.map(|field| &field.ty) {
                index.keys.entry(held).or_insert(key);
            }
        }
        index
    }

    /// Returns the operations whose whole response body is the named record.
    pub(super) fn answering(&self, record: &str) -> &[&'a Operation] {
        self.bare.get(record).map_or(&[], Vec::as_slice)
    }

    /// Returns the name of the record field that contains the pagination key. A client sends this key to request the
    /// next page. Returns `None` if no operation has its pagination key in this record.
    pub(super) fn key(&self, record: &str) -> Option<&'a str> {
        self.keys.get(record).copied()
    }

    pub(super) fn is_meta(&self, record: &str) -> bool {
        self.metas.contains(record)
    }

    /// Returns the streaming variant of an operation.
    pub(super) fn streaming_variant(&self, operation: &str) -> Option<&'a Operation> {
        self.twins.get(operation).copied()
    }
}

pub(super) fn field<'a>(record: &'a Record, name: &str) -> Option<&'a Field> {
    record.fields.iter().find(|field| field.name == name)
}

/// Returns the names of the records that are the type of the field `meta` in a response or in another record.
pub(crate) fn metas(model: &Model) -> BTreeSet<String> {
    let in_envelope = model.operations.iter().filter_map(|operation| match &operation.answer {
        Answer::Rows { meta, .. } | Answer::One { meta, .. } => Some(meta.clone()),
        _ => None,
    });
    let in_records = model.records.values().filter_map(|record| match &field(record, "meta")?.ty {
        Type::Named(name) => Some(name.clone()),
        _ => None,
    });
    in_envelope.chain(in_records).collect()
}
