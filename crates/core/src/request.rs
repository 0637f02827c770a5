//! Requests: calls whose response type is known at compile time.
//!
//! Generated code has one request type for each operation. The traits of this module define the type of the response,
//! and whether the request has pages or a stream.

use serde::de::DeserializeOwned;

use crate::call::Call;
use crate::operation::Operation;
use crate::options::CallOptions;
use crate::paging::Paged;
use crate::reported::HasMeta;

/// A request of one operation. Generated code implements this trait with [`request!`](crate::request!).
///
/// Awaiting a request sends it and returns its [`Reply`](crate::Reply). For functions that need a future, such as
/// `tokio::spawn`, call `into_future()` on the request.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a request of this client",
    label = "not a request",
    note = "call a method of `Client` to get a request; awaiting the request returns a `Reply`, \
     whose field `data` contains the rows"
)]
pub trait Request: Sized {
    /// Type of a successful response.
    type Answer: DeserializeOwned + HasMeta + Send + 'static;

    /// The operation that the request calls, as described in the catalogue.
    const OPERATION: &'static Operation;

    /// Converts the request into a [`Call`], which has no type for its response.
    fn into_call(self) -> Call;

    /// Creates the request from a call of the same operation. For example, [`with_options`](Self::with_options)
    /// converts the request into a call, sets the options of the call, and then creates the request again.
    fn from_call(call: Call) -> Self;

    /// Sets options of this call, such as attempts, timeouts and headers. They override the options of the client.
    #[must_use]
    fn with_options(self, options: CallOptions) -> Self {
        let mut call = self.into_call();
        call.set_options(options);
        Self::from_call(call)
    }

    /// Sets a parameter that is not in the catalogue of this release. The parameter is sent in the request body if the
    /// operation has a body, otherwise in the query string. For a parameter in the catalogue, this method does the same
    /// as the parameter's own setter.
    #[must_use]
    fn extra_param(self, name: impl Into<String>, value: impl Into<crate::value::Value>) -> Self {
        let mut call = self.into_call();
        call.set_extra(name.into(), value.into());
        Self::from_call(call)
    }
}

/// A request whose response is one page of a list. [`Operation::paging`] describes how to request the next page.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has a single response and no further pages",
    label = "not a paged request",
    note = "await the request; the field `data` of the `Reply` contains the rows"
)]
pub trait PagedRequest: Request<Answer: Paged> {}

/// A request of an operation that can return its response either complete or as a stream.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be streamed",
    label = "cannot be streamed",
    note = "to get the complete response, await the request"
)]
pub trait Streaming: Request {
    /// The streaming operation, as described in the catalogue. It has all parameters of
    /// [`OPERATION`](Request::OPERATION), and additionally the constant parameter `stream`.
    const STREAM: &'static Operation;

    /// Converts the request into a call of the streaming operation [`STREAM`](Self::STREAM).
    fn into_stream_call(self) -> Call {
        self.into_call().with_operation(Self::STREAM)
    }
}

/// Implements `with_options` and `extra_param` for a request struct with a field `call`. Both are inherent methods, so
/// callers do not have to import a trait.
#[macro_export]
#[doc(hidden)]
macro_rules! request_settings {
    ($name:ident) => {
        impl $name {
            /// Sets options of this call, such as attempts, timeouts and headers. They override the options of the
            /// client.
            pub fn with_options(mut self, options: $crate::CallOptions) -> Self {
                self.call.set_options(options);
                self
            }

            /// Sets a parameter that is not in the catalogue of this release. The parameter is sent in the request
            /// body if the operation has a body, otherwise in the query string. For a parameter in the catalogue, this
            /// method does the same as the parameter's own setter.
            pub fn extra_param(
                mut self,
                name: impl Into<String>,
                value: impl Into<$crate::Value>,
            ) -> Self {
                self.call.set_extra(name.into(), value.into());
                self
            }
        }
    };
}

/// Implements [`Request`] and `IntoFuture` for a request struct with a field `call`.
#[macro_export]
#[doc(hidden)]
macro_rules! request {
    ($name:ident, $operation:expr, $answer:ty) => {
        $crate::request_settings!($name);

        impl $crate::Request for $name {
            type Answer = $answer;
            const OPERATION: &'static $crate::Operation = $operation;

            fn into_call(self) -> $crate::Call {
                self.call
            }

            fn from_call(call: $crate::Call) -> Self {
                $name { call }
            }
        }

        impl ::std::future::IntoFuture for $name {
            type Output = Result<$crate::Reply<$answer>, $crate::Error>;
            type IntoFuture = $crate::BoxFuture<Self::Output>;

            fn into_future(self) -> Self::IntoFuture {
                Box::pin(self.call.send())
            }
        }
    };
}

/// Implements `IntoFuture` for a request whose response is a stream of bytes.
#[macro_export]
#[doc(hidden)]
macro_rules! stream_request {
    ($name:ident, $operation:expr) => {
        $crate::request_settings!($name);

        impl $name {
            /// The operation that the request calls, as described in the catalogue.
            pub const OPERATION: &'static $crate::Operation = $operation;

            /// Converts the request into a call. All requests become the same type `Call`,
            /// even if their responses have different types.
            pub fn into_call(self) -> $crate::Call {
                self.call
            }
        }

        impl ::std::future::IntoFuture for $name {
            type Output = Result<$crate::RawStream, $crate::Error>;
            type IntoFuture = $crate::BoxFuture<Self::Output>;

            fn into_future(self) -> Self::IntoFuture {
                Box::pin(self.call.open())
            }
        }
    };
}

/// Implements `IntoFuture` for a request whose response is not JSON. Awaiting the request returns the response body as
/// bytes.
#[macro_export]
#[doc(hidden)]
macro_rules! bytes_request {
    ($name:ident, $operation:expr) => {
        $crate::request_settings!($name);

        impl $name {
            /// The operation that the request calls, as described in the catalogue.
            pub const OPERATION: &'static $crate::Operation = $operation;

            /// Converts the request into a call, which has no type for its response.
            pub fn into_call(self) -> $crate::Call {
                self.call
            }
        }

        impl ::std::future::IntoFuture for $name {
            type Output = Result<$crate::RawReply, $crate::Error>;
            type IntoFuture = $crate::BoxFuture<Self::Output>;

            fn into_future(self) -> Self::IntoFuture {
                Box::pin(self.call.send_raw())
            }
        }
    };
}
