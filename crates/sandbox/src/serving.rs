//! Settings for serving requests, as opposed to the content of responses. Saved states do not contain them.

use crate::chat::Pace;
use crate::cors::Origins;
use crate::server::Patience;

/// Settings for serving requests.
#[derive(Debug, Clone)]
pub(crate) struct Serving {
    pub(crate) patience: Patience,
    pub(crate) pace: Pace,
    /// Web pages that may read responses.
    pub(crate) origins: Origins,
    /// Token of the control paths.
    pub(crate) control: Option<String>,
}
