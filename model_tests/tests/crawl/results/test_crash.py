"""A crawl that is killed goes on from its journal: the same result, nothing recorded or fetched twice.

In simulation a crash is a fault: the kill is an exception out of the loop, before one of its items runs; nothing of the
crawl runs afterwards.  The journal is a real file.  The site, the network and the schedule of the second run are drawn
anew from its own choices.  A real crawl gets `kill -9` at random moments.
"""

import multiprocessing
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest

from impl import Choices, Loop
from impl.crawl.commands import crawl as command
from impl.crawl.crawler import CrawlConfig, Crawler
from impl.crawl.fetch import Fetcher
from impl.crawl.frontier import Frontier
from impl.crawl.record import Record, comparable
from impl.crawl.results.journal import JournalError
from impl.crawl.results.journal_file import JournalFile, read_journal
from impl.crawl.results.report import report
from impl.crawl.simulation import serve_and_crawl
from impl.interfaces import Observer, Runnable
from impl.net import SimulatedNet
from impl.web.outcome import Outcome
from impl.web.serving.generated_web import generate
from impl.web.serving.site import Broken, Html, Moved, Resource, Site

from ....crawls.oracle import oracle
from ....crawls.server import Server
from ....crawls.simulated_runtime import conditions, order
from ....crawls.sites import draw
from ...fixtures import Captured
from ..helpers import RealSite

#: The sites: drawn ones by their seeds, and a generated web.
SEEDS = (2, 3, 5, 7, 11, 13, 17, 19, 23)
SITES = [*(draw(Choices.seeded(seed).program) for seed in SEEDS), generate(Choices.seeded(1).program, 6, 5)]


class Killed(BaseException):
    """The process is gone."""


class Killer(Observer):
    def __init__(self, at: int | None) -> None:
        self.at = at
        self.count = 0

    def taken(self, item: Runnable) -> None:
        if self.count == self.at:
            raise Killed
        self.count += 1


class Forgetful(Crawler):
    def resume(self, rows: Sequence[Record]) -> None:
        pass


@dataclass(frozen=True)
class Run:
    """One run: whether it came to its end, how many items ran, the URLs recorded before, and those that it fetched."""

    ended: bool
    items: int
    recorded: list[str]
    fetched: list[str]
    crawler: Crawler


def run(site: Site, path: Path, number: int, at: int | None = None, make: type[Crawler] = Crawler) -> Run:
    """Crawl `site` under conditions `number` from the journal at `path`; item `at` is never run."""
    choices = Choices.seeded(number)
    loop = Loop(choices, order(number), killer := Killer(at), late_ms_max=1)
    net = SimulatedNet(loop, choices, conditions(number))
    fetcher = Fetcher(net, loop)
    fetched: list[str] = []
    journal, found = JournalFile.resume(str(path), {"limit": site.limit})

    async def fetch(url: str) -> Outcome:
        fetched.append(url)
        return await fetcher(url)

    def done(url: str, outcome: Outcome) -> None:
        journal.append(crawler.record(url, outcome))

    plan = CrawlConfig(site.roots, max_redirect=site.limit, max_tries=1, max_tasks=3)
    crawler = make(plan, fetch, done, Frontier(site.limit))
    crawler.resume(found.rows)
    try:
        loop.run_until_complete(serve_and_crawl(site, net, loop, fetcher, crawler))
        ended = True
    except Killed:
        ended = False
    finally:
        journal.close()  # first: whatever would still be written is an error
        loop.close()
    return Run(ended, killer.count, [row.url for row in found.rows], fetched, crawler)


def final_report(crawler: Crawler) -> list[str]:
    return report([comparable(row) for row in crawler.records()], crawler.frontier.cut(), None)


def is_whole(site: Site, path: Path, *runs: Run) -> None:
    last = runs[-1].crawler
    assert [comparable(row) for row in last.records()] == oracle(site)
    for each in runs:
        assert not set(each.recorded) & set(each.fetched)
        assert not each.fetched or max(Counter(each.fetched).values()) == 1
    lines = read_journal(str(path)).rows  # a URL that is recorded twice is an error of it
    assert sorted(row.url for row in lines) == [row.url for row in last.records()]


