"""Mutants of the implementation: the files of the core, and the tests that must notice an edit of each.

The tiers are pytest runs in the judge's process; each ends at the first test that fails.  `near` has the tests of the
file itself, `core` all direct tests of the loop and its primitives, `wide` the tests that hold them to the
specification and to the stored vectors, and those that run programs on them.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import pytest

from ...dev.pythons import ROOT
from .apart import Tier
from .edit import Edit
from .mutator import edits

TESTS: Final = "model_tests/tests"
#: Each vector on impl, which must show the same as asyncio.
VECTORS: Final = (f"{TESTS}/programs/vectors/test_vectors.py::test_the_file_is_fresh",)
CORE: Final = (
    f"{TESTS}/core",
    f"{TESTS}/sim/test_order.py",
    f"{TESTS}/sim/test_event_order.py",
    f"{TESTS}/sim/test_deadlock.py",
    f"{TESTS}/bridges/test_asyncio_reports.py",
    f"{TESTS}/bridges/test_command.py",
)
WIDE: Final = (
    f"{TESTS}/sim/test_trace.py",
    f"{TESTS}/bridges/test_traces.py",
    f"{TESTS}/programs/test_oracle.py",
    f"{TESTS}/refinement/test_traces_tasks.py",
)
#: Schedules of the specifications, which take longest, and the files that they are about.
SCHEDULES: Final = {
    f"{TESTS}/refinement/test_traces_queue.py": ("impl/sync/queue.py", "impl/sync/waiters.py"),
    f"{TESTS}/refinement/test_traces_locks.py": (
        *("impl/sync/barrier.py", "impl/sync/condition.py", "impl/sync/locks.py", "impl/sync/waiters.py"),
    ),
}
NET: Final = tuple(
    f"{TESTS}/net/test_{name}.py" for name in ("conn", "stream", "cancel", "laws", "faults", "hosts", "race", "socket")
)
NET_WIDE: Final = (f"{TESTS}/refinement/test_machine_stream.py", f"{TESTS}/bridges/test_loop_net.py")
CRAWL: Final = (
    f"{TESTS}/crawl/test_frontier.py",
    f"{TESTS}/crawls/test_two_schedules.py",
    f"{TESTS}/crawl/test_records.py",
    f"{TESTS}/crawl/test_depth.py",
)
#: The files that are edited, each with the names of its own tests.
FILES: Final[dict[str, tuple[str, ...]]] = {
    "impl/tasks/callback.py": ("core/test_loop.py", "core/test_moments.py"),
    "impl/tasks/current.py": ("core/test_task.py", "core/test_eager.py"),
    "impl/tasks/future.py": ("core/test_task.py",),
    "impl/tasks/generators.py": ("core/test_generators.py",),
    "impl/tasks/task.py": ("core/test_task.py", "core/test_eager.py"),
    "impl/sync/barrier.py": ("core/test_locks.py",),
    "impl/sync/condition.py": ("core/test_locks.py",),
    "impl/sync/locks.py": ("core/test_locks.py",),
    "impl/sync/queue.py": ("core/test_queue.py",),
    "impl/sync/waiters.py": ("core/test_locks.py", "core/test_queue.py"),
    "impl/combinators/as_completed.py": ("core/test_gather.py",),
    "impl/combinators/ensure.py": ("core/test_gather.py", "core/test_shield.py"),
    "impl/combinators/gather.py": ("core/test_gather.py",),
    "impl/combinators/shield.py": ("core/test_shield.py",),
    "impl/combinators/taskgroup.py": ("core/test_taskgroup.py",),
    "impl/combinators/timeout.py": ("core/test_timeouts.py",),
    "impl/combinators/wait.py": ("core/test_gather.py",),
    "impl/sim/kernel.py": (
        *("sim/test_kernel.py", "core/test_loop.py", "core/test_timers.py", "explore/test_races.py"),
        "explore/injection/test_asyncio.py",
        "explore/test_endless.py::test_a_poll_that_never_ends_is_a_livelock_with_its_line",
    ),
    "impl/sim/order.py": ("sim/test_order.py", "sim/test_event_order.py"),
    "impl/net/simulated/connection.py": ("net/test_conn.py", "net/test_laws.py", "net/test_faults.py"),
    "impl/net/simulated/network.py": (
        "net/test_conn.py",
        "net/test_hosts.py",
        "bridges/test_loop_transports.py",
    ),
    "impl/crawl/frontier.py": ("crawl/test_frontier.py",),
}


def places() -> list[Edit]:
    """Return all edits of these files."""
    return [edit for file in FILES for edit in edits(file, (ROOT / file).read_bytes())]


def tiers(edit: Edit) -> Iterator[Tier]:
    """Yield the tiers for an edit."""
    near = [f"{TESTS}/{name}" for name in FILES[edit.file]]
    yield Tier("near", 20, run_of(near))
    if edit.file.startswith("impl/crawl/"):
        yield Tier("core", 60, run_of(CRAWL, near))
    elif edit.file.startswith("impl/net/"):
        yield Tier("core", 60, run_of(NET, near))
        yield Tier("wide", 120, run_of(NET_WIDE))
    else:
        yield Tier("vectors", 20, run_of(VECTORS))
        yield Tier("core", 60, run_of(CORE, near))
        yield Tier("wide", 120, run_of(WIDE, near))
        for schedules, files in SCHEDULES.items():
            if edit.file in files:
                yield Tier("schedules", 200, run_of([schedules]))


def run_of(names: Sequence[str], apart_from: Sequence[str] = ()) -> Callable[[], str]:
    """Return a function that runs the tests of these files and folders, and returns the first that fails."""

    def kill() -> str:
        if gone := [name for name in names if not (ROOT / name.partition("::")[0]).exists()]:
            # pytest would fail, as for a mutant that cannot be imported
            raise RuntimeError(f"there is no {gone[0]}")
        first = _First()
        ignored = [f"--ignore={name}" for name in apart_from]
        try:
            status = pytest.main(["-q", "-x", *OPTIONS, *ignored, *names], plugins=[first])
        except Exception as error:  # of a thread that ended with one, for instance
            return first.failed or f"pytest: {type(error).__name__}: {error}"
        if status == pytest.ExitCode.OK:
            return ""
        if status == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise RuntimeError(f"no test in {' '.join(names)}")
        return first.failed or f"pytest: {status!s}"

    return kill


OPTIONS: Final = (
    *("-p", "no:cacheprovider", "-p", "no:xdist", "--no-header", "--tb=no"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # this package is imported, and has no tests
)


class _First:
    """A plugin of pytest that notes the first test, or file, that fails."""

    failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid.removeprefix(f"{TESTS}/")

    pytest_collectreport = pytest_runtest_logreport
