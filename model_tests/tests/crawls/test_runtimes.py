"""The runtimes on the simulated network, on real sockets, and aiohttp's with bad servers.

On the simulated network they are served alike with and without tasks, reproducible, and no error is lost.  On real
sockets names are dialled by the operating system's network and its resolver's threads.  aiohttp is an independent
client, which must give the same error words as ours: those that it can tell apart (aiohttp_runtime.ERROR_ALIASES).
"""

import asyncio
import socket
import threading
from collections.abc import Callable

import aiohttp
import pytest

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.crawl.record import Record, canonical
from impl.errors import DeadlockError
from impl.loop import Loop
from impl.net import IDEAL, NetworkConditions, SimulatedNet, open_stream
from impl.net.real.loop import SocketLoop
from impl.runners.runner import sleep
from impl.sim.choices import Choices
from impl.web.serving.hosting import host, host_without_tasks
from impl.web.serving.site import Broken, Html, Moved, Raw, Site

from ...crawls import aiohttp_runtime, asyncio_runtime, impl_runtime, simulated_runtime
from ...crawls.compare import SIMULATED, drawn
from ...crawls.comparison import CrawlRuntime
from ...crawls.impl_runtime import DialNet
from ...crawls.recording import record
from ...crawls.server import TIMEOUT_S, Dial, Server
from ..net.helpers import no_descriptor_more
from ..net.tls import server_context
from .bad_servers import BEHAVIOURS, CASES, OK, BadServer, redirects, sends

HOST = "a.test"
SITE = Site(
    {
        f"http://{HOST}/page": Html((f"http://{HOST}/a", f"http://{HOST}/b"), 3),
        f"http://{HOST}/moved": Moved(f"http://{HOST}/page", 302, 2),
        f"http://{HOST}/long": Raw(bytes(range(256)) * 40, "image/png"),
        f"http://{HOST}/reset": Broken("reset", 200, 4),
        f"http://{HOST}/incomplete": Broken("incomplete", 200),
        f"http://{HOST}/garbage": Broken("garbage", 200),
        f"http://{HOST}/silent": Broken("silent", 200),
    },
    (),
)
PATHS = ("page", "moved", "long", "reset", "incomplete", "garbage", "nothing")

#: The parameters of a Loop and of a network.
Serve = Callable[[SimulatedNet, Loop], None]


def by_tasks(net: SimulatedNet, loop: Loop) -> None:
    host(SITE, net, loop)


def by_watchers(net: SimulatedNet, loop: Loop) -> None:
    host_without_tasks(SITE, net, loop)


