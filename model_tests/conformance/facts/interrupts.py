"""Facts about SIGINT in run and Runner."""

from __future__ import annotations

import signal
import threading
from typing import Any

from .fact import asyncio, fact


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
