"""A list of named differences between released versions of asyncio and the reference, on random programs.

A program is played on two runtimes, and each line must agree.  Where they do not, `explain` looks for a difference in
this list that accounts for *all* of it, in one of three ways:

another class   the reference is played again with a class that behaves as that version of CPython.  If its lines then
                equal asyncio's, the difference is that one (or, if it takes all of them, all).
an erased word  a word that no documentation promises is erased from both, and the rest agrees.
left out        programs with a certain feature are not compared on that version at all (`left_out`).

The list has all known bugs that random programs can trigger.  No random program can trigger the others: they need a
StopIteration as exception, or two concurrent steps of as_completed.  An unexplained difference is a failure.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final

import impl
from impl.combinators.gather import _Gathering as Gathering

from .comparison import classes
from .releases import THIS, Release, includes
from .runtimes import TURNS_MAX, Line, Ours, Program, loop_of, observe
from .shrink import said

# `Any` in this file: programs are JSON; classes are replaced by name.


@dataclass(frozen=True)
class Difference:
    """One difference: its rule, the releases from `since` to `before` that are not `fixed`, and the change."""

    name: str
    rule: str
    why: str
    since: Release = (3, 11)
    before: Release = (99, 0)
    fixed: tuple[Release, ...] = ()
    names: dict[str, Any] = field(default_factory=dict)
    loop: Callable[..., impl.Loop] | None = None
    erases: Callable[[str], str] | None = None
    leaves_out: Callable[[Program], bool] | None = None

    def meets(self, release: Release) -> bool:
        return includes(self.since, self.before, self.fixed, release)


class KeepsRequest(impl.Task[Any]):
    """The last uncancel() leaves an undelivered request where it is."""

    __slots__ = ()

    def uncancel(self) -> int:
        self._cancels = max(0, self._cancels - 1)
        return self._cancels


class WakesAtAnyEnd(impl.Condition):
    """A waiter that ends in an error always wakes another one, notified or not."""

    __slots__ = ()

    def _hand_on(self, notified: bool) -> None:
        super()._hand_on(True)


class HandsNothingOn(impl.Condition):
    """A waiter that ends in an error hands nothing on, and raises a new CancelledError."""

    __slots__ = ()

    def _hand_on(self, notified: bool) -> None: ...

    async def _take_again(self) -> None:
        try:
            await super()._take_again()
        except impl.CancelledError:
            raise impl.CancelledError from None


class CountsThoseThere(impl.Barrier):
    """Return the number of tasks inside as a task's place, so that after a cancel two tasks may have the same one.

    It is based on this version's Condition.
    """

    __slots__ = ()

    def __init__(self, parties: int) -> None:
        super().__init__(parties)
        self._changed = WakesAtAnyEnd() if THIS >= (3, 13) else HandsNothingOn()

    async def wait(self) -> int:
        async with self._changed:
            await self._enter()
            place = self._count
            self._free.pop()
            try:
                await self._meet()
            finally:
                self._free.append(0)
                self._leave()
            return place


def shield_that_reports(what: Any) -> Any:
    """Report an error of the inner if the outer was cancelled before, though another task takes it."""
    inner = impl.ensure_future(what)
    outer = impl.shield(inner)

    def report(inner: Any) -> None:
        if not inner.cancelled() and inner.exception() is not None:
            impl.get_running_loop().call_exception_handler({"exception": inner.exception()})

    def end(outer: Any) -> None:
        if not inner.done():
            inner.remove_done_callback(report)
            inner.add_done_callback(report)

    if outer is not inner:
        outer.add_done_callback(end)
    return outer


def gather_that_counts_later(*awaitables: Any, return_exceptions: bool = False) -> Any:
    """Listen to each child as soon as it is created; a child that is done already counts in the next iteration."""
    found: dict[Any, Any] = {}
    gatherings: list[Gathering] = []
    for what in awaitables:
        if what not in found:
            found[what] = impl.ensure_future(what)
            found[what].add_done_callback(lambda child: gatherings[0]._ended(child))
    gatherings.append(Gathering([found[what] for what in awaitables], return_exceptions))
    gatherings[0]._left = len(found)
    return gatherings[0]._outer


class LosesTheBodysError(impl.TaskGroup):
    """After cancel() a cancel from outside, while the group ends, takes the place of the body's error."""

    _latest: BaseException | None = None

    async def _wait(self, host: Any) -> BaseException | None:
        request = await super()._wait(host)
        self._latest = request or self._latest
        return request

    def _raise_errors(self, of_body: BaseException | None) -> None:
        alone = len(self._errors) == 1 and self._errors[0] is of_body
        if alone and self._asked_parent and self._latest is not None and self._parent.cancelling():
            raise self._latest
        super()._raise_errors(of_body)


class LosesACancel(impl.TaskGroup):
    """A cancel from outside that meets the failure of a task is lost."""

    def _raise_errors(self, of_body: BaseException | None) -> None:
        raise BaseExceptionGroup("unhandled errors in a TaskGroup", self._errors) from None


def uses(*names: str) -> Callable[[Program], bool]:
    """Return whether a program says one of these names."""
    return lambda program: not said(program).isdisjoint(names)


