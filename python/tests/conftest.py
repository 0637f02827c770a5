"""What the tests share."""

import http.server
import socket
import threading
from collections.abc import Iterator

import pytest

from crypto_intel import Client, Sandbox

AT = 1_780_000_000
"""The moment at which the clock of the sandbox stands."""


@pytest.fixture(scope="session")
def shared() -> Iterator[Sandbox]:
    """A sandbox for tests that change nothing in it."""
    with Sandbox(AT) as sandbox:
        yield sandbox


@pytest.fixture
def client(shared: Sandbox) -> Client:
    return shared.client()


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def together() -> Iterator[tuple[str, int]]:
    """A server that answers once so many requests are there, and how many."""
    wanted = 12
    all_here = threading.Barrier(wanted)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            all_here.wait(timeout=120)
            body = b'{"data": [], "meta": {}}'
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", wanted
        server.shutdown()
        thread.join()
