"""Column monitor: a recorded run of the mutant is rejected by the monitor of a specification.

Queues, locks, conditions, events, futures, tasks and streams are led along directed schedules; crawls are recorded
over random sites.  A finding is the number of the schedule, or the seed of the site, with the line that was
rejected and, for the specifications of objects, the actions that were due or allowed instead.
"""

import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from impl import CancelledError, Choices
from impl.crawl.frontier import Frontier
from spec.kit.monitor import Rejected
from spec.kit.trace import End
from spec.stream import stream_model

from ...crawls.compare import IMPL, drawn
from ...crawls.comparison import CrawlRuntime, NewFrontier
from ...crawls.recording import judge, record
from ...refinement.machines.stream import TOTAL, real_stream_adapter, stream_adapter
from ...refinement.schedules.drive import Driver
from ...refinement.schedules.locks import CONDITIONS, EVENTS, LINGERING, LOCKS, MUTEXES, SEMAPHORES, SizedLock
from ...refinement.schedules.queue import LEAST, LIFO, SHUT, SIZES, JudgedQueues, Size
from ...refinement.schedules.queue import directed as queue_runs
from ...refinement.schedules.stream import schedules as stream_schedules
from ...refinement.schedules.tasks import JudgedTasks
from ...refinement.schedules.tasks import directed as task_runs
from ...refinement.subjects import Subject
from ..mutant import Mutant
from ..parts.crawler import runtime_of
from .machine import STREAMS
from .machine import instead as instead_of

#: A finding, as JSON.
Found = dict[str, Any]

QUEUE_RUNS: Final = 2_000
TASK_RUNS: Final = 1_500
STREAM_RUNS: Final = 100
SOCKET_RUNS: Final = 20
SITES: Final = 60
WORKERS: Final = 2
#: A rejected line in the words of a specification; an adapter has its own words for its looks.
OF_SPECIFICATION: Final = re.compile(rf"return |\w+\(|{End()}$|raised ")

#: On real sockets the buffers have more room than a run sends.
ROOMY: Final = stream_model(3, TOTAL, TOTAL, kinds=2)


class Attempt(NamedTuple):
    """One run: a label, how many moves it has (0: not a schedule), and a function that runs it or raises Rejected."""

    label: str
    moves: int
    run: Callable[[], object]


def find(mutant: Mutant) -> Found | None:
    """The first run that is rejected."""
    return first_rejected(attempts(mutant))


def find_on_sockets(mutant: Mutant) -> Found | None:
    """The first run over real sockets that is rejected."""
    return first_rejected(on_sockets(mutant))


def first_rejected(runs: Iterator[Attempt]) -> Found | None:
    found = (rejection(number, attempt) for number, attempt in enumerate(runs, start=1))
    return next(filter(None, found), None)


def again(mutant: Mutant, found: Found) -> bool:
    return repeated(attempts(mutant), found)


def again_on_sockets(mutant: Mutant, found: Found) -> bool:
    return repeated(on_sockets(mutant), found)


def repeated(runs: Iterator[Attempt], found: Found) -> bool:
    number = found["run"]
    return rejection(number, next(islice(runs, number - 1, None))) == found


def rejection(number: int, attempt: Attempt) -> Found | None:
    """Why a run is rejected: by the monitor, or because the object let an error out."""
    found: Found = {"run": number, "of": attempt.label} | ({"moves": attempt.moves} if attempt.moves else {})
    try:
        with quiet():
            attempt.run()
    except Rejected as no:
        instead = no.due if no.line == str(End()) else no.allowed
        return found | {
            "line": no.line if OF_SPECIFICATION.match(no.line) else "what is seen",
            "instead": instead[:1],
        }
    except (Exception, CancelledError) as error:
        return found | {"line": f"raised {type(error).__name__}", "instead": []}
    return None


@contextmanager
def quiet() -> Iterator[None]:
    """Some mutants leave coroutines that were never awaited: no warning says so."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.unraisablehook = hook


# --- the runs -----------------------------------------------------------------------------------------------


def attempts(mutant: Mutant) -> Iterator[Attempt]:
    """The runs of a mutant, in order."""
    subject = mutant.subject()
    match mutant.replaces:
        case "Queue":
            return chain(of_queue(subject, SIZES), of_queue(subject, SHUT))
        case "LifoQueue":
            return of_queue(subject, LIFO)
        case "PriorityQueue":
            return of_queue(subject, LEAST)
        case "Lock":
            return of_cases(subject, LOCKS)
        case "Semaphore":
            return of_cases(subject, MUTEXES, SEMAPHORES)
        case "BoundedSemaphore":
            return of_cases(replace(subject, new_semaphore=mutant.wrong), MUTEXES, SEMAPHORES)
        case "Condition":
            return of_cases(subject, CONDITIONS, LINGERING)
        case "Event":
            return of_cases(subject, EVENTS)
        case "Future" | "Task" | "shield" | "sleep":
            return of_tasks(subject)
        case "Stream" | "Conn":
            return of_streams(Driver(stream_adapter(Choices.plain, instead_of(mutant)), STREAMS[0]), STREAM_RUNS)
        case "Frontier":
            return of_crawls(IMPL, mutant.wrong)
        case "Crawler":
            return of_crawls(runtime_of(mutant.wrong), Frontier)
    return iter(())


def of_queue(subject: Subject, sizes: tuple[Size, ...]) -> Iterator[Attempt]:
    judged = JudgedQueues(subject)
    for run in queue_runs(sizes)[:QUEUE_RUNS]:
        yield Attempt("queue", len(run.schedule), partial(judged.run, run))


def of_cases(subject: Subject, *cases: SizedLock) -> Iterator[Attempt]:
    """Each schedule alone, and followed by a call of every task."""
    for case in cases:
        driver = case.judged(subject)
        for schedule in case.schedules():
            for probe in ((), case.probe):
                yield Attempt(str(case), len(schedule) + len(probe), partial(driver.run, schedule, probe))


def of_tasks(subject: Subject) -> Iterator[Attempt]:
    judged = JudgedTasks(subject)
    for run in islice(task_runs(), TASK_RUNS):
        yield Attempt("tasks", len(run.schedule), partial(judged.run, run))


def of_streams(driver: Driver, most: int) -> Iterator[Attempt]:
    for schedule in islice(stream_schedules(), most):
        yield Attempt("stream", len(schedule), partial(driver.run, schedule))


def on_sockets(mutant: Mutant) -> Iterator[Attempt]:
    """The runs of a stream over real sockets, where no sender waits and nothing is late."""
    if mutant.replaces != "Stream":
        return iter(())
    return of_streams(Driver(real_stream_adapter(instead_of(mutant)), ROOMY), SOCKET_RUNS)


def of_crawls(runtime: CrawlRuntime, frontier: NewFrontier) -> Iterator[Attempt]:
    """Recorded crawls of random sites, each under two conditions."""
    for seed in range(SITES):
        for number in (seed % 4, (seed + 2) % 4):

            def run(seed: int = seed, number: int = number) -> None:
                judge(record(runtime, drawn(seed), number, WORKERS, frontier))

            yield Attempt(f"site {seed}", 0, run)
