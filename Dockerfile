# Image of the sandbox: `docker run --network host IMAGE`. The sandbox listens on loopback only, so it needs the network of
# the host. Never built on the development machine, which has no container engine.
FROM rust:1.95-slim-bookworm AS build
WORKDIR /src
COPY . .
RUN cargo build --locked --profile dist -p crypto-intel-sandbox --features sql

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /src/target/dist/crypto-intel-sandbox /usr/local/bin/crypto-intel-sandbox
ENTRYPOINT ["/usr/local/bin/crypto-intel-sandbox"]
