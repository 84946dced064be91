"""A pytest plugin for the peers' tests: simulated loops in place of asyncio's, an alarm, and a record of results.

1. The policy of event loops, the class of asyncio's own loop, and the base class of uvloop's tests make simulated
   loops.  So a suite gets a simulated loop, whichever way it makes one.
2. Each test runs under an alarm that fires again if the test swallows it: a hang is one failure, not the end.
3. The result of each test is recorded, with its error.  A test that fails in one of its three phases (set-up, call,
   tear-down) has failed.  One that passes and has made no loop proves nothing about loops: it is counted separately.

Tests of another kind of loop are left out: suites.py.
"""

import asyncio
import importlib
import json
import signal
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

from impl.bridges.asyncio.loop import SimEventLoop

from .cpython import LIMIT_S, Overdue

# `Any` in this file: pytest's objects, and the arguments of a loop's constructor.


_made: Final = count()  #: of simulated loops


def _loop(*args: Any, **kwargs: Any) -> SimEventLoop:
    """Return a new simulated loop; it ignores a selector."""
    next(_made)
    return SimEventLoop()


def _refused(loop: Any, *args: Any, **kwargs: Any) -> None:
    raise AssertionError(f"{type(loop).__name__} is not simulated")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--account", type=Path, help="where to write what became of each test")
    parser.addoption("--alarm", type=float, default=LIMIT_S, help="seconds that a test may take")


def pytest_configure(config: pytest.Config) -> None:
    substitute()
    if config.option.account:
        config.pluginmanager.register(Account(config.option.account, config.option.alarm))


def substitute() -> None:
    """Make every loop factory of asyncio make simulated loops."""
    policy: Any = asyncio.DefaultEventLoopPolicy
    policy.new_event_loop = _loop
    real: Any = asyncio.BaseEventLoop
    real.__init__ = _refused
    for name in ("SelectorEventLoop", "EventLoop"):  # EventLoop: since 3.13
        if hasattr(asyncio, name):
            setattr(asyncio, name, _loop)
    try:
        base: Any = importlib.import_module("uvloop._testbase")
    except ModuleNotFoundError:
        return
    base.UVTestCase.new_loop = _loop
    base.UVTestCase.new_policy = lambda test: asyncio.DefaultEventLoopPolicy()


class Account:
    """A record of the result of each test."""

    def __init__(self, into: Path, alarm_s: float) -> None:
        self._into = into
        self._alarm_s = alarm_s
        self._became: dict[str, tuple[str, str]] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, self._alarm_s, 1)
        before = next(_made)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            if next(_made) == before + 1 and self._became.get(item.nodeid) == ("passed", ""):
                self._became[item.nodeid] = ("passed without a loop", "")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        became, _ = self._became.get(report.nodeid, ("", ""))
        if report.failed and became != "failed":
            told = str(getattr(getattr(report.longrepr, "reprcrash", None), "message", report.longrepr))
            self._became[report.nodeid] = ("failed", told.strip())
        elif report.skipped and not became:
            self._became[report.nodeid] = ("skipped", "")
        elif report.when == "call" and not became:
            self._became[report.nodeid] = ("passed", "")

    def pytest_sessionfinish(self) -> None:
        self._into.write_text(json.dumps(self._became), encoding="utf-8")

    def _ring(self, number: int, frame: FrameType | None) -> None:
        raise Overdue(f"hangs: it has not ended after {self._alarm_s} s")
