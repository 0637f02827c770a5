//! clap arguments of operations, built from the catalogue. The arguments of a command are built only if the user runs
//! this command, which keeps start-up fast.

pub(crate) mod catalogue;
pub(crate) mod help;
pub(crate) mod operation;
pub(crate) mod options;
pub(crate) mod values;
