//! Taking keys out of what is recorded.

use serde_json::Value;

/// Stands where a secret was.
pub(super) const REMOVED: &str = "REMOVED";

/// Members and parameters that hold a secret whatever they look like, without case, `-` and `_`.
const NAMES: &[&str] = &[
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

/// Whether a member or parameter of this name holds a secret.
pub(super) fn is_secret(name: &str) -> bool {
    let plain: String = name
        .chars()
        .filter(|c| !matches!(c, '-' | '_' | '.' | ' '))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    NAMES.contains(&plain.as_str())
}

/// What is secret of one request besides what looks like it.
#[derive(Debug, Default)]
pub(super) struct Secrets(Vec<String>);

/// Shorter credentials are found in harmless places.
const SHORTEST: usize = 6;

impl Secrets {
    /// The credentials that the headers bring.
    pub(super) fn of(headers: &axum::http::HeaderMap) -> Self {
        let values = headers.iter().filter(|(name, _)| {
            let may_hold = |part: &str| name.as_str().contains(part);
            is_secret(name.as_str())
                || ["auth", "secret", "token", "api-key"].into_iter().any(may_hold)
        });
        let texts = values.filter_map(|(_, value)| value.to_str().ok());
        // A credential is said to be what follows the scheme.
        let words = texts.flat_map(|text| text.split([' ', ';', ',', '='])).map(str::trim);
        let is_scheme = |word: &str| {
            ["bearer", "basic", "digest"].iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
        };
        // Numbers stand in many places.
        let is_word = |word: &str| word.len() >= SHORTEST && word.contains(char::is_alphabetic);
        let words = words.filter(|word| is_word(word) && !is_scheme(word));
        Secrets(words.map(str::to_owned).collect())
    }

    /// The text without keys.
    pub(super) fn cleaned(&self, text: &str) -> String {
        let mut text = without_keys(text);
        for secret in &self.0 {
            if text.contains(secret.as_str()) {
                text = text.replace(secret.as_str(), REMOVED);
            }
        }
        text
    }

    /// The same of bytes; of those that are no text, only what is text is looked at.
    pub(super) fn cleaned_bytes(&self, bytes: &[u8]) -> Vec<u8> {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.cleaned(text).into_bytes(),
            Err(_) => {
                // One character a byte, and back.
                let text: String = bytes.iter().copied().map(char::from).collect();
                let cleaned = self.cleaned(&text);
                cleaned.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect()
            }
        }
    }

    /// The same of a body: members that hold secrets lose their values, and JSON stays JSON.
    pub(super) fn cleaned_body(&self, bytes: &[u8]) -> Vec<u8> {
        let Ok(value) = serde_json::from_slice::<Value>(bytes) else {
            return self.cleaned_lines(bytes);
        };
        let (value, found) = hidden(value);
        // Written again, so that no escape hides a key.
        let plain = value.to_string();
        let cleaned = self.cleaned(&plain);
        if found || cleaned != plain { cleaned.into_bytes() } else { bytes.to_vec() }
    }

    /// Events hold JSON by the line.
    fn cleaned_lines(&self, bytes: &[u8]) -> Vec<u8> {
        let Ok(text) = std::str::from_utf8(bytes) else { return self.cleaned_bytes(bytes) };
        let mut cleaned = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            let content = line.trim_end_matches(['\r', '\n']);
            let data = content.strip_prefix("data:");
            match data.and_then(|data| serde_json::from_str::<Value>(data).ok()).map(hidden) {
                Some((value, true)) => {
                    cleaned.push_str(&format!("data: {value}{}", &line[content.len()..]));
                }
                _ => cleaned.push_str(line),
            }
        }
        self.cleaned(&cleaned).into_bytes()
    }
}

/// The value without what its members hide, and whether there was anything.
fn hidden(mut value: Value) -> (Value, bool) {
    let found = hide_members(&mut value);
    (value, found)
}

/// Takes out the values of members that hold secrets; whether there were any.
fn hide_members(value: &mut Value) -> bool {
    let mut found = false;
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                if is_secret(name) && !matches!(member, Value::Null | Value::Bool(_)) {
                    *member = REMOVED.into();
                    found = true;
                } else {
                    found |= hide_members(member);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| found |= hide_members(item)),
        _ => {}
    }
    found
}

/// The text without anything that looks like a key: `sk-` and what follows.
pub(crate) fn without_keys(text: &str) -> String {
    const MARK: &str = "sk-";
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(MARK) {
        let (before, from) = rest.split_at(start);
        let after = &from[MARK.len()..];
        let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
        let length = end.unwrap_or(after.len());
        // `risk-free` is no key.
        let inside = before
            .chars()
            .next_back()
            .or_else(|| cleaned.chars().next_back())
            .is_some_and(|c| c.is_ascii_alphanumeric());
        cleaned.push_str(before);
        if inside || length == 0 {
            cleaned.push_str(MARK);
            rest = after;
        } else {
            cleaned.push_str(REMOVED);
            rest = &after[length..];
        }
    }
    cleaned.push_str(rest);
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderMap;

    #[test]
    fn keys_are_taken_out_wherever_they_stand() {
        let mut headers = HeaderMap::new();
        headers.insert("authorization", "Bearer opaque-credential".parse().unwrap());
        headers.insert("cookie", "session=abcdef012345".parse().unwrap());
        let secrets = Secrets::of(&headers);
        for (text, cleaned) in [
            ("the key sk-abc_1-2 is bad", "the key REMOVED is bad"),
            ("sk-a,sk-b", "REMOVED,REMOVED"),
            ("risk-free and task-force, sk-", "risk-free and task-force, sk-"),
            ("you sent opaque-credential.", "you sent REMOVED."),
            ("abcdef012345", "REMOVED"),
            ("\"sk-live\"", "\"REMOVED\""),
        ] {
            assert_eq!(secrets.cleaned(text), cleaned);
        }
        for (body, cleaned) in [
            (r#"{"a":{"api_key":"x","n":1}}"#, r#"{"a":{"api_key":"REMOVED","n":1}}"#),
            (r#"{ "a": "\u0073k-live" }"#, r#"{"a":"REMOVED"}"#),
            (r#"[{"X-Api-Key":["x"]}]"#, r#"[{"X-Api-Key":"REMOVED"}]"#),
            (r#"{ "key": "day", "token": "T" }"#, r#"{ "key": "day", "token": "T" }"#),
            ("data: {\"secret\":\"x\"}\r\n\r\n", "data: {\"secret\":\"REMOVED\"}\r\n\r\n"),
            ("data: {\"delta\":\"x\"}\n\n", "data: {\"delta\":\"x\"}\n\n"),
        ] {
            let text = String::from_utf8(secrets.cleaned_body(body.as_bytes())).unwrap();
            assert_eq!(text, cleaned);
        }
        assert_eq!(secrets.cleaned_body(b"\xff sk-abc \xfe"), b"\xff REMOVED \xfe");
        assert!(is_secret("X-API-Key") && is_secret("access_token") && !is_secret("token_id"));
    }
}
