//! Values that belong to one process. A fork copies memory but no threads, so a runtime or a connection of the parent
//! never answers in a child: a child makes its own.

use std::sync::OnceLock;

/// One value for each process that uses it. The value of another process is never used and never dropped: its threads do
/// not exist here.
pub(crate) struct PerProcess<T: 'static> {
    first: OnceLock<Entry<T>>,
}

/// Values of a process and of the processes forked from it, in the order of their forks.
struct Entry<T: 'static> {
    process: u32,
    value: T,
    next: OnceLock<&'static Entry<T>>,
}

impl<T: Send + Sync> PerProcess<T> {
    pub(crate) const fn new() -> Self {
        PerProcess { first: OnceLock::new() }
    }

    /// The value of this process. `make` makes it, from the value of the parent if there is one.
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
