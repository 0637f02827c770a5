//! Starts a sandbox with a stopped clock. Creates tables in memory from the sandbox's responses, for comparison with
//! query results.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::SchemaRef;
use arrow::util::pretty::pretty_format_batches;
use crypto_intel::Client;
use crypto_intel_engines::{Engine, Query};
use crypto_intel_frames::{Enums, FramesExt, Options};
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
use datafusion::common::ScalarValue;
use datafusion::datasource::MemTable;
use datafusion::prelude::SessionContext;

pub(crate) struct Service {
    pub(crate) sandbox: Sandbox,
    pub(crate) engine: Engine,
    client: Client,
}

/// Expected call: the identifier of the operation, and its parameters as text.
pub(crate) type ByHand = (&'static str, &'static [(&'static str, &'static str)]);

/// Test case: a statement, the calls that return its rows, and the expected number of requests.
pub(crate) struct Case {
    pub(crate) sql: &'static str,
    /// Calls that together return all rows that the statement needs.
    pub(crate) calls: &'static [ByHand],
    pub(crate) requests: usize,
}

/// Formats rows as text lines, sorted for comparison.
pub(crate) fn lines(batches: &[RecordBatch]) -> Vec<String> {
    let text = pretty_format_batches(batches).unwrap().to_string();
    let mut lines: Vec<_> =
        text.lines().filter(|line| line.starts_with('|')).map(str::to_owned).collect();
    lines.sort();
    lines
}

impl Service {
    pub(crate) async fn start() -> Service {
        let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
        let sandbox = Sandbox::builder().clock(clock).rate_limit(None).start().await.unwrap();
        let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
        let client = builder.clone().build().unwrap();
        Service { sandbox, engine: Engine::new(builder), client }
    }

    /// Runs the statement of each case, and checks its rows and its number of requests. The expected rows are the
    /// result of the same statement over in-memory tables, which contain the rows of the case's calls.
    pub(crate) async fn check(&self, cases: &[Case]) {
        let mut wrong = Vec::new();
        for case in cases {
            let query = self.engine.query().start().await.unwrap();
            let expected = self.by_hand(&query, case.calls).await;
            let expected = expected.sql(case.sql).await.unwrap().collect().await.unwrap();
            self.sandbox.forget_requests();

            let found = match query.sql(case.sql).await {
                Ok(rows) => rows.collect().await,
                Err(error) => Err(error),
            };
            let requests = self.sandbox.requests();
            let found = found.map_or_else(|error| vec![error.to_string()], |found| lines(&found));
            if found != lines(&expected) {
                wrong.push(format!("{}\n{}", case.sql, found.join("\n")));
            }
            if requests.len() != case.requests {
                wrong.push(format!("{}: {} requests, {requests:#?}", case.sql, requests.len()));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }

    /// Creates tables in memory that contain only the rows of `calls`.
    async fn by_hand(&self, query: &Query, calls: &[ByHand]) -> SessionContext {
        let context = SessionContext::new();
        let mut tables: Vec<(String, SchemaRef, Vec<RecordBatch>)> = Vec::new();
        for (operation, parameters) in calls {
            let name = operation.replace('-', "_");
            let schema = query.context().table(name.as_str()).await.unwrap();
            let schema = Arc::new(schema.schema().as_arrow().clone());
            let batches = self.rows(operation, parameters, &schema).await;
            match tables.iter_mut().find(|(known, ..)| *known == name) {
                Some((.., rows)) => rows.extend(batches),
                None => tables.push((name, schema, batches)),
            }
        }

        for (name, schema, batches) in tables {
            let table = MemTable::try_new(schema, vec![batches]).unwrap();
            context.register_table(name, Arc::new(table)).unwrap();
        }
        context
    }

    async fn rows(
        &self,
        operation: &str,
        parameters: &[(&str, &str)],
        schema: &SchemaRef,
    ) -> Vec<RecordBatch> {
        let request = self.client.request(operation).unwrap();
        let set = |request: crypto_intel::DynamicRequest, (name, value): &(&str, &str)| {
            request.with_text(name, value).unwrap()
        };
        let request = parameters.iter().fold(request, set);
        let options = Options::default().enums(Enums::Text);
        let batches = request.frames_with(&options).unwrap().collect().await.unwrap();

        let whole = |batch: RecordBatch| {
            let column = |index: usize| -> ArrayRef {
                let field = schema.field(index);
                if let Some(column) = batch.columns().get(index) {
                    return column.clone();
                }
                match parameters.iter().find(|(name, _)| name == field.name()) {
                    None => new_null_array(field.data_type(), batch.num_rows()),
                    Some((_, value)) => {
                        let value = ScalarValue::from(*value);
                        let values = value.to_array_of_size(batch.num_rows()).unwrap();
                        cast(&values, field.data_type()).unwrap()
                    }
                }
            };
            let columns = (0..schema.fields().len()).map(column).collect();
            RecordBatch::try_new(schema.clone(), columns).unwrap()
        };
        batches.into_iter().map(whole).collect()
    }
}
