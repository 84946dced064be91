"""A specification as the oracle of runs: the monitor judges every queue that a program uses.

    from model_tests.explored import explore
    from spec.queue import queue_model

    explore(main, spec=queue_model(3, 1, 6))

Calls are recorded as `instrumentation.py` says.  Items are numbered in the order of their first put.  Each queue has a
monitor of its own, with its own maxsize; `puts` and `items` of the model, which bound searches only, are ignored.

Not judged are queues of another order (LifoQueue, PriorityQueue and classes derived from them), queues that had items
before the run, and a queue from its shutdown on, which the specification does not model.
"""

import asyncio
import functools
import inspect
from collections import Counter
from collections.abc import Collection, Hashable
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Final, TypeAlias

import impl
from impl.explore import Found
from impl.explore import explore as explore_impl
from impl.explore.programs.program import UserMain
from spec.kit.core import Event, SpecError
from spec.kit.model import Model
from spec.kit.monitor import Monitor
from spec.queue import Const, Said, queue
from spec.queue.specification import Item, Task

from ..refinement.machines.outcomes import CANCELLED, Raised, no_word, raised
from .instrumentation import JudgedObject, NotModelled, RunOracle
from .methods import Method

# Any in this file: queues of any runtime, items, and the states of a derived specification.
AnyQueue: TypeAlias = Any

#: More puts than any run has.
_PUTS: Final = 10**9
_QUEUES: Final = (asyncio.Queue, impl.Queue)
_OTHER_ORDERS: Final = (asyncio.LifoQueue, asyncio.PriorityQueue, impl.LifoQueue, impl.PriorityQueue)
_REFUSALS: Final = (asyncio.QueueEmpty, asyncio.QueueFull, impl.QueueEmpty, impl.QueueFull, ValueError)


def explore(main: UserMain, *, spec: Model[Any, Any] | RunOracle | None = None, **options: Any) -> Found:
    """As impl.explore.explore, with a model of the queue, or another oracle."""
    return explore_impl(main, spec=None if spec is None else oracle(spec), **options)


def oracle(model: Model[Any, Any] | RunOracle, *classes: type) -> RunOracle:
    """The oracle that holds queues to the model of a specification; one that is an oracle already is returned.

    Parameters:
        model: of `spec.queue`, or of a specification derived from it, with at least as many tasks as the program has.
        classes: queue classes besides asyncio's, impl's and those derived from them.

    Raises:
        SpecError: it is no model, or one of another specification.
    """
    if isinstance(model, RunOracle):
        return model
    if not isinstance(model, Model):
        raise SpecError(
            f"spec={model!r} is no model: give one of the queue, as spec=queue_model(tasks=3, maxsize=0, puts=4), or an"
            " oracle, as spec=OwnOracle(model, YourClass)"
        )
    base = model.spec
    while base is not queue and base.extends is not None:
        base = base.extends
    if base is not queue:
        raise SpecError(
            f"{model.spec.name}: programs are judged by models of `queue` and of what derives from it; for another"
            " specification, name your classes: spec=OwnOracle(model, YourClass)"
        )
    return QueueOracle(model, classes)


class QueueOracle(RunOracle):
    """Judges the queues of run after run."""

    def __init__(self, model: Model[Const, Any], classes: Collection[type] = ()) -> None:
        super().__init__(model, (*_QUEUES, *classes), "a call of a queue is judged")
        # By maxsize, so that their caches are kept.
        self._monitors: dict[int, list[Monitor[Const, Any]]] = {}
        # By id, with the queue, which keeps the id.
        self._maxsizes: dict[int, tuple[AnyQueue, int]] = {}

    def watch(self, undo: ExitStack, each: type) -> None:
        self.replace(undo, each, "__init__", self._made)
        super().watch(undo, each)
        if "shutdown" not in self._actions:
            self.replace(undo, each, "shutdown", functools.partial(self.recorded, "shutdown"))

    def begin(self) -> None:
        for _, judged in self._things.values():
            if judged is not None:
                maxsize = judged.monitor.model.k.maxsize
                self._monitors.setdefault(maxsize, []).append(judged.monitor)
        self._maxsizes.clear()
        super().begin()

    def _made(self, method: Method) -> Method:
        """The constructor, which records the maxsize that it is given: that of a wrong queue may be another one."""

        signature = inspect.signature(method)

        @functools.wraps(method)
        def init(thing: AnyQueue, *args: Any, **keywords: Any) -> None:
            given = signature.bind_partial(thing, *args, **keywords)
            given.apply_defaults()
            if "maxsize" in given.arguments:
                self._maxsizes.setdefault(id(thing), (thing, given.arguments["maxsize"]))
            method(thing, *args, **keywords)

        return init

    def judge(self, thing: AnyQueue) -> JudgedObject | None:
        unusual = isinstance(thing, _OTHER_ORDERS) or thing.qsize() > 0
        _, maxsize = self._maxsizes.get(id(thing), (thing, thing.maxsize))
        return None if unusual else JudgedQueue(self._monitor(maxsize))

    def lacks(self, judged: JudgedObject, event: Event) -> str | None:
        tasks = self.model.k.tasks
        if not event.args or event.args[0] in tasks:
            return None
        return f"the model has {len(tasks)} tasks, but more call one queue: give it more of them"

    def _monitor(self, maxsize: int) -> Monitor[Const, Any]:
        free = self._monitors.setdefault(maxsize, [])
        if not free:
            k = replace(self.model.k, maxsize=maxsize, puts=_PUTS)
            return Monitor(replace(self.model, k=k, canon=None))
        monitor = free.pop()
        monitor.restart()
        return monitor


class JudgedQueue(JudgedObject):
    """One queue in one run, and the numbers of its items."""

    def __init__(self, monitor: Monitor[Const, Any]) -> None:
        super().__init__(monitor)
        self._held: Counter[Task] = Counter()  # the items that a task got and has not reported done
        self._unfinished = 0
        self._items: dict[int, tuple[Item, object]] = {}  # by id, with the item, which keeps the id

    def caller_of(self, name: str, caller: int) -> Task:
        if name == "shutdown":
            raise NotModelled
        if name != "task_done" or self._held[Task(caller)]:
            return Task(caller)
        # asyncio counts the report of any task, the specification that of the holder of an item.
        holders = [each for each, held in self._held.items() if held and each not in self._inside]
        if not holders and self._unfinished:
            raise NotModelled
        return holders[0] if holders else Task(caller)

    def value(self, x: object) -> Item:
        """The number of an item."""
        return self._items.setdefault(id(x), (Item(len(self._items)), x))[0]

    def answer(self, event: Event, outcome: object) -> Hashable:
        caller: Any = event.args[0]
        if raised(outcome, *CANCELLED):
            return Said.CANCELLED
        if isinstance(outcome, Raised):
            return Said.REFUSED if raised(outcome, *_REFUSALS) else no_word(outcome)
        if event.name.startswith("get"):
            self._held[caller] += 1
            return self.value(outcome)
        if event.name == "task_done":
            self._held[caller] -= 1
            self._unfinished -= 1
        elif event.name.startswith("put"):
            self._unfinished += 1
        return Said.DONE
