//! Validation of the service's base URL, such as `https://service.example`.

use crypto_intel_core::Error;

/// Name of the environment variable that contains the base URL of the service.
pub const BASE_URL_VARIABLE: &str = "CRYPTO_INTEL_BASE_URL";

/// Validates a base URL, and returns it without trailing slashes.
pub(crate) fn validate(url: Option<&str>) -> Result<String, Error> {
    let Some(url) = url.map(str::trim).filter(|url| !url.is_empty()) else {
        return Err(Error::invalid(format!(
            "there is no base URL; set {BASE_URL_VARIABLE} or call `base_url`"
        )));
    };
    let fault = |what: &str| Error::invalid(format!("the base URL {what}"));

    let parsed =
        reqwest::Url::parse(url).map_err(|error| fault("is not a URL").with_source(error))?;
    if !matches!(parsed.scheme(), "http" | "https") || !parsed.has_host() {
        return Err(fault("must start with https:// or http:// and name a host"));
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err(fault("must not contain a user or password; set the key separately"));
    }
    if parsed.query().is_some() || parsed.fragment().is_some() {
        return Err(fault("must not contain a query or a fragment"));
    }
    Ok(parsed.as_str().trim_end_matches('/').to_owned())
}

/// Returns true if the scheme of this URL is `http` and its host is not this machine (`localhost` or a loopback
/// address).
pub(crate) fn is_unencrypted(url: &str) -> bool {
    let Ok(url) = url.parse::<http::Uri>() else { return false };
    let host = url.host().unwrap_or_default().trim_matches(['[', ']']);
    let is_loopback = host == "localhost"
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback());
    url.scheme_str() == Some("http") && !is_loopback
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_base_url_is_rejected_with_reason() {
        for (url, reason) in [
            (None, "there is no base URL; set CRYPTO_INTEL_BASE_URL or call `base_url`"),
            (Some(" "), "there is no base URL; set CRYPTO_INTEL_BASE_URL or call `base_url`"),
            (Some("service.example"), "the base URL is not a URL"),
            (
                Some("ftp://service.example"),
                "the base URL must start with https:// or http:// and name a host",
            ),
            (
                Some("https://u:p@service.example"),
                "the base URL must not contain a user or password; set the key separately",
            ),
            (
                Some("https://service.example?a=b"),
                "the base URL must not contain a query or a fragment",
            ),
        ] {
            assert_eq!(validate(url).unwrap_err().message(), reason);
        }
        assert_eq!(validate(Some("https://service.example/")).unwrap(), "https://service.example");
        assert_eq!(validate(Some("http://[::1]:80/a/")).unwrap(), "http://[::1]/a");
    }
}
