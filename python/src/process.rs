//! Values that every process must create anew, such as a runtime or a client. A fork copies memory but no threads, so
//! runtimes and connections of the parent process do not work in a child process.

use std::sync::OnceLock;

/// Cell with one value per process. After a fork, the child process has a copy of the parent's value, but not the
/// threads that the value needs. So the child creates its own value with the argument `make` of
/// [`get_or_make`](Self::get_or_make).
pub(crate) struct PerProcess<T: 'static> {
    first: OnceLock<Entry<T>>,
}

/// Value of one process. `next` contains the value of a child process that was forked from this process.
struct Entry<T: 'static> {
    process: u32,
    value: T,
    next: OnceLock<&'static Entry<T>>,
}

impl<T: Send + Sync> PerProcess<T> {
    pub(crate) const fn new() -> Self {
        PerProcess { first: OnceLock::new() }
    }

    /// Returns the value of this process, for example its client. If this process has no value yet, `make` creates one.
    /// The argument of `make` is the value of the nearest ancestor process that had a value at the fork. If no ancestor
    /// had a value, the argument is `None`.
    ///
    /// # Errors
    /// Returns the error of `make`.
    pub(crate) fn get_or_make<E>(
        &self,
        make: impl Fn(Option<&T>) -> Result<T, E>,
    ) -> Result<&T, E> {
        let process = std::process::id();
        let Some(mut entry) = self.first.get() else {
            let value = make(None)?;
            let entry = self.first.get_or_init(|| Entry { process, value, next: OnceLock::new() });
            return Ok(&entry.value);
        };

        while entry.process != process {
            entry = match entry.next.get() {
                Some(next) => next,
                None => {
                    let value = make(Some(&entry.value))?;
                    entry.next.get_or_init(|| {
                        Box::leak(Box::new(Entry { process, value, next: OnceLock::new() }))
                    })
                }
            };
        }
        Ok(&entry.value)
    }
}
