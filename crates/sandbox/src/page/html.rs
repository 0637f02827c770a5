//! Writes the HTML of the sandbox's web page. The style, the scripts and other values are inserted into a
//! template.
//!
//! The inputs are a nonce, an API key and a control token. The output is one HTML document that needs no other files.

use std::fmt::Write;
use std::sync::LazyLock;

use super::catalogue;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");

/// Script files of the page, in the order of their dependencies.
const PARTS: &[&str] = &[
    include_str!("app/core.js"),
    include_str!("app/search.js"),
    include_str!("app/form.js"),
    include_str!("app/chart.js"),
    include_str!("app/answer.js"),
    include_str!("app/code.js"),
    include_str!("app/sql.js"),
    include_str!("app/chat.js"),
    include_str!("app/control.js"),
    include_str!("app/start.js"),
];

/// HTML of the page, with placeholders for the nonce, the API key and the control token. [`page`] replaces these
/// placeholders for each response.
static PAGE: LazyLock<String> = LazyLock::new(|| {
    filled(
        TEMPLATE,
        &[
            ("style", STYLE),
            ("script", &PARTS.concat()),
            ("operations", &operations()),
            ("count", &catalogue::count().to_string()),
            ("version", crypto_intel_api::generated::catalogue::VERSION),
            // These values are filled in for each response.
            ("nonce", "{{nonce}}"),
            ("key", "{{key}}"),
            ("token", "{{token}}"),
        ],
    )
});

/// Returns the HTML of the sandbox's web page. Each response needs its own HTML, because the HTML contains the nonce of
/// the response, an API key and the control token.
pub(super) fn page(nonce: &str, key: &str, token: &str) -> String {
    filled(&PAGE, &[("nonce", nonce), ("key", &escaped(key)), ("token", &escaped(token))])
}

/// Replaces each `{{name}}` in a template with the value of this name. The values are not searched for further names.
/// Unknown names stay in the text.
fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut page = String::with_capacity(template.len() + 100_000);
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let place = after.split_once("}}").and_then(|(name, after)| {
            let (_, value) = values.iter().find(|(known, _)| *known == name)?;
            Some((*value, after))
        });
        match place {
            Some((value, after)) => {
                page.push_str(value);
                rest = after;
            }
            None => {
                page.push_str("{{");
                rest = after;
            }
        }
    }
    page.push_str(rest);
    page
}

/// Escapes a text for HTML. The result is also safe inside quoted attributes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Returns HTML list items with all operations. Browsers show this list only if JavaScript is disabled.
fn operations() -> String {
    let mut html = String::new();
    for operation in catalogue::operations() {
        let _ = write!(
            html,
            "<li><code>{} {}</code> {}</li>",
            operation.method,
            escaped(operation.path),
            escaped(operation.summary)
        );
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_filled_in_is_escaped_and_filled_in_once() {
        assert_eq!(escaped("<a href='x'>\"&"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;");
        assert_eq!(filled("{{a}} {{b}} {{c}}", &[("a", "{{b}}"), ("b", "!")]), "{{b}} ! {{c}}");
        let page = page("n0", "\"><script>", "{{nonce}}");
        assert!(page.contains("data-key=\"&quot;&gt;&lt;script&gt;\""));
        assert!(
            page.contains("data-token=\"{{nonce}}\""),
            "what is filled in is not looked through"
        );
        assert!(!page.contains("{{style}}") && !page.contains("nonce=\"{{"));
    }

    #[test]
    fn the_script_ends_where_the_page_says() {
        assert_eq!(PAGE.matches("</script>").count(), 1);
        assert_eq!(PAGE.matches("</style>").count(), 1);
    }
}
