//! Direct access to the data of the sandbox. The examiner's process computes the right answers from these data.

use crypto_intel::{Client, DynamicRequest, ErrorKind, Row};
use crypto_intel_sandbox::Sandbox;
use serde_json::Value;

use crate::plan::{Arguments, Call, Source, evaluate};
use crate::sandbox;
use crate::seed::Seed;
use crate::task::Question;

/// A sandbox with the data of an exam, for the examiner only. This sandbox never returns simulated errors or
/// manipulated texts, unlike the sandboxes of some questions.
pub(crate) struct World {
    client: Client,
    _sandbox: Sandbox,
}

impl World {
    pub(crate) fn new(seed: Seed) -> Result<Self, String> {
        let (sandbox, builder) = sandbox::start(seed)?;
        let client = builder.build().map_err(|error| error.to_string())?;
        Ok(World { client, _sandbox: sandbox })
    }

    /// Returns the right answer of a question. It is `null` if the question has no answer.
    pub(crate) async fn answer(&self, question: &Question) -> Result<Value, String> {
        if !question.is_known {
            return Ok(Value::Null);
        }
        self.computed(question).await
    }

    /// Evaluates the plan of a question, and returns the result. Unlike [`answer`](Self::answer), this method does not
    /// check whether the question has an answer.
    pub(crate) async fn computed(&self, question: &Question) -> Result<Value, String> {
        let mut reader = Reader { client: &self.client, reach: question.task.reach };
        let answer = evaluate(&question.plan, &mut reader).await;
        answer.map_err(|error| format!("{}: {error}", question.id))
    }
}

struct Reader<'a> {
    client: &'a Client,
    reach: Option<usize>,
}

impl Source for Reader<'_> {
    async fn read(&mut self, call: &Call, arguments: &Arguments) -> Result<Vec<Value>, String> {
        let Some(operation) = call.operation else {
            let query = call.sql().unwrap_or_default();
            let reply = self.client.sql(query).json().await.map_err(|error| error.to_string())?;
            let rows = serde_json::to_value(reply.into_inner());
            return rows.and_then(serde_json::from_value).map_err(|error| error.to_string());
        };

        let start = self.client.request(operation.id);
        let set = |request: Result<DynamicRequest, _>, (name, text): &(String, String)| {
            request.and_then(|request| request.with_text(name, text))
        };
        let request = arguments.values.iter().fold(start, set);
        let rows = match request {
            Ok(request) => self.rows(request, call.first).await,
            Err(error) => Err(error),
        };

        match rows {
            Ok(rows) => {
                let reach = self.reach.filter(|_| call.first.is_none()).unwrap_or(usize::MAX);
                let values = rows.iter().take(reach).map(Row::to_value);
                values.map(|value| value.map_err(|error| error.to_string())).collect()
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::InvalidRequest) =>
            {
                Ok(Vec::new())
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Reader<'_> {
    /// Returns the rows of an operation. If `first` is set, returns at most this number of rows.
    async fn rows(
        &self,
        request: DynamicRequest,
        first: Option<usize>,
    ) -> Result<Vec<Row>, crypto_intel::Error> {
        match (request.clone().pager(), first) {
            (Some(pager), Some(first)) => pager.max_items(first as u64).collect_all().await,
            (Some(pager), None) => pager.collect_all().await,
            (None, _) => request.await.map(|reply| reply.into_inner().into_rows()),
        }
    }
}
