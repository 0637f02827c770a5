//! A sandbox with a stopped clock, and tables of its responses.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::SchemaRef;
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

/// A call with its operation and its parameters as text.
pub(crate) type ByHand = (&'static str, &'static [(&'static str, &'static str)]);

impl Service {
    pub(crate) async fn start() -> Service {
        let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
        let sandbox = Sandbox::builder().clock(clock).rate_limit(None).start().await.unwrap();
        let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
        let client = builder.clone().build().unwrap();
        Service { sandbox, engine: Engine::new(builder), client }
    }

    /// Creates tables that contain only the rows of `calls`.
    pub(crate) async fn by_hand(&self, query: &Query, calls: &[ByHand]) -> SessionContext {
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
