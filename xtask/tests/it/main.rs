//! The generator from outside: what it makes of small descriptions, and of bad ones.

mod assumptions;
mod breakages;
mod check;
mod corpus;
mod edits;
mod elsewhere;
mod input;
mod mutations;
mod names;
mod second_opinion;
mod small;
