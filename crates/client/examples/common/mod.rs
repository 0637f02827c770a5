//! Client for the examples. If `CRYPTO_INTEL_BASE_URL` is set, the client calls the service. Otherwise this module
//! starts a sandbox in the process of the example. The sandbox needs no API key and sends nothing to other machines.

use crypto_intel::{BASE_URL_VARIABLE, Client};
use crypto_intel_sandbox::Sandbox;

/// Creates the client. If no base URL is set, also starts a sandbox and returns it. The sandbox stops when it is
/// dropped.
pub(crate) async fn client() -> Result<(Client, Option<Sandbox>), Box<dyn std::error::Error>> {
    if std::env::var_os(BASE_URL_VARIABLE).is_some() {
        return Ok((Client::from_env()?, None));
    }
    println!(
        "{BASE_URL_VARIABLE} is not set: running on the sandbox, which invents its answers.\n"
    );
    let sandbox = Sandbox::start().await?;
    let client = Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
    Ok((client, Some(sandbox)))
}
