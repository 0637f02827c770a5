//! SQL against a server with jobs: requests and their results.

use std::collections::BTreeMap;

mod jobs;
mod queries;
mod server;

/// The request for the state of the server's job.
const GET: &str = "GET /jobs/j-1";

/// A row of the server's response.
type Row = BTreeMap<String, f64>;
