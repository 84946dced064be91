"""Rungs 19 to 22, Tornado's way: beside tornado itself on written programs, and on its own with threads and sockets.

Both run the same source in virtual time: ours in the simulated environment, tornado on stock asyncio with a clock that
jumps.  A program's `main` is called by the loop, which then runs until nothing can happen any more.
"""

import gc
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from selectors import EVENT_READ
from textwrap import indent
from typing import Any

import pytest
from tornado import gen
from tornado.platform.asyncio import AsyncIOLoop

from impl import Choices
from impl.errors import DeadlockError
from impl.ladder.tornado import coroutine as ladder_gen
from impl.ladder.tornado.future import Future
from impl.ladder.tornado.ioloop import IOLoop

from ...programs.tables import texts
from ...programs.virtual_asyncio import Hang, VirtualLoop
from .conftest import logged, running, simulated

PROGRAMS = texts(Path(__file__).with_name("tornado.txt"))
#: The beginning of all programs.  `waits` names the thing that it waits for: a future, or the future of a function.
PRELUDE = PROGRAMS.pop("the beginning of all programs")


# Any, from here on: programs are text, and their functions and values have no type.
@contextmanager
def ladder() -> Iterator[Any]:
    """Ours: a loop, its clock, its `later`, its futures, the module of `coroutine`, and its loggers."""
    with simulated() as world, closing(IOLoop(world)) as loop:
        logs = ("impl.ladder.tornado.ioloop", "impl.ladder.tornado.coroutine")
        later = lambda seconds, callback: loop.add_timeout(world.time() + seconds, callback)  # noqa: E731
        yield loop, world.time, later, Future, ladder_gen, logs


class _VirtualIOLoop(AsyncIOLoop):
    """Tornado's loop, by the clock of the loop below it."""

    def time(self) -> float:
        return self.asyncio_loop.time()


@contextmanager
def tornado() -> Iterator[Any]:
    stock = VirtualLoop()
    stock.set_exception_handler(lambda loop, context: None)  # errors that are never retrieved
    with closing(_VirtualIOLoop(asyncio_loop=stock, make_current=False)) as loop:
        yield loop, loop.time, loop.call_later, stock.create_future, gen, ("tornado.application",)


