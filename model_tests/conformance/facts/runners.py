"""Facts about run and Runner: contexts, loops, debug mode, results and errors."""

from __future__ import annotations

import contextvars
import inspect
import os
from typing import Any

from .fact import asyncio, fact


@fact("RUN-2", "Runner")
def context_on_entry() -> None:
    """A Runner copies the context when it is entered, not when it is made."""
    variable = contextvars.ContextVar("variable", default=0)

    async def value() -> int:
        return variable.get()

    runner = asyncio.Runner()
    variable.set(1)
    with runner:
        variable.set(2)
        assert runner.run(value()) == 1


@fact("RUN-2", "Runner")
def context_on_first_run() -> None:
    """A Runner that is not entered copies the context at the first call of run() or get_loop()."""
    variable = contextvars.ContextVar("variable", default=0)

    async def value() -> int:
        return variable.get()

    runner = asyncio.Runner()
    variable.set(1)
    assert runner.run(value()) == 1
    variable.set(2)
    assert runner.run(value()) == 1
    runner.close()


@fact("RUN-2", "Runner")
def context_given_once() -> None:
    """A context that is given to run() is used as it is, and for that call only."""
    variable = contextvars.ContextVar("variable", default="own")
    given = contextvars.copy_context()
    given.run(variable.set, "given")

    async def change(new: str) -> str:
        old = variable.get()
        variable.set(new)
        return old

    with asyncio.Runner() as runner:
        assert runner.run(change("own 2")) == "own"
        assert runner.run(change("given 2"), context=given) == "given"
        assert runner.run(change("own 3")) == "own 2"
    assert given[variable] == "given 2"


@fact("RUN-2", "RUN-1", "Runner", "run")
def context_of_caller() -> None:
    """The caller of run() does not see a value that the program sets in its context."""
    variable = contextvars.ContextVar("variable", default=0)

    async def change() -> None:
        variable.set(1)

    asyncio.run(change())
    with asyncio.Runner() as runner:
        runner.run(change())
    assert variable.get() == 0


@fact("RUN-2", "Runner")
def lazy() -> None:
    """A Runner makes its loop when it is first needed, once, by its loop_factory."""
    made = []

    def factory() -> Any:
        made.append(asyncio.new_event_loop())
        return made[-1]

    runner = asyncio.Runner(loop_factory=factory)
    assert not made
    with runner:
        assert made == [runner.get_loop()]
        runner.run(asyncio.sleep(0))
        assert made == [runner.get_loop()]


@fact("RUN-2", "Runner")
def goes_on_after_an_error() -> None:
    """An error of one program leaves a Runner open, with the same loop, for the next."""

    async def fails() -> None:
        raise KeyError(1)

    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        try:
            runner.run(fails())
        except KeyError:
            assert runner.run(asyncio.sleep(0, 5)) == 5
            assert runner.get_loop() is loop


@fact("RUN-2", "RUN-1", "Runner", "run")
def runs_awaitables_only() -> None:
    """An object that cannot be awaited is refused with ValueError or TypeError, and the Runner can go on."""
    with asyncio.Runner() as runner:
        for wrong in (None, 5, asyncio.sleep, [3]):
            try:
                runner.run(wrong)
            except (ValueError, TypeError):
                continue
            raise AssertionError("it was accepted")
        assert runner.run(asyncio.sleep(0, 3)) == 3


@fact("RUN-2", "RUN-1", "Runner", "run", since=(3, 14))
def runs_any_awaitable() -> None:
    """A Runner, and run(), take any awaitable: a future of the loop, an object with __await__."""

    class Value:
        def __await__(self) -> Any:
            return asyncio.sleep(0, 4).__await__()

    with asyncio.Runner() as runner:
        future = runner.get_loop().create_future()
        runner.get_loop().call_soon(future.set_result, 3)
        assert runner.run(future) == 3
        assert runner.run(Value()) == 4
    assert asyncio.run(Value()) == 4


@fact("RUN-2", "Runner")
def debug_given() -> None:
    """Runner(debug=True) and Runner(debug=False) set the debug mode of the loop."""
    for debug in (True, False):

        def factory(debug: bool = debug) -> Any:
            loop = asyncio.new_event_loop()
            loop.set_debug(not debug)
            return loop

        with asyncio.Runner(debug=debug, loop_factory=factory) as runner:
            assert runner.get_loop().get_debug() is debug


@fact("RUN-2", "Runner")
def debug_by_default() -> None:
    """A Runner without debug leaves the mode that the loop has."""
    for debug in (True, False):

        def factory(debug: bool = debug) -> Any:
            loop = asyncio.new_event_loop()
            loop.set_debug(debug)
            return loop

        with asyncio.Runner(loop_factory=factory) as runner:
            assert runner.get_loop().get_debug() is debug


@fact("RUN-1", "run")
def debug_of_run() -> None:
    """run(debug=...) sets the debug mode of the loop."""

    async def mode() -> Any:
        return asyncio.get_running_loop().get_debug()

    assert asyncio.run(mode(), debug=True) is True
    assert asyncio.run(mode(), debug=False) is False


