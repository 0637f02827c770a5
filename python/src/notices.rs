//! Notices for Python: log records, attempts and progress. Any thread can create a notice and add it to a queue. The
//! thread that waits for a call delivers the queued notices to Python. The creating thread cannot call Python
//! functions, because it often holds locks of the client and does not hold the interpreter lock.
//!
//! Each call has its own queue for progress notices, because an exception in a progress function ends the call. All
//! other notices share one queue. Any waiting thread delivers the notices of the shared queue.

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

/// Notice, stored as a Rust closure. When the closure is called, it passes the notice to a Python function.
type Notice = Box<dyn for<'py> FnOnce(Python<'py>) -> PyResult<()> + Send>;

/// Queue of notices, such as log records or progress, that Python has not received yet.
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

    /// Delivers all notices of this queue to Python.
    ///
    /// If a Python receiver raises an exception, returns this exception. The later notices then stay in the queue.
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

/// Passes queued notices to the user's Python functions. The notices are log records, and the attempts of all calls.
/// Prints the exceptions that these functions raise.
#[pyfunction]
pub(crate) fn deliver(py: Python<'_>) {
    while let Err(error) = SHARED.deliver(py) {
        error.write_unraisable(py, None);
    }
}

/// A Python function that receives notices. Threads can clone and drop a `Receiver` without the interpreter lock.
#[derive(Clone)]
pub(crate) struct Receiver {
    function: Arc<Py<PyAny>>,
    /// Queue for the notices of this receiver. `None` means the shared queue.
    queue: Option<Arc<Queue>>,
}

impl Receiver {
    /// Creates a receiver for notices that do not belong to a single call.
    pub(crate) fn new(function: Py<PyAny>) -> Receiver {
        Receiver { function: Arc::new(function), queue: None }
    }

    /// Creates a receiver for the notices of one call. `queue` is the queue of the call.
    pub(crate) fn of_call(function: Py<PyAny>, queue: Arc<Queue>) -> Receiver {
        Receiver { function: Arc::new(function), queue: Some(queue) }
    }

    /// Adds a notice to the queue of this receiver. When the notice is delivered, the receiver's Python function is
    /// called with `arguments`.
    pub(crate) fn call<A>(&self, arguments: A)
    where
        A: for<'py> pyo3::call::PyCallArgs<'py> + Send + 'static,
    {
        let function = self.function.clone();
        let queue = self.queue.as_deref().unwrap_or(&SHARED);
        queue.add(move |py| function.call1(py, arguments).map(drop));
    }
}

/// Minimum severity of logged events: 1 (only errors), 2 (also warnings), 3 (also information) or 4 (also debug
/// events). 0 means that nothing is logged.
static LEVEL: AtomicUsize = AtomicUsize::new(0);

/// Sets the minimum level of Python log records. `level` is a level number of the Python module `logging`, such as 20
/// for INFO.
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

/// Returns two numbers for a level: the number that [`LEVEL`] uses, and the number in Python's module `logging`.
fn numbers(level: Level) -> (usize, u32) {
    match level {
        Level::ERROR => (1, 40),
        Level::WARN => (2, 30),
        Level::INFO => (3, 20),
        _ => (4, 10),
    }
}

/// Registers the tracing subscriber that converts the client's events to Python log records. A program can have only
/// one tracing subscriber.
pub(crate) fn install() {
    // This fails only if another copy of this module was imported before.
    let _ = tracing::subscriber::set_global_default(Logger);
}

/// Tracing subscriber that adds events of this project to the queue as Python log records. It ignores spans.
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

/// Text of a tracing event. It consists of the message and the fields of the event.
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
