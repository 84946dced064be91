"""Batches of a search: whatever the split and the executor, the result is that of one search."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from impl.bridges.user_program import FileFunction
from impl.explore import Found, KeepsState, explore
from impl.explore.parallel import Interrupted, _ctrl_c, _ended, _processes, explore_parallel

from ...dev.pythons import ROOT
from ...examples import races
from ..process import python
from .programs import FILES, never_third

RUNS = 210
PROGRAM = FileFunction(f"{races.__file__}:item_lost")
#: The batch of 1, 2 and 7 batches.
SPLITS = (210, 105, 30)

#: The same on a cluster that loses a worker after the first batch.
ON_DASK = FILES["on_dask.py"]


class LastFirst(ThreadPoolExecutor):
    """Runs so many calls in the opposite order, when all were submitted."""

    def __init__(self, count: int) -> None:
        super().__init__(1)
        self._count = count
        self._held: list[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]]] = []  # Any: of any calls

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._held.append((future, fn, args))
        if len(self._held) == self._count:
            super().submit(self._run)
        return future

    def _run(self) -> None:
        for future, fn, args in reversed(self._held):
            if future.set_running_or_notify_cancel():
                future.set_result(fn(*args))


def result(found: Found) -> object:
    """All of it that must not depend on the split."""
    first = found.failure
    failure = first and (first.number, first.seed, first.outcome, first.token)
    return found.digest, found.runs, found.failures, failure, list(found.outcomes.items())


@pytest.mark.parametrize("keep_going", [True, False])
def test_the_result_does_not_depend_on_the_split(keep_going: bool) -> None:
    whole = explore(PROGRAM, runs=RUNS, keep_going=keep_going)
    assert whole.runs == (RUNS if keep_going else 3)
    for batch in SPLITS:
        with ThreadPoolExecutor(1) as one:
            found = explore_parallel(PROGRAM, runs=RUNS, batch=batch, executor=one, keep_going=keep_going)
        assert result(found) == result(whole)
    found = explore_parallel(PROGRAM, runs=RUNS, batch=30, jobs=2, keep_going=keep_going)
    assert result(found) == result(whole)


def test_the_first_failure_is_that_of_the_least_seed() -> None:
    """A batch further on ends first, and has failed, too."""
    whole = explore(PROGRAM, runs=RUNS)
    with LastFirst(14) as workers:
        found = explore_parallel(PROGRAM, runs=RUNS, batch=15, executor=workers, late=0.0)
    assert result(found) == result(whole)


def test_an_interrupt_keeps_what_was_found() -> None:
    seen: list[int] = []

    def interrupt(found: Found) -> None:
        seen.append(found.runs)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as one, pytest.raises(Interrupted) as interrupted:
        explore_parallel(PROGRAM, runs=RUNS, batch=30, executor=one, keep_going=True, progress=interrupt)
    found = interrupted.value.found
    assert seen == [30, 60, 90]
    assert (found.runs, found.digest) == (90, explore(PROGRAM, runs=90, keep_going=True).digest)
    assert found.failures
    assert found.report().endswith("the search was interrupted after 90 of 210 runs")


SLOW = """
import asyncio, os, pathlib
async def main():
    pathlib.Path(f"{os.getpid()}.began").touch()
    for _ in range(@): await asyncio.sleep(0.001)
    while @ > 2000: pass
"""


@pytest.mark.short("killpg-1", "kill-2001", why="seconds of two processes")
@pytest.mark.parametrize("steps", [1, 2000, 2001])
@pytest.mark.parametrize("kill", [os.kill, os.killpg])
def test_ctrl_c_ends_the_processes(steps: int, kill: Callable[[int, int], None], tmp_path: Path) -> None:
    """Runs are quick, slow or endless; it is sent to the search, or by a terminal to all of its processes."""
    (tmp_path / "slow.py").write_text(SLOW.replace("@", str(steps)), encoding="utf-8")
    jobs = 1 if steps > 2000 else 2
    search_for_long = ["explore", "slow.py:main", f"--jobs={jobs}", "--runs=1000000"]
    command = [sys.executable, "-m", "model_tests.commands.cli", *search_for_long]
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    how: Any = {"cwd": tmp_path, "env": paths, "text": True, "start_new_session": True}
    with subprocess.Popen(command, stdout=subprocess.PIPE, **how) as search:
        try:
            while len(list(tmp_path.glob("*.began"))) < jobs:
                assert search.poll() is None, search.communicate()
                time.sleep(0.05)
            kill(search.pid, signal.SIGINT)
            out, _ = search.communicate(timeout=10)  # within one second on an idle machine
        finally:
            search.kill()
    assert search.returncode == 130
    assert re.fullmatch(r"not exhausted .*; the search was interrupted after \d+ of 1000000 runs.*\n", out)


def test_ctrl_c_is_raised_between_two_batches_only() -> None:
    """In a method of the pool it may keep that from ending."""
    before = signal.getsignal(signal.SIGINT)
    with _ctrl_c() as came:
        assert not came()
        signal.raise_signal(signal.SIGINT)
        assert came()
        with pytest.raises(KeyboardInterrupt):
            list(_ended([Future()], came))
    assert signal.getsignal(signal.SIGINT) is before


def test_a_program_that_fails_in_a_batch_only_is_reported() -> None:
    here = threading.get_ident()

    async def main() -> None:
        assert threading.get_ident() == here

    failed = "the run of seed 0 failed in a batch, and not when"
    with ThreadPoolExecutor(1) as one, pytest.raises(KeepsState, match=failed):
        explore_parallel(main, runs=2, executor=one)


@pytest.mark.parametrize(("options", "error"), [
    ({"runs": 0}, "runs is 0: it must be at least 1"),
    ({"jobs": 0}, "jobs is 0: it must be at least 1"),
    ({"batch": -1}, "batch is -1: it must be at least 1"),
    ({"every": True}, "only seeds can be split into batches: leave out `every` and `token`"),
    ({"token": "lsa2-"}, "only seeds can be split into batches: leave out `every` and `token`"),
])  # fmt: skip
def test_bad_numbers_are_refused(options: dict[str, object], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        explore_parallel(PROGRAM, **options)  # type: ignore[arg-type]


def test_dask_gives_the_same_result_when_a_worker_is_killed(full: bool, tmp_path: Path) -> None:
    if find_spec("distributed") is None:
        pytest.skip("not run: distributed is not installed; `make dask` adds the extra dask")
    if not full:
        pytest.skip("not run without --full: a cluster takes 10 s to start")
    script = tmp_path / "on_dask.py"
    script.write_text(ON_DASK, encoding="utf-8")
    ran = python(script, PROGRAM.what, cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": ""})
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == explore(PROGRAM, runs=4200, keep_going=True).digest


def test_probes_of_all_batches_count() -> None:
    """Seed 0 alone is first in, first out."""
    with ThreadPoolExecutor(1) as one:
        found = explore_parallel(never_third, runs=20, batch=1, executor=one)
    assert (found.never, found.verdict) == (["there is a third"], "failed")


def test_a_worker_ends_by_sigterm_whatever_this_process_does() -> None:
    """A pool ends its workers by it when one of them has died; one that does not end would be waited for."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with _processes(1) as workers:
            assert workers.submit(signal.getsignal, signal.SIGTERM).result() == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)
