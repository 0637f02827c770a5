//! The arguments of operations, read from the catalogue. They are only made when a command is used,
//! so that help and calls start at once.

pub(crate) mod catalogue;
pub(crate) mod help;
pub(crate) mod operation;
pub(crate) mod options;
pub(crate) mod values;
