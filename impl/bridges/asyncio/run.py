"""run: an asyncio program, unmodified, in virtual time on the simulated network; its digest and its token.

Theory of operation.
1.  What makes a run, what its token holds and what is set aside of the process while it lasts: recipe.py.  Equal runs
    are equal event by event: `Run.digest`.
2.  A program that has returned is wound up as asyncio.run does: what it left is cancelled, in order of creation, and
    waited for; its asynchronous generators are closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from ...errors import DeadlockError
from ...interfaces import Runnable
from ...sim.choices import Choices
from ...sim.order import Order
from ..recipe import DEFAULT, Collector, Network, Recipe, Run, aside
from .digest import AsyncioDigest
from .loop import SimEventLoop

__all__ = ["DEFAULT", "PREFIX", "Network", "Run", "run", "simulate"]

T = TypeVar("T")

#: What is run: a coroutine, or a function that makes one.  Any: what a coroutine yields is its runtime's affair.
Main = Coroutine[Any, Any, T] | Callable[[], Coroutine[Any, Any, T]]

PREFIX: Final = "lsa1-"


class _Watch(AsyncioDigest):
    """The digest; it also says when garbage is collected."""

    __slots__ = ("_collector",)

    def __init__(self) -> None:
        super().__init__()
        self._collector = Collector()

    def taken(self, item: Runnable) -> None:
        super().taken(item)
        self._collector.at(self.events)


def run(
    main: Main[T],
    *,
    seed: int = 0,
    order: Order = "fifo",
    network: Network = DEFAULT,
    token: str | None = None,
) -> T:
    """Run an asyncio program, as asyncio.run does, on a simulated loop.

    Parameters:
        main: a coroutine, or a function without parameters that makes one.
        seed: of all that may vary: latencies, segments, faults; under `any` also who goes next.
        order: `fifo`, as asyncio does it, or `any`: whoever is ready may go next (impl/sim/order.py).
        network: what may happen on the network, and its names.
        token: of a run that is to be repeated; it takes the place of seed and order.

    Raises:
        BaseException: what the program raised; a note of it has the token.
        DeadlockError: the program can never go on; the text names its tasks, their lines and what they wait for.
        TokenError: the token is none, or is of another program or network.
        RuntimeError: an event loop runs in this thread.
    """
    finished = simulate(main, seed=seed, order=order, network=network, token=token)
    if finished.error is not None:
        finished.error.add_note(f"token: {finished.token}")
    return finished.outcome()


def simulate(
    main: Main[T],
    *,
    seed: int = 0,
    order: Order = "fifo",
    network: Network = DEFAULT,
    token: str | None = None,
) -> Run[T]:
    """As `run`, but what the program raised is told, not raised; nor does it if the loop cannot go on.

    Raises:
        TokenError, RuntimeError: as `run`.
        KeyboardInterrupt, SystemExit: the program was interrupted, or has raised it.
    """
    try:
        recipe = Recipe.of(PREFIX, seed, order, network, token)
        if asyncio._get_running_loop() is not None:
            raise RuntimeError("run() cannot be called from a running event loop")
    except BaseException:
        if not callable(main):
            main.close()
        raise
    choices = Choices.seeded(recipe.seed)
    watch = _Watch()
    loop = SimEventLoop(choices, network.weather, recipe.order, watch)
    for host in network.hosts:
        loop.net.add_host(host)
    with aside(recipe.seed):
        result, error, elapsed_ns = _within(loop, main)
    token = recipe.token(choices.digest(), error)
    return Run(result, error, elapsed_ns, watch.events, watch.hexdigest(), token)


def _within(loop: SimEventLoop, main: Main[T]) -> tuple[T | None, BaseException | None, int]:
    """Run it."""
    result = error = None
    try:
        result = loop.run_until_complete(main() if callable(main) else main)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as raised:
        error = raised
    finally:
        elapsed_ns = loop.kernel.now
        try:
            _wind_up(loop)
        finally:
            loop.close()
    return result, error, elapsed_ns


def _wind_up(loop: SimEventLoop) -> None:
    """Cancel what is left, and wait for it; one that swallows its cancel and waits on is given up."""
    try:
        left = [task for task in loop.live if not task.done()]  # what has ended the loop is done, and told
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left))
        for task in left:
            if not task.cancelled() and task.exception() is not None:
                what = {"message": "unhandled exception during asyncio.run() shutdown"}
                loop.call_exception_handler({**what, "exception": task.exception(), "task": task})
        loop.run_until_complete(loop.shutdown_asyncgens())
    except DeadlockError:
        pass  # what the program did says more
