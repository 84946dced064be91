"""Wrong implementations of asyncio's runners."""

import asyncio
import functools
from collections.abc import Coroutine
from typing import Any


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
