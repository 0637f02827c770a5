//! Protects the examiner's process against other processes of the same user. Without this protection, they could read
//! its memory through `/proc`.

/// Makes this process not dumpable: other processes of the same user cannot attach a debugger or read its memory,
/// environment and open files under `/proc`. Processes of root still can. The setting lasts until this process ends.
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
