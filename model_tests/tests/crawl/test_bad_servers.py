"""Bad servers on real sockets: each gives a record within its time, no crawl hangs, and no descriptor is left open.

A limit on time is many times the expected time: it distinguishes only a hang from a slow machine.
"""

import json
import os
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, Final, Self

import pytest

from impl.crawl.crawler import CrawlConfig
from impl.crawl.fetch import Fetcher
from impl.crawl.record import Record
from impl.net import ByteStream
from impl.net.real.loop import SocketLoop
from impl.net.real.sockets import SocketNet
from impl.net.tls import default_context, tls_client
from impl.web.http import LIMITS

from ...crawls.impl_runtime import crawl_by
from ...crawls.server import Connections
from ...dev.pythons import ROOT
from ..crawls.bad_servers import BEHAVIOURS, CASES, LONG_S, OK, POUR_BYTES, SHORT_S, BadServer, Peer, page
from ..net.helpers import bound, table
from ..net.tls import AUTHORITY, client_context, server_context

#: The seconds after which a crawl counts as hanging.
HANGING_S: Final = 60.0
#: The largest body that is accepted.
BODY_BYTES: Final = 65536
#: More than the system accepts from a server after its client has left, and far less than the server would send.
EARLY_BYTES: Final = 4_000_000

TRUSTING: Final = client_context()
pytestmark = pytest.mark.usefixtures("no_descriptor_is_left")


def crawl(plan: CrawlConfig, timeout_s: float, context: ssl.SSLContext = TRUSTING) -> dict[str, Record]:
    async def secure(stream: ByteStream, host: str) -> ByteStream:
        return await tls_client(stream, host, context)

    def make(loop: SocketLoop) -> Fetcher:
        return Fetcher(
            SocketNet(loop, lookup=table({})),
            loop,
            timeout_s=timeout_s,
            limits=replace(LIMITS, body_bytes=BODY_BYTES, framing_bytes=BODY_BYTES),
            secure=secure,
        )

    began = monotonic()
    records = crawl_by(make, plan, plan.frontier())
    assert monotonic() - began < HANGING_S
    return {record.url: record for record in records}


@pytest.mark.parametrize("path", CASES)
def test_a_bad_server_is_a_record(path: str) -> None:
    case = CASES[path]
    with BadServer(BEHAVIOURS) as server:
        found = crawl(CrawlConfig((server.root + path,), max_tries=1), case.timeout_s)
    [(url, row)] = found.items()
    assert (url, row.outcome, row.error) == (server.root + path, "error", case.error)
    assert server.asked == [path]
    assert server.sent[path] < EARLY_BYTES < POUR_BYTES


@pytest.mark.parametrize("path", ["silent", "half-a-body", "half-a-body-then-reset"])
def test_what_may_pass_is_tried_again_and_not_for_ever(path: str) -> None:
    with BadServer(BEHAVIOURS) as server:
        [row] = crawl(CrawlConfig((server.root + path,), max_tries=3), CASES[path].timeout_s).values()
    assert (row.error, row.tries, server.asked) == (CASES[path].error, 3, [path] * 3)


def test_a_connection_that_is_refused_or_never_accepted_is_a_record() -> None:
    with bound("127.0.0.1") as dead:
        url = f"http://127.0.0.1:{dead.getsockname()[1]}/"
        [row] = crawl(CrawlConfig((url,), max_tries=2), LONG_S).values()
    assert (row.error, row.tries) == ("refused", 2)
    # The system has accepted the connection; no thread ever will.
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        [row] = crawl(CrawlConfig((url,), max_tries=1), SHORT_S).values()
    assert row.error == "timeout"


@pytest.mark.parametrize("host", ["gone.test", "x" * 64 + ".test", "xn--a.test"])
def test_an_unknown_name_is_a_record(host: str) -> None:
    [row] = crawl(CrawlConfig((f"http://{host}/",), max_tries=2), LONG_S).values()
    assert (row.error, row.tries) == ("no-such-host", 2)


def test_a_length_too_short_cuts_the_page_and_nothing_after_it_is_believed() -> None:
    """The rest looks like the response to the next request: the connection is not used again."""
    html, fake = b"<a href='/next'>next</a>", b"<a href='/fake'>fake</a>"

    def too_short(peer: Peer) -> None:
        head = OK + b"Content-Length: 24\r\n\r\n"
        peer.send(head + html + head + fake)
        peer.wait()

    with BadServer({"": too_short, "next": page(b"true")}) as server:
        found = crawl(CrawlConfig((server.root,), max_tasks=1), LONG_S)
    assert server.asked == ["", "next"]
    expected = {server.root: (24, (server.root + "next",)), server.root + "next": (4, ())}
    assert {url: (row.size, row.links) for url, row in found.items()} == expected


PAGE = {"": page(b"page")}


