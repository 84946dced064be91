"""The runtimes on the simulated network: served alike with and without tasks, reproducible, and no error is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.errors import DeadlockError
from impl.loop import Loop
from impl.net import IDEAL, NetworkConditions, SimulatedNet, open_stream
from impl.runners.runner import sleep
from impl.sim.choices import Choices
from impl.web.serving.hosting import host, host_without_tasks
from impl.web.serving.site import Broken, Html, Moved, Raw, Site

from ...crawls import asyncio_runtime, simulated_runtime
from ...crawls.compare import SIMULATED, drawn
from ...crawls.comparison import CrawlRuntime
from ...crawls.recorded import record

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


def answered(
    serve: Serve, paths: tuple[str, ...], conditions: NetworkConditions = IDEAL
) -> tuple[bytes, str, int]:
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
