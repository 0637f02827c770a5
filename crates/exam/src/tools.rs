//! MCP client of the scripted strategies. The strategies read the data only through the tools of the MCP server.

use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use serde_json::Value;

use crypto_intel_mcp::Server;

/// Maximum number of attempts of a tool call if the service fails.
const ATTEMPTS: usize = 4;

/// Connection to an MCP server that runs in the same process.
pub(crate) struct Tools(RunningService<RoleClient, ()>);

/// Error that a tool call returned.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The call returns no data: the entity does not exist, the arguments are invalid, or the credit cap forbids the
    /// call.
    Nothing(String),
    /// The service or the MCP server failed.
    Service(String),
}

impl Failure {
    /// Replaces [`Failure::Nothing`] by the default value of the result type, for example by an empty list.
    /// [`Failure::Service`] stays an error.
    pub(crate) fn or_nothing<T: Default>(result: Result<T, Failure>) -> Result<T, String> {
        match result {
            Ok(value) => Ok(value),
            Err(Failure::Nothing(_)) => Ok(T::default()),
            Err(Failure::Service(error)) => Err(error),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Failure::Nothing(error) | Failure::Service(error)) = self;
        f.write_str(error)
    }
}

impl Tools {
    pub(crate) async fn connect(server: Server) -> Result<Self, String> {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            if let Ok(running) = rmcp::serve_server(server, theirs).await {
                // The server stops when its client is dropped.
                let _ = running.waiting().await;
            }
        });
        ().serve(ours).await.map(Tools).map_err(|error| error.to_string())
    }

    /// Calls a tool. If the service fails, repeats the call. Makes at most [`ATTEMPTS`] attempts in total.
    pub(crate) async fn call(
        &self,
        tool: &'static str,
        arguments: Value,
    ) -> Result<Value, Failure> {
        let mut outcome = self.call_once(tool, &arguments).await;
        for _ in 1..ATTEMPTS {
            if !matches!(outcome, Err(Failure::Service(_))) {
                break;
            }
            outcome = self.call_once(tool, &arguments).await;
        }
        outcome
    }

    async fn call_once(&self, tool: &'static str, arguments: &Value) -> Result<Value, Failure> {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        let result =
            self.0.call_tool(params).await.map_err(|error| Failure::Service(error.to_string()))?;
        let content = result.structured_content.unwrap_or_default();
        if result.is_error != Some(true) {
            return Ok(content);
        }
        match content["error"].as_str() {
            Some("not found" | "invalid arguments" | "over the credit cap") => {
                Err(Failure::Nothing(content.to_string()))
            }
            _ => Err(Failure::Service(content.to_string())),
        }
    }
}
