//! SQL against a server that keeps jobs: what is asked, when, and what comes of it.

use std::collections::BTreeMap;

mod jobs;
mod queries;
mod server;

/// What is asked for the state of the job that the server keeps.
const GET: &str = "GET /jobs/j-1";

/// A row of what the server answers.
type Row = BTreeMap<String, f64>;
