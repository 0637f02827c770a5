//! Arguments of operations, from the catalogue. clap builds them only for the command in use, which
//! keeps start-up fast.

pub(crate) mod catalogue;
pub(crate) mod help;
pub(crate) mod operation;
pub(crate) mod options;
pub(crate) mod values;
