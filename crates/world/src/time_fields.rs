//! Names of time fields, for sorting and filtering rows by time.

/// Names of the time fields by which rows can be sorted. If a record has several of these fields, the first in this
/// list is used.
pub(crate) const TIMES: &[&str] = &[
    "timestamp",
    "time",
    "block_time",
    "open_time",
    "published_at",
    "event_at",
    "created_at",
    "effective_at",
    "invested_at",
    "last_status_update",
    "close_time",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crypto_intel_api::generated::tables;
    use crypto_intel_core::Type;

    use super::*;

    #[test]
    fn every_name_is_a_time_of_some_record() {
        let is_time = |ty| matches!(ty, Type::UnixSeconds | Type::UnixMillis);
        let fields = tables::RECORDS.iter().flat_map(|record| record.fields);
        let times: BTreeSet<_> =
            fields.filter(|field| is_time(field.ty)).map(|field| field.name).collect();

        for name in TIMES {
            assert!(times.contains(name), "{name}");
        }
    }
}
