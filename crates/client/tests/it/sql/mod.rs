//! Tests of SQL queries and jobs against a scripted server: the requests that it receives, and the results of the
//! client.

use std::collections::BTreeMap;

mod jobs;
mod queries;
mod server;

/// Log entry of the scripted server for a request that reads the job `j-1`.
const GET: &str = "GET /jobs/j-1";

/// Row of a query result: a map from column names to numbers.
type Row = BTreeMap<String, f64>;
