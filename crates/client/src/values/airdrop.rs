//! Stages in the lifecycle of an airdrop.

use crypto_intel_api::generated::search::{AirdropSearchItem, AirdropSearchItemStatus};

use super::optional;

/// Stage of an airdrop. A later stage compares as greater than an earlier stage.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
/// use crypto_intel::{prelude::*, values::AirdropStage};
///
/// let mut airdrops = client.search_airdrop().limit(50).max_items(100).collect_all().await?;
/// // Airdrops at the latest stage come first. Airdrops with a status that this release does not know come last.
/// airdrops.sort_by_key(|airdrop| std::cmp::Reverse(airdrop.stage()));
/// for airdrop in airdrops.iter().filter(|a| a.stage().is_some_and(AirdropStage::is_claimable)) {
///     println!("{} {}", airdrop.project_name, airdrop.status);
/// }
/// # assert!(airdrops.first().is_some_and(|airdrop| airdrop.stage() > Some(AirdropStage::Potential)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AirdropStage {
    /// The airdrop is only rumoured. Users can still do its tasks.
    Potential,
    /// The project has announced the airdrop. Users can still do its tasks.
    Confirmed,
    /// The snapshot was taken. The set of eligible wallets is decided.
    Snapshot,
    /// The claim window is open: users can prepare their claims. The service's name for this stage is `VERIFICATION`.
    Verification,
    /// Eligible users can claim their rewards.
    RewardAvailable,
    /// The project has sent the rewards.
    Distributed,
}

impl AirdropStage {
    /// Converts a status from the service to the stage of the airdrop. Returns `None` for a status that this release
    /// does not know.
    #[must_use]
    pub fn from_status(status: &AirdropSearchItemStatus) -> Option<Self> {
        use AirdropSearchItemStatus as Status;
        Some(match status {
            Status::Potential => AirdropStage::Potential,
            Status::Confirmed => AirdropStage::Confirmed,
            Status::Snapshot => AirdropStage::Snapshot,
            Status::Verification => AirdropStage::Verification,
            Status::RewardAvailable => AirdropStage::RewardAvailable,
            Status::Distributed => AirdropStage::Distributed,
            _ => return None,
        })
    }

    /// Returns true if users can still do tasks for the airdrop. This is true in the stages
    /// [`Potential`](Self::Potential) and [`Confirmed`](Self::Confirmed).
    #[must_use]
    pub fn has_open_tasks(self) -> bool {
        self < AirdropStage::Snapshot
    }

    /// Returns true if users can claim a reward or prepare the claim.
    #[must_use]
    pub fn is_claimable(self) -> bool {
        matches!(self, AirdropStage::Verification | AirdropStage::RewardAvailable)
    }
}

/// Extension trait that adds the method `stage` to airdrops.
pub trait AirdropExt {
    /// Returns the stage of the airdrop. Returns `None` if its status is missing or unknown to this release.
    fn stage(&self) -> Option<AirdropStage>;
}

impl AirdropExt for AirdropSearchItem {
    fn stage(&self) -> Option<AirdropStage> {
        optional(&self.status).and_then(AirdropStage::from_status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_status_has_a_stage_in_order() {
        let stages: Vec<_> = AirdropSearchItemStatus::KNOWN
            .iter()
            .map(|text| AirdropStage::from_status(&(*text).into()).unwrap())
            .collect();
        assert!(stages.is_sorted() && stages.len() == 6, "{stages:?}");
        assert_eq!(AirdropStage::from_status(&"PAUSED".into()), None);
        let open: Vec<_> = stages.iter().filter(|stage| stage.has_open_tasks()).collect();
        assert_eq!(open, [&AirdropStage::Potential, &AirdropStage::Confirmed]);
        assert_eq!(stages.iter().filter(|stage| stage.is_claimable()).count(), 2);
    }
}
