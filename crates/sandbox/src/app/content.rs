//! Creates the content of a response, after the call was charged. The content is set by an override, or is a chat
//! answer, the result of a SQL operation, or generated data.

use axum::body::{Body, to_bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use crypto_intel_core::{Answer, Operation, Type};
use serde_json::{Value, json};

use super::{App, Remarks};
use crate::account::Identity;
use crate::context::Context;
use crate::incoming::form_of;
use crate::overrides::{self, Content};
use crate::refusal::Refusal;
use crate::{answer, chat, distort, pieces, sql};
use crypto_intel_world::args::Args;

impl App {
    /// Creates a response with the content that an [`Override`](crate::Override) sets.
    pub(super) async fn overridden(
        &self,
        content: Content,
        context: &mut Context<'_>,
        remarks: &mut Remarks,
        args: &Args,
        identity: &Identity,
        form: sql::Form,
    ) -> Result<Response, Refusal> {
        let part = match content {
            Content::Data(data) => {
                let whole = overrides::full_response(context, args, data)?;
                return Ok(json_response(args.operation, whole.to_string()));
            }
            Content::Fault(fault) => {
                let seed = context.seed.named("fault").at(context.nonce);
                let instead = distort::replacement(&fault, form_of(args.operation), seed);
                remarks.fault = Some(fault);
                if let Some(response) = instead {
                    return Ok(response);
                }
                None
            }

            Content::Text(text) => {
                context.text = Some(text);
                None
            }
            Content::Partial(part) => Some(part),
            Content::Invented => None,
        };

        let response = self.answer(context, args, identity, form).await?;
        let Some(part) = part else { return Ok(response) };
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap_or_default();
        let mut whole = serde_json::from_slice(&body).unwrap_or_default();
        if let Some(warning) = overrides::lay_over(args, &mut whole, &part) {
            remarks.warning.get_or_insert(warning);
        }
        Ok(json_response(args.operation, whole.to_string()))
    }

    pub(super) async fn answer(
        &self,
        context: &Context<'_>,
        args: &Args,
        identity: &Identity,
        form: sql::Form,
    ) -> Result<Response, Refusal> {
        let operation = args.operation;
        let by_model = chat::is_chat(operation);
        if sql::is_sql(operation) {
            return self.sql.answer(context, args, identity, form).await;
        }

        let pieces = match operation.answer {
            Answer::Stream => {
                return self.chat.stream(context, args, identity, self.stop.clone());
            }
            Answer::Bare(_) if by_model => {
                Some(vec![self.chat.document(context, args, identity)?.to_string().into()])
            }
            Answer::Bare(Type::Record("CreditBalance")) => {
                Some(vec![self.balance(identity).to_string().into()])
            }
            _ => answer::pieces(&self.memo, context, args)?,
        };

        Ok(match pieces {
            Some(pieces) => json_response(operation, pieces::body(pieces)),
            None => success(operation).into_response(),
        })
    }

    fn balance(&self, identity: &Identity) -> Value {
        let balance = self.accounts().balance(identity, self.clock.now_millis().0);
        match (balance.credits, balance.free_remaining) {
            (Some(credits), _) => json!({"balance": credits, "plan": "sandbox"}),
            (None, free) => json!({"balance": 0, "free_remaining": free, "plan": "free"}),
        }
    }
}

/// Returns the HTTP status of a successful response of an operation.
fn success(operation: &Operation) -> StatusCode {
    StatusCode::from_u16(operation.success).unwrap_or(StatusCode::OK)
}

fn json_response(operation: &Operation, body: impl Into<Body>) -> Response {
    let head = [(header::CONTENT_TYPE, "application/json")];
    (success(operation), head, body.into()).into_response()
}
