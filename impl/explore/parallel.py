"""explore_parallel: the seeds of a search in batches, on any `concurrent.futures.Executor`.

    from impl.explore.parallel import explore_parallel

    found = explore_parallel(main, runs=100_000)                     # processes, as many as there are cores
    with Client(address) as client:                                  # machines: `pip install loopspec[dask]`
        found = explore_parallel(main, runs=10_000_000, executor=client.get_executor(pure=False))

A run is a function of its seed, so a batch is a range of seeds, and results of batches add up: the runs and the first
seed of each outcome, and the digest, a sum over all runs.  The result is that of one batch, whatever the split and the
order of the ends of batches; a batch that is repeated, because its worker was killed, gives the same result again.  A
search that ends at its first failure counts the seeds up to the least that fails, and drops the runs of other batches
beyond it.

Only seeds split well.  To run every schedule of a program in parallel, give each process another program.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from ..bridges.user_program import FileFunction
from ..commands.arguments import check_whole
from ..commands.options import processors
from ..errors import Refusal
from ..net import Fault
from .choices.odometer import KeepsState
from .engine import explore_with
from .module_state.snapshot import ModuleState
from .programs.program import UserMain
from .report.found import CannotExplore, Found, Seen
from .search.options import Options

# Any in this file: the keywords of Options, and the coroutine of the user's function.

#: The most runs of a batch, unless a number is given: some tenths of a second of a small program.
_BATCH_MAX: Final = 500
#: Batches for each job, so that the jobs end at about the same time.
_BATCHES_PER_JOB: Final = 4
#: Seconds between two looks whether Ctrl-C came.
_POLL_S: Final = 0.1
#: Seconds that a run may take to end after Ctrl-C.
_GRACE_S: Final = 0.4


class Interrupted(KeyboardInterrupt):
    """The search was interrupted: `found` has the result of the batches that had ended."""

    def __init__(self, found: Found) -> None:
        super().__init__(found.bound)
        self.found = found


@dataclass(frozen=True)
class RangeResult:
    """The result of a range of seeds, in a form that goes from process to process.

    `outcomes` has the least seed and the number of runs of each, in the order of the seeds.
    """

    runs: int
    failures: int
    total: int
    outcomes: Mapping[str, tuple[int, int]]
    #: The least seed that failed.
    failed: int | None
    #: The texts of the probes `sometimes`, and whether each held.
    reached: Mapping[str, bool]
    #: How often each fault of the network struck.
    struck: Counter[Fault]
    punctual: bool
    #: The use of something that cannot be simulated, which has ended the batch.
    refused: Refusal | None
    inline: int
    threaded: bool
    usual: str
    freed: int
    beyond: Refusal | None
    unfinished: int
    assumptions: list[str]


def explore_parallel(
    main: UserMain,
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    batch: int | None = None,
    progress: Callable[[Found], object] = lambda found: None,
    **options: Any,
) -> Found:
    """Search the schedules of a program as `explore` does, in batches of seeds.

    Parameters, besides those of `Options`:
        main: as for `explore`; it must be one that the executor can send, such as a function of a module.
        executor: where the batches run; None: processes.
        jobs: how many processes, or None: one for each core.
        batch: the runs of a batch.
        progress: called after each batch with the findings so far.

    Raises:
        Interrupted: a KeyboardInterrupt came; it has the findings until then.
        CannotExplore: as `explore`.
        KeepsState: the program is no function of its choices: it failed in a batch only.
        TypeError: an option is unknown, or of another type.
        ValueError: a number is out of range; every schedule, or the run of a token, is wanted.
        Exception: the error of a batch (as `explore`), or of the executor.
    """
    return explore_in_batches(main, Options(**options), executor, jobs, batch, progress)


def explore_in_batches(
    main: UserMain,
    options: Options,
    executor: Executor | None = None,
    jobs: int | None = None,
    batch: int | None = None,
    progress: Callable[[Found], object] = lambda found: None,
) -> Found:
    """As `explore_parallel`, with the options of the search as one object."""
    if options.every or options.token is not None:
        raise ValueError("only seeds can be split into batches: leave out `every` and `token`")
    if options.outside is not None:
        raise ValueError("runs of several processes would share the state of a real server: leave out `outside`")
    jobs = processors() if jobs is None else jobs
    merged = _Merged(options)
    first, *more = options.parts()
    count = len(_parts(first.seeds(), jobs, batch))
    with _ctrl_c() as came, _processes(min(jobs, count)) if executor is None else _given(executor) as workers:
        futures: dict[Future[RangeResult], int] = {}
        try:
            for part in (first, *more):
                if merged.last() is not None:
                    break
                if part.free and not merged.so_far.punctual:
                    part = replace(part, free=False)
                futures = {}
                for seeds in _parts(part.seeds(), jobs, batch):
                    of_part = replace(part, seed=seeds[0], runs=len(seeds), collects=seeds[0] == part.seed)
                    futures[workers.submit(run_batch, main, of_part)] = seeds[0]
                _join(futures, merged, progress, came)
        except KeyboardInterrupt:
            _cancel(futures)
            if isinstance(workers, ProcessPoolExecutor) and executor is None:
                for future in _cut_short(workers, futures):
                    merged.add(futures[future], future.result())
            found = _with_failure(merged, main)
            found.bound = f"the search was interrupted after {found.runs} of {len(merged.seeds)} runs"
            raise Interrupted(found) from None
        except BaseException:
            _cancel(futures)
            raise
    found = _with_failure(merged, main)
    if found.verdict == "refused":
        raise CannotExplore(found)
    return found


def _parts(seeds: range, jobs: int, batch: int | None) -> list[range]:
    """The seeds of each batch.  Raises TypeError, ValueError: a number is none, or is out of range."""
    check_whole("jobs", jobs, 1)
    if batch is None:
        batch = max(1, min(_BATCH_MAX, len(seeds) // (jobs * _BATCHES_PER_JOB)))
    check_whole("batch", batch, 1)
    return [seeds[at : at + batch] for at in range(0, len(seeds), batch)]


def _join(
    futures: Mapping[Future[RangeResult], int],
    merged: _Merged,
    progress: Callable[[Found], object],
    came: Callable[[], bool],
) -> None:
    """Add each batch as it ends; cancel those that no longer count.  Raises KeyboardInterrupt: Ctrl-C came."""
    for future in _ended(futures, came):
        if future.cancelled():
            continue
        merged.add(futures[future], future.result())
        last = merged.last()
        if last is not None:
            _cancel(other for other, first in futures.items() if first > last)
        progress(merged.so_far)


def _ended(futures: Iterable[Future[RangeResult]], came: Callable[[], bool]) -> Iterator[Future[RangeResult]]:
    """The batches as they end.  Raises KeyboardInterrupt: Ctrl-C came."""
    left = dict.fromkeys(futures)
    while left:
        with suppress(TimeoutError):
            for future in as_completed(left, _POLL_S):
                del left[future]
                yield future
                if came():
                    break
        if came():
            raise KeyboardInterrupt


def _with_failure(merged: _Merged, main: UserMain) -> Found:
    """The findings, with the least seed that failed; its run is made again here."""
    found, failed = merged.found(), merged.failed()
    if failed is not None:
        is_free = any(part.free and failed in part.seeds() for part in merged.options.parts()) and found.punctual
        again = replace(merged.options, seed=failed, runs=1, keep_going=False, free=is_free or None)
        failure = explore_with(_here(main), again).failure
        if failure is None:
            error = KeepsState(f"the run of seed {failed} failed in a batch, and not when it was repeated")
            error.twice = explore_with(_here(main), again).failure is not None
            raise error
        found.failure = replace(failure, number=failed - merged.seeds[0] + 1)
    return found


def _here(main: UserMain) -> UserMain:
    """The function itself: a report has its name, and the search looks at its module."""
    return main.loaded() if isinstance(main, FileFunction) else main


def run_batch(main: UserMain, options: Options) -> RangeResult:
    """Run one range of seeds, in the worker; the next one begins in the same state of the program's modules."""
    here, seeds = _here(main), options.seeds()
    state = ModuleState(here)
    try:
        found = explore_with(here, options, _stop_if_asked)
    except (CannotExplore, _Stopped) as error:
        found = error.found
    state.restore()
    outcomes = {text: (seeds[seen.first - 1], seen.runs) for text, seen in found.outcomes.items()}
    failed = None if found.failure is None else seeds[found.failure.number - 1]
    return RangeResult(
        found.runs,
        found.failures,
        found.total,
        outcomes,
        failed,
        found.reached,
        found.struck,
        found.punctual,
        found.refused,
        found.inline,
        found.threaded,
        found.usual,
        found.freed,
        found.beyond,
        found.unfinished,
        found.assumptions,
    )


