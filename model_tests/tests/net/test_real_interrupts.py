"""Ctrl-C on the real loop, in a process of its own: once, twice, too late, and while a callback never returns."""

from __future__ import annotations

import signal
import subprocess
import sys

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

async def wait(name, cleanup=0):
    try:
        await sleep(1e6)
    finally:
        if cleanup:
            await sleep(cleanup)
        print(name)

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


#: Each with the lines that it prints.
PROGRAMS = """
# the first cancels main, which cleans up, while the loop waits for a distant timer: report, interrupted
async def main():
    loop.call_later(0.01, interrupt)
    await wait("report", 0.001)

# one from outside wakes a loop that waits, while the process is idle: report, interrupted
signal.signal(signal.SIGALRM, lambda *_: interrupt())
signal.setitimer(signal.ITIMER_REAL, 0.02)
async def main():
    await wait("report")

# all tasks are cancelled after main: main, other, interrupted
async def main():
    loop.create_task(wait("other"))
    loop.call_later(0.005, interrupt)
    await wait("main")

# the second does not wait for the clean-up: cleaning up, at once, interrupted
async def main():
    loop.call_later(0.005, interrupt)
    try:
        await wait("cleaning up")
    finally:
        loop.call_later(0.005, interrupt)
        await wait("at once")

# the third ends one that will not end: no, no, interrupted
async def main():
    for _ in range(3):
        loop.call_later(0.005, interrupt)
        try:
            await sleep(1e6)
        except CancelledError:
            print("no")

# where the loop does not come round the second raises, and what is left cleans up: goes on, broken, other, interrupted
async def main():
    loop.create_task(wait("other", 0.001))
    await sleep(0)
    interrupt()
    print("goes on")
    try:
        while True:
            interrupt()
    finally:
        print("broken")

# a main that catches the cancel has its result: returned partial
async def main():
    loop.call_soon(interrupt)
    try:
        await sleep(1e6)
    except CancelledError:
        return "partial"

# one that comes in the last step of main is not lost: interrupted
async def main():
    interrupt()
    return "result"

# one that comes in the last iteration of the loop is not lost: interrupted
async def main():
    loop.call_soon(interrupt)
    return "result"

# another handler is left alone: theirs, returned None
signal.signal(signal.SIGINT, lambda *_: print("theirs"))
async def main():
    interrupt()
    await sleep(0.001)
    signal.signal(signal.SIGINT, signal.default_int_handler)
"""
CASES = [block.partition("\n") for block in PROGRAMS.split("\n# ")[1:]]


@pytest.mark.parametrize(("heading", "_", "program"), CASES, ids=[heading for heading, *_ in CASES])
def test_an_interrupt(heading: str, _: str, program: str) -> None:
    """It ends as expected, without a traceback."""
    ran = subprocess.run(
        [sys.executable, "-X", "dev", "-c", PREAMBLE + program + EPILOGUE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert (ran.stderr, ran.returncode) == ("", 130)
    assert ran.stdout.splitlines() == heading.partition(": ")[2].split(", ")


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
