//! Tests of the code generator and its commands, with small valid and invalid OpenAPI documents.

mod adopt;
mod assumptions;
mod breakages;
mod changes;
mod check;
mod constructs;
mod contract;
mod corpus;
mod edits;
mod elsewhere;
mod facts;
mod generator_changes;
mod input;
mod keywords;
mod mutations;
mod names;
mod once_refused;
mod overlay_faults;
mod paste;
mod public;
mod public_api;
mod release;
mod second_opinion;
mod small;
mod uses;
mod values;
