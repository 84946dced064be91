"""The rows of the table: workload, size, base, goals.

A row knows how to take one *sample* of one peer: its cost, and the number of operations.  Time is CPU time of the
thread (`time.thread_time`): on a shared machine the wall clock would measure the neighbours.  The collector runs
before each sample, and stays enabled within it, as in a user's program.

The cost of a switch on detangle grows with the number of ready tasks.  With tens of thousands of them a sample takes
more than minutes, so it is left out.
"""

import gc
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

from . import workloads
from .facade import Api, Main, Peer
from .memory import parked_bytes
from .workloads import Program

#: (seconds of CPU, or bytes; operations done)
Sample = tuple[float, int]

_FRESH_LOOPS: Final = 200
_CROWDED: Final = frozenset({"detangle"})


@dataclass(frozen=True, slots=True)
class Row:
    """A workload and how it is measured.

    `size` is the program's parameter, `quick` replaces it in a quick run; `repeats` programs run in one sample.
    `goals` are bounds of the ratio of `judged` to `base`, the strictest first.  `without` are the peers that cannot
    run it.
    """

    name: str
    what: str
    size: int
    quick: int
    sample: Callable[[Peer, int], Sample]
    goals: tuple[float, ...] = ()
    base: str = "asyncio"
    judged: str = "impl"
    without: frozenset[str] = frozenset()
    repeats: int = 1
    bytes: bool = False

    def operations(self, size: int) -> int:
        """Return how many operations a sample of this size must do."""
        return size * self.repeats

    def units(self, size: int) -> int:
        """Return the divisor of a sample's cost: the number of loops if there are several, else of operations."""
        return self.repeats if self.repeats > 1 else size


def _timed(program: Program, repeats: int = 1, *, by_run: bool = False) -> Callable[[Peer, int], Sample]:
    """Sample a program, on a loop that is made and closed by hand, or by the runtime's `run`."""

    def sample(peer: Peer, size: int) -> Sample:
        # `Any`: the loop's own values that are sent and yielded.
        def main(api: Api) -> Coroutine[Any, Any, int]:
            return program(api, size)

        start: Callable[[Main], int] = peer.run if by_run else peer.fresh
        gc.collect()
        before = time.thread_time()
        operations = sum(start(main) for _ in range(repeats))
        return time.thread_time() - before, operations

    return sample


#: Runtimes on which a task may be cancelled before it starts.
_IN_ANY_ORDER: Final = frozenset({"bridge-any", "simloop", "detangle"})
_FRESH, _RUN = (_timed(workloads.spawn, _FRESH_LOOPS, by_run=by_run) for by_run in (False, True))

ROWS: Final = (
    Row("switch", "1000 ready tasks in turn", 50_000, 2_000, _timed(workloads.switch), (0.40,)),
    Row("ping-pong", "two tasks, one-shot futures", 40_000, 1_000, _timed(workloads.ping_pong), (0.40,)),
    Row("queue", "hand-over, maxsize 10", 40_000, 1_000, _timed(workloads.queue), (0.50,)),
    Row("spawn", "tasks that end at once", 100_000, 1_000, _timed(workloads.spawn), (0.45,), without=_CROWDED),
    Row("timers", "sleepers, distinct times", 100_000, 1_000, _timed(workloads.timers), without=_CROWDED),
    Row("cancel", "cancel parked tasks", 100_000, 1_000, _timed(workloads.cancel), (0.50, 0.66),
        without=_IN_ANY_ORDER),
    Row("fresh", "new_event_loop, 10 tasks, close", 10, 10, _FRESH, (0.26,), repeats=_FRESH_LOOPS),
    Row("run", "asyncio.run, 10 tasks", 10, 10, _RUN, (0.26,), repeats=_FRESH_LOOPS,
        without=frozenset({"simloop", "detangle"})),
    Row("bytes", "a parked task holds", 10_000, 1_000, parked_bytes, (0.75,), bytes=True),
    Row("exchange", "request, 1 kB response, memory", 3_000, 100, _timed(workloads.exchange), (0.30,),
        base="solipsism"),
    Row("crowd", "10,000 ready tasks in turn", 200_000, 20_000, _timed(workloads.crowd), (2.0,),
        judged="bridge-any", without=_CROWDED),
)  # fmt: skip
