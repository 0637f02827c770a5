//! URLs in a job record, such as `result_url`. The client uses such a URL only if it points to the service itself.

use crypto_intel_core::Call;

use crate::raw::path_fault;

/// Returns the call with the path and query of `url`, which is a URL from the job record. This URL must begin with `/`
/// or with the base URL. For any other URL the function returns `None`, because the API key must not be sent to another
/// host. Also returns `None` if the job record has no URL, or if the path of the URL is invalid.
pub(super) fn call_for_url(call: Call, url: Option<&str>) -> Option<Call> {
    let own = call.options().base_url.as_deref().or_else(|| call.handle().base_url());
    let base = own.unwrap_or_default().trim_end_matches('/').to_owned();
    let target = target(url?, &base)?;
    Some(call.with_target(target))
}

/// Returns the path and query of a URL. Returns `None` if the URL begins neither with `/` nor with the base URL, or if
/// its path is invalid.
fn target(url: &str, base: &str) -> Option<String> {
    let target = if url.starts_with('/') { url } else { url.strip_prefix(base)? };
    let is_plain = target.bytes().all(|byte| byte.is_ascii_graphic());
    (is_plain && path_fault(target).is_none()).then(|| target.to_owned())
}

#[cfg(test)]
mod tests {
    use super::target;

    #[test]
    fn url_target_accepts_only_own_service() {
        for (url, expected) in [
            ("/v2/jobs/1", Some("/v2/jobs/1")),
            ("/v2/jobs/1?format=csv", Some("/v2/jobs/1?format=csv")),
            ("https://a.example/jobs/1", Some("/jobs/1")),
            ("https://a.example:443/jobs/1", None),
            ("https://a.example.evil.example/jobs", None),
            ("https://a.example@evil.example/jobs", None),
            ("http://a.example/jobs/1", None),
            ("https://b.example/jobs/1", None),
            ("//b.example/jobs/1", None),
            ("jobs/1", None),
            ("/a/../b", None),
            ("/a/%2E%2e/b", None),
            ("/a#b", None),
            ("/a\\b", None),
            ("/a b", None),
            ("https://a.example", None),
            ("", None),
        ] {
            assert_eq!(target(url, "https://a.example").as_deref(), expected, "{url}");
        }
    }
}