def answered(serve: Serve, paths: tuple[str, ...], conditions: NetworkConditions = IDEAL) -> tuple[bytes, str, int]:
    """Return the answer of one connection to these requests, how it ends, and when, in virtual milliseconds."""
    choices = Choices.plain()
    loop = Loop(choices)
    net = SimulatedNet(loop, choices, conditions)

    async def main() -> tuple[bytes, str]:
        serve(net, loop)
        came = b""
        async with await open_stream(net, loop, HOST, 80) as stream:
            for path in paths:
                await stream.send_all(f"GET /{path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
            await stream.send_eof()
            try:
                while data := await stream.receive_some(77):
                    came += data
            except OSError as error:
                return came, type(error).__name__
        return came, "end"

    return *loop.run(main()), loop.now // 1_000_000


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("conditions", [IDEAL, NetworkConditions(buffer_bytes=64)], ids=["room", "no room"])
def test_a_site_is_served_alike_with_tasks_and_without(path: str, conditions: NetworkConditions) -> None:
    """Equal byte by byte and instant by instant, back-pressure included."""
    assert answered(by_watchers, (path,), conditions) == answered(by_tasks, (path,), conditions)


def test_several_requests_on_one_connection_are_answered_in_turn() -> None:
    several = ("moved", "nothing", "page", "moved")
    told, end, at = answered(by_watchers, several)
    assert (told, end, at) == answered(by_tasks, several)
    assert told.count(b"HTTP/1.") >= 3


def test_a_client_that_disconnects_harms_no_other() -> None:
    """It disconnects in an answer, in a pause, or while the server is silent; no connection is left open."""
    loop = Loop(choices := Choices.plain())
    net = SimulatedNet(loop, choices, NetworkConditions(buffer_bytes=64))

    async def main() -> None:
        host_without_tasks(SITE, net, loop)
        for path in ("long", "page", "silent"):
            async with await open_stream(net, loop, HOST, 80) as stream:
                await stream.send_all(f"GET /{path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
                if path == "long":
                    await stream.receive_some(10)
        await sleep(1)
        assert net.connections == ()

    loop.run(main())


@pytest.mark.parametrize("runtime", SIMULATED, ids=lambda runtime: runtime.name)
def test_the_same_conditions_are_the_same_crawl(runtime: CrawlRuntime) -> None:
    """Other conditions are other crawls: the number determines the network's choices and the order."""
    sites = [drawn(seed) for seed in range(6)]
    runs = [[record(runtime, site, number, 3).lines for site in sites] for number in (2, 2, 4)]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_what_asyncio_would_have_logged_fails_the_crawl(monkeypatch: pytest.MonkeyPatch) -> None:
    async def program(*arguments: object) -> None:
        asyncio.get_running_loop().call_soon(lambda: 1 // 0)
        await asyncio.sleep(1)

    monkeypatch.setattr(asyncio_runtime, "program", program)
    with pytest.raises(ExceptionGroup, match="would have logged") as raised:
        simulated_runtime.by_asyncio(SITE, CrawlConfig(tuple(SITE.resources)), Frontier(0), 0)
    assert [type(error) for error in raised.value.exceptions] == [ZeroDivisionError]


def test_a_crawl_that_can_never_end_is_a_deadlock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No timeout ends it: the deadlock is detected, and the report lists the blocked tasks."""

    class Busy(Frontier):
        idle = property(lambda self: False)  # the defect: the channel is never closed

    monkeypatch.setattr(asyncio.Queue, "task_done", lambda queue: None)
    site = Site({"http://a.test/": Html()}, ("http://a.test/",))
    for runtime, waits in (
        (simulated_runtime.by_asyncio, "Queue.join"),
        (simulated_runtime.by_trio, "trio_runtime.py:.* in _TrioCrawl._work"),
    ):
        with pytest.raises(DeadlockError, match=waits):
            runtime(site, CrawlConfig(site.roots, max_redirect=0), Busy(0), 0)


# --- real sockets -----------------------------------------------------------------------------------------------------

ROOT, DOWN, GONE = "http://a.test/", "http://down.test/", "http://gone.test/"
NAMES = Site({ROOT: Html((DOWN, GONE)), DOWN: Broken("refused"), GONE: Broken("no-such-host")}, (ROOT,))


def test_names_are_asked_for_in_threads_and_dialled_in_the_loop() -> None:
    here = threading.current_thread()
    asked: list[tuple[str, int, bool]] = []

    def noted(dial: Dial) -> Dial:
        def dial_and_note(host: str, port: int) -> tuple[str, int]:
            asked.append((host, port, threading.current_thread() is here))
            return dial(host, port)

        return dial_and_note

    plan = CrawlConfig((ROOT, DOWN, GONE), max_tries=2, max_tasks=1)
    with no_descriptor_more(), Server() as server:
        rows = impl_runtime.crawl(plan, plan.frontier(), noted(server.dial(NAMES)))
    expected = [(ROOT, None, 1), (DOWN, "refused", 2), (GONE, "no-such-host", 2)]
    assert [(row.url, row.error, row.tries) for row in rows] == expected
    found = [("down.test", 0, False), ("down.test", 80, True)]
    wanted = [("a.test", 0, False), ("a.test", 80, True), *found, *found, *([("gone.test", 0, False)] * 2)]
    assert asked == wanted


def test_a_port_without_a_listener_is_refused_and_an_unknown_name_has_no_address() -> None:
    with no_descriptor_more(), Server() as server:
        loop = SocketLoop()
        net = DialNet(loop, server.dial(NAMES))
        with pytest.raises(ConnectionRefusedError):
            loop.run_until_complete(open_stream(net, loop, "a.test", 8080))
        with pytest.raises(socket.gaierror):
            loop.run_until_complete(open_stream(net, loop, "gone.test", 80))
        loop.close()


# --- aiohttp ----------------------------------------------------------------------------------------------------------

#: Cases that cannot be compared: aiohttp has no limit for these ...
APART = {
    *("informs-for-ever", "a-body-for-ever", "chunks-for-ever", "a-chunk-head-for-ever", "a-long-body"),
    *("a-gzip-bomb", "a-deflate-bomb", "a-bomb-in-a-gzip"),
    # ... and for this one its exception depends on the segments.
    "trailers-for-ever",
}
#: Bodies that aiohttp accepts as complete pages: a gzip without its end, and an unknown coding, undecoded.
MORE = {"half-a-gzip", "an-unknown-coding"}


def crawled(server: BadServer, path: str = "", timeout_s: float = TIMEOUT_S) -> dict[str, Record]:
    with server:
        plan = CrawlConfig((server.root + path,), max_tries=1)
        frontier = plan.frontier()
        aiohttp_runtime.crawl(plan, frontier, lambda host, port: (host, port), timeout_s)
    return {row.url.removeprefix(server.root): row for row in canonical(frontier)}


def alias(word: str | None) -> str | None:
    return aiohttp_runtime.ERROR_ALIASES.get(word, word) if word is not None else None


@pytest.mark.parametrize("path", [path for path in CASES if path not in APART])
def test_another_client_says_the_same_of_a_bad_server(path: str) -> None:
    case = CASES[path]
    found = crawled(BadServer(BEHAVIOURS), path, case.timeout_s)
    assert alias(found[path].error) == (None if path in MORE else alias(case.error))


def test_all_that_is_alike_is_alike() -> None:
    """Each row of the table has a case where aiohttp reports the word of another error."""
    for ours, theirs in aiohttp_runtime.ERROR_ALIASES.items():
        paths = [path for path, case in CASES.items() if case.error == ours and path not in APART and path not in MORE]
        said = {crawled(BadServer(BEHAVIOURS), path)[path].error for path in paths}
        assert theirs in said <= {ours, theirs}


def test_redirects_certificates_and_other_errors() -> None:
    server = BadServer({"": redirects(b"Location: /b#f\r\n"), "b": sends(OK, b"\r\n<a href=/>")})
    found = crawled(server)
    expected = {"": (server.root + "b", ()), "b": (None, (server.root,))}
    assert {path: (row.target, row.links) for path, row in found.items()} == expected
    assert server.asked == ["", "b"]
    server = BadServer({"": sends(OK, b"\r\n")}, server_context("127.0.0.1"))
    assert crawled(server)[""].error == "tls"
    assert server.asked == []
    # It ends the crawl, because it has no word.
    with pytest.raises(aiohttp.InvalidURL):
        aiohttp_runtime.word(aiohttp.InvalidURL("nonsense"))