class _Merged:
    """The batches that have ended, by their first seed, and their sum; `options` are those of the whole search."""

    def __init__(self, options: Options) -> None:
        self.batches: dict[int, RangeResult] = {}
        self.options, self.seeds = options, options.seeds()
        #: The sum of all batches, with the outcomes in the order of the batches' ends.
        self.so_far = Found(bound=f"the seeds were {self.seeds[0]} to {self.seeds[-1]}", preempted=options.preempt)
        self._last: int | None = None  # the first seed of the batch that ends the search

    def add(self, first: int, batch: RangeResult) -> None:
        """Add the batch with this first seed."""
        self.batches[first] = batch
        ends = batch.refused is not None or (batch.failures and not self.options.keep_going)
        if ends and (self._last is None or first < self._last):
            self._last = first
        self._sum(self.so_far, batch)

    def last(self) -> int | None:
        """The first seed of the last batch that counts, if the search ends there: one failed, or is refused."""
        return self._last

    def failed(self) -> int | None:
        """The least seed that failed."""
        return min((batch.failed for batch in self._counting() if batch.failed is not None), default=None)

    def found(self) -> Found:
        """The sum of the batches that count, with the outcomes in the order of the seeds."""
        found = Found(bound=self.so_far.bound, preempted=self.options.preempt)
        for batch in self._counting():
            self._sum(found, batch)
        if found.refused is not None:
            found.ends_at(found.refused)
        return found

    def _counting(self) -> Iterator[RangeResult]:
        """The batches up to the last, in the order of their seeds."""
        for first, batch in sorted(self.batches.items()):
            if self._last is None or first <= self._last:
                yield batch

    def _sum(self, found: Found, batch: RangeResult) -> None:
        found.runs += batch.runs
        found.failures += batch.failures
        found.merge(batch.total)
        found.struck += batch.struck
        found.punctual |= batch.punctual
        found.refused = found.refused or batch.refused
        found.assumptions += batch.assumptions if batch.unfinished and not found.unfinished else []
        found.inline = max(found.inline, batch.inline)
        found.threaded |= batch.threaded
        found.usual = found.usual or batch.usual
        found.freed += batch.freed
        found.beyond = found.beyond or batch.beyond
        found.unfinished += batch.unfinished
        for text, held in batch.reached.items():
            found.reached[text] = found.reached.get(text, False) or held
        for text, (least, runs) in batch.outcomes.items():
            number = least - self.seeds[0] + 1
            seen = found.outcomes.setdefault(text, Seen(number))
            seen.first = min(seen.first, number)
            seen.runs += runs


