//! Settings of the HTTP server, which do not change the content of responses. Saved states do not contain these
//! settings.

use crate::chat::Pace;
use crate::cors::Origins;
use crate::server::Patience;

/// Settings of the HTTP server, which do not change the content of responses.
#[derive(Debug, Clone)]
pub(crate) struct Serving {
    pub(crate) patience: Patience,
    pub(crate) pace: Pace,
    /// Origins whose web pages may read responses.
    pub(crate) origins: Origins,
    /// Token that requests for the control paths, such as `/sandbox/faults`, must contain. `None` if these paths are
    /// disabled.
    pub(crate) control: Option<String>,
}
