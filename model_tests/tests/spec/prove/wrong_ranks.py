"""Leads-to properties with a wrong rank, which the search and the proofs must see."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
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
    """A specification with a wrong rank of one property; `seen` is the search's verdict on it, `lost` an
    obligation of the property that does not hold."""

    title: str
    spec: Spec[Any, Any]
    name: str
    model: Callable[[], Model[Any, Any]]
    seen: str
    lost: tuple[str, str]


def wrong(
    base: Spec[Any, Any],
    name: str,
    model: Callable[..., Model[Any, Any]],
    title: str,
    seen: str,
    lost: str,
    rank: Callable[..., int],
    by: Mapping[str, Callable[..., bool]] | None = None,
) -> Wrong:
    """A specification with another rank of that property, and the actions that lower it."""
    spec: Spec[Any, Any] = Spec(base.name, base.state, base, without=[name])
    item = base.progress[name]
    assert item.trigger is not None
    spec.leads_to(item.trigger, rank=rank, by=by)(item.fn)
    action, _, goal = lost.partition(" ")
    return Wrong(title, spec, name, lambda: model(spec=spec), seen, (action, goal))


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
HELD_UP = dict(of_queue.queue.progress["comes_to_rest"].by) | {"get_resume": any_worker}
LEFT = of_events.changes_left

called = partial(wrong, future, "due_callback_is_called", partial(future_model, 1, 1, 2))
event = partial(wrong, of_events.events, "comes_to_rest", partial(event_model, 2, withdraws=False))
queued = partial(wrong, of_queue.queue, "comes_to_rest", partial(queue_model, 2, 0, 1, withdraws=False))
crawling = partial(wrong, of_crawl.crawl, "crawl_terminates", partial(crawl_model, site({0: (1,)}, {})))

#: Each with its title, the search's verdict, the obligation that is lost, the rank, and the actions that lower it.
WRONG = [
    called("nothing lowers it", r"run\(\d\) does not lower the rank 1", "run due_callback_is_called/run",
        always_one, {"run": coming}),
    event("a cancel raises it", r"cancel\(0\) raises the rank from 1 to 2", "cancel comes_to_rest/resume",
        rest_above, RIGHT),
    event("a stage ends", r"cancel\(0\) ends the stage of resume without lowering the rank 1",
        "cancel comes_to_rest/resume", both_the_same, RIGHT),
    event("it is negative", "the rank is -1", "begins comes_to_rest", below_zero, RIGHT),
    event("a stage is missing", "no action is named that lowers the rank", "begins comes_to_rest",
        LEFT, {"unwind": of_events.stopped}),
    event("the wrong event", r"unwind\([01]\) cannot happen", "enabled comes_to_rest/unwind",
        LEFT, {"unwind": of_events.moving}),
    queued("an event that cannot happen", r"get_resume\(\d\) cannot happen", "enabled comes_to_rest/get_resume",
        of_queue.changes_left, HELD_UP),
    crawling("the end is not counted", r"cancel\(0\) does not lower the rank 0",
        "cancel crawl_terminates", without_the_end),
    crawling("the URLs are not counted", r"start\(0, 0\) does not lower the rank 2", "start crawl_terminates",
        without_the_urls),
]  # fmt: skip
