"""`loopspec check --tlc`: TLC searches the instances as modules of TLA+; a line each compares its answer with ours.

Both must count the same states, steps and levels, or find the same property broken after as many steps.  TLC runs once
for each instance, on every core, while the next instances are searched here.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from ..kit.bounded import Instance
from ..kit.render.source import Untranslatable
from ..kit.tla import tlc
from ..kit.tla.comparison import Asked, LeftOut, Outcome, asked, beside, together
from .run import CheckRun, label
from .target import UsageError

#: The verdict on an instance, and more about it.
Answer = tuple[str, str]
EQUAL, DIFFERENT, NOT_MEANT, REFUSED, LEFT_OUT = "equal", "DIFFERENT", "WRONG", "refused", "left out"


def compare(instances: Sequence[Instance], run: CheckRun) -> int:
    """Print a line for each instance; returns the exit status.

    1: an answer of TLC differs, or both find another verdict than the instance states; 2: an instance is outside the
    subset; 3: every instance is too large.
    Raises UsageError where TLC cannot run.
    """
    try:
        command, tools = tlc.java(), tlc.jar()
    except tlc.Unavailable as error:
        raise UsageError(f"--tlc: {error}") from error
    count: Counter[str] = Counter()
    print(f"{'':{run.width}}  {'states':>29} {'edges':>19} {'depth':>7}  (ours, TLC's)")
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        for instance, verdict in ahead(instances, run, command, tools, pool):
            kind, text = verdict()
            count[kind] += 1
            print(f"{label(instance):<{run.width}}  {kind:<9} {text}", flush=True)
    finally:
        pool.shutdown(cancel_futures=True)
    print(f"{len(instances)} instances: {', '.join(f'{n} {kind}' for kind, n in count.items())}")
    return 1 if count[DIFFERENT] + count[NOT_MEANT] else 2 if count[REFUSED] else 0 if count[EQUAL] else 3


def ahead(
    instances: Sequence[Instance], run: CheckRun, command: str, tools: Path, pool: ThreadPoolExecutor
) -> Iterator[tuple[Instance, Callable[[], Answer]]]:
    """Each instance with its answer, while the next ones are searched; no more wait than there are cores, and one."""
    waiting: deque[tuple[Instance, Callable[[], Answer]]] = deque()
    for instance in instances:
        run.label = label(instance)
        waiting.append((instance, begin(instance, command, tools, pool)))
        if len(waiting) > (os.cpu_count() or 1) + 1:
            yield waiting.popleft()
    yield from waiting


def begin(instance: Instance, command: str, tools: Path, pool: ThreadPoolExecutor) -> Callable[[], Answer]:
    """Search an instance, and let TLC search it in a thread; returns a function that waits for that, and compares."""
    try:
        wanted = asked(instance)
    except (LeftOut, Untranslatable) as error:
        answer = LEFT_OUT if isinstance(error, LeftOut) else REFUSED, str(error)
        return lambda: answer
    runs = [pool.submit(tlc.ask, command, tools, question) for question in wanted.questions]
    return lambda: judged(wanted, runs)


def judged(wanted: Asked, runs: Sequence[Future[Outcome]]) -> Answer:
    """Compare with the answers of TLC."""
    try:
        theirs = together([run.result() for run in runs])
    except tlc.Failed as error:
        return DIFFERENT, str(error)
    kind = (EQUAL if wanted.meant else NOT_MEANT) if wanted.agrees(theirs) else DIFFERENT
    return kind, beside(wanted.ours, theirs) + wanted.note
