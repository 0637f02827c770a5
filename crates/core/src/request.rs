//! Requests: a call with the type of its answer.

use serde::de::DeserializeOwned;

use crate::call::Call;
use crate::envelope::Charge;
use crate::operation::Operation;
use crate::options::CallOptions;
use crate::paging::Paged;

/// A request of one operation. Implemented by [`request!`](crate::request!).
///
/// It is awaited for its [`Reply`](crate::Reply); where a future is wanted, as by `tokio::spawn`,
/// `into_future()` makes one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a request of this client",
    label = "not a request",
    note = "requests come from the methods of `Client`; an answer that was awaited already is a \
            `Reply`, and its rows are in `.data`"
)]
pub trait Request: Sized {
    /// Type of a decoded successful response.
    type Answer: DeserializeOwned + Charge + Send + 'static;

    /// The catalogue row.
    const OPERATION: &'static Operation;

    /// The untyped call.
    fn into_call(self) -> Call;

    /// The request again, around a changed call of the same operation.
    fn from_call(call: Call) -> Self;

    /// Sets what this one call does differently from its client: attempts, times, headers.
    #[must_use]
    fn with_options(self, options: CallOptions) -> Self {
        let mut call = self.into_call();
        call.set_options(options);
        Self::from_call(call)
    }

    /// Sets a parameter that this release does not know: a member of the body where the operation
    /// has one, a query parameter otherwise. One that it does know is set as by its method.
    #[must_use]
    fn extra_param(self, name: impl Into<String>, value: impl Into<crate::value::Value>) -> Self {
        let mut call = self.into_call();
        call.set_extra(name.into(), value.into());
        Self::from_call(call)
    }
}

/// A request whose answer is one page of many; [`Operation::paging`] says how to go on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is answered whole: there are no further pages to follow",
    label = "not a paged request",
    note = "await the request: its rows are in `.data` of the reply"
)]
pub trait PagedRequest: Request<Answer: Paged> {}

/// A request whose answer can come as a stream too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no streamed form",
    label = "cannot be streamed",
    note = "await the request for its whole answer"
)]
pub trait Streaming: Request {
    /// The operation that streams. Its parameters are those of this one, and one more.
    const STREAM: &'static Operation;

    /// Converts the request into a call of the streaming operation.
    fn into_stream_call(self) -> Call {
        self.into_call().retarget(Self::STREAM)
    }
}

/// Implements the settings that every request struct with a field `call` has. They are inherent
/// methods, so that programs need no import.
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

            /// Sets a parameter that this release does not know: a field of the body if the operation
            /// has one, otherwise a query parameter. A known parameter is set as by its method.
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

/// Ties a request struct with a field `call` to its catalogue row and the type of its answer.
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

            /// The untyped call.
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

/// Implements `IntoFuture` for a request whose answer is not JSON: its bytes as they came.
#[macro_export]
#[doc(hidden)]
macro_rules! bytes_request {
    ($name:ident, $operation:expr) => {
        $crate::request_settings!($name);

        impl $name {
            /// The catalogue row.
            pub const OPERATION: &'static $crate::Operation = $operation;

            /// The call behind the request.
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
