//! What a next release would add.

/// A member no release knows.
pub(super) const NEW_MEMBER: &str = "sandbox_new_member";
/// A value no release knows.
pub(super) const NEW_VALUE: &str = "sandbox_new_value";
