//! Test setup: a sandbox, an MCP server that calls the sandbox, and a client of the MCP server.

use std::sync::{Arc, Mutex};

use crypto_intel::{Client, RetryPolicy};
use crypto_intel_mcp::{JqWorker, Server, Settings};
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
use rmcp::model::{CallToolRequestParams, CallToolResult, ClientConfig, ProgressNotificationParam};
use rmcp::service::{NotificationContext, RoleClient, RunningService};
use rmcp::{ClientHandler, ServiceExt};
use serde_json::{Value, json};

/// A client that records the progress messages it receives.
#[derive(Debug, Clone, Default)]
pub(crate) struct Listener(pub(crate) Arc<Mutex<Vec<ProgressNotificationParam>>>);

impl ClientHandler for Listener {
    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.0.lock().expect("no panic").push(params);
    }

    fn get_info(&self) -> ClientConfig {
        ClientConfig::default()
    }
}

pub(crate) struct Setup {
    pub(crate) sandbox: Sandbox,
    pub(crate) client: RunningService<RoleClient, Listener>,
    pub(crate) listener: Listener,
    pub(crate) server: Server,
}

/// Creates the jq worker of these tests. To run a jq program, the worker starts this test program again with only the
/// test [`this_test_program_serves_as_jq_worker`].
pub(crate) fn jq_worker() -> JqWorker {
    let program = std::env::current_exe().expect("this program");
    JqWorker::new(program)
        .argument("--exact")
        .argument("common::this_test_program_serves_as_jq_worker")
}

#[tokio::test]
async fn this_test_program_serves_as_jq_worker() {
    if crypto_intel_jq::is_worker() {
        crypto_intel_jq::run_worker();
        std::process::exit(0);
    }
    let outputs = jq_worker().run("1 + 1", "null", &[]).await.expect("a result");
    assert_eq!(outputs[0].get(), "2");
}

pub(crate) async fn sandbox() -> Sandbox {
    let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
    Sandbox::builder().clock(clock).start().await.expect("a free port")
}

pub(crate) fn server(sandbox: &Sandbox, settings: Settings) -> Server {
    let builder = Client::builder()
        .base_url(sandbox.url())
        .api_key(sandbox.key())
        .retry(RetryPolicy::new().attempts(1));
    Server::new(builder, settings.jq_worker(jq_worker())).expect("a server")
}

pub(crate) async fn setup_with(settings: Settings) -> Setup {
    let sandbox = sandbox().await;
    let server = server(&sandbox, settings);
    let listener = Listener::default();
    let client = connect(server.clone(), listener.clone()).await;
    Setup { sandbox, client, listener, server }
}

pub(crate) async fn setup() -> Setup {
    setup_with(Settings::new()).await
}

pub(crate) async fn connect(
    server: Server,
    listener: Listener,
) -> RunningService<RoleClient, Listener> {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        if let Ok(running) = rmcp::serve_server(server, theirs).await {
            let _ = running.waiting().await;
        }
    });
    listener.serve(ours).await.expect("a connection")
}

impl Setup {
    /// Calls a tool.
    pub(crate) async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.client.call_tool(params).await.expect("a result")
    }

    /// Calls a tool, expects success, and returns its structured content.
    pub(crate) async fn ok(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.call(tool, arguments.clone()).await;
        assert_eq!(result.is_error, Some(false), "{tool} {arguments}: {result:?}");
        result.structured_content.expect("structured content")
    }

    /// Calls a tool, expects an error with a next step, and returns the error.
    pub(crate) async fn refused(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.call(tool, arguments.clone()).await;
        assert_eq!(result.is_error, Some(true), "{tool} {arguments}: {result:?}");
        let problem = result.structured_content.expect("structured content");
        assert!(problem["next_step"].as_str().is_some_and(|step| !step.is_empty()), "{problem}");
        problem
    }

    pub(crate) async fn operation(&self, operation: &str, arguments: Value) -> Value {
        self.ok("call_operation", json!({"operation": operation, "arguments": arguments})).await
    }
}

/// Returns the rows of a result as JSON objects. `data` is a list of rows or a table. In the objects of a table, the
/// name of a nested field is its path with dots. Fields that the table omits are missing in the objects.
pub(crate) fn objects(data: &Value) -> Vec<Value> {
    let Some(columns) = data.get("columns").and_then(Value::as_array) else {
        return data.as_array().expect("a list").clone();
    };
    let rows = data["rows"].as_array().expect("rows");
    let count = i64::try_from(rows.len()).expect("few");
    let object = |(row, cells): (i64, &Value)| {
        // Rows of one column are plain values.
        let only = (columns.len() == 1).then(|| vec![cells.clone()]);
        let cells = only.unwrap_or_else(|| cells.as_array().expect("cells").clone()).into_iter();
        let decoded = |(name, cell): (&Value, Value)| {
            let name = name.as_str().expect("a name");
            let texts = data["codes"][name].as_array();
            let index = cell.as_u64().and_then(|index| usize::try_from(index).ok());
            let text = texts.map(|texts| texts[index.expect("an index")].clone());
            (name.to_owned(), text.unwrap_or(cell))
        };
        let same = data["same_in_all_rows"].as_object().into_iter().flatten();
        let same = same.map(|(name, value)| (name.clone(), value.clone()));
        let mut object: serde_json::Map<_, _> =
            same.chain(columns.iter().zip(cells).map(decoded)).collect();

        for (name, steps) in data["steps"].as_object().into_iter().flatten() {
            let number = |name: &str| steps[name].as_i64().expect("a number");
            let even = number("from") + row * number("step");
            let last = steps["last"].as_i64().filter(|_| row + 1 == count);
            object.insert(name.clone(), last.unwrap_or(even).into());
        }
        for (name, other) in data["equal_columns"].as_object().into_iter().flatten() {
            let value = object[other.as_str().expect("a column")].clone();
            object.insert(name.clone(), value);
        }
        Value::Object(object)
    };
    (0..).zip(rows).map(object).collect()
}

/// Returns the text content of a tool result.
pub(crate) fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().expect("text").text
}