@fact("RUN-2", "Runner")
def current_loop_with_factory() -> None:
    """With a loop_factory, a Runner does not touch the thread's current event loop."""
    mine = asyncio.new_event_loop()
    asyncio.set_event_loop(mine)
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        runner.run(asyncio.sleep(0))
        assert asyncio.get_event_loop() is mine
    assert asyncio.get_event_loop() is mine
    mine.close()


@fact("RUN-2", "Runner")
def current_loop() -> None:
    """Without a loop_factory, the loop of a Runner is the current one until the Runner is closed."""
    mine = asyncio.new_event_loop()
    asyncio.set_event_loop(mine)
    with asyncio.Runner() as runner:
        assert asyncio.get_event_loop() is runner.get_loop()
    mine.close()
    try:
        asyncio.get_event_loop()
    except RuntimeError:
        return
    raise AssertionError("there is a current loop")


@fact("RUN-1", "run")
def new_loop_each_time() -> None:
    """run() makes a new loop, and closes it at the end, also when the program fails."""
    loops: list[Any] = []

    async def fails() -> None:
        loops.append(asyncio.get_running_loop())
        raise KeyError(1)

    for _ in range(2):
        try:
            asyncio.run(fails())
        except KeyError:
            assert loops[-1].is_closed()
    assert len(loops) == 2
    assert loops[0] is not loops[1]


@fact("RUN-1", "run", since=(3, 12))
def loop_factory_of_run() -> None:
    """run() makes its loop by loop_factory, if there is one."""
    made: list[Any] = []

    def factory() -> Any:
        made.append(asyncio.new_event_loop())
        return made[-1]

    async def running() -> Any:
        return asyncio.get_running_loop()

    assert asyncio.run(running(), loop_factory=factory) is made[0]
    assert made[0].is_closed()


@fact("RUN-2", "RUN-1", "Runner", "run")
def nothing_begins_when_refused() -> None:
    """run() and Runner.run() within a running loop raise RuntimeError, and make no task."""
    coroutine = asyncio.sleep(0, 5)

    async def main() -> None:
        for run in (asyncio.Runner().run, asyncio.run):
            try:
                run(coroutine)
            except RuntimeError:
                await asyncio.sleep(0)
                assert len(asyncio.all_tasks()) == 1
                continue
            raise AssertionError("it was accepted")

    asyncio.new_event_loop().run_until_complete(main())
    state = inspect.getcoroutinestate(coroutine)
    coroutine.close()
    assert state == "CORO_CREATED"


@fact("RUN-2", "Runner")
def used_within_itself() -> None:
    """A Runner that is used by its own program raises RuntimeError, and nothing of the coroutine runs."""
    seen = []

    async def inner() -> None:
        seen.append("inner")

    async def main() -> None:
        coroutine = inner()
        try:
            runner.run(coroutine)
        except RuntimeError:
            seen.append("refused")
        await asyncio.sleep(0.01)
        coroutine.close()

    with asyncio.Runner() as runner:
        runner.run(main())
    assert seen == ["refused"]


@fact("RUN-1", "RUN-2", "Runner", "run")
def current_loop_is_not_used() -> None:
    """run() and a Runner make a loop of their own, although the thread has a current one."""
    mine = asyncio.new_event_loop()

    async def running() -> Any:
        return asyncio.get_running_loop()

    asyncio.set_event_loop(mine)
    assert asyncio.run(running()) is not mine
    asyncio.set_event_loop(mine)
    with asyncio.Runner() as runner:
        assert runner.run(running()) is not mine
    assert not mine.is_closed()
    mine.close()


@fact("RUN-1", "RUN-2", "Runner", "run")
def debug_of_the_environment() -> None:
    """Without a debug argument the loop is in debug mode if the environment says so."""

    async def mode() -> Any:
        return asyncio.get_running_loop().get_debug()

    before = os.environ.get("PYTHONASYNCIODEBUG")
    try:
        for value in ("1", ""):
            os.environ["PYTHONASYNCIODEBUG"] = value
            with asyncio.Runner() as runner:
                assert [asyncio.run(mode()), runner.run(mode())] == [bool(value)] * 2
    finally:
        os.environ.pop("PYTHONASYNCIODEBUG")
        if before is not None:
            os.environ["PYTHONASYNCIODEBUG"] = before


@fact("RUN-1", "RUN-2", "Runner", "run")
def results_and_errors() -> None:
    """run() and Runner.run() return the very result of the program, or raise its very exception."""

    async def main(thing: Any) -> Any:
        if isinstance(thing, BaseException):
            raise thing
        return thing

    with asyncio.Runner() as runner:
        for run in (asyncio.run, runner.run):
            for thing in (None, False, [], KeyError, object()):
                assert run(main(thing)) is thing
            for error in (KeyError(1), TimeoutError(), SystemExit(2), KeyboardInterrupt(), GeneratorExit()):
                try:
                    run(main(error))
                except BaseException as raised:
                    assert raised is error
                else:
                    raise AssertionError("the error is lost")
