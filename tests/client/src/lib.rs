//! Compiles and runs the code samples in `docs/book`, chapter by chapter. The command is
//! `cargo test -p crypto-intel-client-tests --doc`.

/// Defines one documented item for each chapter, so that the code blocks of the chapter become documentation tests.
macro_rules! chapters {
    ($($name:ident: $file:literal),* $(,)?) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../../../docs/book/src/", $file))]
            mod $name {}
        )*
    };
}

chapters! {
    quant: "paths/quant.md",
    bot_builder: "paths/bot-builder.md",
    web_service: "paths/web-service.md",
    agent_builder: "paths/agent-builder.md",
    maintainer: "paths/maintainer.md",
    first_call: "guide/first-call.md",
    lists: "guide/lists.md",
    credits: "guide/credits.md",
    values: "guide/values.md",
    sql: "guide/sql.md",
    chat: "guide/chat.md",
    errors: "guide/errors.md",
    middleware: "guide/middleware.md",
    caching: "guide/caching.md",
    testing: "guide/testing.md",
    tables: "guide/tables.md",
}
