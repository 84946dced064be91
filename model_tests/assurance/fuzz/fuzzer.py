"""Run a target on many inputs, each within a bound of CPU time and of memory.

Input `number` of a target depends on the seed and the number alone, so any one can be run again by itself.  A timer of
the process's own CPU time interrupts Python code that hangs; C code that does is ended, with a traceback, by a watchdog
thread.
"""

import faulthandler
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from time import process_time
from typing import Final, NoReturn

from impl.sim.choices import seeded_source

from .mutate import Choose, mutated
from .targets import Target

#: The bounds of one input, of at most BYTES_MAX: far above the needs of any, far below those of a hang or a bomb.
CPU_S: Final = 1.0
MEMORY_BYTES: Final = 50_000_000
BYTES_MAX: Final = 8192

#: Nothing fills that much memory in less CPU time; to measure it is slow.
_FILLED_S: Final = 0.004

_WATCHED_S: Final = 60.0
_WATCHED_INPUTS: Final = 1000
#: The descriptor: `sys.stderr` may be an object of a test.
_STDERR: Final = 2


class ExceededError(Exception):
    """An input took more CPU time or memory than its bound."""


@dataclass(frozen=True, slots=True)
class Found:
    """An input that fails: the smallest one that was found from it, and the exception."""

    number: int
    data: bytes
    error: Exception


@dataclass(slots=True)
class TargetTally:
    """The outcomes of the inputs of a target; the first failure ended it.

    slowest: CPU seconds of an input, and its number.  grown_bytes: growth of the process's peak of memory.
    """

    inputs: int = 0
    became: Counter[str] = field(default_factory=Counter)
    slowest: tuple[float, int] = (0.0, 0)
    grown_bytes: int = 0
    found: Found | None = None


def fuzz(target: Target, seed: int, numbers: range) -> TargetTally:
    """Run the inputs of these numbers, up to the first that fails."""
    tally, start = TargetTally(), _peak_bytes()
    run = _Bounded(target)
    with _interrupting():
        for number in numbers:
            if tally.inputs % _WATCHED_INPUTS == 0:
                faulthandler.dump_traceback_later(_WATCHED_S, exit=True, file=_STDERR)
            data, choose = example(target, seed, number)
            try:
                tally.became[run(data, choose)] += 1
            except Exception as error:
                again = partial(_fails, run, seed, number, type(error))
                tally.found = Found(number, smallest(data, again), error)
                break
            finally:
                tally.inputs += 1
                tally.slowest = max(tally.slowest, (run.seconds, number))
        faulthandler.cancel_dump_traceback_later()
    tally.grown_bytes = _peak_bytes() - start
    return tally


def example(target: Target, seed: int, number: int) -> tuple[bytes, Choose]:
    """Return an input, and the source of the draws of its check."""
    choose = seeded_source(seed)(f"fuzz {target.name} {number}")
    return mutated(choose, target.corpus, target.tokens, BYTES_MAX), choose


def smallest(data: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """Return an input that still fails, although it does not without any one of its bytes (delta debugging)."""
    size = len(data) // 2
    while size:
        at = 0
        while at < len(data):
            shorter = data[:at] + data[at + size :]
            if fails(shorter):
                data = shorter
            else:
                at += size
        size //= 2
    return data


class _Bounded:
    """Checks inputs of a target within the bounds; `seconds`: the CPU time of the last one."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.seconds = 0.0
        self._peak = _peak_bytes()

    def __call__(self, data: bytes, choose: Choose) -> str:
        began = process_time()
        signal.setitimer(signal.ITIMER_VIRTUAL, CPU_S)
        try:
            became = self.target.check(data, choose)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            self.seconds = process_time() - began
        if self.seconds >= _FILLED_S:
            before, self._peak = self._peak, _peak_bytes()
            if self._peak - before > MEMORY_BYTES:
                raise ExceededError(f"it took more than {MEMORY_BYTES:,} bytes of memory")
        return became


def _fails(run: _Bounded, seed: int, number: int, error: type[Exception], data: bytes) -> bool:
    _, choose = example(run.target, seed, number)
    try:
        run(data, choose)
    except Exception as raised:
        return type(raised) is error
    return False


@contextmanager
def _interrupting() -> Iterator[None]:
    def interrupt(number: int, frame: object) -> NoReturn:
        raise ExceededError(f"it took more than {CPU_S} s of CPU")

    before = signal.signal(signal.SIGVTALRM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGVTALRM, before)


def _peak_bytes() -> int:
    """The peak of memory of this process; ru_maxrss is in kB (getrusage(2), Linux)."""
    import resource  # here, as it is not there on Windows

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
