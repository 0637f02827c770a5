//! Values that each process creates for itself. A fork copies memory but no threads, so runtimes and connections of the
//! parent process do not work in a child process.

use std::sync::OnceLock;

/// One value per process. The value of another process is never used and never dropped, because its threads do not
/// exist in this process.
pub(crate) struct PerProcess<T: 'static> {
    first: OnceLock<Entry<T>>,
}

/// Value of one process. `next` is the value of a forked child process.
struct Entry<T: 'static> {
    process: u32,
    value: T,
    next: OnceLock<&'static Entry<T>>,
}

impl<T: Send + Sync> PerProcess<T> {
    pub(crate) const fn new() -> Self {
        PerProcess { first: OnceLock::new() }
    }

    /// Returns the value of this process. If there is none, `make` creates it. The argument of `make` is the value of
    /// the parent process, if this process was forked.
    ///
    /// # Errors
    /// The error of `make`.
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
