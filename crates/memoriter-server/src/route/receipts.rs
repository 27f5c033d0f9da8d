//! `/v1/receipts/{id}`: what an erasure came to.

use axum::response::Response;

use super::erase::receipt;
use super::memory::WhereParams;
use crate::caller::Caller;
use crate::input::{Named, Params};
use crate::problem::{Problem, ProblemWire};

/// Shows a receipt
///
/// As it is signed now: a pending one may have been completed since.
#[utoipa::path(get, path = "/v1/receipts/{id}", tag = "forgetting",
    params(("id" = String, Path, description = "The id in the receipt"), WhereParams),
    responses((status = 200, body = Object),
        (status = "4XX", body = ProblemWire, content_type = "application/problem+json")))]
pub(super) async fn get(
    caller: Caller,
    Named(id): Named<String>,
    Params(params): Params<WhereParams>,
) -> Result<Response, Problem> {
    let app = caller.app().clone();
    app.call(move || {
        let scope = caller.scope(&params.place())?;
        let kept = scope.receipt(&id)?.ok_or_else(|| {
            Problem::not_found("no_such_receipt", "there is no receipt of this id").field("id")
        })?;
        Ok(receipt(kept.document))
    })
    .await
}
