"""Ctrl-C on the real loop, in a process of its own: once, twice, too late, and while a callback never returns."""

import signal
from pathlib import Path

import pytest

from impl import CancelledError, sleep
from impl.net.real.loop import SocketLoop

from ...programs.tables import texts
from ..process import python

PROGRAMS = texts(Path(__file__).with_name("real_interrupts.txt"))
PREAMBLE, EPILOGUE = (PROGRAMS.pop(head) for head in ("the beginning of each program", "its end"))


@pytest.mark.parametrize("heading", PROGRAMS)
def test_an_interrupt(heading: str) -> None:
    """It prints the lines of its heading, without a traceback."""
    ran = python("-X", "dev", "-c", PREAMBLE + PROGRAMS[heading] + EPILOGUE)
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
