"""A specification as the oracle of runs: the monitor judges every queue that a program uses.

    from model_tests.explored import explore
    from spec.queue import queue_model

    explore(main, spec=queue_model(3, 1, 6))

While an exploration runs, the methods of the queue classes that are actions of the specification write the lines of a
trace (spec/kit/trace.py): a call takes place where its first step does, a result when it is returned.  Tasks are
numbered in the order of their first call, items in the order in which they are first put.  Each queue has a monitor of
its own, with its own maxsize; `puts` and `items` of the model, which bound searches only, are ignored.

A request to cancel a task that waits in a queue is written before the next line of that queue: in between, nothing
happened that the queue could observe.  If the program has come to rest, nothing may be due, which finds lost wake-ups;
a program that returns earlier leaves its queues as they are.

Not judged are queues of another order (LifoQueue, PriorityQueue and classes derived from them), queues that had items
before the run, and a queue from its shutdown on, which the specification does not model.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar

import impl
from impl.bridges.asyncio.scheduling import Turns
from impl.explore import Found
from impl.explore import explore as explore_impl
from impl.explore.program import UserMain
from impl.tasks.current import our_running_loop
from spec.kit.core import Event, SpecError
from spec.kit.model import Model
from spec.kit.monitor import Monitor, Rejected
from spec.kit.trace import Do, End, Line, Return
from spec.queue import Const, Said, queue
from spec.queue.specification import Item, Task

T = TypeVar("T")
# Any in this file: queues and tasks of any runtime, items, and the states of a derived specification.
AnyQueue: TypeAlias = Any
Method: TypeAlias = Callable[..., Any]
AnyTask: TypeAlias = Any
AnyModel: TypeAlias = Model[Const, Any]

#: More puts than any run has.
_PUTS: Final = 10**9
_QUEUES: Final = (asyncio.Queue, impl.Queue)
_OTHER_ORDERS: Final = (asyncio.LifoQueue, asyncio.PriorityQueue, impl.LifoQueue, impl.PriorityQueue)
_CANCELLED: Final = (asyncio.CancelledError, impl.CancelledError)
_REFUSALS: Final = (asyncio.QueueEmpty, asyncio.QueueFull, impl.QueueEmpty, impl.QueueFull, ValueError)


class RuleBroken(AssertionError):
    """A queue did what the specification does not allow; `rules` are the identifiers of the rules that it broke."""

    def __init__(self, judged: _Judged, line: Line, rejected: Rejected) -> None:
        spec = judged.monitor.model.spec
        rules = {**spec.properties, **spec.actions}
        names = [*rejected.broken, *rejected.thinned]
        if not rejected.broken:
            # The line breaks no property, but no action allows it: those are named that the caller could take.
            caller = line.caller if isinstance(line, Return) else None
            due = [event for event in judged.monitor.due() if caller is None or event.args[:1] == (caller,)]
            names += [event.name for event in (*due, judged.called.get(caller)) if event is not None]
        broken = [rules[name] for name in dict.fromkeys(names)]
        self.rules = [each.rule for each in broken]
        texts = [" ".join(each.doc.rpartition("[")[0].split()) for each in broken]
        super().__init__("\n".join([*texts, str(rejected)]))


def explore(main: UserMain, *, spec: Model[Any, Any] | None = None, **options: Any) -> Found:
    """As impl.explore.explore, with a model of a specification as the oracle."""
    return explore_impl(main, spec=None if spec is None else oracle(spec), **options)


def oracle(model: Model[Any, Any], *classes: type) -> QueueOracle:
    """The oracle that holds queues to the model of a specification.

    Parameters:
        model: of `spec.queue`, or of a specification derived from it, with at least as many tasks as the program has.
        classes: queue classes besides asyncio's, impl's and those derived from them.

    Raises:
        SpecError: it is a model of another specification.
    """
    base = model.spec
    while base is not queue and base.extends is not None:
        base = base.extends
    if base is not queue:
        raise SpecError(
            f"{model.spec.name}: programs are judged by models of `queue` and of what derives from it"
        )
    return QueueOracle(model, classes)


class QueueOracle:
    """Judges run after run: `begin`, the run, `end`; within `watching`."""

    def __init__(self, model: AnyModel, classes: Collection[type] = ()) -> None:
        self.model = model
        self._classes = (*_QUEUES, *classes)
        self._actions = [a.name for a in model.spec.actions.values() if not a.hidden and a.name != "cancel"]
        self._monitors: dict[
            int, list[Monitor[Const, Any]]
        ] = {}  # by maxsize, so that what they cache is kept
        self._queues: dict[
            int, tuple[AnyQueue, _Judged | None]
        ] = {}  # by id, with the queue, which keeps the id
        self._maxsizes: dict[int, tuple[AnyQueue, int]] = {}  # likewise
        self._error: BaseException | None = None
        self._over = True

    # --- what an exploration calls ---------------------------------------------------------------------------

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Within, the methods of the queue classes record their calls, until their loop is wound up."""
        with ExitStack() as undo:
            for each in dict.fromkeys(each for base in self._classes for each in _with_derived(base)):
                _replace(undo, each, "__init__", self._made)
                for name in (*self._actions, "shutdown"):
                    _replace(undo, each, name, functools.partial(self._recorded, name))
            for loop in (impl.Loop, Turns):
                _replace(undo, loop, "wind_up", self._frozen)
            yield

    def begin(self) -> None:
        """A run begins."""
        for _, judged in self._queues.values():
            if judged is not None:
                self._monitors.setdefault(judged.maxsize, []).append(judged.monitor)
        self._queues.clear()
        self._maxsizes.clear()
        self._error, self._over = None, False

    def end(self, at_rest: bool) -> BaseException | None:
        """The program has ended, or is at rest: it cannot continue.  Returns the error, if a rule was broken."""
        if at_rest:
            for _, judged in self._queues.values():
                if judged is not None and self._error is None:
                    self._feed(judged, End())
        self._over = True
        return self._error

    # --- recording -------------------------------------------------------------------------------------------

    def _frozen(self, method: Method) -> Method:
        """The method, after which nothing is recorded: tasks that are left are cancelled."""

        @functools.wraps(method)
        def wind_up(loop: Any) -> None:
            self._over = True
            method(loop)

        return wind_up

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

    def _recorded(self, name: str, method: Method) -> Method:
        """The method, which records its calls, but for those within another call of the same task."""
        if inspect.iscoroutinefunction(method):

            @functools.wraps(method)
            async def awaited(thing: AnyQueue, *args: Any, **keywords: Any) -> Any:
                with self._call(thing, name, (*args, *keywords.values())) as returned:
                    return returned(await method(thing, *args, **keywords))

            return awaited

        @functools.wraps(method)
        def plain(thing: AnyQueue, *args: Any, **keywords: Any) -> Any:
            with self._call(thing, name, (*args, *keywords.values())) as returned:
                return returned(method(thing, *args, **keywords))

        return plain

    @contextmanager
    def _call(self, thing: AnyQueue, name: str, args: tuple[Any, ...]) -> Iterator[Callable[[T], T]]:
        """One call of a method; its result goes through the function that this yields."""
        judged = None if self._over or self._error is not None else self._of(thing)
        event = None
        if judged is not None:
            try:
                event = judged.begins(name, args)
            except _NotModelled:
                self._queues[id(thing)] = thing, None
        if judged is None or event is None:
            yield lambda result: result
            return
        outcome: object = None

        def returned(result: T) -> T:
            nonlocal outcome
            outcome = result
            return result

        self._feed(judged, Do(event))
        try:
            yield returned
        except BaseException as error:
            outcome = error
            raise
        finally:
            line = judged.ends(event, outcome)
            if not self._over and self._error is None and not isinstance(outcome, GeneratorExit):
                self._feed(judged, line)

    def _of(self, thing: AnyQueue) -> _Judged | None:
        """The record of a queue in this run; None: it is not judged."""
        if id(thing) not in self._queues:
            unusual = isinstance(thing, _OTHER_ORDERS) or thing.qsize() > 0
            _, maxsize = self._maxsizes.get(id(thing), (thing, thing.maxsize))
            self._queues[id(thing)] = thing, None if unusual else _Judged(self._monitor(maxsize))
        return self._queues[id(thing)][1]

    def _monitor(self, maxsize: int) -> Monitor[Const, Any]:
        free = self._monitors.setdefault(maxsize, [])
        if not free:
            k = replace(self.model.k, maxsize=maxsize, puts=_PUTS)
            return Monitor(replace(self.model, k=k, canon=None))
        monitor = free.pop()
        monitor.restart()
        return monitor

    def _feed(self, judged: _Judged, line: Line) -> None:
        tasks = self.model.k.tasks
        if isinstance(line, Do) and line.event.args[0] not in tasks:
            self._error = SpecError(
                f"the model has {len(tasks)} tasks, but more call one queue: give it more of them"
            )
            return
        try:
            # At rest every request to cancel was delivered; since then the winding up has made others.
            judged.monitor.follow([*([] if isinstance(line, End) else judged.cancels(line)), line])
        except Rejected as rejected:
            self._error = RuleBroken(judged, line, rejected)


