"""The orders that differ: pairs of conflicting accesses that a failed run has in the reverse order of one that passes.

1.  Two accesses conflict if they are of different tasks and touch the same thing, and one of them changes it.  A
    request to cancel a task conflicts with the steps of that task.
2.  Accesses of two runs correspond if they are of the same task, to the same thing, from the same line, and the n-th
    such one; if no pair is found so, those of any task; if none is found again, pairs are those with an access that
    the failed run has not come to.
3.  A pair that follows from another one and the order within a task is left out; so are pairs of two writes, where
    there are others.

For example, two tasks run `if stock > 0: await pay(); stock -= 1`, and `stock` is 1:

    failed:  a reads   b reads   a writes 0   b writes -1
    passed:  a reads   a writes 0   b reads

"b reads" and "a writes" are accesses of both runs, of two tasks, and one of them writes; their order differs.  So the
pair is "b reads stock before a writes it".  "a reads" comes before both in both runs, and "b writes" has no counterpart
in the run that passes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from typing import Final, NamedTuple

from .steps import NO_TASK, Steps, TaskStep, Touch

#: The method of a task that requests its cancellation, and the word for its effect on a step of the task.
CANCEL: Final = "cancel"
GOES_ON: Final = "goes on"
#: A file and a line.
_Place = tuple[str, int]
#: The key of a thing.
_Cell = tuple[str, Hashable]
#: Accesses of variables and of the objects in them.
_VARIABLE: Final = ("reads", "writes")
#: Accesses of a lock or a semaphore.
_TURNS: Final = ("acquire", "release")


class PlacedAccess(NamedTuple):
    """An access, and its place in the run."""

    step: int
    task: int
    touch: Touch
    #: Which of the accesses of this task to this thing from this line it is.
    nth: int
    #: "reads" or "writes" where a thread may stop between the two; else "".
    kind: str = ""
    #: The key of the task in both runs (Steps.actor).
    actor: Hashable = None


class Turned(NamedTuple):
    """`first` came before `second` in the failed run, and after it in the run that passes."""

    thing: str
    first: PlacedAccess
    second: PlacedAccess
    #: Whether the failed run came to `second`.
    reached: bool = True


#: The key that tells accesses apart in both runs: task (None: of any), thing and its object, place, kind, n-th.
_Key = tuple[Hashable, _Cell, _Place, str, int]


def turned(failed: Steps, passed: Steps, shared: Shared) -> list[Turned]:
    """The pairs: cancels first, then in the order of the failed run."""
    ours, theirs = list(_accesses(failed, shared, True)), list(_accesses(passed, shared, False))
    found = _pairs(ours, {_key(access): access.step for access in theirs})
    if not found:
        first: dict[_Key, int] = {}
        for access in theirs:
            first.setdefault(_line_key(access), access.step)
        found = _pairs(ours, first, by_line=True) or _missing(ours, theirs)
    found = _essential(found)
    looks = [pair for pair in found if not (pair.first.touch.how == pair.second.touch.how == "writes")]
    # Beside the turns of a lock alone, two writes are what differs: a lock is taken in some order by any program.
    kept = found if all(_turn_of_a_lock(pair) for pair in looks) else looks
    return sorted(kept, key=lambda pair: (pair.first.touch.how != CANCEL, _turn_of_a_lock(pair)))


def _turn_of_a_lock(pair: Turned) -> bool:
    return pair.first.touch.how in _TURNS and pair.second.touch.how in _TURNS


class Shared:
    """The things that several tasks touch and that are changed after a first step that has not; cancelled tasks.

    A variable that holds a primitive or a task stands for that: its own accesses are left out.

    Parameters:
        doubt: the most that a touch may have to count (steps.Touch.doubt).
    """

    def __init__(self, *runs: Steps, doubt: int = 0) -> None:
        counted = [
            [(step.task, [each for each in step.touches if each.doubt <= doubt]) for step in run.steps] for run in runs
        ]
        every = [touch for steps in counted for _, touches in steps for touch in touches]
        self._called = {each.thing for each in every if each.how not in _VARIABLE and not each.foreign}
        self._things = {touch.cell for touch in every if touch.how == CANCEL}
        tasks: dict[_Cell, set[int]] = {}
        changed, read_first, written = set[_Cell](), set[_Cell](), set[_Cell]()
        for steps in counted:
            known: set[_Cell] = set()
            for task, touches in steps:
                own = [touch for touch in touches if self._counts(touch)]
                cells, changes = {each.cell for each in own}, {each.cell for each in own if each.changes}
                for cell in cells:
                    tasks.setdefault(cell, set()).add(task)
                changed |= changes & known
                read_first |= cells - known - changes
                written |= changes
                known |= cells
        changed |= read_first & written  # by another run
        self._things |= {thing for thing in changed if len(tasks[thing]) > 1}

    def _counts(self, touch: Touch) -> bool:
        return touch.how not in _VARIABLE or touch.thing not in self._called

    def has(self, label: str) -> bool:
        """Whether the task of this label was cancelled."""
        return (label, None) in self._things

    def of(self, step: TaskStep) -> list[Touch]:
        """The effects of the step on such things."""
        return [touch for touch in step.touches if touch.cell in self._things and self._counts(touch)]


def _accesses(run: Steps, shared: Shared, failed: bool) -> Iterable[PlacedAccess]:
    """The accesses of a run to the shared things; of one step, those to a thing from one line are one.

    A thread may stop within a line: in a run with threads its reads and its writes are two.

    The step that a request to cancel hits, in the failed run, corresponds to the one that goes on in the other run.
    """
    threads = any(task.is_thread for task in run.tasks)
    count: Counter[tuple[int, _Cell, _Place, str]] = Counter()
    for number, step in enumerate(run.steps):
        actor = run.actor(step.task)
        found: dict[tuple[_Cell, _Place, str], Touch] = {}
        if step.task != NO_TASK and step.begins and shared.has(label := run.tasks[step.task].label):
            key = step.task, (label, None), (step.file, step.begins), ""
            if step.cancelled == failed:
                touch = Touch(label, GOES_ON, False, step.begins, None, step.file)
                yield PlacedAccess(number, step.task, touch, count[key], actor=actor)
            count[key] += 1
        for touch in shared.of(step):
            kind = touch.how if threads and touch.how in _VARIABLE else ""
            known = found.get((touch.cell, touch.place, kind))
            if known is None or touch.changes:
                found[touch.cell, touch.place, kind] = touch
        for (cell, place, kind), touch in found.items():
            yield PlacedAccess(number, step.task, touch, count[step.task, cell, place, kind], kind, actor)
            count[step.task, cell, place, kind] += 1


def _key(access: PlacedAccess) -> _Key:
    return access.actor, access.touch.cell, access.touch.place, access.kind, access.nth


def _line_key(access: PlacedAccess) -> _Key:
    return None, (access.touch.thing, None), access.touch.place, access.kind, 0


def _pairs(ours: list[PlacedAccess], theirs: dict[_Key, int], by_line: bool = False) -> list[Turned]:
    found = []
    for n, second in enumerate(ours):
        for first in ours[:n]:
            if (
                first.task == second.task
                or first.touch.cell != second.touch.cell
                or not (first.touch.changes or second.touch.changes)
            ):
                continue
            key = _line_key if by_line else _key
            before, after = theirs.get(key(first)), theirs.get(key(second))
            if before is not None and after is not None and after < before:
                found.append(Turned(first.touch.thing, first, second))
    return found


def _missing(ours: list[PlacedAccess], theirs: list[PlacedAccess]) -> list[Turned]:
    """Pairs with a second access that the failed run has not come to: the last ones of the tasks that it has."""
    there = {_key(access): access for access in ours}
    last = {access.task: access for access in ours}
    found = []
    for second in theirs:
        if _key(second) in there:
            continue
        for after in theirs:
            first = there.get(_key(after))
            if (
                first is not None
                and last[first.task] is first
                and after.step > second.step
                and after.task != second.task
                and after.touch.cell == second.touch.cell
                and (after.touch.changes or second.touch.changes)
            ):
                found.append(Turned(first.touch.thing, first, second, reached=False))
    return found


def _essential(pairs: list[Turned]) -> list[Turned]:
    """Those that do not follow from another pair."""
    kept = []
    for pair in pairs:
        follows = any(
            other is not pair
            and other.first.task == pair.first.task
            and other.second.task == pair.second.task
            and other.first.step >= pair.first.step
            and other.second.step <= pair.second.step
            and (other.first.step, other.second.step) != (pair.first.step, pair.second.step)
            for other in pairs
        )
        if not follows:
            kept.append(pair)
    return kept
