"""Shared fixtures of the tests."""

import contextlib
import http.server
import socket
import threading
from collections.abc import Callable, Iterator

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
def fresh() -> Iterator[Sandbox]:
    """A separate sandbox for a test."""
    with Sandbox(AT) as sandbox:
        yield sandbox


@pytest.fixture
def client(shared: Sandbox) -> Client:
    return shared.client()


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that accepts connections and never responds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@contextlib.contextmanager
def serving(body: Callable[[], bytes]) -> Iterator[str]:
    """The address of a server that returns a body for every request."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = body()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture
def told() -> Iterator[Callable[[bytes], str]]:
    """Starts a server that returns a body, and returns its address."""
    with contextlib.ExitStack() as servers:
        yield lambda body: servers.enter_context(serving(lambda: body))


@pytest.fixture
def together() -> Iterator[tuple[str, int]]:
    """A server that responds after a number of requests have arrived, and their number."""
    wanted = 12
    all_here = threading.Barrier(wanted)

    def empty() -> bytes:
        all_here.wait(timeout=120)
        return b'{"data": [], "meta": {}}'

    with serving(empty) as address:
        yield address, wanted
