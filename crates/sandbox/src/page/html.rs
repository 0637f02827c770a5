//! The page as HTML. Whatever is not of the template is escaped here.

use std::fmt::Write;

use crypto_intel_core::{In, Operation, Param};
use serde_json::Value;

use super::catalogue;
use super::text;

const TEMPLATE: &str = include_str!("page.html");

/// The template with its places filled, each `{{name}}` by the value of that name, in one pass:
/// what is filled in is not looked through again.
pub(super) fn page(values: &[(&str, &str)]) -> String {
    let mut page = String::with_capacity(TEMPLATE.len() + 300_000);
    let mut rest = TEMPLATE;
    while let Some((before, after)) = rest.split_once("{{") {
        page.push_str(before);
        let Some((name, after)) = after.split_once("}}") else { break };
        if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
            page.push_str(value);
        }
        rest = after;
    }
    page.push_str(rest);
    page
}

/// Text as HTML shows it, also within quotes.
pub(super) fn escaped(text: &str) -> String {
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

/// The same, with what stands between backticks as code.
fn prose(text: &str) -> String {
    let mut html = String::new();
    for (place, part) in text.split('`').enumerate() {
        if place % 2 == 1 {
            let _ = write!(html, "<code>{}</code>", escaped(part));
        } else {
            html.push_str(&escaped(part));
        }
    }
    html
}

/// Every operation, by tag.
pub(super) fn catalogue() -> String {
    let mut html = String::new();
    for tag in catalogue::tags() {
        let of_tag: Vec<_> = catalogue::operations().filter(|op| op.tag == tag).collect();
        let _ = write!(
            html,
            "<section class=\"tag\"><h3>{} <span class=\"count\">{}</span></h3>",
            escaped(tag),
            of_tag.len()
        );
        of_tag.into_iter().for_each(|operation| html.push_str(&entry(operation)));
        html.push_str("</section>");
    }
    html
}

fn entry(operation: &Operation) -> String {
    let id = escaped(operation.id);
    let mut badges =
        format!("<span class=\"badge\">{}</span>", escaped(&catalogue::price(operation)));
    if let Some(paging) = catalogue::paging(operation) {
        let _ = write!(badges, "<span class=\"badge quiet\">{paging}</span>");
    }
    if operation.deprecated.is_some() {
        badges.push_str("<span class=\"badge warn\">retired</span>");
    }

    let method = operation.method.as_str();
    let mut html = format!(
        "<details class=\"op\" id=\"op-{id}\" data-id=\"{id}\"><summary>\
         <span class=\"method {}\">{method}</span> <code class=\"path\">{}</code>\
         <span class=\"what\">{}</span><span class=\"badges\">{badges}</span></summary>",
        method.to_ascii_lowercase(),
        escaped(operation.path),
        escaped(operation.summary),
    );
    let _ = write!(html, "<div class=\"more\"><p class=\"ids\"><code>{id}</code>");
    if catalogue::is_tried(operation) {
        let _ = write!(html, " <a class=\"try\" href=\"?try={id}#try\">Try it</a>");
    }

    html.push_str("</p>");
    for note in [operation.note, operation.deprecated].into_iter().flatten() {
        let _ = write!(html, "<p class=\"note\">{}</p>", prose(note));
    }

    if operation.params.is_empty() {
        html.push_str("<p class=\"note\">No parameters.</p>");
    } else {
        let _ = write!(
            html,
            "<div class=\"scroll\"><table class=\"params\"><caption class=\"hidden\">Parameters of {id}</caption>\
             <thead><tr><th scope=\"col\">Parameter</th><th scope=\"col\">Type</th>\
             <th scope=\"col\">Meaning</th></tr></thead><tbody>"
        );
        operation.params.iter().for_each(|param| html.push_str(&row(param)));
        html.push_str("</tbody></table></div>");
    }

    html.push_str("</div></details>");
    html
}

fn row(param: &Param) -> String {
    let place = match param.location {
        In::Query => "",
        In::Path => "path",
        In::Header => "header",
        In::Body => "body",
    };
    let required = if param.required { "<span class=\"badge need\">required</span>" } else { "" };

    let place = if place.is_empty() {
        String::new()
    } else {
        format!("<span class=\"badge quiet\">{place}</span>")
    };
    let default = param.default.map_or_else(String::new, |default| {
        format!("<br><span class=\"quiet\">default <code>{}</code></span>", escaped(default))
    });

    format!(
        "<tr><th scope=\"row\"><code>{}</code>{required}{place}</th><td>{}{default}</td><td>{}</td></tr>",
        escaped(param.name),
        escaped(&catalogue::kind(param)),
        prose(param.doc),
    )
}

/// The operations of the form.
pub(super) fn options() -> String {
    let mut html = String::new();
    for tag in catalogue::tags() {
        let _ = write!(html, "<optgroup label=\"{}\">", escaped(tag));
        for operation in
            catalogue::operations().filter(|op| op.tag == tag && catalogue::is_tried(op))
        {
            let _ = write!(html, "<option>{}</option>", escaped(operation.id));
        }
        html.push_str("</optgroup>");
    }
    html
}

fn items<'a>(state: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    state.get(name).and_then(Value::as_array).into_iter().flatten()
}

