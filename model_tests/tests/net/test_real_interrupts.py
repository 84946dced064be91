"""Ctrl-C on the real loop, in a process of its own: once, twice, too late, and while a callback never returns."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap

import pytest

from impl import CancelledError, sleep
from impl.net.real.loop import SocketLoop

from ...dev.pythons import ROOT

PREAMBLE = """
import os, signal, sys
from impl import CancelledError, sleep
from impl.net.real.loop import SocketLoop

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)

loop = SocketLoop()
"""
EPILOGUE = """
try:
    print("returned", loop.run(main()))
except KeyboardInterrupt:
    print("interrupted")
assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
assert signal.set_wakeup_fd(-1) == -1
assert loop.is_closed()
assert len(os.listdir("/proc/self/fd")) == 4, os.listdir("/proc/self/fd")  # the three, and that of the listing
sys.exit(130)
"""


def said(program: str) -> list[str]:
    """Return the output of a program; it must end as expected, without a traceback."""
    ran = subprocess.run(
        [sys.executable, "-X", "dev", "-c", PREAMBLE + textwrap.dedent(program) + EPILOGUE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert ran.stderr == ""
    assert ran.returncode == 130
    return ran.stdout.splitlines()


def test_the_first_cancels_main_which_cleans_up() -> None:
    """The loop is waiting in `select` for a distant timer."""
    program = """
    async def main():
        loop.call_later(0.01, interrupt)
        try:
            await sleep(1e6)
        finally:
            await sleep(0.001)
            print("report")
    """
    assert said(program) == ["report", "interrupted"]


def test_one_from_outside_wakes_a_loop_that_waits() -> None:
    """A signal from another process, while this process is idle."""
    program = """
    signal.signal(signal.SIGALRM, lambda *_: interrupt())
    signal.setitimer(signal.ITIMER_REAL, 0.02)

    async def main():
        try:
            await sleep(1e6)
        finally:
            print("report")
    """
    assert said(program) == ["report", "interrupted"]


def test_all_tasks_are_cancelled_after_main() -> None:
    program = """
    async def other():
        try:
            await sleep(1e6)
        finally:
            print("other")

    async def main():
        loop.create_task(other())
        loop.call_later(0.005, interrupt)
        try:
            await sleep(1e6)
        finally:
            print("main")
    """
    assert said(program) == ["main", "other", "interrupted"]


def test_the_second_does_not_wait_for_the_clean_up() -> None:
    program = """
    async def main():
        loop.call_later(0.005, interrupt)
        try:
            await sleep(1e6)
        finally:
            print("cleaning up")
            loop.call_later(0.005, interrupt)
            try:
                await sleep(1e6)
            finally:
                print("at once")
    """
    assert said(program) == ["cleaning up", "at once", "interrupted"]


def test_the_third_ends_one_that_will_not() -> None:
    program = """
    async def main():
        for _ in range(3):
            loop.call_later(0.005, interrupt)
            try:
                await sleep(1e6)
            except CancelledError:
                print("no")
    """
    assert said(program) == ["no", "no", "interrupted"]


def test_where_the_loop_does_not_come_round_the_second_raises() -> None:
    """The tasks that main left behind still clean up."""
    program = """
    async def other():
        try:
            await sleep(1e6)
        finally:
            await sleep(0.001)
            print("other")

    async def main():
        loop.create_task(other())
        await sleep(0)
        interrupt()
        print("goes on")
        try:
            while True:
                interrupt()
        finally:
            print("broken")
    """
    assert said(program) == ["goes on", "broken", "other", "interrupted"]


def test_a_main_that_catches_the_cancel_has_its_result() -> None:
    program = """
    async def main():
        loop.call_soon(interrupt)
        try:
            await sleep(1e6)
        except CancelledError:
            return "partial"
    """
    assert said(program) == ["returned partial"]


@pytest.mark.parametrize("when", ["interrupt()", "loop.call_soon(interrupt)"])
def test_one_that_comes_when_all_is_over_is_not_lost(when: str) -> None:
    """In main's last step, and in the loop's last iteration."""
    program = f"""
    async def main():
        {when}
        return "result"
    """
    assert said(program) == ["interrupted"]


def test_another_handler_is_left_alone() -> None:
    program = """
    signal.signal(signal.SIGINT, lambda *_: print("theirs"))

    async def main():
        interrupt()
        await sleep(0.001)
        signal.signal(signal.SIGINT, signal.default_int_handler)
    """
    assert said(program) == ["theirs", "returned None"]


def test_a_cancel_by_the_program_is_no_interrupt() -> None:
    loop = SocketLoop()

    async def main() -> None:
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        loop.current.cancel()
        await sleep(0)

    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(CancelledError):
        loop.run(main())
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
