"""Which tests are explored: those with the marker, and under `--explore` every asynchronous one that can be.

It costs nothing to import, because the plugin asks it about each test of a session.
"""

import sys
from inspect import iscoroutinefunction
from typing import Any, Final

import pytest

from .options import EXPLORE, MARKER, REPLAY

# Any: a test function, or the class of a test.

_WITH_HYPOTHESIS: Final = (
    "Hypothesis calls it with its examples: explore its program with model_tests.explored.schedules() as one of them"
)


def is_marked(item: pytest.Item) -> bool:
    """Whether a marker asks to explore the test; one of a module or a class does not concern its plain functions."""
    if item.get_closest_marker(MARKER) is None:
        return False
    return _is_async(getattr(item, "obj", None)) or any(mark.name == MARKER for mark in item.own_markers)


def is_wanted(item: pytest.Item) -> bool:
    """Whether the test is to be explored, by its marker or by `--explore`."""
    return is_marked(item) or (is_given(item.config) and isinstance(item, pytest.Function) and _is_async(item.obj))


def is_given(config: pytest.Config) -> bool:
    """Whether all asynchronous tests are to be explored."""
    return bool(config.getoption(EXPLORE) or config.getoption(REPLAY))


def why_not(item: Any) -> str:
    """Why a test cannot be explored, as far as this is known before it runs; "": it can be."""
    test = item.obj
    if _inner(test) is not None:
        return _WITH_HYPOTHESIS
    if not iscoroutinefunction(test):
        return "the marker is for asynchronous test functions"
    return _why_no_case(item.cls, test) or _why_no_fixture(item)


def is_case(each: Any) -> bool:
    """Whether a class is a `unittest.TestCase`."""
    unittest = sys.modules.get("unittest")
    return unittest is not None and isinstance(each, type) and issubclass(each, unittest.TestCase)


def _is_async(test: Any) -> bool:
    return iscoroutinefunction(test) or iscoroutinefunction(_inner(test))


def _inner(test: Any) -> Any:
    """The function that Hypothesis calls with its examples; None: it calls none."""
    return getattr(getattr(test, "hypothesis", None), "inner_test", None)


def _why_no_case(each: Any, test: Any) -> str:
    if not is_case(each):
        return ""
    from unittest import IsolatedAsyncioTestCase

    if not issubclass(each, IsolatedAsyncioTestCase) or each.run is not IsolatedAsyncioTestCase.run:
        return f"{each.__name__} runs its tests in its own way: only unittest.IsolatedAsyncioTestCase can be explored"
    expected = any(getattr(thing, "__unittest_expecting_failure__", False) for thing in (each, test))
    return "it is expected to fail (unittest.expectedFailure)" if expected else ""


def _why_no_fixture(item: Any) -> str:
    from .fixtures import definition, wide_async  # only here: it imports impl

    nursery = definition(item, "nursery")
    if nursery is not None and nursery.func.__module__ == "pytest_trio.plugin":
        return "pytest-trio's fixture 'nursery' is for tests that pytest-trio runs: open a nursery in the test"
    missing = [name for name in item.fixturenames if name != "request" and definition(item, name) is None]
    if missing:
        return f"there is no fixture {missing[0]!r}"
    fixture = wide_async(item)
    if fixture is None:
        return ""
    return (
        f"the asynchronous fixture {fixture.argname!r} has the scope {fixture.scope!r}, but each run has an event loop "
        "of its own: give it the scope 'function', or make it a plain function"
    )
