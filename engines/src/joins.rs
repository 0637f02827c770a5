//! Joins whose key is a required request parameter. Values of the other table become arguments of the calls.
//!
//! `JOIN market_price p ON p.symbol = r.symbol` reads the rows of `r` first. The query then calls `market-price` once
//! for each distinct symbol, and joins the rows of both tables.
//!
//! The input is a physical plan whose scans may lack required parameters. If a hash join provides the missing
//! parameters, [`JoinedParameters`] replaces the join with a [`ServiceJoin`]. [`JoinedParameters`] rejects a plan if a
//! scan still lacks required parameters afterwards.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crypto_intel_core::Param;
use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{JoinType, Result};
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::expressions::{CastExpr, Column};
use datafusion::physical_expr::{Distribution, EquivalenceProperties, PhysicalExpr};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::execution_plan::{Boundedness, CardinalityEffect, EmissionType};
use datafusion::physical_plan::filter::FilterExec;
use datafusion::physical_plan::joins::{HashJoinExec, PartitionMode};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::statistics::{StatisticsArgs, StatisticsContext};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties, collect,
    execute_stream,
};
use futures_util::{TryStreamExt, stream};

use crate::scan::{Calls, Scan};

/// Rule for the optimizer of physical plans. If a scan lacks required request parameters and a join provides their
/// values, the rule replaces this join with a [`ServiceJoin`]. The rule runs before the rules of DataFusion, which can
/// swap the two sides of a join or change their partitions.
#[derive(Debug)]
pub(crate) struct JoinedParameters;

