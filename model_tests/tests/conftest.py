"""What every test here runs under: one Hypothesis profile, and the option `--full`.

Theory of operation.  A test run gives the same verdict whenever it is repeated: Hypothesis derives its
examples from the test's own text (derandomize), keeps no database, and never judges by the clock.  An error
that a loop only logs, because no caller could be told, fails the test; a test that
wants one looks at it and clears `caplog`.  One is let pass: many a test drops a loop with tasks in it, and when the
collector finds that, and tells of them, is chance.  `--full`
runs ten times as many examples; a test that has a long form of its own asks the fixture `full`.
"""

from __future__ import annotations

import gc
import logging
import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "check",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # it measures the machine, not the test
)
settings.register_profile("full", settings.get_profile("check"), max_examples=1000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run the long forms")


def pytest_configure(config: pytest.Config) -> None:
    # A shell lets a job in the background ignore SIGINT, and so would the programs that tests send Ctrl-C to.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    logging.getLogger("impl").addFilter(_of_this_test)
    settings.load_profile("full" if config.getoption("--full") else "check")


def pytest_collection_finish() -> None:
    """What was imported stays: no collection need look at it again, and some tests collect often."""
    gc.collect()
    gc.freeze()


def _of_this_test(record: logging.LogRecord) -> bool:
    """Whether a test is to see it: the task of a dropped loop may be one of a test before, collected by chance now."""
    return not record.getMessage().startswith("Task was destroyed")


@pytest.fixture
def full(request: pytest.FixtureRequest) -> bool:
    """Whether the long forms were asked for."""
    return bool(request.config.getoption("--full"))


@pytest.fixture(autouse=True)
def _nothing_goes_wrong_unseen(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    assert [record.getMessage() for record in caplog.get_records("call") if record.name == "impl"] == []
