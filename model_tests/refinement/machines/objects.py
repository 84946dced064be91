"""The adapter of an object with methods that tasks call, as they call those of asyncio's primitives.

An event `name(caller, *args)` is a call of the method `name(*args)` by the task `caller`.  A plain method is called at
once, from outside the loop: several such calls fit between two turns, so a running task can be faster than a woken one.
A new task runs a coroutine method, and records the event in the step of the call; `cancel(caller)` cancels that
task, and `uncancel(caller)` takes back all requests to cancel it.  A new action of a specification that is a
method of the object needs no change here.

An action without parameters has no caller: `tick()` is a plain method, which is called from outside the loop and
returns nothing to any task.

`said` translates the outcome of a call, a value or `Raised(error)`, into the words of the specification.  A call of
the loop's exception handler has no place in any specification: it fails the run.

`object_adapter` is for a specification of your own.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass, field
from typing import Any

from spec.kit.core import Event, SpecError
from spec.kit.trace import Do, Return

from ..subjects import ASYNCIO, Subject, TaskLike, one_turn
from .adapter import SHOWN, Record
from .outcomes import Raised, Said, answer, outcome_of

#: The number of turns without a recorded line after which an object is at rest.  A result reaches a task in one turn,
#: through another task in two; a task that is woken in vain waits again and wakes no other.  The rest is margin.
QUIET_TURNS = 5


class ObjectAdapter:
    """`thing`, called by tasks of a new loop of `subject`."""

    def __init__(self, subject: Subject, thing: object, record: Record, said: Said) -> None:
        self.thing = thing
        self.cancelled_error = subject.cancelled_error
        self.said = said
        self.record = record
        self.records = 0
        self.reported: list[object] = []
        self.running: dict[Hashable, TaskLike] = {}
        self.bodies: list[Coroutine[Any, Any, None]] = []  # Any: the yields belong to the runtime
        self.loop = subject.new_loop()
        self.loop.set_exception_handler(lambda loop, context: self.reported.append(context))

    def knows(self, name: str) -> bool:
        return name in ("cancel", "uncancel") or callable(getattr(self.thing, name, None))

    def waits(self, name: str) -> bool:
        """Whether the action of that name is a call that a task awaits."""
        return inspect.iscoroutinefunction(getattr(self.thing, name, None))

    def do(self, event: Event) -> None:
        if not event.args:
            self.happens(event)
            return
        caller, *args = event.args
        if event.name == "cancel":
            self.takes_place(event)
            self.running[caller].cancel()
        elif event.name == "uncancel":
            task = self.running[caller]
            if task.cancelling():  # else there is nothing to take back, and nothing takes place
                self.takes_place(event)
            while task.cancelling():
                task.uncancel()
        elif self.waits(event.name):
            body = self.call(event, getattr(self.thing, event.name), args)
            self.bodies.append(body)
            self.running[caller] = self.loop.create_task(body, name=str(event))
        else:
            self.takes_place(event)
            outcome: object
            try:
                outcome = getattr(self.thing, event.name)(*args)
            except Exception as error:
                outcome = Raised(error)
            self.told(caller, self.said(at_once(event.name, outcome)))

    def happens(self, event: Event) -> None:
        """An event without a caller: an error of its method fails the run."""
        if self.waits(event.name):
            raise SpecError(f"{event.name}() has no caller that could await it: make it a plain method")
        self.takes_place(event)
        at_once(event.name, getattr(self.thing, event.name)())

    async def call(self, event: Event, method: Callable[..., Any], args: list[Hashable]) -> None:  # Any: its result
        """The body of a task that calls once."""
        self.takes_place(event)
        self.told(event.args[0], self.said(await outcome_of(method(*args), self.cancelled_error)))

    def takes_place(self, event: Event) -> None:
        self.records += 1
        self.record(Do(event))

    def told(self, caller: Hashable, answer: Hashable) -> None:
        self.records += 1
        self.record(Return(caller, answer))

    def turn(self) -> None:
        one_turn(self.loop)
        assert not self.reported, f"the exception handler was told {self.reported}"

    def settle(self) -> None:
        """Ends: a call that was begun records its event and its answer, and no more."""
        quiet = 0
        while quiet < QUIET_TURNS:
            before = self.records
            self.turn()
            quiet = quiet + 1 if self.records == before else 0

    def shown(self) -> str:
        return SHOWN

    def close(self) -> None:
        for body in self.bodies:
            body.close()
        self.loop.close()


def at_once(name: str, outcome: object) -> object:
    """The outcome of a call of a plain method.  Raises SpecError if it is still to be awaited."""
    if inspect.isawaitable(outcome):
        if inspect.iscoroutine(outcome):
            outcome.close()
        raise not_async(name)
    return outcome


def not_async(name: str) -> SpecError:
    """The error of a plain method that returns an awaitable: a call takes place when its coroutine runs."""
    return SpecError(f"{name} is not async, but returns what must be awaited: write `async def {name}`")


class OwnAdapter(ObjectAdapter):
    """An object that a user's specification is about; `agrees(thing, s)` compares it with a state."""

    def __init__(
        self,
        subject: Subject,
        thing: Any,
        record: Record,
        said: Said,
        agrees: Callable[[Any, Any], bool],
        left: dict[str, None],
    ) -> None:
        super().__init__(subject, thing, record, said)
        self.agrees, self.left = agrees, left

    def settle(self) -> None:
        """As for any object; then, if no call is in progress, the tasks that calls have left behind are noted."""
        super().settle()
        if isinstance(self.loop, asyncio.AbstractEventLoop) and all(t.done() for t in self.running.values()):
            tasks = asyncio.all_tasks(self.loop).difference(self.running.values())
            self.left.update(dict.fromkeys(sorted(map(place_of, tasks))))

    def see(self, s: Any) -> bool:  # Any: a state of the user's specification
        return self.agrees(self.thing, s)

    def shown(self) -> str:
        """The numbers, truth values and strings among the public attributes of the object."""
        of = getattr(self.thing, "__dict__", {})
        plain = {name: x for name, x in of.items() if isinstance(x, int | str) and not name.startswith("_")}
        return "  ".join(f"{name}={x}" for name, x in plain.items()) or super().shown()


def place_of(task: asyncio.Task[Any]) -> str:
    """The function of a task, with its file and line."""
    code = getattr(task.get_coro(), "cr_code", None)
    name = getattr(task.get_coro(), "__qualname__", repr(task))
    return f"{name} ({code.co_filename}:{code.co_firstlineno})" if code else name


@dataclass(frozen=True, slots=True)
class ObjectMaker:
    """Makes adapters of objects; `left` collects the tasks that calls have left behind, as texts, each once."""

    make: Callable[[Any, Record, dict[str, None]], OwnAdapter]
    left: dict[str, None] = field(default_factory=dict)

    def __call__(self, k: Any, record: Record) -> OwnAdapter:
        return self.make(k, record, self.left)


def object_adapter(
    new: Callable[[Any], Any],
    *,
    said: Said = answer,
    agrees: Callable[[Any, Any], bool] = lambda thing, s: True,
    subject: Subject = ASYNCIO,
) -> ObjectMaker:
    """Makes adapters of objects of your own; their methods have the names of the actions of your specification.

    Parameters:
        new: makes an object for the constants of a model.
        said: translates the outcome of a call, a value or `Raised(error)`, into an answer of the specification.
        agrees: whether the visible state of an object fits a state of the model; by default nothing is compared.
        subject: the runtime that runs the calls on its loop.
    """
    return ObjectMaker(lambda k, record, left: OwnAdapter(subject, new(k), record, said, agrees, left))