/// Rows of the balances.
pub(super) fn keys(state: &Value) -> String {
    let row = |name: &str, credits: &str| {
        format!(
            "<tr><th scope=\"row\">{}</th><td class=\"number\">{}</td></tr>",
            escaped(name),
            escaped(credits)
        )
    };
    let keys = items(state, "keys").map(|key| row(&text(key, "key"), &text(key, "credits")));
    let free = format!("{} of {} today", text(state, "free_remaining"), text(state, "free_daily"));
    keys.chain([row("without a key", &free)]).collect()
}

/// Rows of the requests.
pub(super) fn requests(state: &Value) -> String {
    let row = |request: &Value| {
        let clock = text(request, "time");
        let clock = clock.get(11..19).unwrap_or_default();
        let status = text(request, "status");
        let name = match text(request, "operation") {
            name if name.is_empty() => text(request, "target"),
            name => name,
        };
        let fault = text(request, "fault");

        let fault = if fault.is_empty() {
            String::new()
        } else {
            format!(" <span class=\"badge warn\">{}</span>", escaped(&fault))
        };
        let class = if status.starts_with('2') { "good" } else { "bad" };

        format!(
            "<tr><td>{clock}</td><td title=\"{} {}\">{}{fault}</td><td class=\"{class}\">{}</td>\
             <td class=\"number\">{}</td></tr>",
            escaped(&text(request, "method")),
            escaped(&text(request, "target")),
            escaped(&name),
            if status.is_empty() { "–".to_owned() } else { escaped(&status) },
            escaped(&text(request, "credits")),
        )
    };
    let rows: String = items(state, "requests").map(row).collect();

    if rows.is_empty() {
        return "<tr><td colspan=\"4\" class=\"quiet\">Nothing has arrived yet.</td></tr>"
            .to_owned();
    }

    rows
}

/// A line about the sandbox.
pub(super) fn summary(state: &Value) -> String {
    let time = text(state, "now").replace('T', " ").replace('Z', " UTC");
    escaped(&format!("{} requests so far; its clock says {time}", text(state, "served")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_filled_in_is_escaped_and_filled_in_once() {
        assert_eq!(escaped("<a href='x'>\"&"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;");
        assert_eq!(prose("use `<b>` & `c"), "use <code>&lt;b&gt;</code> &amp; <code>c</code>");
        let page = page(&[("keys", "{{requests}}"), ("requests", "never")]);
        assert!(page.contains("{{requests}}"), "what is filled in is not looked through");
        let state = serde_json::json!({"requests": [{"target": "/<script>", "method": "GET", "status": 404, "fault": "<i>"}]});
        let rows = requests(&state);
        assert!(
            rows.contains("/&lt;script&gt;") && !rows.contains("<script>") && !rows.contains("<i>")
        );
        let all = catalogue();
        assert_eq!(all.matches("<details").count(), catalogue::count());
    }
}
