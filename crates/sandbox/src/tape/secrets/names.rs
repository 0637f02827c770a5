//! Decides whether a header, parameter or JSON field contains a secret. The decision depends on the name, for example
//! `password`.

use std::collections::HashSet;
use std::sync::LazyLock;

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_api::generated::tables::RECORDS;
use crypto_intel_core::Operation;

/// Names whose values are always secrets. The comparison ignores case, `-`, `_`, `.` and spaces.
const SECRET: &[&str] = &[
    "accesskey",
    "accesstoken",
    "apikey",
    "apisecret",
    "apitoken",
    "authorization",
    "authtoken",
    "bearertoken",
    "clientsecret",
    "cookie",
    "credential",
    "credentials",
    "idtoken",
    "jwt",
    "password",
    "passwd",
    "privatekey",
    "proxyauthorization",
    "refreshtoken",
    "secret",
    "secretkey",
    "sessiontoken",
    "setcookie",
    "xapikey",
];

/// Names of headers, parameters and JSON fields that usually contain secrets. A query parameter of the requested
/// operation contains data and not a secret, even if it has one of these names. A JSON field contains data if a record
/// of the service has a field with its name.
const SUSPECT: &[&str] = &[
    "auth",
    "hmac",
    "key",
    "otp",
    "pass",
    "pwd",
    "session",
    "sessionid",
    "sid",
    "sig",
    "signature",
    "token",
];

/// Words that usually mark a secret if they are the last of several words in a name. For example, `key` is the last
/// word in `user_key`. Names of cursors, such as `page_token`, are excluded.
const SECRET_ENDS: &[&str] = &[
    "auth",
    "credential",
    "credentials",
    "jwt",
    "key",
    "passwd",
    "password",
    "secret",
    "session",
    "signature",
    "token",
];

/// First words of cursor names. For example, the cursor name `page_token` begins with `page`. A cursor is not a secret,
/// although the last word of its name, such as `token`, is in [`SECRET_ENDS`].
const CURSORS: &[&str] = &["continuation", "cursor", "next", "page", "prev", "previous", "resume"];

/// Names of all fields in the service's records. A JSON field with one of these names contains data and not a secret,
/// unless the name is in [`SECRET`].
static MEMBERS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    RECORDS.iter().flat_map(|record| record.fields).map(|field| field.name).collect()
});

/// Returns true if the value of a header or parameter with this name is probably a secret.
pub(super) fn is_secret(name: &str) -> bool {
    let plain = plain(name);
    is_in(SECRET, &plain) || is_in(SUSPECT, &plain) || ends_as_secret(name)
}

/// Returns true if a name has several words and its last word marks a secret, as in `user_key` or `X-Session`.
fn ends_as_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let mut words = name.split(['-', '_', '.', ' ']);
    let (first, last) = (words.next(), words.next_back());
    !first.is_some_and(|first| is_in(CURSORS, first))
        && last.is_some_and(|last| is_in(SECRET_ENDS, last))
}

/// Returns true if the value of a query parameter is probably a secret. For a name in [`SECRET`], always returns true.
/// For other names, returns false if an operation at `path` has a parameter with this name. An example is `token` of
/// `wallet-transfers`.
pub(in crate::tape) fn is_secret_parameter(path: &str, name: &str) -> bool {
    let takes = |operation: &&&Operation| operation.param(name).is_some();
    is_in(SECRET, &plain(name))
        || (is_secret(name) && !OPERATIONS.iter().filter(takes).any(|op| leads_to(path, op)))
}

/// Returns true if `path` ends with the path of the operation. The base URL of the service can contain a path, such as
/// `/proxy`, so `path` can begin with other segments.
fn leads_to(path: &str, operation: &Operation) -> bool {
    let mut sent = path.rsplit('/');
    operation.path.trim_start_matches('/').rsplit('/').all(|expected| {
        let sent = sent.next();
        sent == Some(expected) || (sent.is_some() && expected.starts_with('{'))
    })
}

/// Returns true if the value of a JSON field with this name is a secret.
pub(super) fn is_secret_member(name: &str) -> bool {
    is_in(SECRET, &plain(name)) || (is_secret(name) && !MEMBERS.contains(name))
}

fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| !matches!(c, '-' | '_' | '.' | ' '));
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

fn is_in(list: &[&str], name: &str) -> bool {
    list.contains(&name)
}

/// Returns true if a header with this name can contain a credential.
pub(super) fn is_credential_header(name: &str) -> bool {
    is_secret(name) || ["auth", "secret", "token", "api-key"].iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_secret_in_any_spelling() {
        for name in [
            "X-API-Key",
            "access_token",
            "sig",
            "token",
            "AUTH",
            "Set-Cookie",
            "user_key",
            "X-Session",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in ["token_id", "next_cursor", "page_token", "symbol", "key_of_nothing", ""] {
            assert!(!is_secret(name), "{name}");
        }
    }

    #[test]
    fn what_the_service_uses_for_data_is_none() {
        let suspects = |operation: &&&Operation| {
            operation.params.iter().any(|param| SUSPECT.contains(&param.name))
        };
        let operation = OPERATIONS.iter().find(suspects).expect("a parameter of such a name");
        let name = operation.params.iter().find(|param| SUSPECT.contains(&param.name));
        let name = name.expect("a parameter of such a name").name;

        assert!(!is_secret_parameter(operation.path, name));
        assert!(!is_secret_parameter(&format!("/base{}", operation.path), name));
        assert!(is_secret_parameter("/gateway/v1/elsewhere", name));
        assert!(is_secret_parameter(operation.path, "access_token"));

        assert!(!is_secret_member("token") && is_secret_member("access_token"));
    }
}
