//! The generator from outside: what it makes of small descriptions, and of bad ones.

mod breakages;
mod corpus;
mod edits;
mod elsewhere;
mod input;
mod mutations;
mod names;
mod small;
