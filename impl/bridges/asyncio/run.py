"""run: an asyncio program, unmodified, in virtual time on the simulated network; its digest and its token.

The recipe of a run and its token are those of sim/recipe.py.  When the program has returned, the loop is wound up as
asyncio.run does it: tasks that are left are cancelled, in order of creation, and waited for; asynchronous generators
are closed.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final, TypeVar

from ...net.outside.hosts import OutsideHosts
from ...runners.simulate import Run, finished, isolated
from ...sim.choices import Choices
from ...sim.end import Main, drive
from ...sim.inject import NOTHING, Injection
from ...sim.limits import RunLimits
from ...sim.order import Order
from ...sim.recipe import Recipe
from ...threads.group import check_preemption
from ..network import DEFAULT, Network, Setting
from ..output import unflushed
from ..own_thread import off_loop
from ..simulated_loop import SimLoopBase
from ..simulation import reality
from .loop import SimEventLoop
from .tls import TLSWording
from .trace import AsyncioDigest, TracedEventLoop

__all__ = ["DEFAULT", "KIND", "Network", "Run", "run", "simulate"]

T = TypeVar("T")

KIND: Final = "lsa"


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
        seed: of all that may vary: latencies, segments, faults; under `any` also which ready task runs next.
        order: `fifo`, as asyncio does it, or `any`: any ready task may run next (impl/sim/order.py).
        network: the conditions of the network, and its names.
        token: of a run to repeat; it replaces seed and order.

    Raises:
        BaseException: the program's error; a note of it has the token.
        DeadlockError: the program cannot continue; the text lists its tasks, with the line and the reason of each wait.
        TokenError: the token is malformed, or is of another program or network.
        RuntimeError: a simulated loop runs in this thread; beside another one the program gets a thread of its own.
    """
    return simulate(main, seed=seed, order=order, network=network, token=token).noted()


@off_loop(unflushed)
def simulate(
    main: Main[T],
    *,
    seed: int = 0,
    order: Order = "fifo",
    network: Network = DEFAULT,
    token: str | None = None,
    choices: Choices | None = None,
    trace: bool = False,
    inject: Injection = NOTHING,
    limits: RunLimits | None = None,
) -> Run[T]:
    """As `run`, but errors of the program and deadlocks are returned (`Run.error`), not raised.

    Parameters, besides those of `run`:
        choices: drawn from instead of those of the seed; the token of the run then contains them.
        trace: whether to record the events of sim/trace.py.
        inject: cancels, timeouts and late timers.
        limits: how many loop iterations it may take; None: those of a run by itself.

    Raises:
        TokenError, RuntimeError: as `run`.
        ValueError: choices are given beside a token.
        KeyboardInterrupt: the program was interrupted, or has raised it.
    """
    try:
        recipe = Recipe.of(KIND, Setting(order, network, inject), seed, token)
        drawn = recipe.choices(choices)
        check_preemption(recipe.parameters.inject)
        if asyncio._get_running_loop() is not None:
            raise RuntimeError("run() cannot be called from a running event loop")
    except BaseException:
        if not callable(main):
            main.close()
        raise
    digest = AsyncioDigest()
    order, inject = recipe.parameters.order, recipe.parameters.inject
    traced = TracedEventLoop(drawn, network.conditions, order, digest, inject=inject) if trace else None
    loop = traced or SimEventLoop(drawn, network.conditions, order, digest, inject=inject)
    loop.kernel.limits = limits or RunLimits.of_one()
    furnish(loop, network)
    with isolated(recipe.seed):
        end = drive(loop, main)
    again = partial(simulate, main, network=network, limits=limits) if callable(main) else None
    run = finished(recipe, drawn, end, digest, None if traced is None else traced.recorder)
    return run if network.outside else run.check(again)  # a real server is no function of the choices


def furnish(loop: SimLoopBase, network: Network) -> None:
    """Add the hosts of a network to that of a loop, and its real servers."""
    for host in network.hosts:
        loop.net.add_host(host)
    if network.outside:
        loop.outside = OutsideHosts(loop.net, loop.kernel, network.outside, reality, partial(TLSWording, loop))
