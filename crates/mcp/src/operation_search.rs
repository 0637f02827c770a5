//! Finds operations by identifier or domain. For a misspelt name, the error contains similar names.

use crypto_intel::catalogue::OPERATIONS;
use crypto_intel::catalogue::Operation;
pub(crate) use crypto_intel_search::{domain, domains, search};

use crate::problem::Problem;

/// Finds an operation by its identifier, which may be written with `_` or `-`.
pub(crate) fn operation(id: &str) -> Result<&'static Operation, Problem> {
    let wanted = id.trim().to_lowercase().replace('_', "-");
    if let Some(found) = OPERATIONS.iter().find(|operation| operation.id == wanted) {
        return Ok(found);
    }

    let near: Vec<_> = search(&wanted.replace('-', " "), None)
        .into_iter()
        .take(3)
        .map(|found| found.operation.id)
        .collect();
    let hint = if near.is_empty() {
        String::new()
    } else {
        format!("; similar operations: {}", near.join(", "))
    };
    Err(Problem::unknown(format!("there is no operation `{id}`{hint}"))
        .next("use `search_operations` to find the operation"))
}

/// Returns the operations that `name` selects. The name of an operation selects this operation, the name of a domain
/// selects all operations of the domain, and `all` selects every operation.
pub(crate) fn named(name: &str) -> Result<Vec<&'static Operation>, Problem> {
    let of_domain: Vec<_> =
        OPERATIONS.iter().copied().filter(|one| name == "all" || domain(one) == name).collect();
    if of_domain.is_empty() { operation(name).map(|one| vec![one]) } else { Ok(of_domain) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_operation_has_suggestions_and_a_next_step() {
        let problem = operation("token_price").expect_err("unknown").json();
        let message = problem["message"].as_str().expect("text");
        assert_eq!(problem["error"], "not found");
        assert!(message.contains("market-price"), "{message}");
        let next = problem["next_step"].as_str().expect("text");
        assert!(next.contains("search_operations"), "{next}");
        assert_eq!(operation("market_price").expect("known").id, "market-price");
    }
}