def _cancel(futures: Iterable[Future[RangeResult]]) -> None:
    for future in futures:
        future.cancel()


def _cut_short(workers: ProcessPoolExecutor, futures: Iterable[Future[RangeResult]]) -> list[Future[RangeResult]]:
    """End each batch after the run that it is at, or kill its process if that takes long; returns those that ended."""
    left = [future for future in futures if not future.done()]
    processes = list(workers._processes.values())
    for process in processes:
        if sys.platform != "win32" and process.pid is not None and process.is_alive():
            os.kill(process.pid, signal.SIGINT)  # on Windows that ends it; Ctrl-C has reached it there, too
    try:
        ended = wait(left, _GRACE_S).done
    finally:
        for process in processes:
            process.kill()
    return [future for future in left if future in ended and future.exception() is None]


class _Stopped(BaseException):
    """Ctrl-C came while a worker ran a batch; `found`: the result until then."""

    def __init__(self, found: Found) -> None:
        super().__init__(found)
        self.found = found


class _Worker:
    """The state of a worker."""

    #: Whether Ctrl-C came.
    stops = False


def _stop_if_asked(found: Found) -> None:
    if _Worker.stops:
        raise _Stopped(found)


@contextmanager
def _ctrl_c() -> Iterator[Callable[[], bool]]:
    """Note Ctrl-C: KeyboardInterrupt in a method of a pool may leave a lock locked, for which its thread waits."""
    came: list[int] = []
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if notes := usual and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield lambda: bool(came)
    finally:
        if notes:
            signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _given(executor: Executor) -> Iterator[Executor]:
    yield executor  # the caller closes it


@contextmanager
def _processes(jobs: int) -> Iterator[Executor]:
    """Processes that end their batches early at Ctrl-C, which ends this one.

    They are forks where that is possible and safe: then the order of sets of strings is that of this process.
    """
    fork = "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if fork else "spawn")
    with ProcessPoolExecutor(jobs, context, initializer=_alone) as executor:
        yield executor


def _alone() -> None:
    """Prepare a worker: Ctrl-C ends its batch, SIGTERM ends it, and the output of programs is dropped."""
    signal.signal(signal.SIGINT, lambda number, frame: setattr(_Worker, "stops", True))
    # A fork has the handler of this process; one that raises would give the batch an error, and the worker would go on.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (until the process ends)
