//! Plan node that calls the service. The calls of a scan run one after the other, and stop when the query has enough
//! rows. Only the calls of a join run concurrently.

use std::fmt;
use std::sync::Arc;

use crypto_intel::Client;
use crypto_intel::credits::Estimate;
use crypto_intel_core::{Paging, Param};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, plan_datafusion_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
};
use futures_util::{StreamExt as _, stream};

use crate::layout::{Arguments, Layout};
use crate::reading::Reading;
use crate::requests::{ValidCall, at_most, valid_calls};

/// Maximum number of calls of one scan, if values of a joined table are arguments of the calls.
pub(crate) const MOST_JOINED_CALLS: usize = 1_000;

/// Maximum number of concurrent calls of a join.
const SIDE_BY_SIDE: usize = 8;

/// Calls of a [`Scan`]. The variants differ in the arguments that are already known.
#[derive(Debug, Clone)]
pub(crate) enum Calls {
    /// Calls that can be sent, because the statement contains all their required arguments.
    Known(Vec<ValidCall>),
    /// Calls that cannot be sent yet, because the statement does not set the required parameters in `missing`. A join
    /// may set them.
    Incomplete { calls: Vec<Arguments>, missing: Vec<&'static Param> },
    /// Calls whose arguments for the parameters in `params` are values of a joined table. The joined table is read
    /// while the query runs.
    Joined {
        calls: Vec<Arguments>,
        params: Vec<&'static Param>,
        /// Maximum number of rows of the joined table. Each row can provide different values for the parameters in
        /// `params`. `None` if the query plan does not limit the number of rows.
        most_values: Option<usize>,
    },
    /// Calls that can be sent, because the joined table was read. Their arguments include values of the joined table.
    Valued(Vec<ValidCall>),
}

impl Calls {
    fn calls(&self) -> &[ValidCall] {
        match self {
            Calls::Known(asked) | Calls::Valued(asked) => asked,
            Calls::Incomplete { .. } | Calls::Joined { .. } => &[],
        }
    }
}

/// Plan node that calls the service and returns the rows of its calls.
#[derive(Debug, Clone)]
pub(crate) struct Scan {
    pub(crate) client: Client,
    pub(crate) layout: Arc<Layout>,
    pub(crate) calls: Calls,
    /// Indexes of the requested columns of the table, in the requested order.
    pub(crate) columns: Vec<usize>,
    pub(crate) limit: Option<usize>,
    /// Maximum list price of the scan. `None` if the number of pages is not limited.
    most: Option<Estimate>,
    properties: Arc<PlanProperties>,
}

impl Scan {
    pub(crate) fn new(
        client: &Client,
        layout: Arc<Layout>,
        calls: Calls,
        projection: Option<&Vec<usize>>,
        limit: Option<usize>,
    ) -> Result<Scan> {
        let all = || (0..layout.schema.fields().len()).collect();
        let columns = projection.cloned().unwrap_or_else(all);
        let schema = Arc::new(layout.schema.project(&columns)?);
        // The scan has one partition. Parallel calls would spend credits on rows that a LIMIT does not need.
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );

        let most = at_most(client, calls.calls(), limit)?;
        let (client, properties) = (client.clone(), Arc::new(properties));
        Ok(Scan { client, layout, calls, columns, limit, most, properties })
    }

    /// Returns a copy of the scan in which `calls` replaces the previous calls.
    pub(crate) fn with_calls(&self, calls: Calls) -> Scan {
        Scan { calls, ..self.clone() }
    }

    /// Returns the calls of the scan. In a join, columns of the other table can supply parameters of the calls. Each
    /// row of `values` then contains one value for each of these parameters.
    pub(crate) fn calls_with(&self, values: &[Vec<String>]) -> Result<Calls> {
        let Calls::Joined { calls, params, .. } = &self.calls else {
            return Ok(self.calls.clone());
        };
        let count = values.len() * calls.len();
        if count > MOST_JOINED_CALLS {
            return Err(plan_datafusion_err!(
                "the join would call `{}` {count} times, but the maximum is {MOST_JOINED_CALLS}: filter the joined table to fewer \
                 values",
                self.layout.name()
            ));
        }

        let with_values = |call: &Arguments, values: &[String]| {
            let values = params.iter().zip(values);
            let mut call = call.clone();
            call.extend(values.map(|(param, value)| (param.name, value.clone())));
            call
        };
        let calls =
            values.iter().flat_map(|row| calls.iter().map(move |call| with_values(call, row)));
        Ok(Calls::Valued(valid_calls(&self.client, &self.layout, calls.collect())?))
    }