@pytest.mark.parametrize("place", range(len(SITES)))
def test_a_crawl_killed_at_any_event_has_the_same_result(place: int, tmp_path: Path, full: bool) -> None:
    site = SITES[place]
    first = run(site, tmp_path / "whole", place)
    is_whole(site, tmp_path / "whole", first)
    expected = final_report(first.crawler)
    for at in range(0, first.items, 1 if full else 1 + first.items // 2):
        path = tmp_path / f"{at}"
        killed, resumed = run(site, path, place, at), run(site, path, place + 1)
        assert (killed.ended, resumed.ended) == (False, True)
        is_whole(site, path, killed, resumed)
        assert final_report(resumed.crawler) == expected


def test_a_crawl_that_is_killed_again_and_again_comes_to_its_end(tmp_path: Path) -> None:
    site, path = SITES[-1], tmp_path / "journal"
    runs = [run(site, path, 1, 0)]
    while not runs[-1].ended:
        runs.append(run(site, path, len(runs), 9 * len(runs)))
    assert len(runs) > 9
    is_whole(site, path, *runs)


def test_a_crawler_that_forgets_what_was_recorded_is_caught(tmp_path: Path) -> None:
    site, path = SITES[-1], tmp_path / "journal"
    killed = run(site, path, 1, 150)
    resumed = run(site, path, 2, make=Forgetful)
    with pytest.raises(AssertionError, match=r"^assert not "):
        is_whole(site, path, killed, resumed)
    with pytest.raises(JournalError, match="is recorded a second time"):
        read_journal(str(path))


# --- kill -9 ----------------------------------------------------------------------------------------------------------

PAGES = 40


def tree(root: str) -> dict[str, Resource]:
    """A tree of pages by path; two chains of redirects to one page, a circle, a dead link, and a reset connection."""

    def page(i: int) -> Html:
        odd = {3: ("short", "long"), 7: ("round", "missing"), 11: ("reset",)}.get(i, ())
        links = (*(f"{j}" for j in (2 * i, 2 * i + 1) if j < PAGES), *odd)
        return Html(tuple(root + link for link in links), latency_ms=i % 4)

    moved = {"short": "meet", "long": "on", "on": "meet", "meet": "end", "round": "back", "back": "round"}
    return {
        "": page(1),
        **{f"{i}": page(i) for i in range(2, PAGES)},
        **{name: Moved(root + target, latency_ms=1) for name, target in moved.items()},
        "end": Html(),
        "reset": Broken("reset", 200),
    }


def argv(web: RealSite, *options: str) -> list[str]:
    return ["-q", "--exit-zero", "--max-tries", "1", *options, web.root]


@pytest.fixture
def web(capsys: Captured, no_certificates: None) -> Iterator[RealSite]:
    with Server() as server:
        yield RealSite(server, capsys)


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Processes that are forked from one that has imported the command: a start takes milliseconds."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["__main__", "impl.crawl.commands.crawl"])
    return context


def reached(least: int, asked: Counter[str]) -> bool:
    return asked.total() >= least


def test_a_crawl_that_was_killed_goes_on_to_the_same_result(
    web: RealSite, processes: ForkServerContext, tmp_path: Path, capsys: Captured, full: bool
) -> None:
    moments = random.Random(15)
    requests = web.serve(tree(web.root))
    path = tmp_path / "whole"
    command.main(argv(web, "--json", str(path), "--sort"))
    expected, total = path.read_bytes(), requests.asked.total()
    _, *report = capsys.readouterr().out.splitlines()
    left: list[int] = []
    for number in range(200 if full else 5):
        path = tmp_path / f"{number}"
        requests = web.serve(tree(web.root))
        process = processes.Process(target=command.main, args=(argv(web, "--json", str(path)),))
        process.start()
        least = moments.randrange(total)
        requests.wait(partial(reached, least))
        process.join(moments.random() * 0.01)
        process.kill()
        process.join()
        web.server.settle()
        recorded = [row.url for row in read_journal(str(path)).rows] if path.exists() else []
        left.append(total - len(recorded))
        requests = web.serve(tree(web.root))
        command.main(argv(web, "--resume", str(path), "--sort"))
        assert path.read_bytes() == expected  # the head, and each URL once
        assert capsys.readouterr().out.splitlines()[1:] == report
        assert not set(recorded) & set(requests.asked)
        assert max(requests.asked.values(), default=1) == 1
    assert len(set(left)) > len(left) // 10 + 1, "the moments are not different ones"
