"""Wrong implementations of asyncio's runners."""

import asyncio
import contextvars
import functools
from collections.abc import Coroutine
from typing import Any

_Runner: Any = asyncio.Runner  # a final class to the check


class RunnerOfManyContexts(_Runner):
    """A runner whose every run has a context of its own, a copy of that of its caller.

    Breaks "The runner's default context is used if None" of `Runner.run`: no run sees what one before has set.
    """

    def run(self, coro: Coroutine[Any, Any, Any], *, context: contextvars.Context | None = None) -> Any:
        return super().run(coro, context=contextvars.copy_context() if context is None else context)


@functools.wraps(asyncio.run, assigned=["__name__"])
def run_that_leaves_generators_open(main: Coroutine[Any, Any, Any], **options: Any) -> Any:
    """A run that does not close the asynchronous generators that are left.

    Breaks "managing the asyncio event loop, finalizing asynchronous generators, and closing the executor".
    """
    if asyncio._get_running_loop() is not None:
        return asyncio.run(main, **options)
    with asyncio.Runner(**options) as runner:
        runner.get_loop().shutdown_asyncgens = functools.partial(asyncio.sleep, 0)  # type: ignore[method-assign]
        return runner.run(main)
