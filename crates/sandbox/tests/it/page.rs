//! Tests of the sandbox's HTML page: its content, the masking of API keys, and its behaviour in a real browser.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Answer, In, ParamKind};
use serde_json::json;
use tempfile::TempDir;

use crate::support::{Bench, builder};

async fn page(bench: &Bench) -> reqwest::Response {
    bench.http.get(format!("{}/", bench.sandbox.url())).send().await.unwrap()
}

#[tokio::test]
async fn the_page_shows_the_catalogue_and_runs_nothing_of_others() {
    let bench = Bench::start().await;
    let response = page(&bench).await;
    assert_eq!(response.status(), 200);

    let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("content-type"), "text/html; charset=utf-8");

    let policy = header("content-security-policy");
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");

    let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
    let text = response.text().await.unwrap();
    for operation in OPERATIONS {
        assert!(text.contains(&format!(" {}</code>", operation.path)), "{}", operation.id);
    }

    let known = bench.get("/sandbox/catalogue").await.json;
    for operation in OPERATIONS.iter().filter(|operation| operation.answer != Answer::Stream) {
        let shown = known["operations"].as_array().unwrap();
        let shown = shown.iter().find(|shown| shown["id"] == operation.id).unwrap();
        let params = operation.params.iter().filter(|param| param.location != In::Header);
        for param in params.filter(|param| !matches!(param.kind, ParamKind::Constant(_))) {
            let shown = shown["params"].as_array().unwrap();
            assert!(shown.iter().any(|shown| shown["doc"] == param.doc), "{}", param.name);
        }
    }
    assert!(known["tables"].as_array().unwrap().len() >= 20);

    assert_eq!(
        text.matches("<script").count(),
        text.matches(&format!("<script nonce=\"{nonce}\"")).count()
    );

    let outside =
        ["src=", "<link rel=\"stylesheet", " onclick=\"", " style=\"", "@import", " url(", ":url("];
    for elsewhere in outside {
        assert!(!text.contains(elsewhere), "{elsewhere}");
    }

    let again = page(&bench).await;
    assert!(!again.headers()["content-security-policy"].to_str().unwrap().contains(&nonce));

    let post = bench.http.post(format!("{}/", bench.sandbox.url())).send().await.unwrap();
    assert_eq!(post.status(), 405);
    assert!(bench.sandbox.requests().is_empty(), "the page is not the service");
}

#[tokio::test]
async fn keys_and_what_strangers_send_stay_harmless() {
    let bench = Bench::from_builder(builder().key("opaque-and-secret", 500).key("tiny", 1)).await;
    bench.example("market-ranking", &[]).await;
    for path in [
        "/gateway/v1/none?k=opaque-and-secret&l=sk-other-key",
        "/%3Cscript%3Ealert(1)%3C/script%3E?a='\"<b>",
    ] {
        bench.get(path).await;
    }

    let state = bench.get("/sandbox/state").await;
    let text = page(&bench).await.text().await.unwrap();
    for shown in [&state.text, &text] {
        for secret in ["sk-other", "tiny"] {
            assert!(!shown.contains(secret), "{secret}");
        }
    }
    // The HTML page contains the first API key once. The state and the log mask the key.
    assert!(!state.text.contains("opaque-and-secret") && state.text.contains("…cret"));
    assert!(text.contains("data-key=\"opaque-and-secret\" data-token=\"\""));
    assert_eq!(text.matches("opaque-and-secret").count(), 1);

    let state = &state.json;
    assert_eq!(state["keys"][0], json!({"key": "…cret", "credits": 498}));
    assert_eq!(state["free_remaining"], 30);

    let requests = state["requests"].as_array().unwrap();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[2]["operation"], "market-ranking");
    assert_eq!((&requests[2]["credits"], &requests[2]["status"]), (&json!(2), &json!(200)));
    assert_eq!((&requests[0]["credits"], &requests[0]["status"]), (&json!(null), &json!(404)));
    assert_eq!(requests[2]["time"], "2026-06-15T13:37:42Z");
}

/// Finds a Chromium executable. Checks the path in the environment variable `CHROMIUM`, then usual paths such as
/// `/usr/bin/chromium`. Returns the first path at which a file exists.
fn browser() -> Option<String> {
    let wanted = std::env::var("CHROMIUM").ok();
    let usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    wanted.into_iter().chain(usual.map(str::to_owned)).find(|path| Path::new(path).exists())
}

/// Renders a URL in a browser. Returns the resulting HTML and the console messages.
fn rendered(browser: &str, url: &str) -> (String, String) {
    let dir = TempDir::new().unwrap();
    let (out, log) = (dir.path().join("out"), dir.path().join("log"));
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=4000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", dir.path().join("profile").display()))
        .arg(url)
        .stdin(Stdio::null())
        .stdout(File::create(&out).unwrap())
        .stderr(File::create(&log).unwrap())
        .spawn()
        .unwrap();
    let start = Instant::now();

    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(300) {
            child.kill().unwrap();
            panic!("the browser hangs: {}", fs::read_to_string(&log).unwrap());
        }
        std::thread::sleep(Duration::from_millis(50));
    }

    let said = fs::read_to_string(&log).unwrap();
    let said = said.lines().filter(|line| line.contains("CONSOLE"));
    (fs::read_to_string(&out).unwrap(), said.collect::<Vec<_>>().join("\n"))
}

