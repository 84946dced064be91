"""What the machines of Queue and of Task share: a subject, its loop, the tasks that were started, and the end.

Theory of operation.  A machine lives for one example.  At its end `judge` looks at the subject once more, unless
a failure is on its way already: that one is to be told, not what follows from it.  Whatever happens, no coroutine
is left un-awaited and no loop open.  What the loop's exception handler is told goes into `reported`.
"""

from __future__ import annotations

import sys
from collections.abc import Coroutine
from typing import Any, ClassVar

from hypothesis.stateful import RuleBasedStateMachine

from ..subjects import Subject, TaskLike
from .outcomes import Failure


class SubjectMachine(RuleBasedStateMachine):
    """Operations on one loop of `subject`."""

    subject: ClassVar[Subject]

    def __init__(self) -> None:
        super().__init__()
        self.loop = self.subject.new_loop()
        self.loop.set_exception_handler(self.report)
        self.reported: list[object] = []
        self.bodies: list[
            Coroutine[Any, Any, object]
        ] = []  # Any: what a runtime's coroutines yield is its own

    def report(self, loop: object, context: dict[str, Any]) -> None:  # Any: asyncio's context dict
        """The exception handler: a `Failure` is known by its number."""
        error = context.get("exception")
        self.reported.append(error.number if isinstance(error, Failure) else context)

    def start(self, body: Coroutine[Any, Any, object], name: str) -> TaskLike:  # Any: as above
        """A new task."""
        self.bodies.append(body)
        return self.loop.create_task(body, name=name)

    def judge(self) -> None:
        """What must hold when the rules have been played; raises AssertionError."""
        raise NotImplementedError

    def teardown(self) -> None:
        try:
            if sys.exception() is None:
                self.judge()
        finally:
            for body in self.bodies:
                body.close()
            self.loop.close()
