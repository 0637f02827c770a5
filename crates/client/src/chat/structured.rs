//! Decodes JSON text into Rust types. A model wrote the text, as its answer or as the arguments of a tool call.

use crypto_intel_core::private::path_at;
use crypto_intel_core::{Error, ErrorKind};
use serde::de::DeserializeOwned;

use crate::key::mask_key_like;

/// Decodes a JSON text into a Rust type. `what` names the text in error messages, for example `the answer`.
pub(crate) fn parse<T: DeserializeOwned>(what: &str, text: &str) -> Result<T, Error> {
    let json = json_part(text);
    // The error message may quote the text. No client is available here, so the configured API key is unknown.
    // Everything that looks like an API key is masked.
    let fault = |mut message: String| {
        mask_key_like(&mut message);
        Error::new(ErrorKind::Decode, message).with_body(text.to_owned())
    };
    if json.is_empty() {
        return Err(fault(format!("{what} is empty, but JSON was expected")));
    }

    let mut reader = serde_json::Deserializer::from_str(json);
    let value = T::deserialize(&mut reader).map_err(|error| {
        if error.is_syntax() || error.is_eof() {
            return fault(format!("{what} is not JSON: {error}"));
        }
        match path_at(json.as_bytes(), error.line(), error.column()) {
            path if path.is_empty() => fault(format!("{what} does not match the type: {error}")),
            path => fault(format!("{what} does not match the type at `{path}`: {error}")),
        }
    })?;
    reader.end().map_err(|error| fault(format!("{what} has text after its JSON: {error}")))?;

    Ok(value)
}

/// Returns the JSON part of a text. Models often write JSON inside a Markdown code block, with a sentence before the
/// block.
fn json_part(text: &str) -> &str {
    let text = text.trim();
    if text.starts_with(['{', '[', '"']) {
        return text;
    }
    let Some((_, block)) = text.split_once("```") else { return text };
    let Some((block, _)) = block.split_once("```") else { return text };
    let block = match block.split_once('\n') {
        Some((language, block)) if language.trim().chars().all(char::is_alphanumeric) => block,
        _ => block,
    };
    block.trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    #[derive(Debug, serde::Deserialize, PartialEq)]
    struct Price {
        symbol: String,
        usd: f64,
    }

    fn parsed_prices(text: &str) -> String {
        match parse::<Vec<Price>>("the answer", text) {
            Ok(prices) => format!("{prices:?}"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn json_is_found_in_text_and_code_blocks() {
        let plain = r#"[{"symbol":"BTC","usd":1.5}]"#;
        let read = parsed_prices(plain);
        assert_snapshot!(read, @r#"[Price { symbol: "BTC", usd: 1.5 }]"#);
        for wrapped in [
            format!(" \n{plain}\n"),
            format!("```json\n{plain}\n```"),
            format!("```\n{plain}```"),
            format!("Here it is:\n```json\n{plain}\n```\nAnything else?"),
        ] {
            assert_eq!(parsed_prices(&wrapped), read, "{wrapped}");
        }
    }

    #[test]
    fn decode_error_names_mismatch_and_position() {
        assert_snapshot!(parsed_prices(r#"[{"symbol":"BTC","usd":"much"}]"#), @r#"answer not understood: the answer does not match the type at `[0].usd`: invalid type: string "much", expected f64 at line 1 column 29"#);
        assert_snapshot!(parsed_prices(r#"[{"usd":1}]"#), @"answer not understood: the answer does not match the type at `[0]`: missing field `symbol` at line 1 column 10");
        assert_snapshot!(parsed_prices(r#"{"symbol":1}"#), @"answer not understood: the answer does not match the type: invalid type: map, expected a sequence at line 1 column 0");
        assert_snapshot!(parsed_prices("I cannot say."), @"answer not understood: the answer is not JSON: expected value at line 1 column 1");
        assert_snapshot!(parsed_prices(r#"[{"symbol":"BT"#), @"answer not understood: the answer is not JSON: EOF while parsing a string at line 1 column 14");
        assert_snapshot!(parsed_prices("[] or not"), @"answer not understood: the answer has text after its JSON: trailing characters at line 1 column 4");
        assert_snapshot!(parsed_prices(" "), @"answer not understood: the answer is empty, but JSON was expected");
        let error = parse::<u8>("the answer", "words").unwrap_err();
        assert_eq!(error.body().unwrap().text(), "words");
    }
}
