//! Protects the examiner's process against other processes of the same user. Without this protection, they could read
//! its memory through `/proc`.

/// Makes this process not dumpable. Then other processes of the same user cannot read the memory, the environment and
/// the open files of this process under `/proc`, and cannot attach a debugger. Processes of root still can. The setting
/// lasts until this process ends.
#[cfg(target_os = "linux")]
pub(crate) fn close_process() -> std::io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};

    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    Ok(())
}

/// Does nothing, because this system is not Linux. On Linux, the function of this name protects the process against
/// other processes of the same user.
#[cfg(not(target_os = "linux"))]
pub(crate) fn close_process() -> std::io::Result<()> {
    Ok(())
}
