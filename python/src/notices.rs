//! Notices for Python: log records, attempts and progress. A notice can be created in any thread, often without the
//! interpreter lock and while locks of the client are held. Therefore notices are queued, and the thread that waits for
//! a call delivers them to Python.
//!
//! Each call has its own queue for progress notices, because an exception of their receiver ends the call. All other
//! notices share one queue, which any waiting thread delivers.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata, Subscriber};

/// Maximum number of notices in a queue. Further notices are dropped.
const MOST: usize = 10_000;

/// Function that delivers a notice by calling a Python function.
type Notice = Box<dyn for<'py> FnOnce(Python<'py>) -> PyResult<()> + Send>;

/// Queue of notices that wait for delivery.
#[derive(Default)]
pub(crate) struct Queue(Mutex<VecDeque<Notice>>);

/// Queue for all notices that do not belong to a single call.
static SHARED: Queue = Queue(Mutex::new(VecDeque::new()));

impl Queue {
    fn add(&self, notice: impl for<'py> FnOnce(Python<'py>) -> PyResult<()> + Send + 'static) {
        let mut queue = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.len() < MOST {
            queue.push_back(Box::new(notice));
        }
    }

    /// Delivers all notices of the queue to Python.
    ///
    /// # Errors
    /// The exception of a receiver. Later notices stay in the queue.
    pub(crate) fn deliver(&self, py: Python<'_>) -> PyResult<()> {
        loop {
            // A receiver may add notices, so the lock is not held during a call.
            let next = self.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            match next {
                Some(notice) => notice(py)?,
                None => return Ok(()),
            }
        }
    }
}

/// Delivers the notices of all calls. Exceptions of receivers are printed.
#[pyfunction]
pub(crate) fn deliver(py: Python<'_>) {
    while let Err(error) = SHARED.deliver(py) {
        error.write_unraisable(py, None);
    }
}

/// A Python function that receives notices. Threads can share it without the interpreter lock.
#[derive(Clone)]
pub(crate) struct Receiver {
    function: Arc<Py<PyAny>>,
    /// Queue of the call to which this receiver belongs. `None` for the shared queue.
    queue: Option<Arc<Queue>>,
}

impl Receiver {
    /// Creates a receiver of notices that do not belong to a single call.
    pub(crate) fn new(function: Py<PyAny>) -> Receiver {
        Receiver { function: Arc::new(function), queue: None }
    }

    /// Creates a receiver of the notices of one call.
    pub(crate) fn of_call(function: Py<PyAny>, queue: Arc<Queue>) -> Receiver {
        Receiver { function: Arc::new(function), queue: Some(queue) }
    }

    /// Queues a notice that calls the Python function with these arguments.
    pub(crate) fn call<A>(&self, arguments: A)
    where
        A: for<'py> pyo3::call::PyCallArgs<'py> + Send + 'static,
    {
        let function = self.function.clone();
        let queue = self.queue.as_deref().unwrap_or(&SHARED);
        queue.add(move |py| function.call1(py, arguments).map(drop));
    }
}

/// Least important level that is logged, from 1 (error) to 4 (debug). 0 means that nothing is logged.
static LEVEL: AtomicUsize = AtomicUsize::new(0);

/// Sets the minimum level of Python log records, as a number of `logging`.
#[pyfunction]
pub(crate) fn set_log_level(level: u32) {
    let most = match level {
        0..=10 => 4,
        11..=20 => 3,
        21..=30 => 2,
        31..=40 => 1,
        _ => 0,
    };
    LEVEL.store(most, Ordering::Relaxed);
}

/// Returns the number of a level in [`LEVEL`], and its number in Python's `logging`.
fn numbers(level: Level) -> (usize, u32) {
    match level {
        Level::ERROR => (1, 40),
        Level::WARN => (2, 30),
        Level::INFO => (3, 20),
        _ => (4, 10),
    }
}

/// Registers a subscriber that converts the client's tracing events to Python log records. A program can have only one
/// such subscriber.
pub(crate) fn install() {
    // This fails only if another copy of this module was imported before.
    let _ = tracing::subscriber::set_global_default(Logger);
}

/// Tracing subscriber that queues events of this project as log records. Spans are ignored.
struct Logger;

impl Subscriber for Logger {
    fn register_callsite(&self, metadata: &'static Metadata<'static>) -> Interest {
        match metadata.is_event() && metadata.target().starts_with("crypto_intel") {
            true => Interest::sometimes(),
            false => Interest::never(),
        }
    }

    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && numbers(*metadata.level()).0 <= LEVEL.load(Ordering::Relaxed)
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut text = Text::default();
        event.record(&mut text);
        let text = format!("{}{}", text.message, text.fields);
        let (_, level) = numbers(*event.metadata().level());
        let logger = event.metadata().target().replace("::", ".");
        SHARED.add(move |py| {
            let logger = py.import("logging")?.call_method1("getLogger", (logger,))?;
            logger.call_method1("log", (level, "%s", text)).map(drop)
        });
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// Text of an event: its message and its fields.
#[derive(Default)]
struct Text {
    message: String,
    fields: String,
}

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        // Writing to memory cannot fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}
