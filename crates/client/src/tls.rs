//! TLS settings for the default HTTP client.

use crypto_intel_core::Error;

/// Configures rustls with the trusted certificates of the platform. Uses the default cryptography provider of the
/// process. If none is installed, uses `ring`.
#[cfg(all(feature = "rustls-ring", not(any(feature = "rustls", feature = "native-tls"))))]
pub(crate) fn configure(builder: reqwest::ClientBuilder) -> Result<reqwest::ClientBuilder, Error> {
    use std::sync::Arc;

    use rustls::crypto::{CryptoProvider, ring};
    use rustls_platform_verifier::BuilderVerifierExt;

    let provider = CryptoProvider::get_default()
        .cloned()
        .unwrap_or_else(|| Arc::new(ring::default_provider()));
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(BuilderVerifierExt::with_platform_verifier)
        .map_err(|error| Error::invalid("TLS could not be set up").with_source(error))?
        .with_no_client_auth();
    // `reqwest` also offers these protocols by default.
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];

    Ok(builder.tls_backend_preconfigured(config))
}

/// Leaves the TLS settings of `reqwest` at their defaults.
#[cfg(not(all(feature = "rustls-ring", not(any(feature = "rustls", feature = "native-tls")))))]
pub(crate) fn configure(builder: reqwest::ClientBuilder) -> Result<reqwest::ClientBuilder, Error> {
    Ok(builder)
}
