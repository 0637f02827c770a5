//! Environment of a task: a sandbox with the task's fault, and an MCP server with the task's credit
//! cap.

use crypto_intel::Client;
use crypto_intel_mcp::{JqWorker, Server, Settings};
use crypto_intel_sandbox::{Fault, Sandbox};
use serde_json::Value;

use crate::judge::agrees;
use crate::report::Mark;
use crate::sandbox::sandbox;
use crate::task::{Outcome, Task};
use crate::world::World;

/// Environment of one task.
pub(crate) struct TaskEnvironment {
    seed: u64,
    sandbox: Sandbox,
    key: String,
    pub(crate) server: Server,
    right: Value,
}

impl TaskEnvironment {
    pub(crate) async fn start(
        seed: u64,
        task: &Task,
        jq_worker: &JqWorker,
    ) -> Result<Self, String> {
        let world = World::new(seed).await?;
        let right = (task.truth)(&world).await?;

        let (sandbox, key) = sandbox(seed).await?;
        if let Some(fault) = task.fault {
            let fault: Fault = fault.parse().map_err(|error| format!("{error}"))?;
            sandbox.inject(fault).map_err(|error| error.to_string())?;
        }
        let builder = Client::builder().base_url(sandbox.url()).api_key(&key);
        let settings =
            Settings::new().sandbox(true).max_credits(task.credits).jq_worker(jq_worker.clone());
        let server = Server::new(builder, settings).map_err(|error| error.to_string())?;
        Ok(TaskEnvironment { seed, sandbox, key, server, right })
    }

    /// Marks an answer, with its cost.
    pub(crate) async fn mark(self, task: &Task, answer: Outcome) -> Mark {
        let usage = self.server.usage();
        let charged = self.sandbox.charged(&self.key).unwrap_or_default();
        let (given, right, note) = match answer {
            Ok(given) => {
                let right = agrees(&given, &self.right);
                (given, right, None)
            }
            Err(error) => (Value::Null, false, Some(error)),
        };
        Mark {
            task: task.id,
            seed: self.seed,
            right,
            given,
            expected: self.right,
            calls: usage.calls,
            credits: u64::try_from(charged).unwrap_or_default(),
            tokens: usage.tokens,
            note,
        }
    }
}
