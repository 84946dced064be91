"""The setup of every test: one Hypothesis profile, the check of the log, and the option `--full`.

A test run gives the same verdict whenever it is repeated: Hypothesis derives its examples from the test's own text
(derandomize, and `repeatable`), keeps no database, and ignores the clock.  An error that a loop only logs, because it
cannot be raised to any caller, fails the test; a test that expects one checks it and clears `caplog`.  "Task was
destroyed but it is pending" is ignored: some tests drop a loop that still has tasks, and when the garbage collector
reports them is unpredictable.  `--full` runs 1,000 examples for 40; a test with its own long form uses the fixture
`full`, and one that is run in no other form has the marker `long`, with the reason.  Of a test with the marker `short`
the cases that it names are run in both forms, and the others with `--full` only.
"""

from __future__ import annotations

import gc
import inspect
import logging
import os
import signal
import time
from asyncio import base_events
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, find, settings
from hypothesis.strategies import none

from impl.bridges.asyncio.run import simulate

from ..dev.pythons import ROOT
from ..dev.wheel import stage
from ..refinement.repeatable import repeatable

settings.register_profile(
    "check",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # it measures the machine, not the test
    max_examples=40,
)
#: So many objects that a test leaves behind are not worth the time to freeze them.
CACHED_MAX = 20_000
settings.register_profile("full", settings.get_profile("check"), max_examples=1000)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than the processors: some tests wait for other processes."""
    return (os.cpu_count() or 1) + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run the long forms")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "long(why): run with --full only")
    config.addinivalue_line("markers", "short(*ids, why): the other cases of the test are run with --full only")
    # Else each process that a test starts, and that imports Hypothesis, loads trio and pytest, too: 0.3 s.
    os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"
    # A shell makes a background job ignore SIGINT, and then the programs that tests send Ctrl-C to would ignore it
    # too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    logging.getLogger("impl").addFilter(_of_this_test)
    _only_tests_are_rewritten(config)
    settings.load_profile("full" if config.getoption("--full") else "check")
    same_examples = ExitStack()
    same_examples.enter_context(repeatable())
    config.add_cleanup(same_examples.close)


@pytest.hookimpl(trylast=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Mark the cases that `short` does not name: each kind of case has one in the short form."""
    for short in metafunc.definition.iter_markers("short"):
        ids = {case.id for case in metafunc._calls}
        named = f"{metafunc.definition.nodeid}: `short` names {short.args}: not some of {sorted(ids)}"
        assert set() < {*short.args} < ids, named
        for case in metafunc._calls:
            if case.id not in short.args:
                case.marks.append(pytest.mark.long(short.kwargs["why"]).mark)


def pytest_runtest_setup(item: pytest.Item) -> None:
    mark = item.get_closest_marker("long")
    if mark is not None and not item.config.getoption("--full"):
        pytest.skip(f"{mark.args[0]}: --full")


def _only_tests_are_rewritten(config: pytest.Config) -> None:
    """Leave the asserts of all other modules as they are.

    Our plugin is there, so pytest would rewrite its package (from 9.2, in an editable install), or all files that an
    egg-info beside them lists.
    """
    marked: set[str] = getattr(config.pluginmanager.rewrite_hook, "_must_rewrite", set())
    marked.difference_update(("spec", "impl", "model_tests"))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine function by the fixture `runs`: that below, or another of its folder or module."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    pyfuncitem._request.getfixturevalue("runs")(partial(pyfuncitem.obj, **given))
    return True


def pytest_collection_finish() -> None:
    """Freeze imported objects: collections can skip them, and some tests collect often."""
    find(none(), lambda _: True)  # Hypothesis makes a Random now: it warns of one that is frozen
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _skipped_by_collections() -> Iterator[None]:
    """Freeze the caches of a test, too: a graph of states has millions of objects.

    An object is counted once a collection of the middle generation has found it alive: most tests end before one.
    """
    before = gc.get_stats()[1]["collections"]
    yield
    if gc.get_stats()[1]["collections"] > before and len(gc.get_objects(generation=2)) > CACHED_MAX:
        gc.collect()
        gc.freeze()


@pytest.fixture(autouse=True)
def _the_clock_is_real() -> Iterator[None]:
    """Fail a test that leaves asyncio the clock of the kit's loops: later ones would wait for ever."""
    yield
    left, base_events.time = base_events.time is not time, time  # type: ignore[attr-defined]
    assert not left, "asyncio reads another clock after this test"


@pytest.fixture
def runs() -> Callable[[Callable[[], Coroutine[Any, Any, None]]], None]:
    """Run a program of asyncio on the simulated loop."""
    return lambda main: simulate(main).outcome()


def _of_this_test(record: logging.LogRecord) -> bool:
    """Return whether a record belongs to this test: the task of a dropped loop may be an earlier test's, collected
    only now.
    """
    return not record.getMessage().startswith("Task was destroyed")


@pytest.fixture(scope="session")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources of the wheel: it is a part of making them that nothing in them is of the checkout."""
    folder = tmp_path_factory.mktemp("staged")
    stage(ROOT, folder)
    return folder


@pytest.fixture
def full(request: pytest.FixtureRequest) -> bool:
    """Return whether the long forms were requested."""
    return bool(request.config.getoption("--full"))


@pytest.fixture(autouse=True)
def _nothing_goes_wrong_unseen(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.name == "impl"] == []
