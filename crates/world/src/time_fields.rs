//! Time fields that rows are sorted by.

/// Names of the fields that rows are sorted by, the preferred ones first.
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
