"""Known bugs of released versions of asyncio, which vectors, programs and the conformance kit find again.

A bug breaks rules, in some versions.  Where two bugs break one rule, `shown_by` distinguishes them: the names of the
vectors that show this one, or their prefixes.  A rule that is broken in a version without a known bug of that rule is a
finding.  `fixed` has the patch releases that mended a bug in a version that had it.  TRIED are the releases
on which each bug of theirs was found, and no other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ..releases import Release, includes, parsed, text


@dataclass(frozen=True)
class Bug:
    """A known bug.

    `issue` are its issues, `name` is the affected API, `wrong` describes the defect.  `rules` are the rules that it
    breaks, the main one first.  `since` is the first release with it, `before` the first version that never had
    it, `fixed` are the patch releases that mended it in versions before.  If the documentation has `promised` the
    right behaviour since a version, no implementation need have it before.
    """

    issue: str
    name: str
    wrong: str
    rules: tuple[str, ...]
    since: Release
    before: Release
    shown_by: tuple[str, ...] = ("",)
    fixed: tuple[Release, ...] = ()
    promised: bool = False

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
    *((3, 6, 15), (3, 7, 16), (3, 8, 18), (3, 9, 18), (3, 10, 13), (3, 11, 7), (3, 12, 1)),
    *((3, 13, 0), (3, 13, 18), (3, 14, 10), (3, 15, 2)),
)

#: PyPI's asyncio 3.4.3, for Python 3.3, counts as version 3.4.
OLDEST: Final = (3, 4)

#: The first line of a bug in a text; the releases are as in `Bug.releases`.
_HEAD: Final = re.compile(r"(.+): (.+): (.+), (\S+) to before (\S+?)(?:, fixed in (.+))?( \(promised\))?")


def bugs(text: str) -> tuple[Bug, ...]:
    """Return the bugs of a text, each with its first line, its description, and the vectors that show it."""
    found = []
    for entry in re.split(r"\n(?=\S)", text.strip()):
        first, wrong, *shown_by = entry.split("\n")
        head = _HEAD.fullmatch(first)
        assert head, f"not the first line of a bug: {first}"
        issue, name, rules, since, before, fixed, promised = head.groups(default="")
        mended = tuple(map(parsed, filter(None, fixed.split(" and "))))
        shown = tuple(line.removeprefix("    - ") for line in shown_by) or ("",)
        broken = tuple(rules.split())
        releases = parsed(since), parsed(before)
        found.append(Bug(issue, name, wrong.strip(), broken, *releases, shown, mended, bool(promised)))
    return tuple(found)


# The last one was in the first releases of 3.10, too.
BUGS: Final = bugs("""
gh-86296 (bpo-42130): wait_for: WAITFOR-4 CANCEL-2, 3.8 to before 3.12
    a cancel in the turn of the result is lost
    - a cancel in the turn of
    - a cancel in the turn in which
asyncio#343 (gh-92824): wait_for: WAITFOR-4 QUEUE-27, 3.4 to before 3.8
    an item that came in the turn of a cancel is lost with the getter
    - a cancel in the turn in which
gh-96764: wait_for: WAITFOR-4 WAITFOR-2, 3.4 to before 3.12
    a cancel while the inner cleans up does not reach it
    - a cancel while the inner cleans up
gh-112202: Condition: COND-6, 3.4 to before 3.13
    a notify that reached a cancelled waiter is lost
gh-116720: Task: CANCEL-6 CANCEL-15 QUEUE-33 LOCK-18 EVENT-13, 3.11 to before 3.13
    uncancel() to zero does not withdraw what was not thrown
gh-116720: TaskGroup: GROUP-5, 3.11 to before 3.13 (promised)
    a cancel from outside that meets a failure is lost
gh-116720: TaskGroup: GROUP-9, 3.11 to before 3.13 (promised)
    cancelling() is one too many after a failure while the group ends
finding cpython_group: TaskGroup: GROUP-5, 3.15 to before 3.17
    after cancel() a cancel from outside, while the group ends, costs the error of the body
gh-111693: Condition: COND-5, 3.9 to before 3.13
    a cancel while the lock is taken again loses its message
gh-112182: Future: FUT-7, 3.4 to before 3.13
    a subclass of StopIteration stored in a future ends the awaiting task, with its value as result
gh-158004: as_completed: ASDONE-3, 3.13 to before 3.16, fixed in 3.14.10 and 3.15.2
    a cancelled step costs a result
gh-156321: shield: FUT-9, 3.14 to before 3.16, fixed in 3.14.10 and 3.15.2
    after its outer was cancelled the inner's error is reported, though a task takes it
    - an error of the inner after the shield was cancelled is not reported
