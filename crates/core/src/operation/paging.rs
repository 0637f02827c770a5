//! Kinds of paging: how to request further pages of a list.

/// Kind of paging: how to request further pages of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paging {
    /// One response contains the whole list.
    None,
    /// The request skips a number of rows.
    Offset {
        /// Parameter with the page size.
        limit: &'static str,
        /// Parameter with the number of rows to skip.
        offset: &'static str,
    },
    /// The request contains a cursor from the `meta` of the page before.
    Cursor {
        /// Parameter with the page size.
        limit: &'static str,
        /// Parameter that takes the token.
        cursor: &'static str,
        /// True if only a missing cursor ends the list. `has_more` is then ignored.
        ends_by_token: bool,
    },
    /// The request contains a cursor from the page before or, without a cursor, the keys of its last row.
    Keyset {
        /// Parameter with the page size.
        limit: &'static str,
        /// Parameter for the cursor.
        cursor: &'static str,
        /// Parameters, each with the field of the last row that fills it.
        keys: &'static [(&'static str, &'static str)],
        /// True if a cursor always leads to a next page. `has_more` is then ignored.
        ends_by_token: bool,
    },
    /// The request contains a key from the `pagination` object of the page before.
    PaginationKey {
        /// Parameter with the page size.
        limit: &'static str,
        /// Parameter for the key.
        key: &'static str,
    },
}

impl Paging {
    /// Returns the parameter with the page size.
    #[must_use]
    pub const fn limit(self) -> Option<&'static str> {
        match self {
            Paging::None => None,
            Paging::Offset { limit, .. }
            | Paging::Cursor { limit, .. }
            | Paging::Keyset { limit, .. }
            | Paging::PaginationKey { limit, .. } => Some(limit),
        }
    }

    /// Returns the parameter with the number of rows to skip.
    #[must_use]
    pub const fn offset(self) -> Option<&'static str> {
        match self {
            Paging::Offset { offset, .. } => Some(offset),
            _ => None,
        }
    }

    /// Returns the parameter for the cursor or key of the next page.
    #[must_use]
    pub const fn token(self) -> Option<&'static str> {
        match self {
            Paging::Cursor { cursor, .. } | Paging::Keyset { cursor, .. } => Some(cursor),
            Paging::PaginationKey { key, .. } => Some(key),
            Paging::None | Paging::Offset { .. } => None,
        }
    }

    /// Returns the parameters that are filled from the last row, with the fields of that row.
    #[must_use]
    pub const fn keys(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Paging::Keyset { keys, .. } => keys,
            _ => &[],
        }
    }

    /// Returns all parameters that select a page.
    pub fn parameters(self) -> impl Iterator<Item = &'static str> {
        let keys = self.keys().iter().map(|(parameter, _)| *parameter);
        [self.limit(), self.offset(), self.token()].into_iter().flatten().chain(keys)
    }
}
