//! Writes the rows of the service to files, so that the executors can read them.
//!
//! Only this process calls the service. It therefore also runs the joins in which one table provides the required
//! request parameters of another table. For example, the rows of one table contain the symbols for the calls of
//! `market-price`. The input is an optimized logical plan. In the output plan, scans of files replace the calls and
//! these joins.

use std::any::Any;
use std::path::Path;

use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{Column, DataFusionError, Result, internal_datafusion_err};
use datafusion::datasource::{MemTable, provider_as_source, source_as_provider};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, lit};
use datafusion::prelude::{DataFrame, ParquetReadOptions, SessionContext};

use crate::output::{Format, write};
use crate::query::Query;
use crate::table::Table;

/// Runs the parts of a plan that executors cannot run, such as calls of the service. Writes the rows of each part to a
/// file in `folder`. Returns a plan that reads these files in place of the parts.
pub(super) async fn stage(
    query: &Query,
    remote: &SessionContext,
    plan: LogicalPlan,
    folder: &Path,
) -> Result<LogicalPlan> {
    let mut parts = Vec::new();
    // This first walk only collects the parts. The second walk replaces them in the same order.
    plan.clone().transform_down_with_subqueries(|node| match is_read_here(&node)? {
        true => {
            parts.push(node.clone());
            Ok(Transformed::new(node, false, TreeNodeRecursion::Jump))
        }
        false => Ok(Transformed::no(node)),
    })?;

    let mut staged = Vec::with_capacity(parts.len());
    for (number, part) in parts.into_iter().enumerate() {
        staged.push(write_part(query, remote, part, number, folder).await?);
    }
    let mut staged = staged.into_iter();
    let plan = plan.transform_down_with_subqueries(|node| match is_read_here(&node)? {
        true => {
            let staged = staged.next().ok_or_else(|| {
                internal_datafusion_err!(
                    "the second traversal of the plan found more nodes to replace than the first traversal"
                )
            })?;
            Ok(Transformed::new(staged, true, TreeNodeRecursion::Jump))
        }
        false => Ok(Transformed::no(node)),
    })?;
    let with_schema = |node: LogicalPlan| Ok(Transformed::yes(node.recompute_schema()?));
    Ok(plan.data.transform_up_with_subqueries(with_schema)?.data)
}

/// Returns true if this process must read the rows of the plan node, because executors cannot read them. Such nodes are
/// tables of the service, tables in memory, and joins that provide required request parameters.
fn is_read_here(node: &LogicalPlan) -> Result<bool> {
    match node {
        LogicalPlan::TableScan(scan) => {
            let provider = source_as_provider(&scan.source)?;
            let provider: &dyn Any = &*provider;
            Ok(provider.is::<Table>() || provider.is::<MemTable>())
        }
        LogicalPlan::Join(join) => {
            Ok(lacks_parameter(&join.left)? || lacks_parameter(&join.right)?)
        }
        _ => Ok(false),
    }
}

/// Returns true if the filters of a service table on this side of a join do not set a required request parameter. The
/// join must then provide the value. Tables below a nested join are skipped, because the nested join provides their
/// parameters.
fn lacks_parameter(side: &LogicalPlan) -> Result<bool> {
    let mut lacks = false;
    side.apply(|node| {
        let LogicalPlan::TableScan(scan) = node else {
            let is_join = matches!(node, LogicalPlan::Join(_));
            return Ok(if is_join { TreeNodeRecursion::Jump } else { TreeNodeRecursion::Continue });
        };
        let provider = source_as_provider(&scan.source)?;
        let provider: &dyn Any = &*provider;
        let table = provider.downcast_ref::<Table>();
        lacks |= table.is_some_and(|table| table.lacks_parameter(&scan.filters));
        Ok(TreeNodeRecursion::Continue)
    })?;
    Ok(lacks)
}

/// Runs a plan and writes its rows to a file. Returns a scan of the file with the columns of the plan.
async fn write_part(
    query: &Query,
    remote: &SessionContext,
    part: LogicalPlan,
    number: usize,
    folder: &Path,
) -> Result<LogicalPlan> {
    // Each column of the file gets a unique name, because two tables may have columns of the same name.
    let columns = part.schema().columns();
    let name =
        |(index, column): (usize, &Column)| Expr::Column(column.clone()).alias(format!("c{index}"));
    let mut named: Vec<_> = columns.iter().enumerate().map(name).collect();
    if named.is_empty() {
        // A file without a column would lose the number of rows.
        named.push(lit(true).alias("c0"));
    }
    let part = LogicalPlanBuilder::from(part).project(named)?.build()?;
    let rows = DataFrame::new(query.context().state(), part).execute_stream().await?;
    let file = folder.join(format!("{number}.parquet"));
    write(rows, Format::Parquet, &mut std::fs::File::create(&file)?).await?;

    let name = format!("staged_{number}");
    let location = file.to_str().ok_or_else(|| {
        DataFusionError::Configuration(format!("{} is not a UTF-8 path", file.display()))
    })?;
    remote.register_parquet(&name, location, ParquetReadOptions::default()).await?;
    let source = provider_as_source(remote.table_provider(name.as_str()).await?);
    let restored = columns.into_iter().enumerate().map(|(index, column)| {
        let staged = Expr::Column(Column::new(Some(name.as_str()), format!("c{index}")));
        staged.alias_qualified(column.relation, column.name)
    });
    LogicalPlanBuilder::scan(name.as_str(), source, None)?.project(restored)?.build()
}
