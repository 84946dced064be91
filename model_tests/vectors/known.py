"""Known bugs of released versions of asyncio, which vectors, programs and the conformance kit find again.

A bug breaks rules, in some versions.  Where two bugs break one rule, `shown_by` distinguishes them: the names of the
vectors that show this one, or their prefixes.  If a rule is broken in a version in which no bug is known to break it,
that is a finding.  `fixed` has the patch releases that mended a bug in a version that had it.  TRIED are the releases
on which each bug of theirs was found, and no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..programs.releases import Release, includes, text


@dataclass(frozen=True)
class Bug:
    """A known bug.

    `issue` are its issues, `name` is the affected API, `wrong` describes the defect.  `rules` are the rules that it
    breaks, the main one first.  `since` is the first release with it, `before` the first version in which no release
    has it, `fixed` are the patch releases that mended it in versions before.
    """

    issue: str
    name: str
    wrong: str
    rules: tuple[str, ...]
    since: Release
    before: Release
    shown_by: tuple[str, ...] = ("",)
    fixed: tuple[Release, ...] = ()

    def meets(self, release: Release) -> bool:
        """Return whether that release has it."""
        return includes(self.since, self.before, self.fixed, release)

    @property
    def releases(self) -> str:
        """The releases that have it, in words."""
        return text(self.since, self.before, self.fixed)

    def shown(self, vector: str) -> bool:
        """Return whether that vector shows it."""
        return vector.startswith(self.shown_by)


#: The releases on which each bug of their version was found.
TRIED: Final = (
    (3, 6, 15),
    (3, 7, 16),
    (3, 8, 18),
    (3, 9, 18),
    (3, 10, 13),
    (3, 11, 7),
    (3, 12, 1),
    (3, 13, 0),
    (3, 13, 18),
    (3, 14, 10),
    (3, 15, 2),
)

#: PyPI's asyncio 3.4.3, for Python 3.3, counts as version 3.4.
OLDEST: Final = (3, 4)

BUGS: Final = (
    Bug(
        "gh-86296 (bpo-42130)",
        "wait_for",
        "a cancel in the turn of the result is lost",
        ("WAITFOR-4", "CANCEL-2"),
        (3, 8),
        (3, 12),
        ("a cancel in the turn of", "a cancel in the turn in which"),
    ),
    Bug(
        "asyncio#343 (gh-92824)",
        "wait_for",
        "an item that came in the turn of a cancel is lost with the getter",
        ("WAITFOR-4", "QUEUE-27"),
        OLDEST,
        (3, 8),
        ("a cancel in the turn in which",),
    ),
    Bug(
        "gh-96764",
        "wait_for",
        "a cancel while the inner cleans up does not reach it",
        ("WAITFOR-4", "WAITFOR-2"),
        OLDEST,
        (3, 12),
        ("a cancel while the inner cleans up",),
    ),
    Bug(
        "gh-112202",
        "Condition",
        "a notify that reached a cancelled waiter is lost",
        ("COND-6",),
        OLDEST,
        (3, 13),
    ),
    Bug(
        "gh-116720",
        "Task",
        "uncancel() to zero does not withdraw what was not thrown",
        ("CANCEL-6", "CANCEL-15", "QUEUE-33", "LOCK-18", "EVENT-13"),
        (3, 11),
        (3, 13),
    ),
    Bug(
        "gh-116720",
        "TaskGroup",
        "a cancel from outside that meets a failure is lost",
        ("GROUP-5",),
        (3, 11),
        (3, 13),
    ),
    Bug(
        "gh-116720",
        "TaskGroup",
        "cancelling() is one too many after a failure while the group ends",
        ("GROUP-9",),
        (3, 11),
        (3, 13),
    ),
    Bug(
        "finding cpython_group",
        "TaskGroup",
        "after cancel() a cancel from outside, while the group ends, costs the error of the body",
        ("GROUP-5",),
        (3, 15),
        (3, 17),
    ),
    Bug(
        "gh-111693",
        "Condition",
        "a cancel while the lock is taken again loses its message",
        ("COND-5",),
        (3, 9),
        (3, 13),
    ),
    Bug(
        "gh-112182",
        "Future",
        "a subclass of StopIteration stored in a future ends the awaiting task, with its value as result",
        ("FUT-7",),
        OLDEST,
        (3, 13),
    ),
    Bug(
        "gh-158004",
        "as_completed",
        "a cancelled step costs a result",
        ("ASDONE-3",),
        (3, 13),
        (3, 16),
        fixed=((3, 14, 10), (3, 15, 2)),
    ),
    Bug(
        "gh-156321",
        "shield",
        "after its outer was cancelled the inner's error is reported, though a task takes it",
        ("FUT-9",),
        (3, 14),
        (3, 16),
        ("an error of the inner after the shield was cancelled is not reported",),
        fixed=((3, 14, 10), (3, 15, 2)),
    ),
    Bug(
        "bpo-45924",
        "Future",
        "an exception that is raised again grows its traceback",
        ("FUT-8",),
        OLDEST,
        (3, 10),
    ),
    Bug(
        "bpo-45390",
        "Task",
        "the message of a cancel is lost across an await",
        ("CANCEL-10", "FUT-13"),
        (3, 9),
        (3, 11),
    ),
    Bug(
        "bpo-38248 (gh-82429)",
        "Task",
        "a task that returns under a request fails with CancelledError, but is not cancelled",
        ("CANCEL-5",),
        (3, 5),
        (3, 8),
    ),
    Bug(
        "bpo-32751",
        "wait_for",
        "TimeoutError is raised before the inner has cleaned up",
        ("WAITFOR-2", "COND-4"),
        OLDEST,
        (3, 7),
    ),
    Bug(
        "bpo-33638",
        "wait_for",
        "a timeout of 0 does not wait until the inner has cleaned up",
        ("WAITFOR-5", "WAITFOR-2"),
        OLDEST,
        (3, 8),
        ("a timeout of 0 waits",),
    ),
    Bug(
        "bpo-37658",
        "wait_for",
        "a result that the inner gives in spite of the timeout is dropped",
        ("WAITFOR-3", "WAITFOR-5"),
        OLDEST,
        (3, 9),
        ("a result in spite", "a timeout of 0 takes a result"),
    ),
    Bug(
        "bpo-40607",
        "wait_for",
        "an error that the inner raises in spite of the timeout is dropped",
        ("WAITFOR-3",),
        OLDEST,
        (3, 9),
        ("an error in spite",),
    ),
    Bug(
        "bpo-23812",
        "Queue",
        "an item is lost when the getter that it was handed to is cancelled",
        ("QUEUE-5", "QUEUE-27"),
        OLDEST,
        (3, 5),
        ("a cancelled get leaves the item",),
    ),
    Bug(
        "bpo-25233 (asyncio#265)",
        "Queue",
        "the wake-up of a cancelled getter is not passed on",
        ("QUEUE-5",),
        OLDEST,
        (3, 5),
        ("the wake-up of a cancelled getter", "Queue.get"),
    ),
    Bug(
        "bpo-25233 (asyncio#269)",
        "Queue",
        "a putter that was woken and cancelled puts its item all the same",
        ("QUEUE-21", "QUEUE-27"),
        OLDEST,
        (3, 5),
        ("a put cancelled after its wake-up", "the wake-up of a cancelled putter", "Queue.put"),
    ),
    Bug(
        "bpo-30048",
        "Task",
        "a task that returns under a request has its result",
        ("CANCEL-5",),
        OLDEST,
        (3, 5),
    ),
    Bug(
        "bpo-26923",
        "gather",
        "a gather whose children are all done takes a cancel",
        ("GATHER-6",),
        OLDEST,
        (3, 5),
    ),
    Bug(
        "bpo-27585",
        "Lock",
        "the wake-up of a cancelled waiter is not passed on",
        ("LOCK-5",),
        OLDEST,
        (3, 5),
        ("the wake-up of a cancelled waiter", "Lock.acquire"),
    ),
    Bug(
        "bpo-45997 (gh-90155)",
        "Semaphore",
        "a newcomer overtakes a woken waiter",
        ("SEM-2",),
        OLDEST,
        (3, 10),
    ),
    Bug(
        "gh-90155",
        "Semaphore",
        "after the cancel of a woken waiter a free permit wakes no other waiter",
        ("LOCK-5", "LOCK-6", "LOCK-8"),
        (3, 9),
        (3, 10),  # the first releases of 3.10 had it too
        ("a permit on its way", "Semaphore.acquire", "BoundedSemaphore.acquire"),
    ),
)

#: Bugs that no vector shows, but facts of the conformance kit: `shown_by` has their sentences.
OF_FACTS: Final = (
    Bug(  # seen in 3.14.10 and 3.15.2, not in 3.14.2 and 3.15.0rc1
        "finding cpython_as_completed",
        "as_completed",
        "left early, it keeps its caller as long as a future that it was given lives on",
        ("LEAK-8",),
        (3, 14, 3),
        (3, 16),
        (
            "as_completed that is left early, cancelled or timed out keeps nothing of its caller, though a future "
            "lives on",
        ),
    ),
    Bug(
        "finding cpython_gather",
        "gather",
        "it keeps its caller as long as a child lives on",
        ("LEAK-5",),
        (3, 14),
        (3, 16),
        (
            "A gather that has raised, or was left, keeps nothing of its caller, though another awaitable lives on",
        ),
    ),
    Bug(
        "finding cpython_shield_left",
        "shield",
        "left without an await, it keeps its caller as long as the inner future lives on",
        ("LEAK-4",),
        (3, 14),
        (3, 16),
        ("A shield keeps nothing of the task that made it and has ended, though the inner future lives on",),
    ),
    Bug(
        "gh-155143",
        "shield",
        "one that is cancelled keeps its caller as long as the inner future lives on",
        ("LEAK-4", "LEAK-7"),
        (3, 14),
        (3, 16),
        (
            "A shield that is cancelled leaves nothing of its caller at the inner future: no task, and no callback",
            "A wait_for() that is over leaves nothing of its caller at a future that lives on behind a shield",
        ),
        fixed=((3, 14, 10), (3, 15, 2)),
    ),
    Bug(
        "gh-152569",
        "wait",
        "it keeps its caller as long as a future that it was given lives on",
        ("LEAK-6",),
        (3, 14),
        (3, 15),
        (
            "A wait() that is over leaves nothing of its caller at a future that lives on: no task, and no callback",
        ),
        fixed=((3, 14, 7),),
    ),
    Bug(
        "gh-157301",
        "create_task",
        "any object is taken as the context of a task",
        ("TASK-11",),
        (3, 11),
        (3, 16),
        ("The context of a task must be a contextvars.Context: TypeError for another object",),
        fixed=((3, 13, 18), (3, 15, 2)),
    ),
)


def bugs_of(rule: str) -> list[Bug]:
    """Return the bugs that break a rule, those that vectors show first."""
    return [bug for bug in (*BUGS, *OF_FACTS) if rule in bug.rules]
