//! Closes `/proc` of the examiner's process, which another process of the same user could read.

/// Makes this process not dumpable, on Linux: programs of the same user can neither read its memory, environment and
/// open files under `/proc` nor attach a debugger. Processes with the rights of root still can. The setting ends with
/// the process.
#[cfg(target_os = "linux")]
pub(crate) fn close_process() -> std::io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};

    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}

/// Does nothing, because other systems do not show the memory of a process to programs of the same user.
#[cfg(not(target_os = "linux"))]
pub(crate) fn close_process() -> std::io::Result<()> {
    Ok(())
}