/// Returns the start of the HTML inside the element with this `id`. The returned text ends before the next attribute
/// `id`, before `</section>` or before `</p>`.
fn inside<'a>(document: &'a str, id: &str) -> &'a str {
    let start = document.find(&format!("id=\"{id}\"")).unwrap();
    let rest = &document[start..];
    let open = rest.find('>').unwrap() + 1;
    let inside = &rest[open..];
    let end = [" id=\"", "</section>", "</p>"].iter().filter_map(|end| inside.find(end)).min();
    &inside[..end.unwrap_or(inside.len())]
}

/// Returns the ids of the operations that the HTML page lists, in the order of the page.
fn found(document: &str) -> Vec<String> {
    let places = document.split("data-id=\"").skip(1);
    places.map(|place| place[..place.find('"').unwrap()].to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs Chromium; `.ci/browser` runs it"]
async fn a_browser_searches_and_tries() {
    let browser = browser().expect("a Chromium at a usual place, or its path in CHROMIUM");
    let bench = Bench::start().await;
    let base = bench.sandbox.url();
    let open = async |query: &str| {
        let (browser, url) = (browser.clone(), format!("{base}/{query}"));
        tokio::task::spawn_blocking(move || rendered(&browser, &url)).await.unwrap()
    };
    let listed = OPERATIONS.iter().filter(|op| op.answer != Answer::Stream).count();
    let (document, said) =
        open("?q=gas%20CHAIN&try=market-price&symbol=ETH&time_range=7d&view=JSON").await;
    assert_eq!(said, "", "the console is silent");
    let price = bench.get("/gateway/v1/market/price?symbol=ETH&time_range=7d").await.json;
    let answer = inside(&document, "answer");
    assert!(answer.contains(&format!("\"last\": {}", price["summary"]["last"])), "{answer}");
    let status = inside(&document, "said");
    assert!(status.contains("200 after") && status.contains("2 credits"), "{status}");
    assert!(inside(&document, "shown").contains(&format!(" of {listed} operations")));
    assert!(found(&document).contains(&"onchain-gas-price".to_owned()));
    assert!(!found(&document).contains(&"market-price".to_owned()));
    assert!(inside(&document, "rows").contains("13:37:42"), "the request is listed");
    assert!(inside(&document, "code").contains(".market_price(\"ETH\")\n    .time_range(\"7d\")"));
    assert!(inside(&document, "left").ends_with("credits left"), "{}", inside(&document, "left"));

    // An operation whose name matches the search comes before operations that only mention the word.
    for (asked, first) in [
        ("price", &["market-price", "exchange-price", "equity-price"][..]),
        ("holders", &["token-holders"]),
        ("funding%20rate", &["exchange-funding-history"]),
        ("candles", &["exchange-candles", "equity-candles", "hyperliquid-candles"]),
        ("news", &["news-feed", "search-news", "news-detail", "project-ai-news"]),
    ] {
        let (document, _) = open(&format!("?q={asked}")).await;
        let found = found(&document);
        for wanted in first {
            assert!(
                found.iter().take(first.len().max(2)).any(|id| id == wanted),
                "{asked}: {found:?}"
            );
        }
    }

    let (document, said) = open("?try=exchange-klines&pair=ETH/USDT&interval=4h").await;
    assert_eq!(said, "");
    assert!(document.contains("100 candles with volume"), "candles are drawn");
    let (document, said) = open("?sql=SELECT%20number%20AS%20n%20FROM%20numbers(3)").await;
    assert_eq!(said, "");
    assert!(inside(&document, "sql-said").contains("200 after"), "{document}");
    let (document, said) = open("?ask=What%20is%20the%20price%20of%20BTC%3F").await;
    assert_eq!(said, "");
    assert!(
        inside(&document, "chat-said").contains("completed"),
        "{}",
        inside(&document, "chat-said")
    );

    let hostile = "%3Cimg%20src%3Dx%20onerror%3D%22document.title%3D'owned'%22%3E";
    for query in [
        format!("?try=market-price&symbol={hostile}"),
        format!("?try={hostile}&q={hostile}"),
        format!("?try=polymarket-price-ohlcv&condition_id={hostile}/../x"),
    ] {
        let (document, said) = open(&query).await;
        assert!(document.contains("<title>Sandbox</title>"), "{query}");
        assert!(!document.contains("<img src=\"x\""), "{query}");
        assert!(!said.contains("Refused to") && !said.contains("Uncaught"), "{said}");
    }
}
