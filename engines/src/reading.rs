//! Reads the rows of calls as record batches with the columns of a table.

use std::sync::Arc;

use crypto_intel::ErrorKind;
use crypto_intel_frames::{Frames, FramesExt, PagerFramesExt};
use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{DataFusionError, Result, ScalarValue};
use futures_util::{Stream, TryStreamExt, stream};

use crate::layout::{Arguments, Layout, options};
use crate::requests::{ValidCall, pager};

/// Reader of the rows of several calls. It sends one call after the other.
pub(crate) struct Reading {
    layout: Arc<Layout>,
    asked: std::vec::IntoIter<ValidCall>,
    columns: Vec<usize>,
    schema: SchemaRef,
    left: Option<usize>,
    /// True if values of a joined table are arguments of the calls. A call that fails with "not found" before its first
    /// row then counts as a call without rows. The rows of a call contain a ticker or an address in the spelling of the
    /// joined table, for example `btc` instead of `BTC`.
    is_joined: bool,
    current: Option<Current>,
}

/// Call whose rows are currently read.
struct Current {
    frames: Frames,
    arguments: Arguments,
    has_rows: bool,
}

impl Reading {
    pub(crate) fn new(
        layout: Arc<Layout>,
        asked: Vec<ValidCall>,
        columns: Vec<usize>,
        schema: SchemaRef,
        left: Option<usize>,
        is_joined: bool,
    ) -> Reading {
        let asked = asked.into_iter();
        Reading { layout, asked, columns, schema, left, is_joined, current: None }
    }

    pub(crate) fn into_stream(self) -> impl Stream<Item = Result<RecordBatch>> + Send {
        stream::try_unfold(self, async |mut reading| {
            Ok(reading.next().await?.map(|batch| (batch, reading)))
        })
        .into_stream()
    }

    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        while self.left != Some(0) {
            let Some(current) = &mut self.current else {
                let Some(asked) = self.asked.next() else { return Ok(None) };
                let frames = self.frames(&asked)?;
                let arguments = asked.arguments;
                self.current = Some(Current { frames, arguments, has_rows: false });
                continue;
            };

            let mut batch = match current.frames.try_next().await {
                Ok(Some(batch)) => batch,
                Ok(None) => {
                    self.current = None;
                    continue;
                }
                Err(error) if self.is_joined && !current.has_rows && is_not_found(&error) => {
                    self.current = None;
                    continue;
                }
                Err(error) => return Err(external(error)),
            };
            current.has_rows = true;
            if let Some(left) = &mut self.left {
                batch = batch.slice(0, batch.num_rows().min(*left));
                *left -= batch.num_rows();
            }
            return Ok(Some(self.table_columns(&batch)?));
        }
        Ok(None)
    }

    fn frames(&self, asked: &ValidCall) -> Result<Frames> {
        let frames = match pager(&asked.request, self.left)? {
            Some(pager) => pager.frames_with(&options()),
            None => asked.request.clone().frames_with(&options()),
        };
        frames.map_err(external)
    }

    /// Returns the requested columns for the rows of a response. A request parameter that is not a field of the rows
    /// becomes a column. This column contains the argument of the current call. If the call does not set the parameter,
    /// the column contains nulls.
    fn table_columns(&self, rows: &RecordBatch) -> Result<RecordBatch> {
        let column = |index: &usize| -> Result<ArrayRef> {
            if *index < self.layout.of_rows && !self.is_spelt_by_join(*index) {
                return Ok(rows.column(*index).clone());
            }
            let field = self.layout.schema.field(*index);
            let arguments = self.current.as_ref().map(|current| &current.arguments);
            let Some(text) = arguments.and_then(|known| known.get(field.name().as_str())) else {
                return Ok(new_null_array(field.data_type(), rows.num_rows()));
            };
            let value = ScalarValue::from(text.as_str()).to_array_of_size(rows.num_rows())?;
            Ok(cast(&value, field.data_type())?)
        };

        let columns = self.columns.iter().map(column).collect::<Result<Vec<_>>>()?;
        let size = RecordBatchOptions::new().with_row_count(Some(rows.num_rows()));
        Ok(RecordBatch::try_new_with_options(self.schema.clone(), columns, &size)?)
    }

    /// Returns true if the column must contain the argument of the current call instead of the service's value. In a
    /// join, these columns are the tickers and addresses that the call sets. The service may spell these values
    /// differently from the joined table.
    fn is_spelt_by_join(&self, column: usize) -> bool {
        let argument = self.layout.arguments.iter().find(|argument| argument.column == column);
        let arguments = self.current.as_ref().map(|current| &current.arguments);
        self.is_joined
            && argument.is_some_and(|argument| {
                argument.is_exact
                    && arguments.is_some_and(|known| known.contains_key(argument.param.name))
            })
    }
}

fn is_not_found(error: &crypto_intel_frames::Error) -> bool {
    matches!(error, crypto_intel_frames::Error::Call(error) if error.kind() == ErrorKind::NotFound)
}

fn external(error: crypto_intel_frames::Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
