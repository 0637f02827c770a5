//! Tests of MCP tasks, and of the user's consent to expensive calls.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crypto_intel_mcp::{Server, Settings};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, ClientCapabilities, ClientConfig,
    ElicitRequestParams, ElicitResult, ElicitationAction, GetTaskParams, Implementation,
    TaskPayload,
};
use rmcp::service::{RequestContext, RoleClient, RunningService};
use rmcp::{ClientHandler, ErrorData, ServiceExt as _};
use serde_json::{Value, json};

use crate::common::{sandbox, server, setup_with};

/// A client that supports MCP tasks. Its simulated user always gives the same answer to a request for consent.
#[derive(Clone)]
struct User {
    answer: ElicitationAction,
    questions: Arc<Mutex<Vec<String>>>,
}

impl ClientHandler for User {
    fn get_info(&self) -> ClientConfig {
        let capabilities =
            ClientCapabilities::builder().enable_elicitation().enable_tasks().build();
        ClientConfig::new(capabilities, Implementation::from_build_env())
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if let ElicitRequestParams::FormElicitationParams { message, .. } = request {
            self.questions.lock().expect("no panic").push(message);
        }
        Ok(ElicitResult::new(self.answer.clone()))
    }
}

async fn connect(server: Server, user: User) -> RunningService<RoleClient, User> {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        if let Ok(running) = rmcp::serve_server(server, theirs).await {
            let _ = running.waiting().await;
        }
    });
    user.serve(ours).await.expect("a connection")
}

fn user(answer: ElicitationAction) -> User {
    User { answer, questions: Arc::default() }
}

fn params(tool: &'static str, arguments: Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool)
        .with_arguments(arguments.as_object().expect("an object").clone())
}

#[tokio::test]
async fn a_dear_call_needs_the_consent_of_the_user() {
    let sandbox = sandbox().await;
    let pages = |pages: u64| {
        params(
            "call_operation",
            json!({"operation": "market-ranking", "pages": pages, "jq": "length"}),
        )
    };
    for (answer, is_sent) in
        [(ElicitationAction::Accept, true), (ElicitationAction::Decline, false)]
    {
        let user = user(answer);
        let server = server(&sandbox, Settings::new().consent_above(3));
        let client = connect(server, user.clone()).await;

        let cheap = client.call_tool(pages(1)).await.expect("a result");
        assert_eq!(cheap.is_error, Some(false));
        assert!(user.questions.lock().expect("no panic").is_empty());
        let dear = client.call_tool(pages(2)).await.expect("a result");
        assert_eq!(dear.is_error, Some(!is_sent), "{dear:?}");
        let questions = user.questions.lock().expect("no panic").clone();
        assert_eq!(questions, ["This call costs up to 4 credits by list price. Allow it?"]);
    }
    // Each of the two cheap calls requests one page. The call with consent requests two pages.
    assert_eq!(sandbox.requests_served(), 4);
}

#[tokio::test]
async fn client_that_cannot_ask_is_told_how_to_go_on() {
    let setup = setup_with(Settings::new().consent_above(3)).await;
    let dear = json!({"operation": "market-ranking", "pages": 2});
    let problem = setup.refused("call_operation", dear).await;
    assert_eq!(problem["error"], "over the credit cap");
    let next = problem["next_step"].as_str().expect("text");
    assert!(next.contains("fewer pages") && next.contains("--consent-above"), "{next}");
    assert_eq!(setup.sandbox.requests_served(), 0);
}

#[tokio::test]
async fn long_calls_become_tasks_of_clients_that_know_them() {
    let sandbox = sandbox().await;
    let client = connect(server(&sandbox, Settings::new()), user(ElicitationAction::Decline)).await;
    for (tool, arguments) in
        [("sql", json!({"query": "SELECT 1 AS one"})), ("ask", json!({"question": "How is BTC?"}))]
    {
        let response = client.call_tool_once(params(tool, arguments)).await.expect("a response");
        let CallToolResponse::Task(created) = response else { panic!("{response:?}") };
        let result = loop {
            let task = GetTaskParams::new(created.task.task_id.clone());
            match client.peer().get_task(task).await.expect("a task").task.payload {
                TaskPayload::Completed { result } => break result,
                TaskPayload::Working => tokio::time::sleep(Duration::from_millis(5)).await,
                other => panic!("{other:?}"),
            }
        };
        assert!(result["structuredContent"]["handle"].is_string(), "{result:?}");
    }

    // A quick call returns its result at once, without a task.
    let quick = params("sql", json!({"query": "SELECT count() FROM r1", "over_results": true}));
    let response = client.call_tool_once(quick).await.expect("a response");
    assert!(matches!(response, CallToolResponse::Complete(_)), "{response:?}");
}

/// Tests that a client of a second server cannot read a task of the first server. Also tests that a client can cancel
/// its own task.
#[tokio::test]
async fn tasks_belong_to_their_connection_and_can_be_cancelled() {
    let sandbox = sandbox().await;
    let client = connect(server(&sandbox, Settings::new()), user(ElicitationAction::Decline)).await;
    let other = connect(server(&sandbox, Settings::new()), user(ElicitationAction::Decline)).await;
    let endless = json!({"query": "SELECT sum(number) FROM numbers(1000000000000)"});
    let response = client.call_tool_once(params("sql", endless)).await.expect("a response");
    let CallToolResponse::Task(created) = response else { panic!("{response:?}") };
    let id = created.task.task_id;

    assert!(other.peer().get_task(GetTaskParams::new(id.clone())).await.is_err());
    client.peer().cancel_task(CancelTaskParams::new(id.clone())).await.expect("cancelled");
    loop {
        let task = client.peer().get_task(GetTaskParams::new(id.clone())).await.expect("a task");
        match task.task.payload {
            TaskPayload::Cancelled => break,
            TaskPayload::Working => tokio::time::sleep(Duration::from_millis(5)).await,
            other => panic!("{other:?}"),
        }
    }
}
