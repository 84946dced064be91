"""The specification as a runtime of programs: every step of a program is looked up in the specification.

This module has no event loop.  It has one state, of the model in `spec/task/models.py` under the fifo filter, and a
player's runtime; its futures are numbers of that model.  Each call of `cancel`, `uncancel` and `set_result`, each
await, each `sleep(0)` and each end of a body is an event.  After an event the model has exactly one state; otherwise
`Undetermined` is raised.  The model determines the task that runs next, the value or error that is sent or thrown in,
the result of a call and the state of each future.  Python's coroutines only hold the position in each body.

The specification has no values.  So the runtime keeps beside the state the result, the error and the cancel message
that the program itself gave for each future; the state decides which of them counts.

The oracle plays only programs that the specification covers (`covers`): it never guesses.
"""

from __future__ import annotations

import inspect
import types
from collections import Counter
from collections.abc import Callable, Coroutine, Generator
from contextlib import nullcontext, suppress
from functools import cache, partial
from types import SimpleNamespace
from typing import Any, Final

from spec.kit.core import Event, Spec
from spec.kit.fifo import Fifo
from spec.task import Const, Fut, Is, Loop, task_fifo_model
from spec.task import task as text
from spec.task.loop import ends
from spec.task.models import JOBS

from .coverage import Program, read
from .vectors.player import Player

# `Any` in this file: programs are JSON, and so are the values of their futures.
Line = list[Any]
Body = Coroutine[Any, Any, Any]
#: A model of so many tasks, so many futures, and these shields.
Models = Callable[[int, int, tuple[int, ...]], Fifo[Const, Loop]]

#: The maximal number of cancel requests of a task: more than a program has statements.
REQUESTS_MAX: Final = 1000
#: A number of iterations far above the need of bodies without loops: only a wrong specification exceeds it.
TURNS_MAX: Final = 2000


class CancelledError(BaseException):
    """The error thrown into a task if its step begins with `cancelled` in the specification."""


class InvalidStateError(Exception):
    """The error that the specification gives if a future is done, or is not."""


class Undetermined(Exception):
    """The specification allows no state after an event, or several: it does not determine the run of the program."""


def of_text(spec: Spec[Const, Loop]) -> Models:
    """Return the models of a specification, each made once."""
    made: Models = cache(partial(task_fifo_model, most=REQUESTS_MAX, spec=spec))
    return made


MODELS: Final = of_text(text)


class ModelRun:
    """One run of a program's population through the states of a model; a `Player` uses it as runtime."""

    def __init__(self, program: Program, models: Models = MODELS, taken: Counter[str] | None = None) -> None:
        cast = read(program)
        number = {name: Fut(n) for n, name in enumerate(cast.everything)}
        shields = tuple(number[inner] for inner in cast.shields.values())
        self.model = models(len(cast.tasks), len(cast.futures), shields)
        self.k = self.model.k
        (self.now,) = self.model.init
        self.turns = [event for event in self.model.events if event.name in JOBS.turns]
        self.taken = Counter() if taken is None else taken
        self.bodies: dict[Fut, Body] = {}
        self.value: dict[Fut, Any] = {}  #: a result or an error, of the futures that have one
        self.words: dict[Fut, tuple[Any, ...]] = {}  #: the message of the last request
        self.failed: Undetermined | None = None
        tasks, futures, outers = (
            iter([number[name] for name in names]) for names in (cast.tasks, cast.futures, cast.shields)
        )

        self.looking = nullcontext

        def start(body: Body) -> Cell:
            cell = Cell(self, next(tasks))
            self.bodies[cell.number] = body
            return cell

        self.start = start
        self.loop = SimpleNamespace(
            create_task=start,
            create_future=lambda: Cell(self, next(futures)),
            set_exception_handler=lambda handler: None,
            time=lambda: 0,
        )
        self.names = SimpleNamespace(
            create_task=start, ensure_future=start, shield=lambda inner: Cell(self, next(outers)), sleep=sleep,
            CancelledError=CancelledError, InvalidStateError=InvalidStateError,
        )  # fmt: skip

    @property
    def state(self) -> Loop:
        return self.now.below

    def take(self, name: str, *args: Any) -> Any:
        """Take the step that the specification allows; return its answer, if it has one."""
        after = [] if self.failed else self.model.after(self.now, Event(name, args))
        if len(after) != 1:
            raise self.stop(f"{Event(name, args)}: {len(after)} states after it")
        before, self.now = self.now, after[0]
        self.taken[name] += 1
        answer = self.model.spec.actions[name].answer
        return answer(self.k, before, self.now, *args)[0] if answer else None

    def stop(self, why: str) -> Undetermined:
        """Record why there is no next step; only the first reason counts, and no program that catches the error
        continues.
        """
        self.failed = self.failed or Undetermined(why)
        return self.failed

    # --- loop iterations -----------------------------------------------------------------------------------

    def rest(self) -> bool:
        """Run loop iterations while the specification has any; return False if they do not end."""
        for _ in range(TURNS_MAX):
            turns = [event for event in self.turns if self.model.after(self.now, event)]
            if not turns:
                return True
            if turns[1:]:
                raise self.stop(f"one of {', '.join(map(str, turns))} goes next")
            self.turn(turns[0].name, *turns[0].args)
        return False

    def turn(self, name: str, x: Any) -> None:
        before = self.state
        got = self.take(name, x)
        if name == "step":
            self.run(x, before, got)
        elif name == "relay":
            self.words[x] = ()
            self.value[x] = self.value.get(self.k.inner[x])

    def run(self, t: Fut, before: Loop, got: Is) -> None:
        """Resume a body with the value or error at the beginning of its step, until the body suspends."""
        body, awaited = self.bodies[t], before.on[t]
        # Whether the request did not arrive through the awaited future.
        asked = got == Is.CANCELLED and before.state[awaited] != Is.CANCELLED
        error = None if got == Is.RESULT else self.error(t if asked else awaited, got)
        try:
            yielded = body.throw(error) if error else body.send(self.value.get(awaited))
        except StopIteration as end:
            self.value[t] = end.value
            how = Is.RESULT
        except CancelledError as thrown:
            self.words[t] = thrown.args
            how = Is.CANCELLED
        except Exception as raised:
            self.value[t] = raised
            how = Is.ERROR
        else:
            self.give_back(t, yielded)
            return
        self.take("leave", t, how)

    def give_back(self, t: Fut, yielded: Cell | None) -> None:
        """Handle a body that awaits a pending future, or has called `sleep(0)`."""
        if yielded is None:
            self.take("pause", t)
            return
        ended = self.ends(yielded.number) if t in self.state.must else []
        self.take("await_", t, yielded.number)
        self.words.update((e, self.words[t]) for e in ended)

    def error(self, x: Fut, how: Is) -> BaseException:
        """Return the error thrown into a task that awaits x, which ended in that way; or into x itself, by request."""
        if how == Is.CANCELLED:
            return CancelledError(*self.words.get(x, ()))
        error: object = self.value.get(x)
        if isinstance(error, BaseException):
            return error
        return self.stop(f"{x} ended with an error that the program never gave")

    # --- calls -----------------------------------------------------------------------------------------------

    def ends(self, x: Fut) -> list[Fut]:
        """Return where a request to cancel x ends, according to the specification."""
        return [e for e in sorted(self.k.all) if ends(self.k, self.state, x, e)]

    def cancel(self, x: Fut, words: tuple[Any, ...]) -> bool:
        ended = self.ends(x)
        accepted: bool = self.take("cancel", x)
        self.words.update((e, words) for e in ended)
        return accepted

    def resolve(self, f: Fut, how: Is, value: Any) -> None:
        if not self.take("resolve", f, how):
            raise InvalidStateError
        self.value[f] = value

    def close(self) -> None:
        """Close all bodies, whatever they catch: a body has no loops, so each attempt leaves at another statement."""
        self.stop("the run is over")
        for body in self.bodies.values():
            while inspect.getcoroutinestate(body) != inspect.CORO_CLOSED:
                with suppress(Exception, CancelledError):
                    body.throw(CancelledError())


