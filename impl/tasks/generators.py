"""Generators as tasks, as in the chapter: `value = yield future`, or `value = yield from future`.

The chapter's Task sends the result of the yielded future into the generator, so that `yield future` and `yield from
future` mean the same.  Here a small coroutine does this: it awaits each future that the generator yields, and sends the
result in or throws the exception in.  Task itself drives coroutines only.

Source: the chapter, "Coroutines", "Factoring Coroutines With yield from".
"""

from __future__ import annotations

import types
from collections.abc import Generator
from typing import Any, TypeVar

T = TypeVar("T")


@types.coroutine
def as_coroutine(
    steps: Generator[Any, Any, T],
) -> Generator[Any, Any, T]:  # Any: PEP 492 leaves its yields open
    """Drive a generator; the coroutine returns the result of the generator."""
    try:
        got = steps.send(None)
        while True:
            try:
                value = yield from got.__await__() if hasattr(got, "__await__") else _bare(got)
            except GeneratorExit:
                raise
            except BaseException as error:
                got = None  # the error's traceback will hold this frame: it must not hold the error
                got = steps.throw(error)
            else:
                got = steps.send(value)
    except StopIteration as stop:
        result: T = stop.value
        return result
    finally:
        steps.close()


def _bare(got: object) -> Generator[object, Any, Any]:  # Any: as above
    """Yield a value that is not awaitable: None is `sleep(0)`, and the task refuses everything else."""
    return (yield got)
