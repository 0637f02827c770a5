//! Creates the requests of a scan and calculates their maximum list price. This module sends no requests.
//!
//! The input is the arguments of each call. The output is one validated request per call.

use bytes::Bytes;
use crypto_intel::credits::{Credits, Estimate};
use crypto_intel::paging::Pager;
use crypto_intel::{Client, DynamicRequest};
use crypto_intel_core::ParamKind;
use datafusion::common::{DataFusionError, Result};

use crate::layout::{Arguments, Layout};

/// Validated call that can be sent.
#[derive(Debug, Clone)]
pub(crate) struct ValidCall {
    pub(crate) arguments: Arguments,
    pub(crate) request: DynamicRequest,
    /// Identity of the call: its path with the query string, and its body.
    pub(crate) target: (String, Option<Bytes>),
}

/// Validates the arguments of calls and creates their requests.
pub(crate) fn valid_calls(
    client: &Client,
    layout: &Layout,
    calls: Vec<Arguments>,
) -> Result<Vec<ValidCall>> {
    let refused = |error: crypto_intel::Error| {
        DataFusionError::Plan(format!("`{}`: {}", layout.name(), error.message()))
    };
    let asked = |arguments: Arguments| -> Result<ValidCall> {
        let request = client.request(layout.operation.id).map_err(refused)?;
        let request = arguments
            .iter()
            .try_fold(request, |request, (name, value)| request.with_text(name, value))
            .map_err(refused)?;
        let target = request.call().parts().map_err(refused)?;
        let target = (target.target, target.body);
        Ok(ValidCall { arguments, request, target })
    };
    calls.into_iter().map(asked).collect()
}

/// Removes calls whose requests equal an earlier request. For example, `IN ('BTC', 'btc')` becomes one call, so its
/// rows appear once.
pub(crate) fn distinct(asked: Vec<ValidCall>) -> Vec<ValidCall> {
    let mut distinct: Vec<ValidCall> = Vec::with_capacity(asked.len());
    for asked in asked {
        if !distinct.iter().any(|known| known.target == asked.target) {
            distinct.push(asked);
        }
    }
    distinct
}

/// Returns the maximum total list price of the calls. If `limit` is set, each call reads only as many pages as `limit`
/// rows need. The calculation assumes that all pages are full. Returns `None` if the number of pages is not limited,
/// and [`Estimate::Unknown`] if a price is not published.
pub(crate) fn at_most(
    client: &Client,
    asked: &[ValidCall],
    limit: Option<usize>,
) -> Result<Option<Estimate>> {
    let mut most = Some(0);
    for asked in asked {
        let estimate = match pager(&asked.request, limit)? {
            Some(pager) => pager.estimate(),
            None => Some(client.estimate(&asked.request)),
        };
        let Some(estimate) = estimate else { return Ok(None) };
        most = most.zip(estimate.credits()).map(|(sum, credits)| sum + credits.0);
    }
    Ok(Some(most.map_or(Estimate::Unknown, |credits| Estimate::Exactly(Credits(credits)))))
}

/// Returns a pager for at most `limit` rows of a call. Returns `None` if the operation has no pages.
pub(crate) fn pager(
    request: &DynamicRequest,
    limit: Option<usize>,
) -> Result<Option<Pager<DynamicRequest>>> {
    let wanted = limit.map(|limit| limit as u64);
    let mut request = request.clone();
    if let Some((name, size)) = wanted.and_then(|wanted| smaller_page(&request, wanted)) {
        request = request
            .with_text(name, &size.to_string())
            .map_err(|error| DataFusionError::Plan(error.message().to_owned()))?;
    }
    let pager = request.pager();
    Ok(match wanted {
        Some(wanted) => pager.map(|pager| pager.max_items(wanted)),
        None => pager,
    })
}

/// Returns the name of the page size parameter, and a page size for `wanted` rows. Returns `None` unless `wanted` is
/// smaller than the default page size.
fn smaller_page(request: &DynamicRequest, wanted: u64) -> Option<(&'static str, u64)> {
    let operation = request.operation();
    let name = operation.paging.limit()?;
    let (_, param) = operation.param(name)?;
    let default = param.default?.parse::<u64>().ok()?;
    let least = match param.kind {
        ParamKind::Integer { min: Some(min), .. } => u64::try_from(min).unwrap_or(1).max(1),
        _ => 1,
    };
    (wanted < default).then_some((name, wanted.max(least)))
}
