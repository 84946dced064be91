"""The adapter of an object whose methods are called by tasks, as those of asyncio's primitives are.

An event `name(caller, *args)` is a call of the method `name(*args)` by the task `caller`.  A plain method is called at
once, from outside the loop: several such calls fit between two turns, so a running task can be faster than a woken one.
A coroutine method is run by a new task, which records the event in the step in which it calls; `cancel(caller)` cancels
that task, and `uncancel(caller)` takes back all requests to cancel it.  A new action of a specification that is a
method of the object needs no change here.

`said` translates the result or the exception of a call into the words of the specification.  A call of the loop's
exception handler has no place in any specification: it fails the run.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Hashable
from typing import Any

from spec.kit.core import Event
from spec.kit.trace import Do, Return

from ..subjects import Subject, TaskLike, one_turn
from .adapter import SHOWN, Record

#: Translates the result of a call, or the exception that it raised, into the words of a specification.
Said = Callable[[object], Hashable]

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
        self.bodies: list[Coroutine[Any, Any, None]] = []  # Any: what a runtime's coroutines yield is its own
        self.loop = subject.new_loop()
        self.loop.set_exception_handler(lambda loop, context: self.reported.append(context))

    def knows(self, name: str) -> bool:
        return name in ("cancel", "uncancel") or callable(getattr(self.thing, name, None))

    def do(self, event: Event) -> None:
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
        elif inspect.iscoroutinefunction(method := getattr(self.thing, event.name)):
            body = self.call(event, method, args)
            self.bodies.append(body)
            self.running[caller] = self.loop.create_task(body, name=str(event))
        else:
            self.takes_place(event)
            try:
                answer = self.said(method(*args))
            except Exception as error:
                answer = self.said(error)
            self.told(caller, answer)

    async def call(
        self, event: Event, method: Callable[..., Any], args: list[Hashable]
    ) -> None:  # Any: its result
        """The body of a task that calls once."""
        self.takes_place(event)
        try:
            answer = self.said(await method(*args))
        except (Exception, self.cancelled_error) as error:
            answer = self.said(error)
        self.told(event.args[0], answer)

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
        """Ends: a call that was begun records that it takes place and what it is answered, and no more."""
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
