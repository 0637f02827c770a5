//! Writes the responses of a repeated call. The first response is written completely. After that, only the changes are
//! written.

use crypto_intel::DynamicAnswer;
use crypto_intel::catalogue::RecordRow;
use serde_json::Value;

use super::changes::{self, ChangeKind};
use super::events::Events;
use super::fields::Path;
use super::node::Node;
use super::{Options, Rows};
use crate::failure::Failure;
use crate::format::Format;
use crate::terminal;

/// Writer of the responses of a repeated call.
#[derive(Debug)]
pub(crate) struct Watched {
    options: Options,
    record: Option<&'static RecordRow>,
    form: Form,
    /// Rows of the previous response.
    before: Option<Vec<Node>>,
}

/// Output format for the changes between two responses.
#[derive(Debug)]
enum Form {
    /// One line of text per changed or removed row, and a table of new rows.
    Lines,
    /// One JSON object or CSV line per change.
    Events(Events),
    /// Output of the user's jq program for the new and changed rows.
    Filtered,
    /// The whole chart or image. It is drawn again after each response with new, changed or removed rows.
    Drawn,
}

impl Watched {
    pub(crate) fn new(options: Options, record: Option<&'static RecordRow>) -> Self {
        let form = match options.format {
            _ if options.chart.is_some() || options.plot.is_some() => Form::Drawn,
            _ if options.jq.is_some() => Form::Filtered,
            Format::Table => Form::Lines,
            format => Form::Events(Events::new(format, options.fields.clone(), record)),
        };
        Watched { options, record, form, before: None }
    }

    /// Writes the first response completely, and only the changes of each later response. Rows after the first `limit`
    /// rows are ignored.
    ///
    /// For a later response, returns the number of its rows and the number of new or changed rows. Returns `None` for
    /// the first response.
    pub(crate) fn push(
        &mut self,
        answer: &DynamicAnswer,
        limit: usize,
    ) -> Result<Option<(usize, usize)>, Failure> {
        let rows: Vec<&str> = answer.rows().iter().take(limit).map(|row| row.get()).collect();
        let rows = self.options.selection.apply(rows);
        let after: Vec<Node> = rows.iter().map(|row| Node::parse(row)).collect();
        let is_first = self.before.is_none();
        let before = self.before.take().unwrap_or_default();
        let fields: Vec<String> = self.options.fields.iter().map(Path::to_string).collect();
        let changes = changes::between(&before, &after, self.record, &fields);

        let told: Vec<usize> = changes
            .iter()
            .filter(|change| change.what != ChangeKind::Gone)
            .map(|change| change.index)
            .collect();
        let new = changes.iter().filter(|change| change.what == ChangeKind::New);
        let new: Vec<usize> = new.map(|change| change.index).collect();
        let all: Vec<usize> = (0..rows.len()).collect();
        let printed = match &mut self.form {
            Form::Events(events) => {
                events.write(&changes, &before, &after, answer.is_list())?;
                None
            }
            _ if is_first => Some(all),
            Form::Drawn => Some(all).filter(|_| !changes.is_empty()),
            Form::Filtered => Some(told.clone()).filter(|told| !told.is_empty()),
            Form::Lines => {
                for line in changes.iter().filter_map(|change| change.line.as_deref()) {
                    terminal::print(&format!("{}\n", terminal::escape_controls(line)));
                }
                Some(new).filter(|new| !new.is_empty())
            }
        };

        if let Some(indexes) = printed {
            let meta = if is_first { answer.meta() } else { Value::Null };
            self.print(indexes.iter().map(|index| rows[*index]), answer.is_list(), meta)?;
        }
        self.before = Some(after);
        Ok((!is_first).then_some((rows.len(), told.len())))
    }

    fn print<'a>(
        &self,
        rows: impl Iterator<Item = &'a str>,
        is_list: bool,
        meta: Value,
    ) -> Result<(), Failure> {
        let mut out = Rows::start(self.options.clone(), self.record);
        out.is_list(is_list);
        out.meta(meta);
        for row in rows {
            out.push(row)?;
        }
        out.finish()
    }
}
