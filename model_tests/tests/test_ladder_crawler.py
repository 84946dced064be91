"""The ladder's crawlers with a loop of their own, rungs 16 and 17: what a crawler must do.

The defects C1 to C9, T2, K5, K10 and L3 of the text's sketch are not there.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, TypeVar

import pytest

from impl.crawl.outcome import Failure, Page, Redirect
from impl.errors import DeadlockError
from impl.ladder.rungs import native
from impl.ladder.rungs.chapter import Crawler, Item
from impl.ladder.rungs.delegating import fetch
from impl.ladder.rungs.join_queue import JoinableQueue
from impl.ladder.rungs.task_future import Task
from impl.ladder.rungs.yielding import Coroutine, Loop
from impl.ladder.two_schedules import site
from impl.ladder.world.simulated import SimulatedWorld
from impl.web.render import location
from impl.web.site import Broken, Fault, Html, Moved, Raw, Resource, Site

from .ladder_crawls import A, B, C, R, Served, by, crawled, crawled_by, looping, rungs

T = TypeVar("T")


@rungs
def test_a_run_fetches_what_it_is_given_and_nothing_else(rung: ModuleType) -> None:
    served = Served({R: Html((A, B)), A: Moved(C), B: Html(), C: Html()})
    world = SimulatedWorld(Site(served, ()))
    served.asked.clear()
    try:
        found = rung.run(world, [R, A])
    finally:
        world.close()
    assert list(found) == [R, A]
    assert served.asked == [R, A]


@rungs
def test_workers_fetch_at_once_but_no_more_than_they_are(rung: ModuleType) -> None:
    links = tuple(f"http://a.test/{number}" for number in range(30))
    site = Site({R: Html(links), **{link: Html((), 100) for link in links}}, (R,))
    for workers, seconds in ((10, 0.3), (3, 1.0), (1, 3.0)):
        world = SimulatedWorld(site)
        try:
            assert len(rung.crawl(world, [R], max_tasks=workers)) == 31
            assert world.meter.concurrency == workers
            assert seconds < world.time() < seconds + 0.2
        finally:
            world.close()


@rungs
def test_a_target_of_two_redirects_is_fetched_once(rung: ModuleType) -> None:
    resources: dict[str, Resource] = {R: Html((A, B)), A: Moved(C), B: Moved(C), C: Html()}
    _, asked = crawled(rung, resources)
    assert sorted(asked) == [R, A, B, C]


@rungs
def test_ten_redirects_are_followed_from_a_root_and_from_a_link(rung: ModuleType) -> None:
    """C7: the eleventh is not, and is a record: its target is told, although it was not fetched."""
    chain: dict[str, Resource] = {f"{R}{i}": Moved(f"{R}{i + 1}") for i in range(12)}
    found, _ = crawled(rung, {R: Moved(f"{R}0"), **chain})
    assert list(found) == [R, *(f"{R}{i}" for i in range(10))]
    found, _ = crawled(rung, {R: Moved(A), A: Html((f"{R}0",)), **chain})
    assert list(found) == [R, A, *(f"{R}{i}" for i in range(11))]
    assert [it.target for it in found.values() if isinstance(it, Redirect)][-1] == f"{R}11"


@rungs
def test_what_was_cut_is_kept(rung: ModuleType) -> None:
    """C7."""
    assert by(rung, site("a"), 0).cut == {"http://xkcd.test/c": "http://xkcd.test/d"}
    assert by(rung, site("b"), 0).cut == {}


@rungs
@pytest.mark.parametrize("fault", ["status", "refused", "no-such-host", "reset", "incomplete", "garbage"])
def test_an_error_is_an_outcome(rung: ModuleType, fault: Fault) -> None:
    """C1: of a root and of a link; the others are fetched, and the crawl ends."""
    dead = "http://b.test/"
    found, _ = crawled(rung, {R: Html((dead, A)), dead: Broken(fault), A: Html()}, R, dead)
    assert isinstance(found[dead], Failure)
    assert isinstance(found[A], Page)
    found, _ = crawled(rung, {dead: Broken(fault)}, dead)
    assert [type(outcome) for outcome in found.values()] == [Failure]


@rungs
def test_a_silent_server_is_given_up(rung: ModuleType) -> None:
    """C1, K5."""
    found, _ = crawled(rung, {R: Html((A, B)), A: Broken("silent"), B: Html()}, max_tasks=1)
    assert found[A] == Failure("timeout")
    assert isinstance(found[B], Page)


@rungs
@pytest.mark.parametrize("status", [300, 302])
def test_a_redirect_that_leads_nowhere_is_an_outcome(rung: ModuleType, status: int) -> None:
    """C2."""
    fault: Fault = "no-location" if status == 302 else "status"
    found, _ = crawled(rung, {R: Html((A, B)), A: Broken(fault, status), B: Html()})
    assert isinstance(found[A], Failure)
    assert found[A].status == status
    assert isinstance(found[B], Page)


@rungs
@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"<a href=/b>b</a>", "text/html; charset=nonsense"),
        (b"\xff\xfe<a href=/b>b</a> \xff", "text/html; charset=utf-8"),
        (b"<a href=http://[bad/>bad</a><a href=/b>b</a>", "text/html"),
    ],
    ids=["unknown charset", "undecodable", "malformed link"],
)
def test_a_page_that_is_hard_to_read_is_a_page(rung: ModuleType, body: bytes, content_type: str) -> None:
    """C3."""
    found, _ = crawled(rung, {R: Html((A, C)), A: Raw(body, content_type), B: Html(), C: Html()})
    assert {type(outcome) for outcome in found.values()} == {Page}
    assert C in found


@rungs
def test_a_root_is_fetched_once(rung: ModuleType) -> None:
    """C4, C5, C8: linked to, redirected to, named twice, redirected to itself."""
    _, asked = crawled(rung, {R: Html((A, B, R)), A: Html((R,)), B: Moved(R)}, R, R)
    assert asked == [R, A, B]
    found, asked = crawled(rung, {R: Moved(R)})
    assert asked == [R]
    assert isinstance(found[R], Redirect)


@rungs
def test_a_link_is_what_it_means(rung: ModuleType) -> None:
    """C6: joined, without its fragment, in one spelling, and of the roots' hosts."""
    body = (
        b"<a href=b#1>1</a><a href=b>2</a><a href=HTTP://A.test:80/b>3</a><a href=./x/../b>4</a>"
        b"<a href=http://elsewhere.test/>5</a><a href=ftp://a.test/>6</a>"
    )
    _, asked = crawled(rung, {R: Raw(body, "text/html"), B: Html()})
    assert asked == [R, B]


