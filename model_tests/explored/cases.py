"""A test of `unittest.IsolatedAsyncioTestCase`, within the loop of an exploration.

unittest drives a loop of its own for the parts of a test; here they are parts of one coroutine, in the same order.
"""

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from typing import Any
from unittest import IsolatedAsyncioTestCase

# Any: the arguments and results of functions of the test.


async def run_case(case: IsolatedAsyncioTestCase, test: Callable[[], Awaitable[Any]]) -> None:
    """Set the case up, call its test, tear it down, and call its cleanups, as unittest does.

    Raises:
        BaseException: the first error of these; it notes the others.
    """
    errors: list[BaseException] = []
    await _call(errors, case.setUp)
    if not errors:
        await _call(errors, case.asyncSetUp)
    if not errors:
        await _call(errors, test)
        await _call(errors, case.asyncTearDown)
        await _call(errors, case.tearDown)
    while case._cleanups:  # type: ignore[attr-defined]
        function, arguments, keywords = case._cleanups.pop()  # type: ignore[attr-defined]
        await _call(errors, function, *arguments, **keywords)
    if errors:
        for each in errors[1:]:
            errors[0].add_note(f"and while the test was torn down: {each!r}")
        raise errors[0]


async def _call(errors: list[BaseException], function: Callable[..., Any], *arguments: Any, **keywords: Any) -> None:
    """Call a function, and await it if it is asynchronous; its error is added to the list."""
    try:
        made = function(*arguments, **keywords)
        if iscoroutinefunction(function):
            await made
    except GeneratorExit:
        raise  # the run is abandoned: nothing can be awaited
    except BaseException as error:
        errors.append(error)
