//! Provides an operation of the service as a DataFusion table.
//!
//! The input is the filters, columns and limit of a query. The output is a plan node that sends the calls.

use std::sync::Arc;

use async_trait::async_trait;
use crypto_intel::Client;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;

use crate::calls::{calls, missing, wish};
use crate::layout::Layout;
use crate::requests::{distinct, valid_calls};
use crate::scan::{Calls, Scan};

/// Maximum number of calls that the filters of one scan may require. For example, `symbol IN (…)` as the only filter
/// may contain at most 100 different values. Joins have a separate limit, [`crate::scan::MOST_JOINED_CALLS`].
const MOST_CALLS: usize = 100;

/// DataFusion table with the rows of one operation. Each query creates its own tables, because a table calls the
/// service with the client of the query.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) layout: Arc<Layout>,
    pub(crate) client: Client,
}

impl Table {
    /// Returns true if the filters do not set all required parameters. A join may set the missing parameters.
    #[cfg(feature = "cluster")]
    pub(crate) fn lacks_parameter(&self, filters: &[Expr]) -> bool {
        calls(&self.layout, filters).iter().any(|call| !missing(&self.layout, call).is_empty())
    }

    /// Converts the filters of a query to calls of the operation. For example, `symbol IN ('BTC', 'ETH')` becomes two
    /// calls. Returns [`Calls::Incomplete`] if these calls lack a required parameter. Returns an error if the filters
    /// require more than [`MOST_CALLS`] calls, or if the catalogue rejects a value.
    fn calls(&self, filters: &[Expr]) -> Result<Calls> {
        let layout = &*self.layout;
        let calls = calls(layout, filters);
        if calls.len() > MOST_CALLS {
            return plan_err!(
                "the query would call `{}` {} times, but the maximum is {MOST_CALLS}: use fewer values",
                layout.name(),
                calls.len()
            );
        }

        // All calls set the same parameters, so the first call represents all.
        let missing = calls.first().map(|call| missing(layout, call)).unwrap_or_default();
        match missing.is_empty() {
            true => Ok(Calls::Known(distinct(valid_calls(&self.client, layout, calls)?))),
            false => Ok(Calls::Incomplete { calls, missing }),
        }
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
        let calls = self.calls(filters)?;
        let scan = Scan::new(&self.client, self.layout.clone(), calls, projection, limit)?;
        Ok(Arc::new(scan))
    }
}