@rungs
def test_a_location_is_what_it_means(rung: ModuleType) -> None:
    """C6: likewise."""
    sources = [f"http://a.test/from/{number}" for number in range(20)]
    written = {location(source, B) for source in sources}
    assert {"/b", "../b", f"{B}#top"} < written  # to be joined; with a fragment
    moved: dict[str, Resource] = {source: Moved(B) for source in sources}
    _, asked = crawled(rung, {**moved, B: Html()}, *sources)
    assert sorted(asked) == sorted([*sources, B])


@rungs
def test_a_redirect_does_not_lead_out_of_the_hosts(rung: ModuleType) -> None:
    """C6."""
    elsewhere = "http://b.test/"
    found, _ = crawled(rung, {R: Moved(elsewhere), elsewhere: Html()})
    assert list(found) == [R]


@rungs
def test_there_must_be_a_worker(rung: ModuleType) -> None:
    """C9; and the other number has its least too."""
    with pytest.raises(ValueError, match="max_tasks must be 1 or more, not 0"):
        crawled(rung, {}, max_tasks=0)
    with pytest.raises(ValueError, match="max_redirect must be 0 or more, not -1"):
        crawled(rung, {}, max_redirect=-1)
    with pytest.raises(ValueError, match="not a canonical"):
        crawled(rung, {}, "http://A.test")


@rungs
def test_no_roots_no_pages(rung: ModuleType) -> None:
    world = SimulatedWorld(Site({}, ()))
    try:
        assert rung.crawl(world, []) == {}
    finally:
        world.close()


@rungs
@pytest.mark.parametrize("workers", [1, 2, 10])
def test_a_worker_that_fails_ends_the_crawl(
    rung: ModuleType, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C1: what no fetch should raise is raised to whoever crawls, at once; nobody waits for ever."""
    honest = rung.fetch

    def fetch(loop: Loop, url: str) -> Any:  # Any: a generator or a coroutine
        if url == A:
            raise LookupError(url)
        return honest(loop, url)

    monkeypatch.setattr(rung, "fetch", fetch)
    resources: dict[str, Resource] = {R: Html((B, A, C)), B: Html((), 100), C: Html()}
    with pytest.raises(LookupError):
        crawled(rung, resources, max_tasks=workers)
    with pytest.raises(LookupError):
        crawled(rung, resources, A, max_tasks=workers)  # before the loop begins


@rungs
def test_all_workers_are_stopped(rung: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """T2, K10: by a cancel, each of them."""
    made: list[Task[Any]] = []

    class Noted(Task[T]):
        def __init__(self, coroutine: Coroutine[T]) -> None:
            made.append(self)
            super().__init__(coroutine)

    monkeypatch.setattr(rung, "Task", Noted)
    crawled(rung, {R: Html((A,)), A: Html()})
    joined, *workers = made
    assert (joined.done(), joined.cancelled) == (True, False)
    assert [worker.cancelled for worker in workers] == [True] * 10


def test_a_worker_cannot_be_stopped_by_a_stop_iteration() -> None:
    """K10: it comes out as a RuntimeError (PEP 479), from a generator and from a coroutine."""
    with looping(Site({}, ())) as loop:
        for work in (Crawler(loop, []).work(), native.Crawler(loop, []).work()):
            work.send(None)
            with pytest.raises(RuntimeError, match="raised StopIteration"):
                work.throw(StopIteration())


@rungs
def test_workers_who_put_never_wait_for_room(rung: ModuleType) -> None:
    """L3: a page may have any number of links, and one worker may find them all."""
    links = tuple(f"http://a.test/{number}" for number in range(500))
    found, _ = crawled(rung, {R: Html(links)}, max_tasks=1)
    assert len(found) == 501


class Bounded(Crawler):
    """What the rung does not do: a queue with room for one item, for which its own workers wait."""

    def __init__(self, loop: Loop, roots: Sequence[str]) -> None:
        super().__init__(loop, roots)
        self.queue = JoinableQueue(1)
        self.queue.put_nowait((R, 10))
        self.pending: list[Item] = []
        self.found.put = self.pending.append

    def work(self) -> Coroutine[None]:
        while True:
            url, left = yield from self.queue.get()
            self.found.follow(url, left, (yield from fetch(self.loop, url)))
            while self.pending:
                yield from self.queue.put(self.pending.pop())
            self.queue.task_done()


def test_a_bound_would_be_a_deadlock() -> None:
    """L3: ten workers, each with more than one link in hand."""
    links = tuple(f"http://a.test/{number}" for number in range(20))
    pages = {link: Html(tuple(f"{link}/{number}" for number in range(5))) for link in links}
    resources: dict[str, Resource] = {R: Html(links), **pages}
    with pytest.raises(DeadlockError):
        crawled_by(Bounded, resources)
    assert len(crawled_by(Crawler, resources)) == 1 + 20 + 100
