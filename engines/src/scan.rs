//! Reads the rows of a table. Calls run one after the other, so that a query with enough rows sends no further calls.

use std::fmt;
use std::sync::Arc;

use bytes::Bytes;
use crypto_intel::credits::{Credits, Estimate};
use crypto_intel::paging::Pager;
use crypto_intel::{Client, DynamicRequest};
use crypto_intel_core::{Paging, ParamKind};
use crypto_intel_frames::{Frames, FramesExt, PagerFramesExt};
use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
};
use futures_util::{Stream, TryStreamExt, stream};

use crate::layout::{Arguments, Layout, options};

/// A call, ready to be sent.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) arguments: Arguments,
    pub(crate) request: DynamicRequest,
    /// Identity of the call: path, query and body.
    pub(crate) target: (String, Option<Bytes>),
}

/// The plan node that calls the service.
#[derive(Debug)]
pub(crate) struct Scan {
    layout: Arc<Layout>,
    asked: Vec<Asked>,
    /// Requested columns of the table, in order.
    columns: Vec<usize>,
    limit: Option<usize>,
    /// Maximum list price. `None` if nothing bounds the number of pages.
    most: Option<Estimate>,
    properties: Arc<PlanProperties>,
}

impl Scan {
    pub(crate) fn new(
        client: &Client,
        layout: Arc<Layout>,
        asked: Vec<Asked>,
        projection: Option<&Vec<usize>>,
        limit: Option<usize>,
    ) -> Result<Scan> {
        let all = || (0..layout.schema.fields().len()).collect();
        let columns = projection.cloned().unwrap_or_else(all);
        let schema = Arc::new(layout.schema.project(&columns)?);
        // One partition: parallel calls would spend credits on rows that a LIMIT does not need.
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );

        let most = at_most(client, &asked, limit)?;
        let properties = Arc::new(properties);
        Ok(Scan { layout, asked, columns, limit, most, properties })
    }
}

/// Returns the maximum list price of the calls.
fn at_most(client: &Client, asked: &[Asked], limit: Option<usize>) -> Result<Option<Estimate>> {
    let mut most = Some(0);
    for asked in asked {
        let estimate = match pager(&asked.request, limit)? {
            Some(pager) => pager.estimate(),
            None => Some(client.estimate(&asked.request)),
        };
        let Some(estimate) = estimate else { return Ok(None) };
        most = most.zip(estimate.credits()).map(|(sum, credits)| sum + credits.0);
    }
    Ok(Some(most.map_or(Estimate::Unknown, |credits| Estimate::Exactly(Credits(credits)))))
}

/// Returns the pager of a call with pages, for at most `limit` rows.
fn pager(request: &DynamicRequest, limit: Option<usize>) -> Result<Option<Pager<DynamicRequest>>> {
    let wanted = limit.map(|limit| limit as u64);
    let mut request = request.clone();
    if let Some((name, size)) = wanted.and_then(|wanted| smaller_page(&request, wanted)) {
        request = request
            .with_text(name, &size.to_string())
            .map_err(|error| DataFusionError::Plan(error.message().to_owned()))?;
    }
    let pager = request.pager();
    Ok(match wanted {
        Some(wanted) => pager.map(|pager| pager.max_items(wanted)),
        None => pager,
    })
}

/// Returns the page size for at most `wanted` rows, if the default is larger.
fn smaller_page(request: &DynamicRequest, wanted: u64) -> Option<(&'static str, u64)> {
    let operation = request.operation();
    let name = operation.paging.limit()?;
    let (_, param) = operation.param(name)?;
    let default = param.default?.parse::<u64>().ok()?;
    let least = match param.kind {
        ParamKind::Integer { min: Some(min), .. } => u64::try_from(min).unwrap_or(1).max(1),
        _ => 1,
    };
    (wanted < default).then_some((name, wanted.max(least)))
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
        let reading = Reading {
            layout: self.layout.clone(),
            asked: self.asked.clone().into_iter(),
            columns: self.columns.clone(),
            schema: self.schema(),
            left: self.limit,
            current: None,
        };
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), reading.into_stream())))
    }
}

