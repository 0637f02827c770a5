//! Web pages. The page of a URL is generated from the host and the path of the URL. Search results link to these pages.

use crate::args::Args;
use crate::assets::{ASSETS, Asset};
use crate::context::Context;
use crate::random::Seed;
use crate::record::{member, record};
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::social;
use crate::time_range::page_window;
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    Ok(Some(match args.operation.id {
        "web-fetch" => Data::One(fetch(ctx, args)?),
        "search-web" => Data::Rows(search(ctx, args)),
        _ => return Ok(None),
    }))
}

/// Contents of a web page: title, paragraphs, links, and a last line with the address of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Page {
    title: String,
    paragraphs: Vec<String>,
    /// URLs of further pages on the same host.
    links: Vec<String>,
    /// Last line of the page. It contains the host and the path of the page's URL.
    source: String,
}

impl Page {
    /// Formats the page as Markdown. Each part of the page has the name of an HTML element: `h1`, `p`, `ul` or
    /// `footer`. If the CSS selector `only` selects a part, the result contains only this part. If the CSS selector
    /// `without` selects a part, the result omits this part.
    fn markdown(&self, only: Option<&str>, without: Option<&str>) -> String {
        let parts = [
            ("h1", format!("# {}", self.title)),
            ("p", self.paragraphs.join("\n\n")),
            (
                "ul",
                self.links
                    .iter()
                    .map(|link| format!("- [{link}]({link})"))
                    .collect::<Vec<_>>()
                    .join("\n"),
            ),
            ("footer", self.source.clone()),
        ];

        // A selector that matches no part of the page has no effect.
        let names = |selector: &str| {
            let last = selector.split([' ', '>', ',']).rfind(|part| !part.is_empty());
            let tag =
                last.unwrap_or_default().split(['.', '#', ':', '[']).next().unwrap_or_default();
            parts.iter().map(|(name, _)| *name).find(|name| *name == tag)
        };
        let (only, without) = (only.and_then(names), without.and_then(names));

        let selected = parts
            .iter()
            .filter(|(name, text)| {
                !text.is_empty() && only.is_none_or(|only| only == *name) && without != Some(name)
            })
            .map(|(_, text)| text.as_str());

        selected.collect::<Vec<_>>().join("\n\n")
    }
}

/// Splits a URL into its host, and its path with the query string. Removes the fragment.
///
/// # Errors
/// Returns an error of kind `Unfit` if the text is not an HTTP or HTTPS URL.
fn split_url(url: &str) -> Result<(String, String), Refusal> {
    let unfit = || Refusal::unfit(format!("`url` must be an HTTP or HTTPS URL, not `{url}`"));
    let rest =
        url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).ok_or_else(unfit)?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    let host = host.to_lowercase();
    let is_host = host.contains('.')
        && !host.starts_with(['.', '-', ':'])
        && !host.contains("..")
        && host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':'));
    if !is_host {
        return Err(unfit());
    }
    let path = path.split('#').next().unwrap_or_default();
    Ok((host, if path.is_empty() { "/".to_owned() } else { path.to_owned() }))
}

