"""`kill -9` at random moments of a real crawl, then --resume: the same result, nothing recorded or fetched twice."""

from __future__ import annotations

import multiprocessing
import random
from collections import Counter
from collections.abc import Iterator
from functools import partial
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from impl.crawl.commands import crawl as command
from impl.crawl.results.journal_file import read_journal
from impl.web.serving.site import Broken, Html, Moved, Resource, Site

from ....crawls.server import Server
from ...crawls.requested import Requested
from ...fixtures import Captured

PAGES = 40


def resources(root: str) -> dict[str, Resource]:
    """A tree of pages; two chains of redirects to one page, a circle, a dead link, and a connection that is reset."""

    def page(i: int) -> Html:
        odd = {3: ("short", "long"), 7: ("round", "missing"), 11: ("reset",)}.get(i, ())
        links = (*(f"{j}" for j in (2 * i, 2 * i + 1) if j < PAGES), *odd)
        return Html(tuple(root + link for link in links), latency_ms=i % 4)

    moved = {"short": "meet", "long": "on", "on": "meet", "meet": "end", "round": "back", "back": "round"}
    return {
        root: page(1),
        **{f"{root}{i}": page(i) for i in range(2, PAGES)},
        **{root + name: Moved(root + target, latency_ms=1) for name, target in moved.items()},
        f"{root}end": Html(),
        f"{root}reset": Broken("reset", 200),
    }


class Crawled:
    def __init__(self, server: Server) -> None:
        self.root = f"http://127.0.0.1:{server.address[1]}/"
        self._server = server

    def serve(self) -> Requested:
        counted = Requested(resources(self.root))
        self._server.dial(Site(counted, ()))
        return counted

    def settle(self) -> None:
        self._server.settle()

    def argv(self, *options: str) -> list[str]:
        return ["-q", "--exit-zero", "--max-tries", "1", *options, self.root]


@pytest.fixture
def crawled(no_certificates: None) -> Iterator[Crawled]:
    with Server() as server:
        yield Crawled(server)


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Processes that are forked from one that has imported the command: a start takes milliseconds."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", "impl.crawl.commands.crawl"])
    return context


def reached(least: int, asked: Counter[str]) -> bool:
    return asked.total() >= least


def test_a_crawl_that_was_killed_goes_on_to_the_same_result(
    crawled: Crawled, processes: ForkServerContext, tmp_path: Path, capsys: Captured, full: bool
) -> None:
    moments = random.Random(15)
    requests = crawled.serve()
    path = tmp_path / "whole"
    command.main(crawled.argv("--json", str(path), "--sort"))
    expected, total = path.read_bytes(), requests.asked.total()
    _, *report = capsys.readouterr().out.splitlines()
    left: list[int] = []
    for number in range(200 if full else 5):
        path = tmp_path / f"{number}"
        requests = crawled.serve()
        process = processes.Process(target=command.main, args=(crawled.argv("--json", str(path)),))
        process.start()
        least = moments.randrange(total)
        requests.wait(partial(reached, least))
        process.join(moments.random() * 0.01)
        process.kill()
        process.join()
        crawled.settle()
        recorded = [row.url for row in read_journal(str(path)).rows] if path.exists() else []
        left.append(total - len(recorded))
        requests = crawled.serve()
        command.main(crawled.argv("--resume", str(path), "--sort"))
        assert path.read_bytes() == expected  # the head, and each URL once
        assert capsys.readouterr().out.splitlines()[1:] == report
        assert not set(recorded) & set(requests.asked)
        assert max(requests.asked.values(), default=1) == 1
    assert len(set(left)) > len(left) // 10 + 1, "the moments are not different ones"
