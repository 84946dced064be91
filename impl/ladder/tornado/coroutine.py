"""Teaching code: rung 21, Tornado's way, 3 of 4: the decorator `coroutine` and its Runner.

Teaches: from outside, a decorated generator function looks like any function that returns a future.  Calling it starts
it, so a caller need not know how it is implemented.  The call takes the first step; a Runner takes the others.
Changed against rungs 9 to 15: no Task is created by hand, and there is no `yield from`: a coroutine yields the future
that it got by calling another one.  It may also yield a list or a dict of futures and waits for all of them.
Still wrong: a coroutine that yields a done future continues at once.  That is fast, but a coroutine that yields done
futures only starves the timeouts and the sockets (defect N9, the text's own rule).  `yield moment` waits for one
iteration; asyncio kept the rule and the remedy (`sleep(0)`).  A Runner cannot be cancelled; a Task of rung 12 can.

Against the text's sketch: the function keeps its argument `callback`; the text's decorator always takes it, because it
never reads the parameter that should decide (N7).  An error that is never retrieved is logged (N10).

Source: "How Tornado's coroutines work", its `tornado.gen`.

Any, throughout: a coroutine waits for futures of several types, and for lists and dicts of them.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Generator
from functools import wraps
from typing import Any, Final, Generic, ParamSpec, TypeAlias, TypeVar, overload

from .future import Future
from .ioloop import IOLoop

P = ParamSpec("P")
T = TypeVar("T")

#: A generator that yields the futures that it waits for, receives the results, and returns a T.
Coroutine: TypeAlias = Generator[Any, Any, T]

log = logging.getLogger(__name__)

#: Yield it to run all other callbacks, timeouts and handlers that are ready first.
moment: Final = Future[None]()
moment.set_result(None)


class Return(Exception):
    """Raised by a coroutine to return a value, as before Python 3.3, when a generator could not."""

    def __init__(self, value: object = None) -> None:
        super().__init__(value)
        self.value = value


class BadYieldError(Exception):
    """A coroutine has yielded something that cannot be waited for."""


@overload
def coroutine(function: Callable[P, Coroutine[T]]) -> Callable[P, Future[T]]: ...
@overload
def coroutine(function: Callable[P, T]) -> Callable[P, Future[T]]: ...
def coroutine(function: Callable[P, Any]) -> Callable[P, Future[Any]]:
    """Calling the decorated function starts it and returns the future of its result."""

    @wraps(function)
    def start(*args: P.args, **kwargs: P.kwargs) -> Future[Any]:
        future = Future[Any]()
        try:
            result = function(*args, **kwargs)
            if isinstance(result, Generator):
                first_yielded = next(result)
        except (StopIteration, Return) as returned:
            future.set_result(returned.value)
        except Exception:
            future.set_exc_info(error_at_hand())
        else:
            if isinstance(result, Generator):
                Runner(result, future, first_yielded)
            else:
                future.set_result(result)
        return future

    return start


class Runner(Generic[T]):
    """Takes the steps of a generator after its first yield; `result` is the future of its result."""

    def __init__(self, generator: Coroutine[T], result: Future[T], first_yielded: object) -> None:
        self.generator = generator
        self.result = result
        self.loop = IOLoop.current()
        self.running = self.finished = False
        if self.handle_yield(first_yielded):
            self.run()

    def run(self) -> None:
        """Resume the generator until it yields a pending future or ends."""
        if self.running or self.finished:
            return
        self.running = True
        try:
            while self.future.done():
                try:
                    yielded = self.resume()
                except (StopIteration, Return) as returned:
                    self.finished = True
                    value: Any = returned.value
                    self.result.set_result(value)
                    return
                except Exception:
                    self.finished = True
                    self.result.set_exc_info(error_at_hand())
                    return
                if not self.handle_yield(yielded):
                    return
        finally:
            self.running = False

    def resume(self) -> object:
        """Send the result or throw the error; returns the next yield of the generator."""
        error = self.future.exception()
        return self.generator.send(self.future.result()) if error is None else self.generator.throw(error)

    def handle_yield(self, yielded: object) -> bool:
        """Wait for the yielded future; returns whether it is done already."""
        try:
            self.future = convert_yielded(yielded)
        except BadYieldError:
            self.future = Future()
            self.future.set_exc_info(error_at_hand())
        if not self.future.done() or self.future is moment:
            self.loop.add_future(self.future, lambda done: self.run())
            return False
        return True


def convert_yielded(yielded: object) -> Future[Any]:
    """The future to wait for; raises BadYieldError for anything but futures, lists and dicts of them."""
    if isinstance(yielded, Future):
        return yielded
    if isinstance(yielded, list):
        return multi(list(range(len(yielded))), yielded, lambda results: list(results.values()))
    if isinstance(yielded, dict):
        return multi(list(yielded), list(yielded.values()), dict)
    raise BadYieldError(f"a coroutine yields futures, lists and dicts of them, not {yielded!r}")


def multi(keys: list[Any], children: list[object], made: Callable[[dict[Any, Any]], T]) -> Future[T]:
    """A future that is done when all children are, with their results or the first error in their order."""
    futures = [convert_yielded(child) for child in children]
    waiting = set(futures)
    future = Future[T]()

    def child_done(child: Future[Any]) -> None:
        waiting.remove(child)
        if not waiting:
            finish()

    def finish() -> None:
        errors = [error for child in futures if (error := child.exception()) is not None]
        for error in errors[1:]:
            log.error("more than one of the yielded futures has failed", exc_info=error)
        if errors:
            future.set_exception(errors[0])
        else:
            future.set_result(made({key: child.result() for key, child in zip(keys, futures, strict=True)}))

    if not futures:
        finish()
    for child in dict.fromkeys(futures):  # a child that is yielded twice is waited for once
        child.add_done_callback(child_done)
    return future


def error_at_hand() -> Any:  # Any: in an `except` block no part of it is None
    return sys.exc_info()
