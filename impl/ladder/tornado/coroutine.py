"""Teaching code: rung 21, Tornado's way, 3 of 4: the decorator `coroutine`, and the Runner behind it.

What it teaches: a decorated generator looks from outside like any function that returns a future.  So calling it is all
that is needed to start it, and whoever calls need not know how it is made.  The first step is taken in the call; a
Runner takes the others.
What changed against rungs 9 to 15: no Task to make by hand, and no `yield from`: a coroutine yields the future that it
got by calling another one.  It may also yield a list or a dict of futures, and waits for all of them.
What is still wrong with it: who yields a future that is done goes on at once.  That is fast, and as long as all that it
yields is done, nothing else runs: neither timeouts nor sockets (its defect N9, the text's own rule).  `yield moment` is
the escape: it waits for one iteration.  asyncio kept the rule and the escape (`sleep(0)`).  And nobody can stop a
Runner; a Task of rung 12 can be.

Against the text's sketch: no argument is taken away from the function; the text's decorator keeps `callback` for
itself, always, since the parameter that says whether to is not looked at (N7).  An error that nobody looks at is logged
(N10).

Source: "How Tornado's coroutines work", its `tornado.gen`.
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

#: A generator that yields what it waits for, gets the results, and returns a T.
Coroutine: TypeAlias = Generator[Any, Any, T]  # Any: futures of several types, lists and dicts of them

log = logging.getLogger(__name__)

#: Yield it to let everything else that is ready run first.
moment: Final = Future[None]()
moment.set_result(None)


class Return(Exception):
    """Raised by a coroutine: `return value`, from the time before a generator could."""

    def __init__(self, value: object = None) -> None:
        super().__init__(value)
        self.value = value


class BadYieldError(Exception):
    """A coroutine has yielded what nobody can wait for."""


@overload
def coroutine(function: Callable[P, Coroutine[T]]) -> Callable[P, Future[T]]: ...
@overload
def coroutine(function: Callable[P, T]) -> Callable[P, Future[T]]: ...
def coroutine(
    function: Callable[P, Any],
) -> Callable[P, Future[Any]]:  # Any: a Coroutine[T] or a T, see above
    """Calling the decorated function starts it, and returns the future of its result."""

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
    """Takes the steps of a generator, from its first yield on; `result` is the future of what it returns."""

    def __init__(self, generator: Coroutine[T], result: Future[T], first_yielded: object) -> None:
        self.generator = generator
        self.result = result
        self.loop = IOLoop.current()
        self.running = self.finished = False
        if self.handle_yield(first_yielded):
            self.run()

    def run(self) -> None:
        """Resume the generator, until it yields a future that is not done, or ends."""
        if self.running or self.finished:
            return
        self.running = True
        try:
            while self.future.done():
                try:
                    yielded = self.resume()
                except (StopIteration, Return) as returned:
                    self.finished = True
                    value: Any = returned.value  # Any: a T
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
        """Send it the result it waits for, or throw the error; what it yields."""
        error = self.future.exception()
        return self.generator.send(self.future.result()) if error is None else self.generator.throw(error)

    def handle_yield(self, yielded: object) -> bool:
        """Wait for what was yielded; whether it is there already."""
        try:
            self.future = convert_yielded(yielded)
        except BadYieldError:
            self.future = Future()
            self.future.set_exc_info(error_at_hand())
        if not self.future.done() or self.future is moment:
            self.loop.add_future(self.future, lambda done: self.run())
            return False
        return True


def convert_yielded(yielded: object) -> Future[Any]:  # Any: what is in it is the coroutine's affair
    """The future to wait for; raises BadYieldError when it is none, and no list or dict of futures."""
    if isinstance(yielded, Future):
        return yielded
    if isinstance(yielded, list):
        return multi(list(range(len(yielded))), yielded, lambda results: list(results.values()))
    if isinstance(yielded, dict):
        return multi(list(yielded), list(yielded.values()), dict)
    raise BadYieldError(f"a coroutine yields futures, lists and dicts of them, not {yielded!r}")


def multi(
    keys: list[Any], children: list[object], made: Callable[[dict[Any, Any]], T]
) -> Future[T]:  # Any: as in convert_yielded
    """A future that is done when all children are: with their results, or the first child's error that failed."""
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
            log.error("more than one has failed of what was yielded", exc_info=error)
        if errors:
            future.set_exception(errors[0])
        else:
            future.set_result(made({key: child.result() for key, child in zip(keys, futures, strict=True)}))

    if not futures:
        finish()
    for child in dict.fromkeys(futures):  # one that is there twice is waited for once
        child.add_done_callback(child_done)
    return future


def error_at_hand() -> Any:  # Any: within `except` no part of it is None
    return sys.exc_info()
