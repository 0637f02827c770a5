//! clap arguments of operations, built from the catalogue. Only the arguments of the command in use are built, which
//! keeps start-up fast.

pub(crate) mod catalogue;
pub(crate) mod help;
pub(crate) mod operation;
pub(crate) mod options;
pub(crate) mod values;
