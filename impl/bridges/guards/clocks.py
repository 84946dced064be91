"""The functions of `time` that read a clock: virtual where a simulated loop runs.

The clock starts at EPOCH (`time.time`) and 0 (the others), and `time.sleep` advances it.  Local time is that of the
machine's time zone.  Computing takes no virtual time, so `process_time` and `thread_time` stand still.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, Final, TypeAlias, cast

from ..simulation import simulation

#: The start of the virtual clock, in seconds since 1970: 2024-01-01, 00:00 UTC.
EPOCH: Final = 1_704_067_200

_SECOND: Final = 1_000_000_000

#: A time as the module time takes or returns it, and a function of that module.
Time: TypeAlias = Any
TimeFunction: TypeAlias = Callable[..., Time]

#: The virtual time in nanoseconds as each clock shows it.
_CLOCKS: Final[dict[str, Callable[[int], int]]] = {
    "time": lambda now: EPOCH * _SECOND + now,
    "monotonic": lambda now: now,
    "perf_counter": lambda now: now,
    "process_time": lambda now: 0,
    "thread_time": lambda now: 0,
}
#: The identifiers of clock_gettime -> the clock that shows the same.  Not every system has each of them.
_BY_ID: Final = {
    getattr(time, f"CLOCK_{identifier}"): name
    for identifier, name in {
        "REALTIME": "time",
        "TAI": "time",
        "MONOTONIC": "monotonic",
        "MONOTONIC_RAW": "monotonic",
        "BOOTTIME": "monotonic",
        "UPTIME": "monotonic",
        "HIGHRES": "monotonic",
        "PROCESS_CPUTIME_ID": "process_time",
        "THREAD_CPUTIME_ID": "thread_time",
    }.items()
    if hasattr(time, f"CLOCK_{identifier}")
}

_sleep = time.sleep


def _read(clock: str) -> int | None:
    """A clock in nanoseconds; None: no simulated loop runs in this thread."""
    here = simulation()
    return None if here is None else _CLOCKS[clock](here.clock.read())


def _clock(name: str, scale: int) -> TimeFunction:
    """A clock of `time`; `scale`: 1 for whole nanoseconds, 10**9 for seconds."""
    real: TimeFunction = getattr(time, name)

    def clock() -> Time:
        now = _read(name.removesuffix("_ns"))
        if now is None:
            return real()
        return now if scale == 1 else now / scale

    return _named(clock, name)


def _gettime(name: str, scale: int) -> TimeFunction:
    real: TimeFunction = getattr(time, name)

    def gettime(clk_id: int, /) -> Time:
        now = _read(_BY_ID[clk_id]) if clk_id in _BY_ID else None
        if now is None:
            return real(clk_id)
        return now if scale == 1 else now / scale

    return _named(gettime, name)


def _calendar(name: str) -> TimeFunction:
    """`localtime`, `gmtime` or `ctime`: the argument is in seconds, by default the present."""
    real: TimeFunction = getattr(time, name)

    def calendar(seconds: float | None = None, /) -> Time:
        now = _read("time") if seconds is None else None
        return real(seconds if now is None else now / _SECOND)

    return _named(calendar, name)


def _text(name: str, localtime: TimeFunction) -> TimeFunction:
    """`strftime` or `asctime`: the last argument is a time tuple, by default the present."""
    real: TimeFunction = getattr(time, name)
    arguments = 2 if name == "strftime" else 1

    def text(*given: Time) -> Time:
        if len(given) == arguments - 1 and simulation() is not None:
            given = (*given, localtime())
        return real(*given)

    return _named(text, name)


def _named(function: TimeFunction, name: str) -> TimeFunction:
    function.__name__ = function.__qualname__ = name
    return function


def _blocking_sleep(seconds: float, /) -> None:
    """Block the thread: the clock advances; while the loop's own sleeps, no other task runs."""
    here = simulation()
    if here is None:
        _sleep(seconds)
    elif seconds < 0:
        raise ValueError("sleep length must be non-negative")
    elif here.threads is None:
        here.kernel.advance(here.kernel.now + round(seconds * _SECOND))
    else:
        here.threads.sleep(seconds)


class _Start(float):
    """The start that `LogRecord.relativeCreated` counts from, up to Python 3.12: in a run, that of the run."""

    def __rsub__(self, time: float) -> float:
        return time - (float(self) if simulation() is None else EPOCH)


class _StartNs(int):
    """The same in nanoseconds, since Python 3.13."""

    def __rsub__(self, time: int) -> int:
        return time - (int(self) if simulation() is None else EPOCH * _SECOND)


def start_of_logging() -> object:
    """The replacement of `logging._startTime`, which is private to CPython: tested on 3.11 to 3.15."""
    real = getattr(logging, "_startTime", 0.0)
    return _StartNs(real) if isinstance(real, int) else _Start(real)


def replacements() -> dict[str, TimeFunction]:
    """The functions of `time` to replace, by name."""
    made = {"sleep": cast(TimeFunction, _blocking_sleep)}
    for name in _CLOCKS:
        made[name] = _clock(name, _SECOND)
        made[f"{name}_ns"] = _clock(f"{name}_ns", 1)
    for name in ("localtime", "gmtime", "ctime"):
        made[name] = _calendar(name)
    for name in ("strftime", "asctime"):
        made[name] = _text(name, made["localtime"])
    if hasattr(time, "clock_gettime"):  # on Unix
        made["clock_gettime"] = _gettime("clock_gettime", _SECOND)
        made["clock_gettime_ns"] = _gettime("clock_gettime_ns", 1)
    return made
