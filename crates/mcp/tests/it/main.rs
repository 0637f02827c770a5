//! Tests of the MCP server with the official MCP client library, on a sandbox with a stopped clock.

mod bytes;
mod caps;
mod common;
mod completeness;
mod http;
mod invisible;
mod jq;
mod list;
mod result_tokens;
mod results;
mod secrets;
mod skill;
mod tasks_and_consent;
mod tokens;
mod tools;
