//! Requests: calls with the type of their response.
//!
//! A request is generated for each operation. The traits connect its call with its response, pages or stream.

use serde::de::DeserializeOwned;

use crate::call::Call;
use crate::operation::Operation;
use crate::options::CallOptions;
use crate::paging::Paged;
use crate::reported::HasMeta;

/// A request of one operation. Implement it with [`request!`](crate::request!).
///
/// Awaiting it returns its [`Reply`](crate::Reply). For functions that need a future, such as `tokio::spawn`, call
/// `into_future()`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a request of this client",
    label = "not a request",
    note = "call a method of `Client` to get a request; an awaited response is a `Reply`, and \
     its rows are in `.data`"
)]
pub trait Request: Sized {
    /// Type of a decoded successful response.
    type Answer: DeserializeOwned + HasMeta + Send + 'static;

    /// The catalogue row.
    const OPERATION: &'static Operation;

    /// Returns the untyped call.
    fn into_call(self) -> Call;

    /// Builds the request from a changed call of the same operation.
    fn from_call(call: Call) -> Self;

    /// Sets options of this call that differ from those of its client, such as attempts, timeouts and headers.
    #[must_use]
    fn with_options(self, options: CallOptions) -> Self {
        let mut call = self.into_call();
        call.set_options(options);
        Self::from_call(call)
    }

    /// Sets a parameter that is not in this release's catalogue. It is sent in the body if the operation has a body,
    /// otherwise in the query string. For a catalogued parameter this equals its setter.
    #[must_use]
    fn extra_param(self, name: impl Into<String>, value: impl Into<crate::value::Value>) -> Self {
        let mut call = self.into_call();
        call.set_extra(name.into(), value.into());
        Self::from_call(call)
    }
}

/// A request whose response is one page of a list. [`Operation::paging`] describes how to request the next page.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has a single response: there are no further pages",
    label = "not a paged request",
    note = "await the request: its rows are in `.data` of the reply"
)]
pub trait PagedRequest: Request<Answer: Paged> {}

/// A request whose response can also be streamed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be streamed",
    label = "cannot be streamed",
    note = "to get the complete response, await the request"
)]
pub trait Streaming: Request {
    /// The streaming operation. It has the parameters of this operation, and one additional parameter.
    const STREAM: &'static Operation;

    /// Converts the request into a call of the streaming operation.
    fn into_stream_call(self) -> Call {
        self.into_call().retarget(Self::STREAM)
    }
}

/// Implements the settings of every request struct with a field `call`. They are inherent methods, so programs need
/// no trait import.
#[macro_export]
#[doc(hidden)]
macro_rules! request_settings {
    ($name:ident) => {
        impl $name {
            /// Sets options of this call that differ from those of its client: attempts, timeouts,
            /// headers.
            pub fn with_options(mut self, options: $crate::CallOptions) -> Self {
                self.call.set_options(options);
                self
            }

            /// Sets a parameter that is not in this release's catalogue. It is sent in the body if the operation has
            /// a body, otherwise in the query string. For a catalogued parameter this equals its setter.
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

/// Connects a request struct with a field `call` to its catalogue row and its response type.
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

/// Implements a request whose response is a stream of bytes.
#[macro_export]
#[doc(hidden)]
macro_rules! stream_request {
    ($name:ident, $operation:expr) => {
        $crate::request_settings!($name);

        impl $name {
            /// The catalogue row.
            pub const OPERATION: &'static $crate::Operation = $operation;

            /// Returns the untyped call.
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

/// Implements `IntoFuture` for a request whose response is not JSON. It returns the bytes as received.
#[macro_export]
#[doc(hidden)]
macro_rules! bytes_request {
    ($name:ident, $operation:expr) => {
        $crate::request_settings!($name);

        impl $name {
            /// The catalogue row.
            pub const OPERATION: &'static $crate::Operation = $operation;

            /// Returns the call behind the request.
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