def seen(source: str, runtime: Any, caplog: pytest.LogCaptureFixture) -> tuple[list[Any], list[str]]:
    """The notes of a program, with virtual milliseconds (of an error its type), and the errors that the loop logs."""
    said: list[Any] = []
    caplog.clear()
    with runtime() as (loop, time, later, new_future, module, logs):

        def say(*what: object) -> None:
            shown = (type(it).__name__ if isinstance(it, Exception) else it for it in what)
            said.append((round(time() * 1000), *shown))

        names = {name: getattr(module, name) for name in ("coroutine", "moment", "Return")}
        names |= {name: getattr(loop, name) for name in ("add_callback", "add_future")}
        names |= {"say": say, "later": later, "partial": partial, "new_future": new_future, "f": new_future()}
        exec(PRELUDE + indent(source, " "), names)
        loop.add_callback(names["main"])
        with suppress(DeadlockError, Hang):
            loop.start()
    return said, logged(caplog, *logs)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_order_as_tornado(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """The same lines at the same times, and the same errors in the log.

    N7: the argument `callback` arrives; N9, the text's rule, is tornado's too.
    """
    ours = seen(PROGRAMS[name], ladder, caplog)
    assert ours == seen(PROGRAMS[name], tornado, caplog)
    assert ours[0]


def test_where_the_order_differs(caplog: pytest.LogCaptureFixture) -> None:
    """One task waits for a list with the future that the other one waits for.

    The text's list is done as soon as its last future is, tornado's an iteration later.
    """
    source = "waits('list', [f])\nadd_callback(f.set_result, 1)\nyield waits('future', f)\n"
    ours, theirs = ([line[1] for line in seen(source, runtime, caplog)[0][2:]] for runtime in (ladder, tornado))
    assert (ours, theirs) == (["list", "future"], ["future", "list"])


def _no_moment(yielded: object, convert: Callable[[object], Any] = ladder_gen.convert_yielded) -> Any:
    future = convert(yielded)
    return ladder_gen.convert_yielded([]) if future is ladder_gen.moment else future


@pytest.mark.parametrize(
    ("place", "name", "wrong"),
    [
        (IOLoop, "add_future", lambda loop, future, callback: future.add_done_callback(callback)),
        (IOLoop, "add_callback", lambda loop, *called: loop._callbacks.appendleft(partial(*called))),
        (Future, "set_exception", lambda future, error: future.set_result(None)),
        (ladder_gen, "convert_yielded", _no_moment),
    ],
)
def test_a_wrong_loop_is_found(
    place: Any, name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Some program differs when a callback runs at once, out of order, an error is lost, or `moment` does not wait."""
    monkeypatch.setattr(place, name, wrong)
    assert any(seen(source, ladder, caplog) != seen(source, tornado, caplog) for source in PROGRAMS.values())


def test_an_interrupt_in_a_callback_leaves_none_uncalled() -> None:
    """N5: it comes out of `set_result` after the other callbacks have run."""
    called: list[str] = []
    future = Future[None]()

    def interrupt(future: Future[None]) -> None:
        raise KeyboardInterrupt

    for name in ("after one", "after two"):
        future.add_done_callback(interrupt)
        future.add_done_callback(lambda future, name=name: called.append(name))  # type: ignore[misc]
    with pytest.raises(KeyboardInterrupt):
        future.set_result(None)
    assert called == ["after one", "after two"]


def test_an_error_that_is_never_retrieved_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """N10: also that of a coroutine that was called and not yielded; a retrieved one is not logged."""
    fails = ladder_gen.coroutine(lambda: 1 // 0)
    fails()
    fails().exception()
    gc.collect()
    assert logged(caplog) == ["ZeroDivisionError"]


@pytest.mark.parametrize("pairs", [1, 2])
def test_callbacks_then_timeouts_then_handlers(pairs: int, closed: list[int]) -> None:
    """The order of one iteration; callbacks that they add wait for the next one.

    K11: a handler that was removed in the same iteration is not called, although its socket was ready.
    """
    order: list[str] = []
    with simulated() as world, closing(IOLoop(world)) as loop:
        ends = [world.socketpair() for _ in range(pairs)]

        def add(called: str) -> None:
            order.append(called)
            loop.add_callback(order.append, f"added by the {called}")

        def handler(fd: int, events: int) -> None:
            order.append("handler")
            for _, there in ends:
                loop.remove_handler(there.fileno())
            loop.stop()

        for here, there in ends:
            here.send(b"!")
            loop.add_handler(there.fileno(), handler, EVENT_READ)
        loop.add_timeout(0, add, "timeout")
        loop.add_callback(add, "callback")
        loop.start()
        assert order == ["callback", "timeout", "handler"]
        loop.add_callback(loop.stop)
        loop.start()
    assert order[3:] == ["added by the callback", "added by the timeout"]


@pytest.mark.parametrize("seed", range(5))
def test_another_thread_wakes_the_loop(seed: int) -> None:
    """In any order of the threads both callbacks run, in the loop's thread."""
    called: list[threading.Thread] = []
    with simulated(choices=Choices.seeded(seed)) as world:
        loop = IOLoop(world)

        def called_back() -> None:
            called.append(threading.current_thread())
            if len(called) == 2:
                loop.stop()

        with running(world, *[partial(loop.add_callback, called_back)] * 2):
            loop.start()
        loop.close()
        with pytest.raises(RuntimeError, match="closing"):
            loop.add_callback(print)
        assert world.by_fd == {}
    assert called == [threading.main_thread()] * 2
