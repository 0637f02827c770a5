//! MCP client for scripted solutions, which reach the data only through tools.

use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Value, json};

use crypto_intel_mcp::Server;

/// Connection to an MCP server in the same process.
pub(crate) struct Tools(RunningService<RoleClient, ()>);

impl Tools {
    pub(crate) async fn connect(server: Server) -> Result<Self, String> {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            if let Ok(running) = rmcp::serve_server(server, theirs).await {
                // The server ends with its client.
                let _ = running.waiting().await;
            }
        });
        ().serve(ours).await.map(Tools).map_err(|error| error.to_string())
    }

    /// Calls a tool. An error result becomes `Err`.
    pub(crate) async fn call(&self, tool: &'static str, arguments: Value) -> Result<Value, String> {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        let result = self.0.call_tool(params).await.map_err(|error| error.to_string())?;
        let content = result.structured_content.unwrap_or_default();
        if result.is_error == Some(true) { Err(content.to_string()) } else { Ok(content) }
    }

    /// Calls an operation and returns the result of a jq program over its rows.
    pub(crate) async fn jq(
        &self,
        operation: &str,
        arguments: Value,
        program: &str,
    ) -> Result<Value, String> {
        let call = json!({"operation": operation, "arguments": arguments, "jq": program});
        Ok(self.call("call_operation", call).await?["service_data"].take())
    }

    /// Calls an operation with several arguments at once. Returns one result per call; `null` if
    /// the call failed.
    pub(crate) async fn each(
        &self,
        operation: &str,
        arguments: impl IntoIterator<Item = Value>,
        program: &str,
    ) -> Result<Vec<Value>, String> {
        let calls: Vec<_> = arguments
            .into_iter()
            .map(|arguments| json!({"operation": operation, "arguments": arguments, "jq": program}))
            .collect();
        let mut answer = self.call("call_side_by_side", json!({"calls": calls})).await?;
        let results = answer["results"].as_array_mut().ok_or("no results")?;
        Ok(results.iter_mut().map(|result| result["service_data"].take()).collect())
    }

    /// Runs a query and returns the result of a jq program over its rows.
    pub(crate) async fn sql(&self, query: &str, program: &str) -> Result<Value, String> {
        let call = json!({"query": query, "jq": program});
        Ok(self.call("sql", call).await?["service_data"].take())
    }
}
