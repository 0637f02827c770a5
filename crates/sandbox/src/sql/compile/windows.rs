//! Windows: OVER and WINDOW.

use sqlparser::ast::{
    NamedWindowDefinition, NamedWindowExpr, WindowFrameBound, WindowFrameUnits, WindowSpec,
    WindowType,
};

use super::super::problem::Problem;
use super::Compiler;
use super::order::{Downwards, direction};
use super::scope::Scope;
use super::types::Sql;

impl Compiler<'_> {
    /// ` WINDOW` and its definitions.
    pub(super) fn named_windows(
        &mut self,
        definitions: &[NamedWindowDefinition],
        scope: &Scope<'_>,
    ) -> Result<String, Problem> {
        let mut parts = Vec::new();
        for NamedWindowDefinition(name, definition) in definitions {
            let NamedWindowExpr::WindowSpec(spec) = definition else {
                return Err(Problem::text(format!("window `{name}` must be written out")));
            };
            let emitted = self.fresh('v');
            let mut ignored = Vec::new();
            parts.push(format!("{emitted} AS ({})", self.window(spec, scope, &mut ignored)?));
            scope.windows.borrow_mut().push((name.value.clone(), emitted));
        }
        Ok(if parts.is_empty() { String::new() } else { format!(" WINDOW {}", parts.join(", ")) })
    }

    /// What follows OVER; the expressions in it are added to `parts`.
    pub(super) fn over(
        &mut self,
        over: &WindowType,
        scope: &Scope<'_>,
        parts: &mut Vec<Sql>,
    ) -> Result<String, Problem> {
        match over {
            WindowType::NamedWindow(name) => self.window_named(&name.value, scope),
            WindowType::WindowSpec(spec) => Ok(format!("({})", self.window(spec, scope, parts)?)),
        }
    }

    fn window_named(&self, name: &str, scope: &Scope<'_>) -> Result<String, Problem> {
        let windows = scope.windows.borrow();
        let found = windows.iter().find(|(known, _)| known == name);
        match found {
            Some((_, emitted)) => Ok(emitted.clone()),
            None => Err(Problem::text(format!("there is no window `{name}`"))),
        }
    }

    fn window(
        &mut self,
        spec: &WindowSpec,
        scope: &Scope<'_>,
        parts: &mut Vec<Sql>,
    ) -> Result<String, Problem> {
        let mut words = Vec::new();
        if let Some(name) = &spec.window_name {
            words.push(self.window_named(&name.value, scope)?);
        }

        let mut keys = Vec::new();
        for expr in &spec.partition_by {
            let sql = self.expr(expr, scope)?;
            keys.push(sql.text.clone());
            parts.push(sql);
        }

        if !keys.is_empty() {
            words.push(format!("PARTITION BY {}", keys.join(", ")));
        }

        keys.clear();
        for key in &spec.order_by {
            let sql = self.expr(&key.expr, scope)?;
            let way = direction(key.options.sort.is_some_desc(), key.options.nulls_first);
            keys.push(format!("{}{way}", sql.text));
            parts.push(sql);
        }

        if !keys.is_empty() {
            words.push(format!("ORDER BY {}", keys.join(", ")));
        }

        if let Some(frame) = &spec.window_frame {
            let units = match frame.units {
                WindowFrameUnits::Rows => "ROWS",
                WindowFrameUnits::Range => "RANGE",
                WindowFrameUnits::Groups => "GROUPS",
            };
            let start = self.border(&frame.start_bound)?;
            words.push(match &frame.end_bound {
                Some(end) => format!("{units} BETWEEN {start} AND {}", self.border(end)?),
                None => format!("{units} {start}"),
            });
        }

        Ok(words.join(" "))
    }

    fn border(&mut self, border: &WindowFrameBound) -> Result<String, Problem> {
        Ok(match border {
            WindowFrameBound::CurrentRow => "CURRENT ROW".to_owned(),
            WindowFrameBound::Preceding(None) => "UNBOUNDED PRECEDING".to_owned(),
            WindowFrameBound::Following(None) => "UNBOUNDED FOLLOWING".to_owned(),
            WindowFrameBound::Preceding(Some(n)) => {
                format!("{} PRECEDING", self.whole(n, "the border of a window")?)
            }
            WindowFrameBound::Following(Some(n)) => {
                format!("{} FOLLOWING", self.whole(n, "the border of a window")?)
            }
        })
    }
}