impl PhysicalOptimizerRule for JoinedParameters {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _config: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let plan = plan.transform_up(service_join)?.data;
        plan.apply(|node| match node.downcast_ref::<Scan>().and_then(Scan::missing_parameter) {
            Some(error) => Err(error),
            None => Ok(TreeNodeRecursion::Continue),
        })?;
        Ok(plan)
    }

    fn name(&self) -> &str {
        "joined_parameters"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// Replaces a hash join with a [`ServiceJoin`] if the join can provide missing request parameters. For example, a scan
/// of `market_price` needs the parameter `symbol`. With the condition `market_price.symbol = listed.symbol`, the table
/// `listed` provides the symbols.
fn service_join(node: Arc<dyn ExecutionPlan>) -> Result<Transformed<Arc<dyn ExecutionPlan>>> {
    let Some(join) = node.downcast_ref::<HashJoinExec>() else { return Ok(Transformed::no(node)) };
    if let Some(join) = ServiceJoin::recognize(join)? {
        return Ok(Transformed::yes(Arc::new(join)));
    }
    if !lacks_parameters(join.left())? {
        return Ok(Transformed::no(node));
    }

    // DataFusion may add a projection above the swapped join, which restores the order of the columns.
    let swapped = join.swap_inputs(PartitionMode::CollectLeft)?;
    let swapped = swapped.transform_down(|node| {
        let join = node.downcast_ref::<HashJoinExec>().map(ServiceJoin::recognize);
        Ok(match join.transpose()?.flatten() {
            Some(join) => Transformed::new(Arc::new(join), true, TreeNodeRecursion::Stop),
            None => Transformed::no(node),
        })
    })?;
    Ok(if swapped.transformed { Transformed::yes(swapped.data) } else { Transformed::no(node) })
}

fn lacks_parameters(plan: &Arc<dyn ExecutionPlan>) -> Result<bool> {
    plan.exists(|node| {
        Ok(node.downcast_ref::<Scan>().is_some_and(|scan| scan.missing_parameter().is_some()))
    })
}

/// Plan node of a join. The node reads the rows of the left side first. Values of these rows become arguments of the
/// calls on the right side.
#[derive(Debug)]
struct ServiceJoin {
    /// Join node of DataFusion, which joins the rows of both sides after they have been read.
    join: HashJoinExec,
    /// Join keys of the left side. Their values become arguments of calls.
    keys: Vec<Arc<dyn PhysicalExpr>>,
    left: Arc<dyn ExecutionPlan>,
    /// Plan of the right side of the join. It contains one scan of an operation. [`Calls::Joined`] marks that the join
    /// provides the arguments of the scan.
    right: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl ServiceJoin {
    /// Converts a hash join to a [`ServiceJoin`] if its join keys provide all missing parameters of the scan on the
    /// right side. Otherwise returns `None`.
    fn recognize(join: &HashJoinExec) -> Result<Option<ServiceJoin>> {
        // Only these join types are supported. Right and full joins also return rows of the right side without a
        // matching key on the left side.
        let is_bounded = matches!(
            join.join_type(),
            JoinType::Inner | JoinType::Left | JoinType::LeftSemi | JoinType::RightSemi
        );
        if !is_bounded || lacks_parameters(join.left())? {
            return Ok(None);
        }

        let Some(Provided { keys, params, scan }) = provided_params(join) else { return Ok(None) };
        let Calls::Incomplete { calls, missing } = &scan.calls else { return Ok(None) };
        let is_provided = |name| params.iter().any(|param: &&Param| param.name == name);
        if !missing.iter().all(|param| is_provided(param.name)) {
            return Ok(None);
        }

        let most_values = most_rows(join.left());
        let calls = Calls::Joined { calls: calls.clone(), params, most_values };
        let right = with_calls(join.right(), |_| Ok(calls.clone()))?;
        let (join, left) = (join.builder().build()?, join.left().clone());
        Ok(Some(ServiceJoin::new(join, keys, left, right)))
    }

    fn new(
        join: HashJoinExec,
        keys: Vec<Arc<dyn PhysicalExpr>>,
        left: Arc<dyn ExecutionPlan>,
        right: Arc<dyn ExecutionPlan>,
    ) -> ServiceJoin {
        let properties = Arc::new(PlanProperties::new(
            EquivalenceProperties::new(join.schema()),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Final,
            Boundedness::Bounded,
        ));
        ServiceJoin { join, keys, left, right, properties }
    }
}

/// Parameters of a scan on the right side of a join, and join keys of the left side. The values of each key become the
/// arguments for the parameter with the same index.
struct Provided<'a> {
    keys: Vec<Arc<dyn PhysicalExpr>>,
    params: Vec<&'static Param>,
    scan: &'a Scan,
}

/// Finds parameters of the scan on the right side that can take their arguments from the join keys of the left side. A
/// parameter is used if it is required and has no argument. An optional parameter without an argument is used if it is
/// not a field of the scan's rows. Returns `None` if no parameter can be used.
fn provided_params(join: &HashJoinExec) -> Option<Provided<'_>> {
    let (mut keys, mut params, mut found) = (Vec::new(), Vec::new(), None);
    for (left, right) in join.on() {
        let Some(column) = column_of(right, join.right()) else { continue };
        let Some((scan, column)) = scan_behind(join.right(), column) else { continue };
        let Calls::Incomplete { calls, missing } = &scan.calls else { continue };
        let mut arguments = scan.layout.arguments.iter();
        let Some(argument) = arguments.find(|argument| argument.column == column) else { continue };

        let name = argument.param.name;
        let is_missing = missing.iter().any(|param| param.name == name);
        // The rows do not contain this parameter, so only calls with the argument return matching rows.
        let is_only_argument = column >= scan.layout.of_rows;
        let is_set = calls.iter().any(|call| call.contains_key(name));
        if is_missing || (is_only_argument && !is_set) {
            keys.push(left.clone());
            params.push(argument.param);
            found = Some(scan);
        }
    }
    found.map(|scan| Provided { keys, params, scan })
}

/// Finds the scan that reads a column of a plan, and the index of the column in the scan's table. Each node between the
/// plan and the scan must filter rows, select columns, or group rows by this column.
fn scan_behind(plan: &Arc<dyn ExecutionPlan>, column: usize) -> Option<(&Scan, usize)> {
    if let Some(scan) = plan.downcast_ref::<Scan>() {
        return Some((scan, *scan.columns.get(column)?));
    }
    if let Some(filter) = plan.downcast_ref::<FilterExec>() {
        let column = match filter.projection() {
            Some(columns) => *columns.get(column)?,
            None => column,
        };
        return scan_behind(filter.input(), column);
    }

    let (input, expression) = if let Some(projection) = plan.downcast_ref::<ProjectionExec>() {
        (projection.input(), &projection.expr().get(column)?.expr)
    } else {
        let aggregate = plan.downcast_ref::<AggregateExec>()?;
        let groups = aggregate.group_expr();
        (aggregate.input(), &groups.is_single().then(|| groups.expr().get(column))??.0)
    };
    scan_behind(input, column_of(expression, input)?)
}

/// Returns the index of the column if the expression is a column, or a cast of a text column to another text type.
/// Returns `None` for all other expressions.
fn column_of(expression: &Arc<dyn PhysicalExpr>, input: &Arc<dyn ExecutionPlan>) -> Option<usize> {
    if let Some(column) = expression.downcast_ref::<Column>() {
        return Some(column.index());
    }
    let cast = expression.downcast_ref::<CastExpr>()?;
    let column = cast.expr().downcast_ref::<Column>()?.index();
    let from = input.schema().field(column).data_type().clone();
    (from.is_string() && cast.cast_type().is_string()).then_some(column)
}