bpo-45924: Future: FUT-8, 3.4 to before 3.10
    an exception that is raised again grows its traceback
bpo-45390: Task: CANCEL-10 FUT-13, 3.9 to before 3.11
    the message of a cancel is lost across an await
bpo-38248 (gh-82429): Task: CANCEL-5, 3.5 to before 3.8
    a task that returns under a request fails with CancelledError, but is not cancelled
bpo-32751: wait_for: WAITFOR-2 COND-4, 3.4 to before 3.7
    TimeoutError is raised before the inner has cleaned up
bpo-33638: wait_for: WAITFOR-5 WAITFOR-2, 3.4 to before 3.8
    a timeout of 0 does not wait until the inner has cleaned up
    - a timeout of 0 waits
bpo-37658: wait_for: WAITFOR-3 WAITFOR-5, 3.4 to before 3.9
    a result that the inner gives in spite of the timeout is dropped
    - a result in spite
    - a timeout of 0 takes a result
bpo-40607: wait_for: WAITFOR-3, 3.4 to before 3.9
    an error that the inner raises in spite of the timeout is dropped
    - an error in spite
bpo-23812: Queue: QUEUE-5 QUEUE-27, 3.4 to before 3.5
    an item is lost when the getter that it was handed to is cancelled
    - a cancelled get leaves the item
bpo-25233 (asyncio#265): Queue: QUEUE-5, 3.4 to before 3.5
    the wake-up of a cancelled getter is not passed on
    - the wake-up of a cancelled getter
    - Queue.get
bpo-25233 (asyncio#269): Queue: QUEUE-21 QUEUE-27, 3.4 to before 3.5
    a putter that was woken and cancelled puts its item all the same
    - a put cancelled after its wake-up
    - the wake-up of a cancelled putter
    - Queue.put
bpo-30048: Task: CANCEL-5, 3.4 to before 3.5
    a task that returns under a request has its result
bpo-26923: gather: GATHER-6, 3.4 to before 3.5
    a gather whose children are all done takes a cancel
bpo-27585: Lock: LOCK-5, 3.4 to before 3.5
    the wake-up of a cancelled waiter is not passed on
    - the wake-up of a cancelled waiter
    - Lock.acquire
bpo-45997 (gh-90155): Semaphore: SEM-2, 3.4 to before 3.10
    a newcomer overtakes a woken waiter
gh-90155: Semaphore: LOCK-5 LOCK-6 LOCK-8, 3.9 to before 3.10
    after the cancel of a woken waiter a free permit wakes no other waiter
    - a permit on its way
    - Semaphore.acquire
    - BoundedSemaphore.acquire
""")

#: Bugs that no vector shows, but facts of the conformance kit: `shown_by` has their sentences.
# The first one was seen in 3.14.10 and 3.15.2, not in 3.14.2 and 3.15.0rc1.
OF_FACTS: Final = bugs("""
finding cpython_as_completed: as_completed: LEAK-8, 3.14.3 to before 3.16
    left early, it keeps its caller as long as a future that it was given lives on
    - as_completed that is left early, cancelled or timed out keeps nothing of its caller, though a future lives on
finding cpython_gather: gather: LEAK-5, 3.14 to before 3.16
    it keeps its caller as long as a child lives on
    - A gather that has raised, or was left, keeps nothing of its caller, though another awaitable lives on
finding cpython_shield_left: shield: LEAK-4, 3.14 to before 3.16
    left without an await, it keeps its caller as long as the inner future lives on
    - A shield keeps nothing of the task that made it and has ended, though the inner future lives on
gh-155143: shield: LEAK-4 LEAK-7, 3.14 to before 3.16, fixed in 3.14.10 and 3.15.2
    one that is cancelled keeps its caller as long as the inner future lives on
    - A shield that is cancelled leaves nothing of its caller at the inner future: no task, and no callback
    - A wait_for() that is over leaves nothing of its caller at a future that lives on behind a shield
gh-152569: wait: LEAK-6, 3.14 to before 3.15, fixed in 3.14.7
    it keeps its caller as long as a future that it was given lives on
    - A wait() that is over leaves nothing of its caller at a future that lives on: no task, and no callback
gh-157301: Task: TASK-11, 3.11 to before 3.16, fixed in 3.13.18 and 3.15.2
    any object is taken as the context of a task
    - The context of a task must be a contextvars.Context: TypeError for another object
""")


def bugs_of(rule: str) -> list[Bug]:
    """Return the bugs that break a rule, those that vectors show first."""
    return [bug for bug in (*BUGS, *OF_FACTS) if rule in bug.rules]