impl DisplayAs for Scan {
    fn fmt_as(&self, _ty: DisplayFormatType, f: &mut fmt::Formatter) -> fmt::Result {
        let calls: Vec<_> = self.asked.iter().map(|asked| asked.target.0.as_str()).collect();
        write!(f, "ServiceScan: {}, calls=[{}]", self.layout.name(), calls.join(", "))?;
        if let Some(limit) = self.limit {
            write!(f, ", rows<={limit}")?;
        }

        match (self.layout.operation.paging, self.most) {
            (Paging::None, _) => write!(f, ", requests={}", self.asked.len())?,
            (_, Some(_)) => {}
            (_, None) => write!(f, ", pages: to the end of the list")?,
        }
        match self.most.map(Estimate::credits) {
            Some(Some(most)) => write!(f, ", credits<={}", most.0),
            Some(None) => write!(f, ", credits: no published price"),
            None => match Estimate::from(self.layout.operation.list_price(None, None)) {
                Estimate::Unknown => write!(f, ", credits: no published price"),
                each => write!(f, ", credits: {} a page", each.credits().unwrap_or_default().0),
            },
        }
    }
}

/// The rows of several calls, one call after the other.
struct Reading {
    layout: Arc<Layout>,
    asked: std::vec::IntoIter<Asked>,
    columns: Vec<usize>,
    schema: SchemaRef,
    left: Option<usize>,
    current: Option<(Frames, Arguments)>,
}

impl Reading {
    fn into_stream(self) -> impl Stream<Item = Result<RecordBatch>> + Send {
        stream::try_unfold(self, async |mut reading| {
            Ok(reading.next().await?.map(|batch| (batch, reading)))
        })
        .into_stream()
    }

    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        while self.left != Some(0) {
            let Some((frames, arguments)) = &mut self.current else {
                let Some(asked) = self.asked.next() else { return Ok(None) };
                self.current = Some((self.frames(&asked)?, asked.arguments));
                continue;
            };

            let Some(mut batch) = frames.try_next().await.map_err(external)? else {
                self.current = None;
                continue;
            };
            if let Some(left) = &mut self.left {
                batch = batch.slice(0, batch.num_rows().min(*left));
                *left -= batch.num_rows();
            }
            let batch = whole(&self.layout, &self.columns, &self.schema, arguments, &batch)?;
            return Ok(Some(batch));
        }
        Ok(None)
    }

    fn frames(&self, asked: &Asked) -> Result<Frames> {
        let frames = match pager(&asked.request, self.left)? {
            Some(pager) => pager.frames_with(&options()),
            None => asked.request.clone().frames_with(&options()),
        };
        frames.map_err(external)
    }
}

/// Returns the requested columns. Columns of parameters contain the arguments.
fn whole(
    layout: &Layout,
    columns: &[usize],
    schema: &SchemaRef,
    arguments: &Arguments,
    rows: &RecordBatch,
) -> Result<RecordBatch> {
    let column = |index: &usize| -> Result<ArrayRef> {
        if *index < layout.of_rows {
            return Ok(rows.column(*index).clone());
        }
        let field = layout.schema.field(*index);
        let Some(text) = arguments.get(field.name().as_str()) else {
            return Ok(new_null_array(field.data_type(), rows.num_rows()));
        };
        let value = ScalarValue::from(text.as_str()).to_array_of_size(rows.num_rows())?;
        Ok(cast(&value, field.data_type())?)
    };

    let columns = columns.iter().map(column).collect::<Result<Vec<_>>>()?;
    let size = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
    Ok(RecordBatch::try_new_with_options(schema.clone(), columns, &size)?)
}

fn external(error: crypto_intel_frames::Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
