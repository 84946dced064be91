"""In the process that runs a peer's tests: the simulated loop in the place of asyncio's, an alarm, and an account.

Theory of operation.
1.  pytest loads this as a plugin.  The policy of event loops, the class of asyncio's own loop, and the class from
    which uvloop's tests take theirs, make simulated loops: whatever way a suite comes by its loop, it is ours.
2.  Each test runs under an alarm that rings again if the test swallows it: a hang is one failure, not the end.
3.  What became of each test is written down, with its error; a test that fails in one of its three phases (set-up,
    call, tear-down) has failed, and one that passes and has made no loop says nothing about loops: it is told apart.

Tests that are about a loop of another kind are left out: suites.py.
"""

from __future__ import annotations

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

# Any in this file: what pytest hands about, and the arguments of who makes a loop.


_made: Final = count()  #: of simulated loops


def _loop(*args: Any, **kwargs: Any) -> SimEventLoop:
    """A loop for whoever asks asyncio for one; a selector says nothing to it."""
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
    """Make simulated loops of all that makes loops."""
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
    """What became of each test."""

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
