//! `cintel openapi`: prints the OpenAPI document of all operations and records.

use clap::Command;

use crate::failure::Failure;
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    command.after_help(
        "The document is OpenAPI 3.0.3 in JSON. It contains published and unpublished operations. Prices in credits (`x-credits`), paging \
         (`x-paging`) and provenance (`x-provenance`) are extensions.\n\n\
         cintel openapi > openapi.json\n\
         npx openapi-typescript openapi.json -o service.d.ts",
    )
}

pub(crate) async fn run() -> Result<(), Failure> {
    terminal::write(crypto_intel_api::OPENAPI.as_bytes());
    Ok(())
}
