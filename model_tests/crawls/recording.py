"""Recorded crawls: the lines that the workers of a runtime leave, and the check against the specification of the
crawl.

Every runtime pumps a frontier, so a crawl is observed there.  A `RecordingFrontier` wraps it and writes a line for each
start and each answer, with its worker: the running task, numbered in order of first appearance.  The last line
is the runtime's return.  Each line has the visible part of the frontier just before it, as a state of the
specification.  A frontier does not see the cancel of a worker, its end: trio reports it (`trio.abc.Instrument`); on
the other runtimes it is not recorded.

For one runtime, a crawl on the simulated network and one on real sockets are recorded in the same way.

The constants come from the site and not from the run.  `site_model` numbers the URLs that can be reached in scope, and
takes the answer of each URL after all its tries from the oracle.  A link that leads out of scope is left out.  A
redirect that does becomes a redirect to itself, which adds nothing new.

`judge` feeds the lines to the monitor, and compares the recorded state with the state of the specification.
"""

import asyncio
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

import trio

from impl.crawl.frontier import Frontier
from impl.runners.runner import current_task
from impl.web.outcome import FetchFailure, Outcome, Page, Redirect
from impl.web.serving.site import Site
from spec.crawl import AnswerKind, Const, Crawl, Phase, Url, Worker, crawl, crawl_model
from spec.crawl.models import over
from spec.crawl.sites import Answer, constants
from spec.kit.core import Event
from spec.kit.model import Model
from spec.kit.monitor import Monitor
from spec.kit.search import show
from spec.kit.trace import Do

from .comparison import Allows, CrawlRuntime, NewFrontier, plan, scope
from .oracle import outcome

#: The function that returns the running task, by runtime.
RUNNING: Final[dict[str, Callable[[], Hashable]]] = {
    "impl": current_task,
    "asyncio": asyncio.current_task,
    "aiohttp": asyncio.current_task,
    "trio": trio.lowlevel.current_task,
}

#: Runtimes that report the end of a worker.
ENDS_SEEN: Final = ("trio",)

#: Runtimes that start a task for each URL: a worker is a permit of their semaphore.
ONE_FETCH_A_TASK: Final = ("aiohttp",)

#: The action of the specification for each kind of answer.
ACTIONS: Final[dict[type[Outcome], str]] = {Page: "page", Redirect: "redirect", FetchFailure: "fail"}


@dataclass(frozen=True)
class SiteModel:
    """The specification of the crawl of one site, and the numbers of its URLs."""

    model: Model[Const, Crawl]
    numbers: dict[str, Url]


def site_model(site: Site, allows: Allows, workers: int) -> SiteModel:
    """Return the model of a crawl of `site` by so many workers; at least one root must be in scope."""
    roots = [url for url in dict.fromkeys(site.roots) if allows(url)]
    numbers = {url: Url(number) for number, url in enumerate(roots)}
    shape: list[Answer] = []
    for url in (known := list(numbers)):
        kind, targets = _edges(outcome(site, url), url, allows)
        for target in targets:
            if target not in numbers:
                numbers[target] = Url(len(numbers))
                known.append(target)
        shape.append((kind, tuple(sorted({numbers[target] for target in targets}))))
    k = constants(tuple(shape), roots=len(roots), limit=site.limit, workers=workers)
    return SiteModel(crawl_model(k), numbers)


def _edges(came: Outcome, url: str, allows: Allows) -> tuple[AnswerKind, list[str]]:
    """Return the kind of a URL by its answer, and the URLs in scope that it leads to."""
    match came:
        case Page(links):
            return AnswerKind.PAGE, [link for link in links if allows(link)]
        case Redirect(target):
            return AnswerKind.REDIRECT, [target if allows(target) else url]
    return AnswerKind.ERROR, []


