"""The pytest plugin: `@pytest.mark.explore` runs an asynchronous test under many schedules, in virtual time.

    import asyncio
    import pytest

    @pytest.mark.explore(runs=200)
    async def test_two_buyers(shop):
        ...

`explore(every=True)` runs all schedules.  The arguments are those of `impl.explore.explore`;
`[tool.loopspec.explore]` in pyproject.toml sets their defaults (project.py).  Each run has function fixtures of its
own, synchronous or not, those of anyio's plugin and of pytest-asyncio included; the runtime is trio for tests that
anyio's plugin parametrizes with it, or with the marker of pytest-trio.  A test that fails shows the finding, and the
line that replays it: `pytest FILE::TEST --explore-token T`.  `--explore-runs N` replaces the number of runs.
`--explore-outside HOST:PORT` names a real server.  `--explore-pictures DIR` writes a picture of each failure, a page of
its own.  A test that cannot be simulated is an error, or with `--explore-refused=skip` a skip.

`test_rules = model_tests.Rules("mylibrary.aio")` is an item for each rule of the conformance kit (collector.py).

`pytest --explore` explores every asynchronous test, marked or not, methods of `unittest.IsolatedAsyncioTestCase` too:
first the orders of tasks, then late timers and early timeouts (searches.py).  The summary has a table of the verdicts
and, for each test that cannot be explored, the reason; such a test runs as it would without the option.  The failing
run of a test is kept in `.loopspec/` and tried first in the next session (tokens.py); `--explore-replay` runs the kept
ones only.  `addopts` sets these options for a project.

Without `--explore` a test that has no marker runs as before, and costs nothing: nothing of `impl` is imported until a
test is explored (item.py).  To run such tests once, in virtual time and on the simulated network, use a loop factory:

    # conftest.py
    import pytest
    from impl.bridges.asyncio.loop import SimEventLoop

    def pytest_asyncio_loop_factories(config, item):  # for pytest-asyncio
        return {"simulated": SimEventLoop}

    @pytest.fixture
    def anyio_backend():  # for anyio's plugin
        return "asyncio", {"loop_factory": SimEventLoop}
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, Final

import pytest

from ..commands.supported_versions import too_new
from .options import EXPLORE, MARKER, OUTSIDE, PICTURES, REFUSED, REPLAY, RUNS, TOKEN
from .selection import is_given, is_wanted
from .summary import Summary
from .tokens import KeptToken

if TYPE_CHECKING:
    from .item import Explored

#: The arguments of the marker, as `pytest --markers` shows them; explored/marker.py checks them.
_MARKER: Final = (
    "explore(runs=200, ...) or explore(every=True): run this asynchronous test in virtual time under many schedules, "
    "or under all; further arguments are those of impl.explore.explore: seed, runtime, order, network and so on"
)
_explored: Final[pytest.StashKey[Explored]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("explore", "schedules of asynchronous tests (loopspec)")
    group.addoption(EXPLORE, action="store_true", help="explore each asynchronous test, with the marker or without it")
    group.addoption(
        REPLAY, action="store_true", help="repeat the failing runs that earlier sessions kept, and run no other test"
    )
    group.addoption(RUNS, type=_runs, metavar="N", help="number of runs of each explored test")
    group.addoption(TOKEN, metavar="T", help="repeat the run of this token, of the one explored test that is selected")
    group.addoption(
        PICTURES, metavar="DIR", help="write a picture of each failing marked test, a page, to this directory"
    )
    group.addoption(
        OUTSIDE, action="append", metavar="HOST:PORT", help="a real server that explored tests may connect to"
    )
    group.addoption(
        REFUSED,
        choices=("error", "skip"),
        default="error",
        help="what a marked test is that uses something that cannot be simulated (error)",
    )


def _runs(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"a number of runs, at least 1, not {text!r}")
    return int(text)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARKER)
    config.pluginmanager.register(Summary(config))


def pytest_pycollect_makeitem(
    collector: pytest.Module | pytest.Class, name: str, obj: object
) -> pytest.Collector | None:
    """Collect an object `Rules`: its module is imported where there is one."""
    made = sys.modules.get(f"{__package__.removesuffix('explored')}conformance.conform")
    if made is None or type(obj) is not made.Rules or not collector.funcnamefilter(name):
        return None
    from .collector import Collected

    return Collected.from_parent(collector, name=name, rules=obj)


def pytest_report_header() -> list[str]:
    return [f"loopspec: {newer}"] if (newer := too_new()) else []


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--explore-replay`, keep the tests of kept runs only."""
    if config.getoption(REPLAY):
        kept = [item for item in items if is_wanted(item) and KeptToken(config.rootpath, item.nodeid).read()]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


def pytest_collection_finish(session: pytest.Session) -> None:
    """Raises pytest.UsageError: a token is given, and not exactly one test is explored; or pyproject.toml has an
    error."""
    wanted = [item.nodeid for item in session.items if is_wanted(item)]
    if wanted:
        from .marker import read_project

        read_project(session.config)
    if session.config.getoption(TOKEN) is not None and len(wanted) != 1:
        some = f"{len(wanted)} tests" if wanted else "no test"
        some += "" if is_given(session.config) else f" with the marker {MARKER!r}"
        some += f" {'are' if wanted else 'is'} selected"
        raise pytest.UsageError(f"{TOKEN}: a token belongs to one test, but {some}: give the test's node id")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let a test run under many schedules; other plugins may have replaced its item until now."""
    if is_wanted(item):
        from .item import explored

        item.stash[_explored] = explored(item)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the finding to the report of a test."""
    report = yield
    found = item.stash.get(_explored, None)
    if found is not None and report.when == "call":
        found.add_to(report, call.excinfo)
    return report


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, str] | None:
    """An explored test that was refused, or met a defect of loopspec, has not failed: it is an error."""
    is_error = report.failed and hasattr(report, MARKER)
    return ("error", "E", "ERROR") if is_error else None
