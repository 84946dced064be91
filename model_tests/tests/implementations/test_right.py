"""Each right implementation obeys the documentation in plain programs: basic cases, order, a cancel at each turn.

The programs use the standard library and the subject only, so that "right" is tested apart from the kit.  A program
that shows a known bug of a library must fail.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from ...implementations.of_libraries import PRIMITIVES
from ...implementations.right_code import Right, right_implementations
from . import of_locks, of_queues, of_tasks
from .programs import run

EVERY = (*right_implementations(), *PRIMITIVES)
UNRAISABLE = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
NEEDS = of_locks.NEEDS | of_queues.NEEDS
PROGRAMS = of_locks.PROGRAMS | of_queues.PROGRAMS | of_tasks.PROGRAMS


def cases() -> Iterator[Any]:
    for right in EVERY:
        for name in right.names:
            for program in PROGRAMS.get(name, []):
                # A loop that is left open may say so when it is collected.
                marks = [UNRAISABLE] * any(bug.startswith("close: ") for bug in right.bugs)
                yield pytest.param(right, name, program, marks=marks, id=f"{right.module}-{name}-{program.__name__}")


def load(right: Right) -> ModuleType:
    try:
        return right.load()
    except ImportError as error:
        if right.library is None:
            raise
        pytest.skip(f"{right.library} is not installed: {error}")


@pytest.mark.parametrize(("right", "name", "program"), list(cases()))
def test_a_right_subject_obeys_the_documentation_but_for_known_bugs(
    right: Right, name: str, program: Callable[[Any], Any]
) -> None:
    module = load(right)
    lacking = [method for method in NEEDS.get(program.__name__, ()) if not hasattr(getattr(module, name), method)]
    assert {f"{name}.{method}" for method in lacking} <= set(right.missing)
    if lacking:
        pytest.skip(f"it has no {', '.join(lacking)}")
    if any(bug.startswith(f"{program.__name__}: ") for bug in right.bugs):
        with pytest.raises((AssertionError, BaseExceptionGroup)):
            run(lambda: program(module), module)
    else:
        run(lambda: program(module), module)


@pytest.mark.parametrize("right", EVERY, ids=lambda right: right.module)
def test_a_right_subject_brings_its_names_and_says_what_leaves_its_difference_free(right: Right) -> None:
    module = load(right)
    for name in right.names:
        assert callable(getattr(module, name))
    for missing in right.missing:
        name, _, method = missing.partition(".")
        if name in right.names:
            assert not hasattr(getattr(module, name), method)
    text = right.free or (right.text.text if right.text else inspect.getdoc(module) or "")
    assert re.search(r"^    # free: |^Freedom: |nothing that|^The documentation ", text, re.MULTILINE)


def test_there_are_at_least_twelve_kinds() -> None:
    kinds = [right.module for right in EVERY]
    assert len(kinds) == len(set(kinds)) >= 12
