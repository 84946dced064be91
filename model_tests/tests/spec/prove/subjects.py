"""A small model of each specification that is proved, for the comparison of the translation with Python."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from spec.callbacks import Handle, Thread, callback_model
from spec.cases import CASES
from spec.crawl import crawl_model
from spec.crawl.sites import site
from spec.crawl.specification import Url, Worker, least
from spec.creation import Task as Created
from spec.creation import creation_model
from spec.future import future_model
from spec.future.specification import Call
from spec.kit.prove.case import Case
from spec.locks import CONDITION, SEMAPHORE, event_model, lock_model
from spec.locks.specification import Task as Locker
from spec.queue import Item, Order, queue_model
from spec.queue import Task as Queuer
from spec.scopes import Scope, scope_model
from spec.stream import stream_model
from spec.stream.ends import Byte
from spec.stream.ends import Task as Streamer
from spec.task import hops_model, task_model
from spec.task.loop import Fut

from . import constructs
from .agreement import Subject

NAMES = (
    "queue",
    "queue, least",
    "crawl",
    "stream",
    "callbacks",
    "future",
    "task",
    "task_hops",
    "creation",
    "scopes",
    "locks",
    "events",
    "constructs",
)

#: Those in which every opaque helper that has a law is called.
LAWFUL = ("queue, least", "crawl", "stream")


@cache
def subject(name: str) -> Subject:
    """The subject of that name; it is explored once."""
    if name == "constructs":
        elements: dict[object, Sequence[int]] = {constructs.Holder: [0, 1]}
        return Subject(Case(constructs.constructs), constructs.model(), elements)
    case = Case(next(case.spec for case in CASES if case.spec.name == name.partition(",")[0]))
    futs: dict[object, Sequence[int]] = {Fut: [0, 1, 2, -1]}
    match name:
        case "queue":
            model: Any = queue_model(2, 1, 2, items=2, shuts=True)
            sizes = [queue_model(2, 2, 1).k, queue_model(2, 2, 1, order=Order.LIFO).k]
            return Subject(case, model, {Queuer: [0, 1], Item: [0, 1]}, sizes)
        case "queue, least":
            model = queue_model(2, 2, 2, items=2, order=Order.LEAST)
            return Subject(case, model, {Queuer: [0, 1], Item: [0, 1]})
        case "crawl":
            k = site({0: (1, 2)}, {1: 2, 2: 3}, limit=2)
            others = [
                site({0: (3,), 1: (2,)}, {2: 0, 3: 1}),
                site({0: (1,)}, {}, broken=[3], first_wins=True),
            ]
            return Subject(
                case,
                crawl_model(k),
                {Url: [0, 1, 2, 3], Worker: [0, 1]},
                others,
                lambda k: {"best": least(k)},
            )
        case "stream":
            model = stream_model(2, 1, 2)
            return Subject(case, model, {Streamer: [0, 1], Byte: [0, 1]}, [stream_model(2, 2, 1).k])
        case "callbacks":
            return Subject(case, callback_model(3, 2), {Handle: [0, 1, 2], Thread: [-1, -2]})
        case "future":
            return Subject(case, future_model(2, 2, 2), {Fut: [0, 1], Call: [0, 1]})
        case "task":
            return Subject(case, task_model(2, 1), futs, [task_model(1, 1, [0]).k])
        case "task_hops":
            return Subject(case, hops_model(1, 1, [1]), futs, [hops_model(2, 1).k])
        case "creation":
            model = creation_model(2, eager=True)
            return Subject(case, model, {Created: [0, 1, -1]}, [creation_model(2, eager=False).k])
        case "scopes":
            return Subject(case, scope_model(1, 1), {Scope: [0, 1]}, [scope_model(2, 0).k])
        case "locks":
            model = lock_model(2, 2, SEMAPHORE)
            return Subject(case, model, {Locker: [0, 1]}, [lock_model(2, 0, CONDITION).k, lock_model(2, 1).k])
    return Subject(case, event_model(3), {Locker: [0, 1, 2]})