/// Returns a copy of the plan in which all incomplete scans have the new calls that `calls` creates. A scan is
/// incomplete if its calls are [`Calls::Incomplete`] or [`Calls::Joined`].
fn with_calls(
    plan: &Arc<dyn ExecutionPlan>,
    calls: impl Fn(&Scan) -> Result<Calls>,
) -> Result<Arc<dyn ExecutionPlan>> {
    let replaced = plan.clone().transform_up(|node| {
        let Some(scan) = node.downcast_ref::<Scan>() else { return Ok(Transformed::no(node)) };
        Ok(match &scan.calls {
            Calls::Incomplete { .. } | Calls::Joined { .. } => {
                Transformed::yes(Arc::new(scan.with_calls(calls(scan)?)))
            }
            Calls::Known(_) | Calls::Valued(_) => Transformed::no(node),
        })
    })?;
    Ok(replaced.data)
}

/// Returns the maximum number of rows of a plan, or `None` if its nodes do not limit the number.
fn most_rows(plan: &Arc<dyn ExecutionPlan>) -> Option<usize> {
    if let Some(scan) = plan.downcast_ref::<Scan>() {
        return scan.limit;
    }
    if let Some(rows) = plan.fetch() {
        return Some(rows);
    }
    match (plan.cardinality_effect(), plan.children().as_slice()) {
        (CardinalityEffect::Equal | CardinalityEffect::LowerEqual, [input]) => most_rows(input),
        (_, []) => {
            let statistics = StatisticsContext::new().compute(&**plan, &StatisticsArgs::new());
            match statistics.ok()?.num_rows {
                Precision::Exact(rows) => Some(rows),
                Precision::Inexact(_) | Precision::Absent => None,
            }
        }
        _ => None,
    }
}

impl ExecutionPlan for ServiceJoin {
    fn name(&self) -> &str {
        "ServiceJoin"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.left, &self.right]
    }

    fn required_input_distribution(&self) -> Vec<Distribution> {
        vec![Distribution::UnspecifiedDistribution; 2]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false; 2]
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let (left, right) = (children[0].clone(), children[1].clone());
        let join = self.join.builder().build()?;
        Ok(Arc::new(ServiceJoin::new(join, self.keys.clone(), left, right)))
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.join.apply_expressions(f)
    }

    fn execute(
        &self,
        _partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let (left, right, keys) = (self.left.clone(), self.right.clone(), self.keys.clone());
        let join = self.join.builder();
        let rows = async move {
            let rows = collect(left.clone(), context.clone()).await?;
            let values = values(&rows, &keys)?;
            let right = with_calls(&right, |scan| scan.calls_with(&values))?;

            let left = MemorySourceConfig::try_new_exec(&[rows], left.schema(), None)?;
            let join = join.with_new_children(vec![left, right])?;
            let join = join.with_partition_mode(PartitionMode::CollectLeft).build_exec()?;
            execute_stream(join, context)
        };
        let rows = stream::once(rows).try_flatten();
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), rows)))
    }
}

impl DisplayAs for ServiceJoin {
    fn fmt_as(&self, _ty: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        let on: Vec<_> =
            self.join.on().iter().map(|(left, right)| format!("{left} = {right}")).collect();
        write!(f, "ServiceJoin: type={:?}, on=[{}]", self.join.join_type(), on.join(", "))
    }
}

/// Returns the distinct values of the join keys as text. Rows in which a key is NULL are omitted, because they match no
/// row.
fn values(rows: &[RecordBatch], keys: &[Arc<dyn PhysicalExpr>]) -> Result<Vec<Vec<String>>> {
    let mut values = BTreeSet::new();
    for batch in rows {
        let text = |key: &Arc<dyn PhysicalExpr>| -> Result<ArrayRef> {
            let array = key.evaluate(batch)?.into_array(batch.num_rows())?;
            Ok(cast(&array, &DataType::Utf8)?)
        };
        let columns = keys.iter().map(text).collect::<Result<Vec<_>>>()?;
        let value = |row: usize| {
            let value = |column: &ArrayRef| {
                column.is_valid(row).then(|| column.as_string::<i32>().value(row).to_owned())
            };
            columns.iter().map(value).collect::<Option<Vec<_>>>()
        };
        values.extend((0..batch.num_rows()).filter_map(value));
    }
    Ok(values.into_iter().collect())
}