class Cell:
    """A future, task or shield: a number, and its state in the specification."""

    add_done_callback = None  # marks it awaitable for a player; the specification has no callbacks

    def __init__(self, oracle: ModelRun, number: Fut) -> None:
        self.oracle, self.number = oracle, number

    @property
    def state(self) -> Is:
        return self.oracle.state.state[self.number]

    def done(self) -> bool:
        return self.state != Is.PENDING

    def cancelled(self) -> bool:
        return self.state == Is.CANCELLED

    def result(self) -> Any:
        if error := self.exception():
            raise error
        return self.oracle.value[self.number]

    def exception(self) -> BaseException | None:
        if self.state == Is.PENDING:
            raise InvalidStateError
        if self.state == Is.RESULT:
            return None
        error = self.oracle.error(self.number, self.state)
        if self.state == Is.CANCELLED:
            raise error
        return error

    def set_result(self, value: Any) -> None:
        self.oracle.resolve(self.number, Is.RESULT, value)

    def set_exception(self, error: BaseException) -> None:
        self.oracle.resolve(self.number, Is.ERROR, error)

    def cancel(self, *words: Any) -> bool:
        return self.oracle.cancel(self.number, tuple(word for word in words if word is not None))

    def uncancel(self) -> Any:
        return self.oracle.take("uncancel", self.number)

    def cancelling(self) -> int:
        return self.oracle.state.count[self.number]

    def __await__(self) -> Generator[Cell, Any, Any]:
        if self.state == Is.PENDING:
            return (yield self)
        how = self.oracle.take("await_done", self.oracle.state.turn, self.number)
        if how == Is.RESULT:
            return self.oracle.value[self.number]
        raise self.oracle.error(self.number, how)


async def sleep(delay: float, result: Any = None) -> Any:
    """Implement `sleep(0)`; no time passes here."""
    await _pause()
    return result


@types.coroutine
def _pause() -> Generator[None, None, None]:
    yield


class _Play(Player):
    def end(self, named: list[str]) -> None:
        """Close the remaining bodies without cancelling them: the lines are complete."""


def observe(program: Program, models: Models = MODELS, taken: Counter[str] | None = None) -> list[Line]:
    """Return the lines of `program` (FORMAT.md) that the specification predicts, in order; `taken` counts the actions.

    Raises:
        Beyond: the specification does not cover the program.
        Undetermined: the specification does not determine the run of the program.
    """
    oracle = ModelRun(program, models, taken)
    try:
        return _Play(program, oracle).play()
    finally:
        oracle.close()
