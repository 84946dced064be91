"""Facts about run and Runner: contexts, loops, debug mode, what is left at the end, threads, signals."""

from __future__ import annotations

import contextvars
import inspect
import os
import signal
import threading
import time
from collections.abc import AsyncIterator
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
    """What a program sets in its context is not seen by the caller of run()."""
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
def closes_loop() -> None:
    """A Runner closes its loop at the end of the with block, also when the block raises."""
    loops = []
    try:
        with asyncio.Runner() as runner:
            loops.append(runner.get_loop())
            assert not loops[0].is_closed()
            raise KeyError(1)
    except KeyError:
        assert loops[0].is_closed()
    else:
        raise AssertionError("the error of the block is lost")


@fact("RUN-2", "Runner")
def closed_twice() -> None:
    """A second close() of a Runner does nothing, and neither does one before it has a loop."""
    asyncio.Runner().close()
    runner = asyncio.Runner()
    assert runner.run(asyncio.sleep(0, 7)) == 7
    runner.close()
    runner.close()


@fact("RUN-2", "Runner")
def not_reopened() -> None:
    """A Runner that is closed can neither be entered nor run anything."""
    runner = asyncio.Runner()
    with runner:
        pass
    try:
        with runner:
            pass
    except RuntimeError:
        return
    raise AssertionError("it was entered again")


@fact("RUN-2", "Runner")
def tasks_stay_between_runs() -> None:
    """A task that one program leaves goes on while the next one runs, and is cancelled by close()."""
    seen: list[Any] = []

    async def leftover() -> None:
        try:
            for number in range(100):
                seen.append(number)
                await asyncio.sleep(0.01)
        finally:
            seen.append("ended")

    async def main() -> Any:
        return asyncio.create_task(leftover())

    with asyncio.Runner() as runner:
        task = runner.run(main())
        runner.run(asyncio.sleep(0.05))
        assert seen[:3] == [0, 1, 2]
        assert not task.done()
    assert seen[-1] == "ended"
    assert task.cancelled()


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
def runs_coroutines_only() -> None:
    """What is no coroutine is refused with ValueError or TypeError, and the Runner can go on."""
    with asyncio.Runner() as runner:
        for wrong in (None, 5, asyncio.sleep, runner.get_loop().create_future()):
            try:
                runner.run(wrong)
            except (ValueError, TypeError):
                continue
            raise AssertionError("it was accepted")
        assert runner.run(asyncio.sleep(0, 3)) == 3


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


@fact("RUN-2", "Runner")
def generators_after_tasks() -> None:
    """close() cancels the tasks first, and closes asynchronous generators that these have begun, too."""
    closed = []
    kept: list[Any] = []

    async def numbers() -> AsyncIterator[int]:
        try:
            yield 1
        finally:
            await asyncio.sleep(0)
            closed.append("generator")

    async def leftover() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            kept.append(numbers())
            await anext(kept[0])

    async def main() -> None:
        kept.append(asyncio.create_task(leftover()))
        await asyncio.sleep(0)
        kept.clear()

    with asyncio.Runner() as runner:
        runner.run(main())
    assert closed == ["generator"]


@fact("RUN-2", "RUN-1", "Runner", "run")
def cancels_all_that_is_left() -> None:
    """Every task that is left is cancelled once, and run to its end."""
    ended = []

    async def leftover(number: int) -> None:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            for _ in range(number):
                await asyncio.sleep(0.01)
            ended.append(number)

    async def main() -> None:
        for number in range(4):
            kept.append(asyncio.create_task(leftover(number)))
        await asyncio.sleep(0)

    kept: list[Any] = []
    asyncio.run(main())
    with asyncio.Runner() as runner:
        runner.run(main())
    assert ended == [0, 1, 2, 3] * 2


