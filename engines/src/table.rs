//! An operation as a table of DataFusion.
//!
//! The input is the filters, columns and limit of a query. The output is a plan that sends the calls.

use std::sync::Arc;

use async_trait::async_trait;
use crypto_intel::{Client, DynamicRequest};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result, plan_err};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;

use crate::calls::{calls, missing, wish};
use crate::layout::{Arguments, Layout};
use crate::scan::{Asked, Scan};

/// Maximum calls of one scan.
const MOST_CALLS: usize = 100;

/// The table of an operation within one query.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) layout: Arc<Layout>,
    pub(crate) client: Client,
}

impl Table {
    /// Returns the calls for some filters, each with its arguments.
    fn asked(&self, filters: &[Expr]) -> Result<Vec<Asked>> {
        let layout = &*self.layout;
        let calls = calls(layout, filters);
        if calls.len() > MOST_CALLS {
            return plan_err!(
                "`{}` would be called {} times, at most {MOST_CALLS}: name fewer values",
                layout.name(),
                calls.len()
            );
        }

        let refused = |error: crypto_intel::Error| {
            DataFusionError::Plan(format!("`{}`: {}", layout.name(), error.message()))
        };
        let mut asked: Vec<Asked> = Vec::with_capacity(calls.len());
        for call in calls {
            if let Some(param) = missing(layout, &call) {
                let (table, name, doc) = (layout.name(), param.name, param.doc);
                return plan_err!(
                    "`{table}` needs `{name}`: add `WHERE {table}.{name} = …` ({doc})"
                );
            }
            let request = self.request(&call).map_err(refused)?;
            let target = request.call().parts().map_err(refused)?;

            // `IN ('BTC', 'btc')` is one call, so its rows appear once.
            let target = (target.target, target.body);
            if !asked.iter().any(|known| known.target == target) {
                asked.push(Asked { arguments: call, request, target });
            }
        }
        Ok(asked)
    }

    fn request(&self, arguments: &Arguments) -> Result<DynamicRequest, crypto_intel::Error> {
        let request = self.client.request(self.layout.operation.id)?;
        arguments.iter().try_fold(request, |request, (name, value)| request.with_text(name, value))
    }
}

#[async_trait]
impl TableProvider for Table {
    fn schema(&self) -> SchemaRef {
        self.layout.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> Result<Vec<TableProviderFilterPushDown>> {
        let how = |filter: &&Expr| match wish(&self.layout, filter) {
            Some(wish) if wish.is_exact() => TableProviderFilterPushDown::Exact,
            Some(_) => TableProviderFilterPushDown::Inexact,
            None => TableProviderFilterPushDown::Unsupported,
        };
        Ok(filters.iter().map(how).collect())
    }

    async fn scan(
        &self,
        _state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let asked = self.asked(filters)?;
        let scan = Scan::new(&self.client, self.layout.clone(), asked, projection, limit)?;
        Ok(Arc::new(scan))
    }
}
