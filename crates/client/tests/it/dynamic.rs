//! Tests of operations that a program chooses at run time.

use crypto_intel::api::generated::catalogue::OPERATIONS;
use crypto_intel::{
    Client, Completeness, CompletenessState, DynamicAnswer, DynamicRequest, ErrorKind, Row,
    catalogue::Operation, extend::Paged as _,
};
use crypto_intel_core::{Answer, Paging, ParamKind};
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds, example};
use serde_json::{Value, json};

async fn stopped_sandbox() -> (Sandbox, Client) {
    let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
    let sandbox = Sandbox::builder().clock(clock).start().await.expect("a free port");
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = builder.build().expect("a client");
    (sandbox, client)
}

fn request(client: &Client, operation: &Operation) -> DynamicRequest {
    let request = client.request(operation.id).expect("an operation of the catalogue");
    let values = example::parameters(operation).into_iter().filter(|(name, _)| {
        let param = operation.param(name).map(|(_, param)| param.kind);
        !matches!(param, Some(ParamKind::Constant(_)))
    });
    values.fold(request, |request, (name, value)| {
        let text = match operation.param(name).map(|(_, param)| param.kind) {
            Some(ParamKind::Json(_)) => value.to_string(),
            _ => example::written(&value),
        };
        request.with_text(name, &text).expect("an example's value")
    })
}

fn values(rows: &[Row]) -> Vec<Value> {
    rows.iter().map(|row| row.to_value().expect("JSON")).collect()
}

#[tokio::test]
async fn dynamic_rows_equal_typed_rows() {
    let (_sandbox, client) = stopped_sandbox().await;

    let request = client.request("market-price").and_then(|r| r.with_text("symbol", "BTC"));
    let dynamic = request.expect("a known parameter").await.expect("an answer");
    let typed = client.market_price("BTC").await.expect("an answer");

    assert!(dynamic.is_list());
    assert_eq!(json!(values(dynamic.rows())), json!(typed.data));
    assert_eq!(dynamic.credits_used(), Some(2));
}

#[tokio::test]
async fn every_response_is_split_and_serialized_unchanged() {
    let (_sandbox, client) = stopped_sandbox().await;
    let answers = |operation: &&&Operation| {
        !matches!(operation.answer, Answer::Stream | Answer::Empty)
            && operation.method == crypto_intel::Method::GET
    };

    let mut seen = 0;
    for operation in OPERATIONS.iter().filter(answers) {
        let call = request(&client, operation).call().clone();
        let reply = call.send_raw().await;
        // The sandbox has an SQL engine only if the whole workspace is built.
        if reply.as_ref().is_err_and(|error| error.code() == Some("NOT_BUILT")) {
            continue;
        }
        let body = reply.expect("an answer").body;
        let whole: Value = serde_json::from_slice(&body).expect("JSON");
        let split: DynamicAnswer = serde_json::from_slice(&body).expect("an answer of any shape");

        let written = serde_json::to_value(&split).expect("JSON");
        assert_eq!(written, whole, "{}", operation.id);
        if let Answer::Rows { .. } = operation.answer {
            assert_eq!(json!(values(split.rows())), whole["data"], "{}", operation.id);
        }
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}

#[tokio::test]
async fn every_kind_of_paging_returns_consecutive_pages() {
    let (_sandbox, client) = stopped_sandbox().await;
    let mut kinds = std::collections::BTreeSet::new();

    for operation in OPERATIONS.iter().filter(|operation| operation.paging != Paging::None) {
        let kind = format!("{:?}", operation.paging).split([' ', '{']).next().map(str::to_owned);
        if !kinds.insert(kind) {
            continue;
        }
        let (Paging::Offset { limit, .. }
        | Paging::Cursor { limit, .. }
        | Paging::Keyset { limit, .. }
        | Paging::PaginationKey { limit, .. }) = operation.paging
        else {
            continue;
        };

        let whole = request(&client, operation).with_text(limit, "6").expect("a page size");
        let whole = whole.await.expect("one page").into_inner();
        let pages = || request(&client, operation).with_text(limit, "2").expect("a page size");
        let pager = || pages().pager().expect("a paged operation");
        let rows = pager().max_pages(3).collect_all().await.expect("three pages");
        assert_eq!(values(&rows), values(whole.rows()), "{}", operation.id);

        // The completeness of one response contains the token of the next page.
        let first = pages().await.expect("one page");
        let state = Completeness::of_reply(pager().call(), &*first);
        assert_eq!(state.state, CompletenessState::MoreAvailable, "{}", operation.id);
        let rest = pager().resume_from(state.resume.expect("a token")).max_pages(2);
        let rest = rest.collect_all().await.expect("two pages");
        assert_eq!(values(&rest), values(&whole.rows()[2..]), "{}", operation.id);
    }
    assert_eq!(kinds.len(), 4, "{kinds:?}");
}

#[tokio::test]
async fn unpaged_request_has_no_pager_and_unknown_operation_is_named() {
    let (_sandbox, client) = stopped_sandbox().await;
    assert!(client.request("market-fear-greed").expect("known").pager().is_none());

    let error = client.request("market-prise").expect_err("unknown");
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert!(error.message().contains("`market-prise`"), "{error}");
}

#[tokio::test]
async fn response_with_as_many_rows_as_limit_may_be_cut() {
    let (_sandbox, client) = stopped_sandbox().await;
    let mut seen = 0;
    for operation in OPERATIONS.iter().filter(|operation| operation.paging == Paging::None) {
        let Some((_, limit)) = operation.param("limit") else { continue };
        let of = async |limit: Option<usize>| {
            let mut request = request(&client, operation);
            if let Some(limit) = limit {
                request = request.with_text("limit", &limit.to_string()).expect("a limit");
            }
            let call = request.call().clone();
            let answer = request.await.expect("an answer");
            let rows = answer.rows().len();
            (rows, Completeness::of_answer(&call, &answer.position(), rows).state)
        };

        let default: usize = limit.default.and_then(|text| text.parse().ok()).expect("a default");
        let (rows, state) = of(None).await;
        let expected = match rows < default {
            true => CompletenessState::Complete,
            false => CompletenessState::MoreAvailable,
        };
        assert_eq!(state, expected, "{}: {rows} of {default}", operation.id);
        let (rows, state) = of(Some(2)).await;
        let expected = match rows {
            2 => CompletenessState::CutAtLimit,
            _ => CompletenessState::Complete,
        };
        assert_eq!(state, expected, "{}: {rows} of 2", operation.id);
        seen += usize::from(rows == 2);
    }
    assert!(seen >= 3, "{seen} operations have rows to cut");
}