    /// Returns an error if the scan lacks a required parameter. The error contains the first missing parameter.
    pub(crate) fn missing_parameter(&self) -> Option<DataFusionError> {
        let Calls::Incomplete { missing, .. } = &self.calls else { return None };
        let (param, table) = (missing.first()?, self.layout.name());
        let (name, doc) = (param.name, param.doc);
        Some(plan_datafusion_err!(
            "`{table}` needs a value for `{name}`: add `WHERE {table}.{name} = …`, or join the column with `=` ({doc})"
        ))
    }

    fn reading(&self, asked: Vec<ValidCall>, is_joined: bool) -> Reading {
        let schema = self.schema();
        Reading::new(
            self.layout.clone(),
            asked,
            self.columns.clone(),
            schema,
            self.limit,
            is_joined,
        )
    }
}

impl ExecutionPlan for Scan {
    fn name(&self) -> &str {
        "ServiceScan"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn with_new_children(
        self: Arc<Self>,
        _children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn apply_expressions(
        &self,
        _f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn execute(
        &self,
        _partition: usize,
        _context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let rows = match &self.calls {
            Calls::Known(asked) => self.reading(asked.clone(), false).into_stream().boxed(),
            Calls::Valued(asked) => {
                let calls = asked.clone().into_iter();
                let calls: Vec<_> = calls
                    .map(|asked| self.reading(vec![asked], true).into_stream().boxed())
                    .collect();
                stream::iter(calls).flatten_unordered(SIDE_BY_SIDE).boxed()
            }
            Calls::Incomplete { .. } | Calls::Joined { .. } => {
                let without_values = || plan_datafusion_err!("{} has no values yet", self.name());
                return Err(self.missing_parameter().unwrap_or_else(without_values));
            }
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows)))
    }
}

impl DisplayAs for Scan {
    fn fmt_as(&self, _ty: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "ServiceScan: {}, ", self.layout.name())?;
        if let Calls::Joined { calls, params, most_values } = &self.calls {
            return self.fmt_joined(f, calls, params, *most_values);
        }

        let asked = self.calls.calls();
        let calls: Vec<_> = asked.iter().map(|asked| asked.target.0.as_str()).collect();
        write!(f, "calls=[{}]", calls.join(", "))?;
        if let Some(limit) = self.limit {
            write!(f, ", rows<={limit}")?;
        }
        match (self.layout.operation.paging, self.most) {
            (Paging::None, _) => write!(f, ", requests={}", asked.len())?,
            (_, Some(_)) => {}
            (_, None) => write!(f, ", pages: all")?,
        }
        match self.most.map(Estimate::credits) {
            Some(Some(most)) => write!(f, ", credits<={}", most.0),
            Some(None) => write!(f, ", credits: no published price"),
            None => match self.price() {
                None => write!(f, ", credits: no published price"),
                Some(each) => write!(f, ", credits per page: {each}"),
            },
        }
    }
}

impl Scan {
    /// Writes the calls of a scan for `EXPLAIN`, if a joined table provides arguments of the calls. Writes the maximum
    /// number of calls, because the exact number is known only after the joined table has been read.
    fn fmt_joined(
        &self,
        f: &mut fmt::Formatter,
        calls: &[Arguments],
        params: &[&'static Param],
        most_values: Option<usize>,
    ) -> fmt::Result {
        let names: Vec<_> = params.iter().map(|param| param.name).collect();
        write!(f, "calls: {} for each distinct value of {}", calls.len(), names.join(", "))?;
        let set: Vec<_> =
            calls.iter().flatten().map(|(name, value)| format!("{name}={value}")).collect();
        if !set.is_empty() {
            write!(f, " with {}", set.join(", "))?;
        }

        let most_calls = (MOST_JOINED_CALLS / calls.len().max(1))
            .min(most_values.unwrap_or(usize::MAX))
            * calls.len();
        write!(f, ", at most {most_calls} calls")?;
        match (self.layout.operation.paging, self.price()) {
            (_, None) => write!(f, ", credits: no published price"),
            (Paging::None, Some(each)) => {
                write!(f, ", credits per call: {each}, credits<={}", each * most_calls as u64)
            }
            (_, Some(each)) => {
                write!(f, ", pages: all pages of each call, credits per page: {each}")
            }
        }
    }

    /// Returns the list price of one call in credits, or `None` if the price is not published.
    fn price(&self) -> Option<u64> {
        let price = Estimate::from(self.layout.operation.list_price(None, None));
        price.credits().map(|credits| credits.0)
    }
}
