"""The runtime of real sockets: names are dialled by the operating system's network and its resolver's threads."""

from __future__ import annotations

import socket
import threading

import pytest

from impl.crawl.crawler import CrawlConfig
from impl.net import open_stream
from impl.net.real.loop import SocketLoop
from impl.web.serving.site import Broken, Html, Site

from ...crawls import impl_runtime
from ...crawls.impl_runtime import DialNet
from ...crawls.server import Dial, Server
from ..net.helpers import no_descriptor_more

ROOT, DOWN, GONE = "http://a.test/", "http://down.test/", "http://gone.test/"
SITE = Site({ROOT: Html((DOWN, GONE)), DOWN: Broken("refused"), GONE: Broken("no-such-host")}, (ROOT,))


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
        rows = impl_runtime.crawl(plan, plan.frontier(), noted(server.dial(SITE)))
    expected = [(ROOT, None, 1), (DOWN, "refused", 2), (GONE, "no-such-host", 2)]
    assert [(row.url, row.error, row.tries) for row in rows] == expected
    found = [("down.test", 0, False), ("down.test", 80, True)]
    wanted = [("a.test", 0, False), ("a.test", 80, True), *found, *found, *([("gone.test", 0, False)] * 2)]
    assert asked == wanted


def test_a_port_without_a_listener_is_refused_and_an_unknown_name_has_no_address() -> None:
    with no_descriptor_more(), Server() as server:
        loop = SocketLoop()
        net = DialNet(loop, server.dial(SITE))
        with pytest.raises(ConnectionRefusedError):
            loop.run_until_complete(open_stream(net, loop, "a.test", 8080))
        with pytest.raises(socket.gaierror):
            loop.run_until_complete(open_stream(net, loop, "gone.test", 80))
        loop.close()
