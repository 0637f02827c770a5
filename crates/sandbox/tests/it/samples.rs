//! Sends the requests in the shell samples of `docs/reference` to the sandbox, and checks the responses.

use crypto_intel_sandbox::{Clock, UnixSeconds};
use serde_json::Value;

use super::support::{Bench, NOW, builder, seen};

/// The HTTP request of one `curl` command.
struct Sample {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: Option<String>,
}

/// Returns the shell samples on all pages of `docs/reference`, each with the name of its operation.
fn samples() -> Vec<(String, Sample)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference");
    let mut found = Vec::new();
    for file in std::fs::read_dir(folder).expect("the reference") {
        let page = std::fs::read_to_string(file.expect("a file").path()).expect("a page");
        let mut operation = String::new();
        let mut lines = page.lines();
        while let Some(line) = lines.next() {
            if let Some(heading) = line.strip_prefix("## ") {
                operation = heading.to_owned();
            }
            if line == "```sh" {
                let command: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
                found.push((operation.clone(), sample(&command)));
            }
        }
    }
    found
}

/// Parses a `curl` command. Each line of the command has one argument.
fn sample(command: &[&str]) -> Sample {
    let mut sample =
        Sample { method: "GET".to_owned(), url: String::new(), headers: Vec::new(), body: None };
    for line in command {
        let line = line.trim().trim_end_matches('\\').trim_end();
        let (flag, value) = line.split_once(' ').unwrap_or((line, ""));
        let value = value.trim_matches('"');
        match flag {
            "curl" => {}
            "-X" => sample.method = value.to_owned(),
            "-H" => {
                let (name, text) = value.split_once(": ").expect("a header");
                sample.headers.push((name.to_owned(), text.to_owned()));
            }
            "-d" => sample.body = Some(value.trim_matches('\'').to_owned()),
            _ => sample.url = line.trim_matches('"').to_owned(),
        }
    }
    sample
}

async fn send(bench: &Bench, sample: &Sample) -> Result<(), String> {
    let url = sample.url.replace("$BASE_URL", &bench.sandbox.url().to_string());
    let method = reqwest::Method::from_bytes(sample.method.as_bytes()).expect("a method");
    let mut request = bench.http.request(method, url);
    for (name, text) in &sample.headers {
        request = request.header(name, text.replace("$API_KEY", bench.sandbox.key()));
    }
    if let Some(body) = &sample.body {
        request = request.body(body.clone());
    }

    let answer = seen(request).await;
    let is_empty = match &answer.json["data"] {
        Value::Array(rows) => rows.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => answer.text.is_empty(),
    };
    let start: String = answer.text.chars().take(200).collect();
    match answer.status {
        200..300 if !is_empty => Ok(()),
        status => Err(format!("{status} {start}")),
    }
}

#[tokio::test]
async fn every_shell_sample_of_the_reference_returns_data() {
    let samples = samples();
    assert!(samples.len() > 140, "{}", samples.len());
    // Examples must not depend on the date.
    for now in [NOW, NOW + 300 * 86_400] {
        let bench = Bench::from_builder(builder().clock(Clock::stopped_at(UnixSeconds(now)))).await;
        let mut failed = Vec::new();
        for (operation, sample) in &samples {
            if let Err(answer) = send(&bench, sample).await {
                failed.push(format!("{operation} ({}): {answer}", sample.url));
            }
        }
        assert!(failed.is_empty(), "{} at {now}:\n{}", failed.len(), failed.join("\n"));
    }
}
