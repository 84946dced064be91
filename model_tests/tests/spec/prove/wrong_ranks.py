"""Leads-to properties with a wrong rank, which the search and the proofs must see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from spec.crawl import crawl_model
from spec.crawl import specification as of_crawl
from spec.crawl.sites import site
from spec.crawl.specification import Const, Crawl
from spec.future import future_model
from spec.future.specification import Box, Futures, coming, future
from spec.kit.core import Spec
from spec.kit.model import Model
from spec.locks import event_model
from spec.locks import events as of_events
from spec.locks.events import Flag
from spec.locks.specification import At, Task
from spec.queue import queue_model
from spec.queue import specification as of_queue
from spec.task.loop import Fut

# Any below: specifications of any constants and states.


@dataclass(frozen=True)
class Wrong:
    """A specification in which one property has a wrong rank; `seen` is what the search says of it, `lost` an
    obligation of the property that does not hold."""

    title: str
    spec: Spec[Any, Any]
    name: str
    model: Callable[[], Model[Any, Any]]
    seen: str
    lost: tuple[str, str]


def ranked(
    base: Spec[Any, Any],
    name: str,
    rank: Callable[..., int],
    by: Mapping[str, Callable[..., bool]] | None = None,
) -> Spec[Any, Any]:
    """The specification with another rank of that property."""
    spec: Spec[Any, Any] = Spec(base.name, base.state, base, without=[name])
    item = base.progress[name]
    assert item.trigger is not None
    spec.leads_to(item.trigger, rank=rank, by=by)(item.fn)
    return spec


def always_one(k: Box, s: Futures, f: Fut) -> int:
    """Wrong: nothing lowers it."""
    return 1


def rest_above(k: of_events.Const, s: Flag, t: Task) -> int:
    """Wrong: a cancel raises it."""
    return 2 if of_events.stopped(k, s, t) else 1 if of_events.resumes(k, s, t) else 0


def both_the_same(k: of_events.Const, s: Flag, t: Task) -> int:
    """Wrong: a cancel ends a stage, and does not lower it."""
    return 0 if s.at[t] == At.OUT else 1


def below_zero(k: of_events.Const, s: Flag, t: Task) -> int:
    """Wrong: it is no natural number."""
    return of_events.changes_left(k, s, t) - 2


def any_worker(k: of_queue.Const, s: of_queue.Queue, t: of_queue.Task) -> bool:
    """Wrong: a woken getter may have been cancelled since."""
    return of_queue.woken(s, t, of_queue.At.GET)


def without_the_end(k: Const, s: Crawl) -> int:
    """Wrong: the steps of the end are not counted."""
    return sum(of_crawl.stage(s, u) for u in k.urls)


def without_the_urls(k: Const, s: Crawl) -> int:
    """Wrong: the steps of the URLs are not counted."""
    return of_crawl.left(k, s)


RIGHT = {"unwind": of_events.stopped, "resume": of_events.resumes}


def event(
    title: str,
    seen: str,
    lost: tuple[str, str],
    rank: Callable[..., int] = of_events.changes_left,
    by: Mapping[str, Callable[..., bool]] = RIGHT,
) -> Wrong:
    """An event whose tasks come to rest for a wrong reason."""
    spec = ranked(of_events.events, "comes_to_rest", rank, by)
    return Wrong(title, spec, "comes_to_rest", lambda: event_model(2, spec=spec, withdraws=False), seen, lost)


def crawling(title: str, seen: str, lost: tuple[str, str], rank: Callable[..., int]) -> Wrong:
    """A crawl that terminates for a wrong reason."""
    spec = ranked(of_crawl.crawl, "terminates", rank)
    return Wrong(title, spec, "terminates", lambda: crawl_model(site({0: (1,)}, {}), spec=spec), seen, lost)


def queued() -> Wrong:
    """A queue in which a stage of a getter does not end when it is cancelled."""
    by = dict(of_queue.queue.progress["comes_to_rest"].by) | {"get_resume": any_worker}
    spec = ranked(of_queue.queue, "comes_to_rest", of_queue.changes_left, by)
    lost = ("enabled", "comes_to_rest/get_resume")
    return Wrong(
        "an event that cannot happen",
        spec,
        "comes_to_rest",
        lambda: queue_model(2, 0, 1, spec=spec, withdraws=False),
        r"get_resume\(\d\) cannot happen",
        lost,
    )


def called() -> Wrong:
    """A future whose callbacks run, and lower nothing."""
    spec = ranked(future, "called", always_one, {"run": coming})
    seen = r"run\(\d\) does not lower the rank 1"
    lost = ("run", "called/run")
    return Wrong("nothing lowers it", spec, "called", lambda: future_model(1, 1, 2, spec=spec), seen, lost)


WRONG = [
    called(),
    event(
        "a cancel raises it",
        r"cancel\(0\) raises the rank from 1 to 2",
        ("cancel", "comes_to_rest/resume"),
        rest_above,
    ),
    event(
        "a stage ends",
        r"cancel\(0\) ends the stage of resume without lowering the rank 1",
        ("cancel", "comes_to_rest/resume"),
        both_the_same,
    ),
    event("it is negative", "the rank is -1", ("begins", "comes_to_rest"), below_zero),
    event(
        "a stage is missing",
        "no action is named that lowers the rank",
        ("begins", "comes_to_rest"),
        by={"unwind": of_events.stopped},
    ),
    event(
        "the wrong event",
        r"unwind\(0\) cannot happen|unwind\(1\) cannot happen",
        ("enabled", "comes_to_rest/unwind"),
        by={"unwind": of_events.moving},
    ),
    queued(),
    crawling(
        "the end is not counted",
        r"cancel\(0\) does not lower the rank 0",
        ("cancel", "terminates"),
        without_the_end,
    ),
    crawling(
        "the URLs are not counted",
        r"start\(0, 0\) does not lower the rank 2",
        ("start", "terminates"),
        without_the_urls,
    ),
]
