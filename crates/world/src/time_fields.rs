//! Meaning of each time field, by field name. Rows are sorted by this table, and missing times are generated
//! by it.

/// Meaning of a time field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The time of the row itself. For a current view it is the current time.
    View,
    /// The time when the thing was created, or the time of an event.
    Event,
    /// The time of something before the thing.
    Before,
    /// The end of the thing.
    End,
    /// The last check or change.
    Update,
}

/// Fields that rows are sorted by, the preferred ones first.
const ORDERING: [(&str, Role); 11] = [
    ("timestamp", Role::View),
    ("time", Role::View),
    ("block_time", Role::View),
    ("open_time", Role::View),
    ("published_at", Role::Event),
    ("event_at", Role::Event),
    ("created_at", Role::Event),
    ("effective_at", Role::Event),
    ("invested_at", Role::Update),
    ("last_status_update", Role::Update),
    ("close_time", Role::End),
];

const OTHERS: [(&str, Role); 7] = [
    ("time_ms", Role::View),
    ("date", Role::View),
    ("as_of", Role::View),
    ("end_time", Role::End),
    ("locked_until", Role::End),
    ("expires_at", Role::End),
    ("crowdsale_end_date", Role::End),
];

/// Prefixes of fields with the role `Before`.
const BEFORE: [&str; 3] = ["first_", "all_time", "start_"];

/// Suffixes of fields with the role `Before`.
const BEFORE_AT_END: [&str; 6] =
    ["start_date", "listing_date", "ath_date", "atl_date", "open_date", "completed_time"];

/// Names of the fields that rows are sorted by, the preferred ones first.
pub(crate) const TIMES: &[&str] = &names(&ORDERING);

const fn names<const N: usize>(members: &[(&'static str, Role); N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut index = 0;
    while index < N {
        names[index] = members[index].0;
        index += 1;
    }
    names
}

/// Role of the time field `name`.
pub(crate) fn role(name: &str) -> Role {
    let listed = ORDERING.iter().chain(&OTHERS).find(|(known, _)| *known == name);
    let is_before = || {
        BEFORE.iter().any(|start| name.starts_with(start))
            || BEFORE_AT_END.iter().any(|end| name.ends_with(end))
    };

    match listed {
        Some((_, role)) => *role,
        None if is_before() => Role::Before,
        None => Role::Update,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crypto_intel_api::generated::tables;
    use crypto_intel_core::Type;

    use super::*;

    #[test]
    fn every_member_of_the_table_is_a_time_or_day_of_some_record() {
        let is_time = |ty| matches!(ty, Type::UnixSeconds | Type::UnixMillis | Type::String);
        let fields = tables::RECORDS.iter().flat_map(|record| record.fields);
        let times: BTreeSet<_> =
            fields.filter(|field| is_time(field.ty)).map(|field| field.name).collect();

        for (name, _) in ORDERING.iter().chain(&OTHERS) {
            assert!(times.contains(name), "{name}");
        }
    }

    #[test]
    fn names_that_are_not_listed_tell_by_how_they_begin_or_end() {
        for (name, expected) in [
            ("first_trade", Role::Before),
            ("crowdsale_start_date", Role::Before),
            ("crowdsale_end_date", Role::End),
            ("open_time", Role::View),
            ("updated_at", Role::Update),
        ] {
            assert_eq!(role(name), expected, "{name}");
        }
    }
}
