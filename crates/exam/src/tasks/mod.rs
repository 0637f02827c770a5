//! The tasks: what is asked, how the right answer is computed, and how the tools find it.

pub(crate) mod compare;
pub(crate) mod figures;
pub(crate) mod hard;
pub(crate) mod queries;
pub(crate) mod single;
