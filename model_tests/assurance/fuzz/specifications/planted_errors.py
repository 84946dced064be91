"""Errors that are planted in the kit: the fuzz must find each one.

An error in a function is a piece of its text and another in its place; an error in a table is another entry.
"""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from types import FunctionType
from typing import Any, Final
from unittest.mock import patch

from spec.kit.liveness import Fair
from spec.kit.model import Model
from spec.kit.prove import admission, operations
from spec.kit.prove.case import Case
from spec.kit.prove.reader import Function
from spec.kit.prove.setting import Setting
from spec.kit.search import _Search

from . import comparison
from .rounds import numbered

#: The most specifications until an error must be found.
MOST: Final = 2_000


@contextmanager
def edited(fn: Callable[..., Any], right: str, wrong: str) -> Iterator[None]:
    """A function has another piece of text for as long as the context lasts."""
    assert isinstance(fn, FunctionType)
    text = textwrap.dedent(inspect.getsource(fn))
    assert right in text, right
    space: dict[str, Any] = {}
    code = "from __future__ import annotations\n" + text.replace(right, wrong)
    exec(compile(code, fn.__code__.co_filename, "exec", dont_inherit=True), fn.__globals__, space)
    before = fn.__code__
    fn.__code__ = space[fn.__name__].__code__
    try:
        yield
    finally:
        fn.__code__ = before


@contextmanager
def without_subset() -> Iterator[None]:
    """Nothing is outside the subset to the prover, and the keywords of max are dropped."""
    with (
        patch.object(admission, "outside", return_value=[]),
        edited(Function.called, "and others and not node.keywords", "and others"),
    ):
        yield


PLANTED: Final[dict[str, Callable[[], AbstractContextManager[object]]]] = {
    "search: step properties are not asked": partial(edited, Model.broken, "[] if again", "[] if True"),
    "search: invariants are asked of initial states only": partial(
        edited,
        _Search.visit,
        "if broken := self.model.broken(s)",
        "if broken := parent is None and self.model.broken(s)",
    ),
    "search: states with one hash are one": partial(
        edited, _Search.__init__, "(lambda s: s)", "(lambda s, met={}: met.setdefault(len(str(s)), s))"
    ),
    "search: an action has two events at most": partial(
        edited, Model._instances, "action.params))]", "action.params))][:2]"
    ),
    "search: no action is fair": partial(edited, Fair.__init__, "if action.fair", "if False"),
    "prove: [1:] of a sequence is the whole of it": partial(
        patch.dict, operations.TABLE, {(operations.REST, "sequence"): lambda of: of}
    ),
    "prove: a set without another is the whole of it": partial(
        patch.dict, operations.TABLE, {(ast.Sub, "set", "set"): lambda of, other: of}
    ),
    "prove: an else is forgotten": partial(
        edited, Function.block, "yield from self.block(other, env, (*path, z.no(condition)))", "pass"
    ),
    "prove: rebinding and keywords are lost": without_subset,
    "prove: what chooses is possible": partial(
        edited, Setting.possible, "z.some(chosen, condition)", "z.truth(True) if chosen else condition"
    ),
    "prove: what is refuted is a premise": partial(edited, Case.premises, "| self.unproved", ""),
}


def found_after(name: str, seed: int) -> int | None:
    """The number of specifications until the fuzz finds a planted error; None: it does not."""
    with PLANTED[name](), ExitStack() as faster:
        if name.startswith("search"):  # the prover cannot find it
            faster.enter_context(patch.object(comparison, "claimed", lambda *given: ()))
        return next((number + 1 for number in range(MOST) if numbered(seed, number)[1].wrong), None)
