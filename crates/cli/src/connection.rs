//! Builds the client of one `cintel` run from the settings. The client calls either a service at a URL or the embedded
//! sandbox.

use std::time::Instant;

use crypto_intel::cache::Cache;
use crypto_intel::credits::Budget;
use crypto_intel::http_service::{Body, HttpService};
use crypto_intel::{Client, ClientBuilder, ErrorKind, http};
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};

use crate::failure::{Exit, Failure};
use crate::settings::Settings;
use crate::terminal;

mod disk;

/// Client of one `cintel` run, with the URL or the embedded sandbox that the client calls.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) client: Client,
    /// URL of the service. If the run uses the embedded sandbox, this is the text `the embedded sandbox`.
    pub(crate) base_url: String,
    /// Embedded sandbox, if the run uses it. When this value is dropped, the sandbox stops.
    pub(crate) sandbox: Option<Sandbox>,
    verbose: bool,
}

/// Text of the note that is printed if the user selected the embedded sandbox. The note prevents users from taking
/// invented data for real data.
const INVENTED_AS_ASKED: &str = "note: the data are invented by the embedded sandbox";

/// Text of the note that is printed if the sandbox is used because neither an API key nor a base URL is set.
const INVENTED: &str = "note: no key and no base URL are set, so the embedded sandbox returns invented data (to call the service, run `cintel auth login` and set CRYPTO_INTEL_BASE_URL)";

impl Connection {
    /// Creates the client for the service that the settings select. If neither an API key nor a base URL is set, the
    /// client calls the embedded sandbox, and this function prints a note.
    pub(crate) fn open(settings: &Settings) -> Result<Self, Failure> {
        let ConnectionParts { builder, base_url, sandbox } = ConnectionParts::new(settings)?;
        let client = builder.build().map_err(in_settings)?;
        Ok(Connection { client, base_url, sandbox, verbose: settings.verbose })
    }

    /// Prints the cost of the run to standard error. Without `--verbose`, prints only the credits that the cache
    /// saved.
    pub(crate) fn close(&self) {
        let total = self.client.ledger().total();
        if total.saved.0 > 0 {
            terminal::note(&format!("the cache saved {}", total.saved));
        }
        if self.verbose && total.calls > 0 {
            let by_operation = self.client.ledger().by_operation();
            for (id, spent) in &by_operation {
                terminal::note(&format!("{id}: {spent}"));
            }
            if by_operation.len() > 1 {
                terminal::note(&format!("together: {total}"));
            }
            let open = self.client.ledger().unsettled();
            if open.requests > 0 {
                terminal::note(&format!(
                    "unsuccessful requests that the service may also charge: {}; list price {}",
                    open.requests, open.list_price
                ));
            }
        }
    }
}

/// Parts of a [`Connection`], for callers that change the client's settings before they build the client.
pub(crate) struct ConnectionParts {
    pub(crate) builder: ClientBuilder,
    /// URL of the service. If the run uses the embedded sandbox, this is the text `the embedded sandbox`.
    pub(crate) base_url: String,
    pub(crate) sandbox: Option<Sandbox>,
}

impl ConnectionParts {
    pub(crate) fn new(settings: &Settings) -> Result<Self, Failure> {
        let is_unset = settings.key.is_none() && settings.base_url.is_none();
        if settings.sandbox {
            terminal::note(INVENTED_AS_ASKED);
        } else if is_unset {
            terminal::note(INVENTED);
        }
        match settings.sandbox || is_unset {
            true => Self::embedded(settings),
            false => Self::service(settings),
        }
    }

