"""A small model of each specification that is proved, for the comparison of the translation with Python."""

from __future__ import annotations

from functools import cache
from typing import Any

from spec.callbacks import callback_model
from spec.cases import CASES
from spec.crawl import crawl_model
from spec.crawl.sites import site
from spec.creation import creation_model
from spec.future import future_model
from spec.kit.prove.agreement import Subject
from spec.kit.prove.case import Case
from spec.locks import CONDITION, SEMAPHORE, event_model, lock_model
from spec.queue import Order, queue_model
from spec.scopes import scope_model
from spec.stream import stream_model
from spec.task import hops_model, task_model

from . import constructs

NAMES = (
    *("queue", "queue, least", "crawl", "stream", "callbacks", "future", "task", "task_hops"),
    *("creation", "scopes", "locks", "events", "constructs"),
)

#: Those that call every opaque helper that has a law.
LAWFUL = ("queue, least", "crawl", "stream")


@cache
def subject(name: str) -> Subject:
    """The subject of that name; it is explored once."""
    if name == "constructs":
        return Subject(Case(constructs.constructs), constructs.model())
    case = Case(next(case.spec for case in CASES if case.spec.name == name.partition(",")[0]))
    model, *others = models(name)
    return Subject(case, model, [each.k for each in others])


def models(name: str) -> list[Any]:
    """The model of that name, then others to mix constants from."""
    match name:
        case "queue":
            sizes = [queue_model(2, 2, 1), queue_model(2, 2, 1, order=Order.LIFO)]
            return [queue_model(2, 1, 2, items=2, shuts=True), *sizes]
        case "queue, least":
            return [queue_model(2, 2, 2, items=2, order=Order.LEAST)]
        case "crawl":
            return [
                crawl_model(site({0: (1, 2)}, {1: 2, 2: 3}, limit=2)),
                crawl_model(site({0: (3,), 1: (2,)}, {2: 0, 3: 1})),
                crawl_model(site({0: (1,)}, {}, broken=[3], first_wins=True)),
            ]
        case "stream":
            return [stream_model(2, 1, 2), stream_model(2, 2, 1)]
        case "callbacks":
            return [callback_model(3, 2)]
        case "future":
            return [future_model(2, 2, 2)]
        case "task":
            return [task_model(2, 1), task_model(1, 1, [0])]
        case "task_hops":
            return [hops_model(1, 1, [1]), hops_model(2, 1)]
        case "creation":
            return [creation_model(2, eager=True), creation_model(2, eager=False)]
        case "scopes":
            return [scope_model(1, 1), scope_model(2, 0)]
        case "locks":
            return [lock_model(2, 2, SEMAPHORE), lock_model(2, 0, CONDITION), lock_model(2, 1)]
    return [event_model(3)]
