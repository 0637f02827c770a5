//! Handle of an SQL job. A program can save the handle. The same program or another one can resume the job later.

use std::fmt;

use crypto_intel_api::generated::onchain::SqlJob;
use crypto_intel_core::{Extra, UnixSeconds};

/// Handle of an SQL job. Save it with `serde`, and pass it to [`Client::sql_job`](crate::Client::sql_job) to resume the
/// job later. Another program can resume the job too.
///
/// ```
/// use crypto_intel::sql::JobHandle;
///
/// let kept = serde_json::to_string(&JobHandle::from("0f6c…"))?;
/// assert_eq!(kept, r#"{"job_id":"0f6c…"}"#);
/// assert_eq!(serde_json::from_str::<JobHandle>(&kept)?.to_string(), "0f6c…");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct JobHandle {
    /// The service's identifier of the job.
    pub job_id: String,
    /// Time at which the service deletes the job and its rows. `None` if the time is not known.
    pub expires_at: Option<UnixSeconds>,
    /// JSON fields that are unknown to this release.
    pub extra: Extra,
}

crypto_intel_core::record!(JobHandle {
    0 required job_id "job_id",
    1 optional expires_at "expires_at",
});

impl From<&str> for JobHandle {
    fn from(job_id: &str) -> Self {
        JobHandle { job_id: job_id.to_owned(), ..JobHandle::default() }
    }
}

impl From<String> for JobHandle {
    fn from(job_id: String) -> Self {
        JobHandle { job_id, ..JobHandle::default() }
    }
}

impl From<&SqlJob> for JobHandle {
    fn from(job: &SqlJob) -> Self {
        JobHandle {
            job_id: job.job_id.clone(),
            expires_at: Some(job.expires_at).filter(|time| time.0 > 0),
            extra: Extra::default(),
        }
    }
}

/// Writes the identifier of the job.
impl fmt::Display for JobHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.job_id)
    }
}