@pytest.mark.parametrize(
    ("server_has", "client_has", "error"),
    [
        (server_context("127.0.0.1"), client_context(), None),
        (server_context("other.test"), client_context(), "tls"),
        (server_context("127.0.0.2"), client_context(), "tls"),
        (server_context("127.0.0.1", expired=True), client_context(), "tls"),
        (server_context("127.0.0.1"), default_context(), "tls"),
    ],
    ids=["good", "another name", "another address", "expired", "an unknown authority"],
)
def test_a_certificate_that_proves_nothing(
    server_has: ssl.SSLContext, client_has: ssl.SSLContext, error: str | None
) -> None:
    with BadServer(PAGE, server_has) as server:
        [row] = crawl(CrawlConfig((server.root,)), LONG_S, client_has).values()
    assert (row.error, row.tries, server.asked) == (error, 1, [] if error else [""])


@contextmanager
def answering(answer: bytes | None) -> Iterator[str]:
    """Return the address of a server that gives each connection this answer to any input; None: no answer."""

    def serve(sock: socket.socket) -> None:
        sock.recv(65536)
        if answer is None:
            sock.recv(65536)  # until the client disconnects
        else:
            sock.sendall(answer)

    with Connections(serve) as server:
        yield f"127.0.0.1:{server.address[1]}"


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "tls"),
        (b"\x15\x03\x03\x00\x02\x02\x28", "tls"),  # an alert: handshake_failure
        (b"", "tls"),
        (None, "timeout"),
    ],
    ids=["plain HTTP", "an alert", "hangs up", "silence"],
)
def test_a_handshake_that_fails_is_a_record(answer: bytes | None, error: str) -> None:
    with answering(answer) as address:
        plan = CrawlConfig((f"https://{address}/",), max_tries=1)
        [row] = crawl(plan, SHORT_S if answer is None else LONG_S).values()
    assert row.error == error


#: The timeouts for all of them, in seconds: some must not reach it, and on a busy machine they might.
LIMITS_S: Final = (0.7, 2.0, 5.0)
GOOD: Final = "good"


class BadSite:
    """All bad servers behind one page, a good one among them, and the error word of each URL, None for a page."""

    def __init__(self) -> None:
        self._dead = bound("127.0.0.1")
        self._impostor = BadServer(PAGE, server_context("other.test"))
        refused = f"http://127.0.0.1:{self._dead.getsockname()[1]}/"
        elsewhere = {refused: "refused", self._impostor.root: "tls"}
        links = "".join(f"<a href={link}>" for link in [*CASES, GOOD, *elsewhere]).encode()
        self._server = BadServer({**BEHAVIOURS, "": page(links), GOOD: PAGE[""]})
        self.gone = f"http://{'x' * 64}.test/"  # too long for a name, so no resolver is queried
        self.root = self._server.root
        self.expected = {
            self.root: None,
            self.root + GOOD: None,
            self.gone: "no-such-host",
            **elsewhere,
            **{self.root + path: case.error for path, case in CASES.items()},
        }

    def __enter__(self) -> Self:
        self._server.__enter__()
        self._impostor.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:  # Any: as of any context
        self._impostor.__exit__(*error)
        self._server.__exit__(*error)
        self._dead.close()


def only_late(found: Mapping[str, str | None], expected: Mapping[str, str | None]) -> bool:
    """Whether the only differences are time limits that were exceeded, as they are on a busy machine."""
    late = {url for url, error in found.items() if error == "timeout" != expected.get(url, "timeout")}
    return bool(late) and {**found, **{url: expected[url] for url in late}} == expected


@pytest.mark.parametrize("workers", [60, pytest.param(5, marks=pytest.mark.long("few workers"))])
def test_the_command_crawls_all_bad_servers_in_one_site(tmp_path: Path, workers: int) -> None:
    """In a process of its own: exit status 0, a report, empty standard error, and a line for each URL."""
    records, authority = tmp_path / "records.json", tmp_path / "authority.pem"
    AUTHORITY.cert_pem.write_to_path(str(authority))
    options = [*("--no-robots", "--exit-zero", "--max-tries=1", "--per-host=60", f"--max-tasks={workers}")]
    options += [f"--limit={name}={BODY_BYTES}" for name in ("body_bytes", "framing_bytes")]
    options += [f"--json={records}"]
    command = [sys.executable, "-m", "impl", "crawl", *options]
    environment = {**os.environ, "SSL_CERT_FILE": str(authority)}
    for limit_s in LIMITS_S:
        records.unlink(missing_ok=True)
        with BadSite() as site:
            argv = [*command, f"--timeout={limit_s}", site.root, site.gone]
            ran = subprocess.run(argv, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
        assert (ran.returncode, ran.stderr) == (0, "")
        _, *rows = [json.loads(line) for line in records.read_text("ascii").splitlines()]
        found = {row["url"]: row["error"] for row in rows}
        if not only_late(found, site.expected):
            break
    assert found == site.expected
    assert ran.stdout.startswith(f"{len(rows)} URLs in ")