/// Converts the path of a URL to a page title: `/zk-rollups/2` becomes `Zk rollups 2`. If the path has no words, as in
/// `/`, the host becomes the title.
fn page_title(host: &str, path: &str) -> String {
    let words: Vec<_> =
        path.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let text = if words.is_empty() { host.to_owned() } else { words.join(" ") };
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

const SITES: &[&str] = &["research.example", "guides.example", "journal.example", "wiki.example"];

/// Generates the page of a URL. The page is a news article, a page of a project, or text with the words of the path.
fn page(ctx: &Context, host: &str, path: &str) -> Page {
    let source = format!("Read at {host}{path}.");
    if let ("news.example", Some((title, content))) =
        (host, social::article_page(ctx, path.trim_matches('/')))
    {
        return Page { title, paragraphs: vec![content.trim().to_owned()], links: vec![], source };
    }

    let asset = ASSETS.iter().find(|asset| asset.website() == format!("https://{host}"));
    let title = match asset {
        Some(asset) if path == "/" => asset.name.to_owned(),
        Some(asset) => format!("{}: {}", asset.name, page_title(host, path)),
        None => page_title(host, path),
    };
    let seed = Seed::new(0).named("page").named(host).named(path);

    let opening = match asset {
        Some(asset) => format!("{} is a project with invented data.", asset.name),
        None => format!("{title} as {host} sees it."),
    };
    let sentences = [
        "Figures on this page are made up.",
        "Nothing here has happened.",
        "This page is an example.",
        "Links to similar pages are below.",
        "The text is invented.",
    ];
    let about = title.to_lowercase();

    let body = (0..3).map(|n| {
        let (a, b) = (seed.at(n).pick(&sentences), seed.at(n).named("more").pick(&sentences));
        format!("On {about}: {a} {b}")
    });
    let links =
        (1..=2).map(|n| format!("https://{host}{}/{n}", path.trim_end_matches('/'))).collect();

    Page { title, paragraphs: [opening].into_iter().chain(body).collect(), links, source }
}

fn fetch(ctx: &Context, args: &Args) -> Result<Row, Refusal> {
    let url = args.text("url").unwrap_or_default();
    let (host, path) = split_url(url)?;
    // Hosts in the top-level domain `.invalid` have no pages.
    if host.ends_with(".invalid") {
        return Err(Refusal::not_found(format!("there is no page at `{url}`")));
    }
    let page = page(ctx, &host, &path);
    let content = page.markdown(args.text("target_selector"), args.text("remove_selector"));
    let given = record!(WebFetchResultItem { url, title: page.title, content });
    Ok(Row::new(ctx.seed.named(url), ctx.now, given))
}

/// Maximum number of search results.
const MOST: u64 = 60;

fn search(ctx: &Context, args: &Args) -> Vec<Row> {
    let q = args.text("q").unwrap_or_default().trim();
    let stem: Vec<String> = q
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    let stem = stem.join("-");
    if stem.is_empty() {
        return Vec::new();
    }

    let site = args.text("site").map(|site| {
        let bare = site.trim_start_matches("https://").trim_start_matches("http://");
        bare.split('/').next().unwrap_or_default().to_lowercase()
    });
    let own = ASSETS.iter().filter(|asset| asset.is_about(q)).map(Asset::website);
    let articles = ASSETS.iter().filter(|asset| asset.is_about(q)).flat_map(|asset| {
        let of_news = |(kind, row): &(&str, Row)| {
            (*kind == "news").then(|| {
                row.given[member!(NewsArticleItem.url)].as_str().unwrap_or_default().to_owned()
            })
        };
        social::news_and_posts(ctx, asset).iter().filter_map(of_news).collect::<Vec<_>>()
    });

    let hosts: Vec<&str> = match &site {
        Some(site) => vec![site.as_str()],
        None => SITES.to_vec(),
    };
    let generated = (0..MOST).map(|n| {
        let host = hosts[(n % hosts.len() as u64) as usize];
        match n / hosts.len() as u64 {
            0 => format!("https://{host}/{stem}"),
            part => format!("https://{host}/{stem}/part-{part}"),
        }
    });
    let include = args.flag("include_content");
    let window = page_window(args);

    let is_on_site = |url: &String| {
        let host = split_url(url).map(|(host, _)| host);
        host.is_ok_and(|host| site.as_ref().is_none_or(|site| *site == host))
    };

    own.chain(articles.take(10))
        .chain(generated)
        .filter(is_on_site)
        .take(MOST as usize)
        .enumerate()
        .map(|(index, url)| {
            let (host, path) = match split_url(&url) {
                Ok(parts) if window.contains(&index) => parts,
                _ => return Row::new(ctx.seed, ctx.now, Value::Null),
            };
            let page = page(ctx, &host, &path);
            let content = if include { page.markdown(None, None) } else { String::new() };
            let description = page.paragraphs.first().cloned().unwrap_or_default();
            let given = record!(WebSearchResultItem {
                url: url.clone(),
                title: page.title,
                description,
                content,
            });

            Row::new(ctx.seed.named(&url), ctx.now, given)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal::Kind;

    #[test]
    fn split_url_returns_host_and_path_or_an_error() {
        let split = |url| split_url(url).map_err(|refusal| refusal.kind);
        assert_eq!(split("https://A.example"), Ok(("a.example".to_owned(), "/".to_owned())));
        assert_eq!(
            split("http://a.example:80/b?c#d"),
            Ok(("a.example:80".to_owned(), "/b?c".to_owned()))
        );
        for bad in
            ["", "a.example", "ftp://a.example", "https://", "https://localhost", "https://a b.c"]
        {
            assert_eq!(split(bad), Err(Kind::Unfit), "{bad}");
        }
    }

    #[test]
    fn page_title_has_the_words_of_the_path() {
        assert_eq!(page_title("a.example", "/zk-rollups/part-2"), "Zk rollups part 2");
        assert_eq!(page_title("a.example", "/"), "A.example");
    }

    #[test]
    fn selectors_keep_or_remove_parts_of_a_page() {
        let page = Page {
            title: "T".to_owned(),
            paragraphs: vec!["one".to_owned(), "two".to_owned()],
            links: Vec::new(),
            source: "end".to_owned(),
        };
        assert_eq!(page.markdown(None, None), "# T\n\none\n\ntwo\n\nend");
        assert_eq!(page.markdown(Some("article > h1.big"), None), "# T");
        assert_eq!(page.markdown(None, Some("footer")), "# T\n\none\n\ntwo");
        assert_eq!(page.markdown(Some("#unknown"), None), page.markdown(None, None));
    }
}
