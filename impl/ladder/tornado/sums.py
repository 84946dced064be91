"""Teaching code: rung 22, an example of Tornado's way: the order of the lines that run.

Teaches: the coroutine adds a callback and waits for the future that the callback resolves.  So the lines come in the
order begin, calculating, after yielded, the 2+3=5.
Against the text's sketch: the program ends; the text starts a loop that is never stopped (defect N8).

Source: "How Tornado's coroutines work", its `asyn_sum`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from ..world import World
from .coroutine import Coroutine, coroutine
from .future import Future
from .ioloop import IOLoop


@coroutine
def asyn_sum(a: int, b: int, say: Callable[[str], object]) -> Coroutine[int]:
    """Compute a+b in a callback; call `say` at each step."""
    say("begin")
    future = Future[int]()

    def compute() -> None:
        say("calculating")
        future.set_result(a + b)

    IOLoop.current().add_callback(compute)
    result: int = yield future
    say("after yielded")
    say(f"the {a}+{b}={result}")
    return result


def main(world: World, say: Callable[[str], object] = print) -> int:
    """Run the loop until the sum is computed; returns it."""
    with closing(IOLoop(world)) as loop:
        return loop.run_sync(lambda: asyn_sum(2, 3, say))
