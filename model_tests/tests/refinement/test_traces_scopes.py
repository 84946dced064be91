"""Real timeouts and groups in random programs: their runs are accepted, and those of every wrong one rejected."""

import sys
from collections import Counter
from functools import cache
from random import Random
from typing import Any, Final

import pytest

import impl
from impl.combinators.taskgroup import TaskGroup
from impl.combinators.timeout import Timeout
from spec.kit.monitor import Rejected
from spec.kit.trace import Do

from ...implementations.all_mutants import BY_NAME
from ...programs.runtimes import namespace
from ...programs.vectors.known_bugs import BUGS
from ...refinement.held import HeldRuns, NamedLoops
from ...refinement.scopes import (
    OURS,
    ScopeBlock,
    ScopeOp,
    ScopeProgram,
    asyncio_runtime,
    drawn,
    judged,
)
from ...refinement.subjects import Deviation

# `Any` in this file: a class of either library, and the arguments of `__aexit__`.

#: So many programs are run, of one seed each.
PROGRAMS: Final = 400
#: Those of asyncio are held to it as well, where the version has no known bug.
HELD = [HeldRuns("scopes", (OURS.name,), traces=PROGRAMS)]
ACTIONS: Final = {
    "enter", "end", "leave", "wait", "resume", "catch", "raise_", "uncancel", "cancel", "expire", "fail",
    "cancel_group",
}  # fmt: skip
#: A failure of group 3 and, while its tasks clean up, a cancel from outside: the next wait raises it.
_FAILING: Final = ScopeBlock(3, True, 6, (ScopeOp("until", 40),), (), True)
COINCIDING: Final = ScopeProgram(ScopeBlock(0, False, None, (_FAILING, ScopeOp("until", 44)), (), True), (9,))


@cache
def programs(full: bool) -> list[ScopeProgram]:
    return [drawn(Random(seed)) for seed in range(10_000 if full else PROGRAMS)]


def test_our_scopes_are_accepted(full: bool) -> None:
    made = Counter[str]()
    for program in programs(full):
        made.update(line.event.name for line, _ in judged().run(OURS, program) if isinstance(line, Do))
    assert set(made) == ACTIONS
    assert min(made.values()) >= 10


def has(block: ScopeBlock, *, group: bool) -> bool:
    """Whether a block is a group or has one in it, or takes a request back."""
    return (block.group and group) or any(
        has(each, group=group) if isinstance(each, ScopeBlock) else each.name == "uncancel" for each in block.ops
    )


def test_asyncios_scopes_are_accepted(full: bool) -> None:
    """The rejected runs of a version with a known bug are some of those with a group, or with uncancel()."""
    runtime = asyncio_runtime()
    wrong = [program for program in programs(full) if judged().rejects(runtime, program)]
    if Deviation.UNCANCEL in runtime.deviations:
        assert wrong
    elif not any("GROUP-5" in bug.rules and bug.meets(tuple(sys.version_info[:3])) for bug in BUGS):
        assert wrong == []
    assert all(has(program.body, group=True) for program in wrong)


def test_a_failure_and_a_cancel_that_coincide() -> None:
    """GROUP-5: the failure is raised first, the cancel by the next wait."""
    seen = judged().run(OURS, COINCIDING)
    lines = [f"{line}: {fields.get('error')}" for line, fields in seen if str(line) != "catch()"]
    left = lines.index("leave(3): failure")
    assert lines[left + 1 : left + 3] == ["wait(): none", "resume(): cancelled"]


class Keeping(Timeout):
    """TIMEOUT-8: it does not take its request back."""

    async def __aexit__(self, *error: Any) -> None:
        task = self._task
        try:
            await super().__aexit__(*error)
        finally:
            if self.expired():
                task._cancels += 1


class Swallowing(Timeout):
    """TIMEOUT-2: when it expired it takes any CancelledError for its own."""

    async def __aexit__(self, *error: Any) -> None:
        await super().__aexit__(*error)
        if self.expired() and isinstance(error[1], impl.CancelledError):
            raise TimeoutError from error[1]


class Silent(Timeout):
    """TIMEOUT-1: it raises no TimeoutError."""

    async def __aexit__(self, *error: Any) -> None:
        try:
            await super().__aexit__(*error)
        except TimeoutError:
            pass


class Forgetting(TaskGroup):
    """GROUP-5: a group that fails does not repeat the requests of others."""

    def _raise_errors(self, of_body: BaseException | None) -> None:
        raise BaseExceptionGroup("unhandled errors in a TaskGroup", self._errors) from None


class Asking(TaskGroup):
    """GROUP-9: it does not take its request back."""

    @property
    def _asked_parent(self) -> bool:
        return False

    @_asked_parent.setter
    def _asked_parent(self, asked: bool) -> None:
        pass


class Dropping(TaskGroup):
    """GROUP-10: a group that was cancelled drops a cancel from outside, too (gh-155433)."""

    async def __aexit__(self, *error: Any) -> bool | None:
        try:
            return await super().__aexit__(*error)
        except impl.CancelledError:
            if self._asked_parent:
                return True
            raise


class Repeating(TaskGroup):
    """GROUP-11: each cancel() requests the cancel of the body."""

    def cancel(self) -> None:
        super().cancel()
        if self._asked_parent and self._parent is not None:
            self._parent.cancel()


class Late(TaskGroup):
    """GROUP-11: a cancel() before the entry is forgotten."""

    def cancel(self) -> None:
        if self._host is not None:
            super().cancel()


WRONG: Final = [
    *[("Timeout", wrong) for wrong in (Keeping, Swallowing, Silent, BY_NAME["TimeoutHidesCancel"].wrong)],
    *[("TaskGroup", wrong) for wrong in (Forgetting, Asking, Dropping, Repeating, Late)],
]


@pytest.mark.parametrize(("name", "wrong"), WRONG, ids=lambda wrong: getattr(wrong, "__name__", ""))
def test_a_wrong_one_is_rejected(name: str, wrong: Any) -> None:
    runtime = NamedLoops(wrong.__name__, namespace(name, wrong), impl.Loop)
    assert any(judged().rejects(runtime, program) for program in programs(False))


def test_a_group_that_forgets_a_cancel_is_rejected_where_it_would_be_raised() -> None:
    runtime = NamedLoops("forgetting", namespace("TaskGroup", Forgetting), impl.Loop)
    with pytest.raises(Rejected, match="the error none") as error:
        judged().run(runtime, COINCIDING)
    assert str(error.value.accepted[-1]) == "resume()"