@fact("RUN-2", "RUN-1", "Runner", "run")
def errors_of_leftovers() -> None:
    """An error of a task that is cancelled at the end goes to the exception handler, and is not raised."""
    reports: list[Any] = []

    async def leftover() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            raise KeyError(1)

    async def main() -> int:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, context: reports.append(context))
        reports.append(asyncio.create_task(leftover()))
        await asyncio.sleep(0)
        return 3

    assert asyncio.run(main()) == 3
    assert [type(reports[1]["exception"]), reports[1]["task"]] == [KeyError, reports[0]]


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


@fact("RUN-1", "RUN-2", "Runner", "run", threads=True)
def threads_are_joined() -> None:
    """At the end the threads of the default executor have done what they were given, and ended."""
    seen: list[Any] = []

    def slow() -> None:
        time.sleep(0.05)
        seen.append(threading.current_thread())

    async def main() -> None:
        asyncio.get_running_loop().run_in_executor(None, slow)

    asyncio.run(main())
    assert [thread.is_alive() for thread in seen] == [False]
    with asyncio.Runner() as runner:
        runner.run(main())
    assert [thread.is_alive() for thread in seen] == [False, False]


@fact("RUN-2", "RUN-1", "Runner", "run")
def closed_in_any_case() -> None:
    """The loop is closed also if a task that is left ends with SystemExit."""
    seen: list[Any] = []

    async def leftover() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            raise SystemExit(3)

    async def main() -> None:
        seen.append(asyncio.create_task(leftover()))
        seen.append(asyncio.get_running_loop())
        await asyncio.sleep(0)

    try:
        asyncio.run(main())
    except SystemExit:
        assert seen[1].is_closed()
    try:
        with asyncio.Runner() as runner:
            runner.run(main())
    except SystemExit:
        assert seen[3].is_closed()


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


@fact("RUN-1", "RUN-2", "Runner", "run", threads=True)
def interrupted() -> None:
    """SIGINT cancels the program, and KeyboardInterrupt is raised when it has ended."""
    ended = []

    async def main() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
            await asyncio.sleep(5)
        finally:
            await asyncio.sleep(0)
            ended.append("main")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with asyncio.Runner() as runner:
            runner.run(main())
    except KeyboardInterrupt:
        assert ended == ["main"]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    else:
        raise AssertionError("no KeyboardInterrupt")
    finally:
        signal.signal(signal.SIGINT, before)


@fact("RUN-2", "RUN-1", "Runner", "run", threads=True)
def interrupt_is_caught() -> None:
    """A program that catches the cancel of SIGINT returns its result, and nothing is raised."""

    async def main() -> int:
        try:
            signal.raise_signal(signal.SIGINT)
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            return 7
        return 0

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with asyncio.Runner() as runner:
            assert runner.run(main()) == 7
    finally:
        signal.signal(signal.SIGINT, before)


@fact("RUN-2", "RUN-1", "Runner", "run", threads=True)
def interrupted_twice() -> None:
    """A second SIGINT raises KeyboardInterrupt at once."""
    seen = []

    async def main() -> None:
        signal.raise_signal(signal.SIGINT)
        seen.append("once")
        signal.raise_signal(signal.SIGINT)
        seen.append("twice")

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with asyncio.Runner() as runner:
            runner.run(main())
    except KeyboardInterrupt:
        assert seen == ["once"]
    else:
        raise AssertionError("no KeyboardInterrupt")
    finally:
        signal.signal(signal.SIGINT, before)


@fact("RUN-2", "RUN-1", "Runner", "run", threads=True)
def own_handler_of_signals() -> None:
    """A handler of SIGINT that the user has set stays, and gets the signal."""
    got = []

    async def main() -> int:
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(0)
        return 7

    before = signal.signal(signal.SIGINT, handler := lambda *args: got.append(args))
    try:
        with asyncio.Runner() as runner:
            assert runner.run(main()) == 7
        assert signal.getsignal(signal.SIGINT) is handler
        assert len(got) == 1
    finally:
        signal.signal(signal.SIGINT, before)