def _replace(undo: ExitStack, owner: type, name: str, make: Callable[[Method], Method]) -> None:
    """Replace a method that a class defines itself, until `undo` is closed."""
    if name in vars(owner):
        method: Method = vars(owner)[name]
        undo.callback(setattr, owner, name, method)
        setattr(owner, name, make(method))


class _NotModelled(Exception):
    """The specification has no action for a call."""


class _Judged:
    """One queue in one run: its monitor, and the numbers of its tasks and items."""

    def __init__(self, monitor: Monitor[Const, Any]) -> None:
        self.monitor = monitor
        self.called: dict[Hashable, Event] = {}  # the last call of each task
        self._inside: dict[Task, tuple[AnyTask, int]] = {}  # with the task, and its requests to cancel so far
        self._cancelled: set[Task] = set()  # during their last call
        self._held: Counter[Task] = Counter()  # the items that a task got and has not reported done
        self._unfinished = 0
        self._tasks: dict[object, Task] = {}
        self._items: dict[int, tuple[Item, object]] = {}  # by id, with the item, which keeps the id

    @property
    def maxsize(self) -> int:
        return self.monitor.model.k.maxsize

    def begins(self, name: str, args: tuple[Any, ...]) -> Event | None:
        """The event of a call by the running task; None within another call of it.

        Raises:
            _NotModelled: no action of the specification is this call.
        """
        task = _running()
        caller = self._tasks.setdefault(task, Task(len(self._tasks)))
        if caller in self._inside:
            return None
        if name == "shutdown":
            raise _NotModelled
        if name == "task_done" and not self._held[caller]:
            # asyncio counts the report of any task, the specification that of the holder of an item.
            holders = [each for each, held in self._held.items() if held and each not in self._inside]
            if not holders and self._unfinished:
                raise _NotModelled
            caller = holders[0] if holders else caller
        self._inside[caller] = task, 0 if task is None else task.cancelling()
        self._cancelled.discard(caller)
        self.called[caller] = Event(name, (caller, *map(self._item, args)))
        return self.called[caller]

    def cancels(self, line: Line) -> list[Line]:
        """The first request to cancel of each task, if it came since the last line, before this one."""
        cancelled = [
            caller
            for caller, (task, before) in self._inside.items()
            if task is not None and task.cancelling() > before
        ]
        if isinstance(line, Return) and line.answer is Said.CANCELLED:
            cancelled.append(Task(line.caller))  # type: ignore[arg-type]  # callers are tasks
        found = [caller for caller in cancelled if caller not in self._cancelled]
        self._cancelled.update(found)
        return [Do(Event("cancel", (caller,))) for caller in found]

    def ends(self, event: Event, outcome: object) -> Return:
        """The call returns or raises."""
        caller: Any = event.args[0]
        self._inside.pop(caller, None)
        if isinstance(outcome, _CANCELLED):
            return Return(caller, Said.CANCELLED)
        if isinstance(outcome, BaseException):
            return Return(caller, Said.REFUSED if isinstance(outcome, _REFUSALS) else repr(outcome))
        if event.name.startswith("get"):
            self._held[caller] += 1
            return Return(caller, self._item(outcome))
        if event.name == "task_done":
            self._held[caller] -= 1
            self._unfinished -= 1
        elif event.name.startswith("put"):
            self._unfinished += 1
        return Return(caller, Said.DONE)

    def _item(self, value: object) -> Item:
        """The number of an item."""
        return self._items.setdefault(id(value), (Item(len(self._items)), value))[0]


def _running() -> AnyTask | None:
    """The task that runs, or None in a callback."""
    loop = our_running_loop()
    if loop is not None:
        return loop.current
    try:
        return asyncio.current_task()
    except RuntimeError:
        return None


def _with_derived(base: type) -> Iterator[type]:
    """A class and all that derive from it, each once or more."""
    yield base
    derived: type
    for derived in base.__subclasses__():
        yield from _with_derived(derived)