class RecordingFrontier(Frontier):
    """A frontier that delegates to `inner` and writes to `seen` each line, after the state just before it.

    `runtime` names the runtime; `progress()` is called after each answer.
    """

    def __init__(
        self, inner: Frontier, of: SiteModel, runtime: str, progress: Callable[[], object] = lambda: None
    ) -> None:
        super().__init__(inner.limit, inner.allows)
        # The same state, with two types.
        self.best, self.outcomes = inner.best, inner.outcomes
        self._queued, self._in_flight = inner._queued, inner._in_flight
        self.seen: list[tuple[Crawl, Do]] = []
        self.model = of.model
        self._inner = inner
        self._numbers = dict(of.numbers)
        self._start = of.model.init[0]
        runtime = runtime.removesuffix("-real")
        self._running = RUNNING[runtime]
        self._one_fetch_a_task = runtime in ONE_FETCH_A_TASK
        #: Whether the ends of workers are written, too.
        self.sees_ends = runtime in ENDS_SEEN
        self._watching = False
        self._progress = progress
        self._workers: dict[Hashable, Worker] = {}
        self._fetching: dict[str, Worker] = {}  # the worker that started a URL last
        self._fetches = self._start.fetches

    def offer(self, url: str, budget: int) -> list[str]:
        if self.sees_ends and not self._watching:  # the first call of a crawl, before it has workers
            self._watching = True
            trio.lowlevel.add_instrument(_ChildEnds(trio.lowlevel.current_task(), self.ended))
        return self._inner.offer(url, budget)

    def start(self, url: str) -> None:
        number, worker = self._number(url), self._worker()
        self.write("start", worker, number)
        self._inner.start(url)
        self._fetching[url] = worker
        self._fetches = self._fetches | {number: self._fetches.get(number, 0) + 1}

    def complete(self, url: str, outcome: Outcome) -> list[str]:
        self.write(ACTIONS[type(outcome)], self._worker(), self._number(url))
        if self._one_fetch_a_task:
            del self._workers[self._running()]
        found = self._inner.complete(url, outcome)
        self._progress()
        return found

    def ended(self, task: Hashable) -> None:
        """Record the end of a worker, the task."""
        self.write("cancel", self._worker_of(task))

    def write(self, name: str, *args: Worker | Url) -> None:
        """Write one more line, for an event that happens now."""
        self.seen.append((self.state(), Do(Event(name, args))))

    def state(self) -> Crawl:
        """Return the visible state: the frontier as the specification models it, while no worker is cancelled."""
        return replace(
            self._start,
            best=self._start.best | {self._number(url): budget for url, budget in self.best.items()},
            todo=frozenset(map(self._number, self._queued)),
            flight=frozenset((self._fetching[url], self._number(url)) for url in self._in_flight),
            done=frozenset(map(self._number, self.outcomes)),
            fetches=self._fetches,
            phase=Phase.JOINED if self.idle else Phase.RUN,
        )

    def _worker(self) -> Worker:
        return self._worker_of(self._running())

    def _worker_of(self, task: Hashable) -> Worker:
        taken = self._workers.values()
        free = next(worker for worker in map(Worker, count()) if worker not in taken)
        return self._workers.setdefault(task, free)

    def _number(self, url: str) -> Url:
        """Return the number of a URL; one outside the site's model gets a number unknown to the specification."""
        return self._numbers.setdefault(url, Url(len(self._numbers)))


class _ChildEnds(trio.abc.Instrument):
    """An instrument that reports the end of each child of `main`."""

    def __init__(self, main: trio.lowlevel.Task, told: Callable[[trio.lowlevel.Task], None]) -> None:
        self._main = main
        self._told = told

    def task_exited(self, task: trio.lowlevel.Task) -> None:
        if task.parent_nursery is not None and task.parent_nursery.parent_task is self._main:
            self._told(task)


@dataclass(frozen=True)
class Recording:
    """A recorded crawl; `sees_ends`: whether ends of workers are recorded; `error`: the exception it raised, if any."""

    model: Model[Const, Crawl]
    seen: list[tuple[Crawl, Do]]
    sees_ends: bool = False
    error: Exception | None = None

    @property
    def lines(self) -> list[Do]:
        return [line for _, line in self.seen]


def record(
    runtime: CrawlRuntime,
    site: Site,
    number: int,
    workers: int,
    frontier: NewFrontier = Frontier,
    progress: Callable[[], object] = lambda: None,
) -> Recording:
    """Record one crawl of `site` by `runtime`, under conditions `number` but with so many workers."""
    allows = scope(site, number)
    of = site_model(site, allows, workers)
    recorder = RecordingFrontier(frontier(site.limit, allows), of, runtime.name, progress)
    by = replace(plan(site, number), max_tasks=workers)
    return recording(recorder, lambda: runtime.crawl(site, by, recorder, number))


def recording(recorder: RecordingFrontier, run: Callable[[], object]) -> Recording:
    """Return the lines that `recorder` writes while `run` crawls; the last line is its return."""
    try:
        run()
    except Exception as error:
        return Recording(recorder.model, recorder.seen, recorder.sees_ends, error)
    recorder.write("close")
    return Recording(recorder.model, recorder.seen, recorder.sees_ends)


def judge(came: Recording, model: Model[Const, Crawl] | None = None, *, blind: bool = False) -> None:
    """Follow a recorded crawl to its end, in the model of its site or in another one.

    `blind`: compare the lines only, not the frontier.

    Raises:
        Rejected: the specification does not allow the crawl.
    """
    monitor = Monitor(model or came.model, unseen=() if came.sees_ends else ("cancel",))
    for seen, line in came.seen:
        if not blind:
            monitor.see(alike(seen), told(seen))
        monitor.feed(line)
    monitor.see(over, f"the crawl ends without return: {came.error!r}")


def alike(seen: Crawl) -> Callable[[Crawl], bool]:
    """Return whether a state matches the recorded one, as far as that is visible: cancelled workers are not."""
    return lambda s: replace(s, alive=seen.alive) == seen


def told(seen: Crawl) -> str:
    """Format a recording as text."""
    parts = (f"{name}={show(getattr(seen, name))}" for name in crawl.field_names if name != "alive")
    return f"the frontier has {'  '.join(parts)}"
