//! Types that the generated code of `crypto-intel-api` uses.
//!
//! `crypto-intel-api` contains only generated code, which cannot add inherent methods or foreign traits to types of
//! other crates. `crypto-intel-core` therefore defines the types and traits that the generated code uses:
//!
//! - [`Call`]: one operation with the values of its parameters.
//! - [`Transport`]: sends a call.
//! - [`Reply`] and [`Error`]: results of a call.
//! - [`Operation`]: a row of the catalogue, which is a table of all operations of the service.
//! - Traits of requests, records and envelopes.
//!
//! `crypto-intel-core` has no HTTP client, no clock, no retries and no other policy. The transport of the crate
//! `crypto-intel` implements all of these.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

mod body;
mod call;
mod check;
mod convention;
mod decode;
mod envelope;
mod error;
mod error_body;
mod error_kind;
mod figure;
mod idle;
mod json;
mod json_value;
mod meta;
mod metric;
mod number;
mod open_enum;
mod operation;
mod options;
mod paging;
mod partial;
mod raw_reply;
mod record;
mod redact;
mod reply;
mod reported;
mod request;
mod shape_match;
mod time;
mod transport;
mod union;
mod value;
mod whole_number;

pub use call::{Call, ModelUse, Parts};
pub use convention::{fault as parameter_fault, long_chain_name, looks_like_name};
pub use envelope::{Data, Envelope};
pub use error::{Error, Result};
pub use error_body::ErrorBody;
pub use error_kind::ErrorKind;
pub use figure::{Amount, Figure, Gap};
pub use idle::IdleTime;
pub use json_value::{Json, JsonObject};
pub use metric::{MetricStatus, MetricValue, Metrics, ValueOrigin};
pub use number::Number;
pub use operation::{
    Answer, Body, Convention, Field, FieldMeaning, Finds, IdentifierRow, In, Misplaced, ModelPrice,
    Operation, Paging, Param, ParamKind, PlanRow, Price, Provenance, Record as RecordRow, RowOrder,
    Rule, TierRow, TopUpRow, Type, UnknownModel,
};
pub use options::CallOptions;
pub use paging::{PageMeta, Paged, Position};
pub use partial::{PartialAnswer, PartialFailure};
pub use raw_reply::{RawReply, RawStream};
pub use record::{Extra, Record, RecordField};
pub use redact::Redact;
pub use reply::{HttpInfo, Reply};
pub use reported::{HasMeta, Reported};
pub use request::{PagedRequest, Request, Streaming};
pub use time::{UnixMillis, UnixSeconds};
pub use transport::{BoxFuture, Handle, Transport};
pub use value::{Address, List, Moment, Value};
pub use whole_number::WholeNumber;

pub use bytes::Bytes;
pub use http::Method;

/// Items that generated code and the other crates of this workspace use. They are not part of the public API.
#[doc(hidden)]
pub mod private {
    pub use crate::json::{OrderedFields, from_slice, path_at, reason, spelled_out, whole};
    pub use crate::meta::read_meta;
    pub use crate::metric::write_metric;
    pub use crate::open_enum::TextVisitor;
    pub use crate::operation::RAW;
    pub use crate::paging::position_in;
    pub use crate::paging::unreadable;
    pub use crate::record::{
        deserialize, read_loose, read_or_default, read_value, record_mismatch, serialize,
        write_filled, write_some,
    };
    pub use crate::shape_match::{Mismatch, ShapeMatch, Tag, fields_mismatch};
    pub use serde;
    pub use serde_json;
}