@fact("RUN-2", "RUN-1", "Runner", "run")
def cancelled_program() -> None:
    """A program that is cancelled without a signal raises CancelledError, and no KeyboardInterrupt."""

    async def main() -> None:
        task = asyncio.current_task()
        task.cancel("why")
        await asyncio.sleep(0)

    for run in (asyncio.run, asyncio.Runner().run):
        try:
            run(main())
        except asyncio.CancelledError as error:
            assert error.args == ("why",)
        else:
            raise AssertionError("no CancelledError")


@fact("RUN-2", "RUN-1", "Runner", "run")
def base_exceptions() -> None:
    """SystemExit of a program leaves run(), the tasks that are left are ended, and the loop is closed."""
    seen: list[Any] = []

    async def leftover() -> None:
        try:
            await asyncio.sleep(3600)
        finally:
            seen.append("ended")

    async def main() -> None:
        seen.append(asyncio.get_running_loop())
        seen.append(asyncio.create_task(leftover()))
        await asyncio.sleep(0)
        raise SystemExit(3)

    try:
        asyncio.run(main())
    except SystemExit as error:
        assert error.code == 3
        assert seen[0].is_closed()
        assert seen[2:] == ["ended"]
    else:
        raise AssertionError("no SystemExit")


@fact("RUN-2", "RUN-1", "Runner", "run", threads=True)
def interrupted_in_each_run() -> None:
    """Each program of a Runner is cancelled by the first SIGINT while it runs."""
    seen = []

    async def main() -> None:
        try:
            signal.raise_signal(signal.SIGINT)
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with asyncio.Runner() as runner:
            for _ in range(2):
                try:
                    runner.run(main())
                except KeyboardInterrupt:
                    seen.append("interrupted")
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == ["cancelled", "interrupted"] * 2


@fact("RUN-2", "RUN-1", "Runner", "run", threads=True)
def interrupted_and_cancelled() -> None:
    """A program that is cancelled by SIGINT and by other code raises CancelledError."""

    async def main() -> None:
        asyncio.current_task().cancel()
        signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(5)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with asyncio.Runner() as runner:
            runner.run(main())
    except asyncio.CancelledError:
        return
    finally:
        signal.signal(signal.SIGINT, before)
    raise AssertionError("no CancelledError")


@fact("RUN-2", "RUN-1", "Runner", "run")
def handler_of_signals() -> None:
    """The handler of SIGINT is there while a program runs, and gone however it ends."""
    handlers = []

    async def main(error: Any) -> None:
        handlers.append(signal.getsignal(signal.SIGINT))
        if error:
            raise error

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for error in (None, KeyError(1), asyncio.CancelledError(), SystemExit(1)):
            with asyncio.Runner() as runner:
                try:
                    runner.run(main(error))
                except BaseException as raised:
                    assert raised is error
                assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
            assert handlers.pop() is not signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


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


@fact("RUN-1", "RUN-2", "Runner", "run")
def generators_are_closed() -> None:
    """Every asynchronous generator that is not exhausted is closed at the end, within the loop."""
    seen = []

    async def numbers(number: int) -> AsyncIterator[int]:
        try:
            yield number
        finally:
            await asyncio.sleep(0)
            seen.append((number, asyncio.get_running_loop().is_running()))

    async def main() -> None:
        kept[:] = [numbers(number) for number in range(3)]
        for each in kept:
            await anext(each)

    kept: list[Any] = []
    asyncio.run(main())
    with asyncio.Runner() as runner:
        runner.run(main())
    assert sorted(seen) == sorted([(number, True) for number in range(3)] * 2)


@fact("RUN-1", "RUN-2", "Runner", "run", threads=True)
def in_another_thread() -> None:
    """run() and a Runner work in any thread, and leave SIGINT and the current loop of others alone."""
    seen = []

    async def main() -> int:
        seen.append(signal.getsignal(signal.SIGINT) is before)
        await asyncio.sleep(0)
        return 5

    def works() -> None:
        seen.append(asyncio.run(main()))
        with asyncio.Runner() as runner:
            seen.append(runner.run(main()))

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=works)
    thread.start()
    thread.join()
    assert seen == [True, 5, True, 5]