    fn service(settings: &Settings) -> Result<Self, Failure> {
        let Some(base_url) = settings.base_url.clone() else {
            return Err(Failure::usage("a key is set, but no base URL").next(
                "set CRYPTO_INTEL_BASE_URL, `--base-url`, or base_url in a profile; \
                 `--sandbox` needs neither key nor base URL",
            ));
        };

        let mut builder = common(settings)?.base_url(&base_url);
        if let Some(key) = &settings.key {
            builder = builder.api_key(&key.text);
        }
        // The embedded sandbox costs nothing, so its calls are not recorded.
        if let Some(ledger) = settings.ledger()? {
            builder = builder.machine_ledger(ledger);
        }

        Ok(ConnectionParts { builder, base_url, sandbox: None })
    }

    fn embedded(settings: &Settings) -> Result<Self, Failure> {
        let mut builder = Sandbox::builder().seed(settings.seed);
        if let Some(time) = settings.sandbox_clock {
            builder = builder.clock(Clock::stopped_at(UnixSeconds(time)));
        }
        let sandbox = builder.without_socket().map_err(|error| {
            Failure::new(Exit::Local, format!("the sandbox cannot start: {error}"))
        })?;

        // The sandbox's data depend on its seed and clock. Each combination has its own URL, and therefore its own
        // cache entries.
        let world = match settings.sandbox_clock {
            Some(time) => format!("http://seed-{}-at-{time}.sandbox.invalid", settings.seed),
            None => format!("http://seed-{}.sandbox.invalid", settings.seed),
        };
        let builder = common(settings)?.base_url(world).api_key(sandbox.key());
        let builder = builder.http_service(sandbox.service());
        let base_url = "the embedded sandbox".to_owned();
        Ok(ConnectionParts { builder, base_url, sandbox: Some(sandbox) })
    }
}

fn common(settings: &Settings) -> Result<ClientBuilder, Failure> {
    let agent = concat!("cintel/", env!("CARGO_PKG_VERSION"));
    let mut builder = Client::builder().user_agent(agent);
    if let Some(deadline) = settings.deadline {
        builder = builder.deadline(deadline);
    }
    if let Some(credits) = settings.max_credits {
        builder = builder.budget(Budget::credits(credits));
    }
    if let Some(age) = settings.max_age {
        builder = builder.cache(Cache::new(age).store(disk::DiskStore::open()?));
    }
    if settings.verbose {
        builder = builder.layer(AttemptLog);
    }
    Ok(builder)
}

/// Converts an error of the client's builder into a failure. Invalid settings become a usage failure, because the
/// user must correct them.
pub(crate) fn in_settings(error: crypto_intel::Error) -> Failure {
    match error.kind() {
        ErrorKind::InvalidRequest => Failure::usage(error.message().to_owned())
            .next("`cintel doctor` shows all settings and their sources"),
        _ => error.into(),
    }
}

/// Middleware that prints the method, target, status and time of each HTTP attempt to standard error. It does not print
/// headers, because they contain the API key.
#[derive(Clone, Copy)]
struct AttemptLog;

impl tower_layer::Layer<HttpService> for AttemptLog {
    type Service = AttemptLogService;

    fn layer(&self, inner: HttpService) -> AttemptLogService {
        AttemptLogService(inner)
    }
}

#[derive(Clone)]
struct AttemptLogService(HttpService);

impl tower_service::Service<http::Request<Body>> for AttemptLogService {
    type Response = http::Response<Body>;
    type Error = crypto_intel::http_service::BoxError;
    type Future = crypto_intel::extend::BoxFuture<Result<Self::Response, Self::Error>>;

    fn poll_ready(
        &mut self,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), Self::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
        let asked = format!("{} {target}", request.method());
        let answer = self.0.call(request);
        Box::pin(async move {
            let began = Instant::now();
            let answer = answer.await;
            let took = began.elapsed().as_millis();
            match &answer {
                Ok(response) => {
                    terminal::note(&format!("> {asked} -> {} in {took} ms", response.status()));
                }
                // The cause of the error may contain secrets, so it is not printed. The error that the user sees has
                // been masked.
                Err(_) => terminal::note(&format!("> {asked} -> no response in {took} ms")),
            }
            answer
        })
    }
}
