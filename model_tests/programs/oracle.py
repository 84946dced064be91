"""The specification as a runtime of programs: every step that a program takes is asked of the text.

Theory of operation.  No loop is here.  There is one state, of `spec/task/models.py`'s model under the fifo filter, and
a player's runtime whose futures are numbers of that model: each call of `cancel`, `uncancel` and `set_result`, each
await, each `sleep(0)` and each end of a body is an event, after which the model has exactly one state (`Undetermined`
is raised if not).  Who runs next is who the model gives a turn; what a turn begins with, what a call answers and what
a future is are read from the state.  Python's coroutines hold where each body stands, and nothing else.

The text knows no values.  So beside the state stands what the program itself said of each future: its result, its
error, the message of its cancel; which of them counts, the state says.

What the text does not cover (`covers`), the oracle does not play: it never guesses.
"""

from __future__ import annotations

import inspect
import types
from collections import Counter
from collections.abc import Callable, Coroutine, Generator
from contextlib import suppress
from functools import cache, partial
from types import SimpleNamespace
from typing import Any, Final

from spec.kit.core import Event, Spec
from spec.kit.fifo import Fifo
from spec.task import Const, Fut, Is, Loop, task_fifo_model
from spec.task import task as text
from spec.task.loop import ends
from spec.task.models import JOBS

from ..vectors.player import Player
from .covered import Beyond, Program, covers, read

__all__ = ["Beyond", "Models", "Oracle", "Undetermined", "covers", "observe", "of_text"]

# `Any` in this file: programs are JSON, and so are the values of their futures.
Line = list[Any]
Body = Coroutine[Any, Any, Any]
#: A model of so many tasks, so many futures, and shields of those.
Models = Callable[[int, int, tuple[int, ...]], Fifo[Const, Loop]]

#: Requests to cancel that a task may have had: more than a program has statements.
REQUESTS_MAX: Final = 1000
#: Turns, far more than bodies without loops need: only a text with an error passes them.
TURNS_MAX: Final = 2000


class CancelledError(BaseException):
    """What is thrown at a task that the text begins a turn of with `cancelled`."""


class InvalidStateError(Exception):
    """What the text answers if a future is done, or is not."""


class Undetermined(Exception):
    """The text allows no state after an event, or several: it does not tell what the program does."""


def of_text(spec: Spec[Const, Loop]) -> Models:
    """The models of a text, each made once."""
    made: Models = cache(partial(task_fifo_model, most=REQUESTS_MAX, spec=spec))
    return made


MODELS: Final = of_text(text)


class Oracle:
    """One run of a program's population through the states of a model: what a `Player` takes for a runtime."""

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
        self.value: dict[Fut, Any] = {}  #: a result or an error, of those that have one
        self.words: dict[Fut, tuple[Any, ...]] = {}  #: of the last request that came to it
        self.failed: Undetermined | None = None
        tasks, futures, outers = (
            iter([number[name] for name in names]) for names in (cast.tasks, cast.futures, cast.shields)
        )

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
        """Take that step, the one that the text allows; returns what it answers, if anything."""
        after = [] if self.failed else self.model.after(self.now, Event(name, args))
        if len(after) != 1:
            raise self.stop(f"{Event(name, args)}: {len(after)} states after it")
        before, self.now = self.now, after[0]
        self.taken[name] += 1
        answer = self.model.spec.actions[name].answer
        return answer(self.k, before, self.now, *args)[0] if answer else None

    def stop(self, why: str) -> Undetermined:
        """Why there is no next step: the first time counts, and no program that catches it goes on."""
        self.failed = self.failed or Undetermined(why)
        return self.failed

    # --- turns -----------------------------------------------------------------------------------------------

    def rest(self) -> bool:
        """Give turns while the text gives any; False if that has no end."""
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
        """Let a body go on with what its turn begins with, until it gives it back."""
        body, awaited = self.bodies[t], before.on[t]
        asked = got == Is.CANCELLED and before.state[awaited] != Is.CANCELLED  # not by way of what it awaited
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
        """A body awaits what is pending, or has called `sleep(0)`."""
        if yielded is None:
            self.take("pause", t)
            return
        ended = self.ends(yielded.number) if t in self.state.must else []
        self.take("await_", t, yielded.number)
        self.words.update((e, self.words[t]) for e in ended)

    def error(self, x: Fut, how: Is) -> BaseException:
        """What is thrown at who awaits x, which has ended that way; or at x, by request."""
        if how == Is.CANCELLED:
            return CancelledError(*self.words.get(x, ()))
        error: object = self.value.get(x)
        return (
            error
            if isinstance(error, BaseException)
            else self.stop(f"{x} ended with an error that nobody gave")
        )

    # --- calls -----------------------------------------------------------------------------------------------

    def ends(self, x: Fut) -> list[Fut]:
        """Where a request to cancel x goes, as the text has it."""
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
        """End all bodies, whatever they catch: a body has no loops, so each time it is thrown out of another place."""
        self.stop("the run is over")
        for body in self.bodies.values():
            while inspect.getcoroutinestate(body) != inspect.CORO_CLOSED:
                with suppress(Exception, CancelledError):
                    body.throw(CancelledError())


class Cell:
    """A future, task or shield: a number, and what the text says of it."""

    add_done_callback = None  # by this a player knows what can be awaited; the text tells of no callbacks

    def __init__(self, oracle: Oracle, number: Fut) -> None:
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
    """`sleep(0)`; no time passes here."""
    await _pause()
    return result


@types.coroutine
def _pause() -> Generator[None, None, None]:
    yield


class _Play(Player):
    def end(self, named: list[str]) -> None:
        """What is left is not cancelled, but closed: the lines are complete."""


def observe(program: Program, models: Models = MODELS, taken: Counter[str] | None = None) -> list[Line]:
    """What is seen of `program` if the text is right, in order: lines (FORMAT.md); `taken` counts the actions.

    Raises:
        Beyond: the text does not cover the program.
        Undetermined: the text does not say what the program does.
    """
    oracle = Oracle(program, models, taken)
    try:
        return _Play(program, oracle).play()
    finally:
        oracle.close()