def shuts_down(program: Program) -> bool:
    """Return whether it calls that method of a queue."""
    return '.shutdown"' in json.dumps(program)


def cancels_groups(program: Program) -> bool:
    """Return whether it calls that method of a group."""
    text = json.dumps(program)
    return any(of == "TaskGroup" and f'"{thing}.cancel"' in text for thing, of in classes(program).items())


DIFFERENCES: Final = (
    Difference("spurious wake-up", "COND-2",
        "since gh-112202 a waiter of a Condition that is cancelled before it was notified wakes another, which returns "
        "unnotified, as the documentation allows",
        since=(3, 13), names={"Condition": WakesAtAnyEnd}),
    Difference("lost notification", "COND-6",
        "gh-112202 (COND-5: gh-111693): a notify() that reached a cancelled waiter is lost, and the waiter "
        "raises another CancelledError than it was thrown",
        before=(3, 13), names={"Condition": HandsNothingOn}),
    Difference("place in a barrier", "BARRIER-1",
        "the index is how many are within, so that after a cancel two tasks may return the same; the documentation "
        "says 'different for each task'",
        names={"Barrier": CountsThoseThere}),
    Difference("uncancel does not withdraw", "CANCEL-6",
        "gh-116720: uncancel() to zero leaves an undelivered request where it is",
        before=(3, 13), loop=loop_of(task=KeepsRequest)),
    Difference("message of a cancel", "CANCEL-10",
        "a cancelled task gives its own CancelledError to the first task that awaits it, and a second gets one without "
        "the message; so do those that await a gather of gathers, or get the CancelledError of a child as a result",
        erases=lambda outcome: re.sub(r"CancelledError\('[^']*'\)", "CancelledError()", outcome)),
    Difference("shield reports what is taken", "FUT-9",
        "gh-156321: after the outer of a shield was cancelled the inner's error is reported though a task takes it",
        since=(3, 14), before=(3, 16), fixed=((3, 14, 10), (3, 15, 2)), names={"shield": shield_that_reports}),
    Difference("gather counts later", "GATHER-1",
        "children that are done already count in the next iteration; since 3.12 at once",
        before=(3, 12), names={"gather": gather_that_counts_later}),
    Difference("wait_for before 3.12", "WAITFOR-4",
        "gh-86296: a cancel that meets the end of the inner future is lost; and coroutines become tasks, so that all "
        "comes a turn later",
        before=(3, 12), leaves_out=uses("wait_for")),
    Difference("TaskGroup.cancel before 3.15", "GROUP-10", "there is none",
        before=(3, 15), leaves_out=cancels_groups),
    Difference("TaskGroup before 3.13", "GROUP-5",
        "gh-116720: a cancel from outside that collides with the failure of a task is lost",
        before=(3, 13), names={"TaskGroup": LosesACancel}, leaves_out=uses("TaskGroup")),
    Difference("TaskGroup loses the body's error", "GROUP-5",
        "after cancel() a cancel from outside, while the group ends, costs the error of the body",
        since=(3, 15), names={"TaskGroup": LosesTheBodysError}),
    Difference("Queue.shutdown before 3.13", "QUEUE-30", "there is none", before=(3, 13), leaves_out=shuts_down),
)  # fmt: skip


def left_out(program: Program, version: Release = THIS) -> Difference | None:
    """Return the difference that keeps a program from being compared on that release, if there is one."""
    return next((d for d in DIFFERENCES if d.leaves_out and d.meets(version) and d.leaves_out(program)), None)


def explain(
    program: Program,
    ours: list[Line],
    theirs: list[Line],
    version: Release = THIS,
    differences: Sequence[Difference] = DIFFERENCES,
) -> list[str] | None:
    """Return the names of the differences that account for all that differs ([] if nothing); None if unexplained."""
    if ours == theirs:
        return []
    known = [d for d in differences if d.meets(version)]
    erasing = [d for d in known if d.erases]
    played = [d for d in known if (d.names and uses(*d.names)(program)) or d.loop]
    reference = with_differences(program, []) if played else ours
    for taken in ([], *([d] for d in played), played):
        lines = with_differences(program, taken) if taken else ours
        if taken and lines == reference:
            continue  # they play no part here, so something else differs
        if lines == theirs:
            return [d.name for d in taken]
        if erased(lines, erasing) == erased(theirs, erasing):
            return [d.name for d in [*taken, *erasing]]
    return None


def with_differences(program: Program, taken: list[Difference]) -> list[Line]:
    """Return the lines of the reference with these differences applied."""
    names = {name: getattr(impl, name) for name in impl.__all__}
    loop: Callable[..., impl.Loop] = impl.Loop
    for difference in taken:
        names.update(difference.names)
        loop = difference.loop or loop
    return observe(program, Ours(SimpleNamespace(**names), loop(turns_max=TURNS_MAX)))


def erased(lines: list[Line], differences: list[Difference]) -> list[Line]:
    """Return the lines without the words that these differences erase."""
    for difference in differences:
        assert difference.erases is not None
        lines = [[*line[:3], difference.erases(line[3])] for line in lines]
    return lines
