"""Teaching code: the list of rungs, in the order of the texts.

A rung is a module with `run(world, urls)`, which fetches the pages.  A rung with a simulated environment of its own
also has `simulated_world(site)`.  The URLs are distinct: some rungs would fetch one twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from ..web.outcome import Outcome
from ..web.serving.site import Site
from .world.meter import MeteredWorld
from .world.simulation import SimulatedWorld


@dataclass(frozen=True)
class Rung:
    """One rung: the name of its module in this package, and a title for the table.

    `only_real` is the reason why it does not run in the simulated environment; "": it does.
    """

    module: str
    title: str
    only_real: str = ""

    @property
    def name(self) -> str:
        return self.module.rpartition(".")[2]

    def load(self) -> Any:  # Any: a module with the names above
        """Import and return the module.

        Raises:
            ModuleNotFoundError: a library that it imports is not installed.
        """
        return import_module(f".{self.module}", __package__)

    def simulated(self, site: Site) -> MeteredWorld:
        """A simulated environment for it, with that site."""
        make: Callable[[Site], MeteredWorld] = getattr(self.load(), "simulated_world", SimulatedWorld)
        return make(site)

    def run(self, world: MeteredWorld, urls: Sequence[str]) -> dict[str, Outcome]:
        """Fetch the pages in an environment of its kind; returns the outcome of each."""
        run: Callable[[MeteredWorld, Sequence[str]], dict[str, Outcome]] = self.load().run
        return run(world, urls)


RUNGS: Final = (
    Rung("rungs.blocking", "blocking sockets"),
    Rung("rungs.processes", "a pool of processes", "a clock of its own"),
    Rung("rungs.threads", "a pool of threads"),
    Rung("rungs.polling", "asking again and again"),
    Rung("rungs.callbacks", "a selector and callbacks"),
    Rung("rungs.yielding", "generators that yield futures"),
    Rung("rungs.delegating", "generators within generators"),
    Rung("rungs.cancelling", "tasks that can be stopped"),
    Rung("rungs.task_future", "tasks that are futures"),
    Rung("rungs.join_queue", "workers and a queue"),
    Rung("rungs.running", "a loop that ends with a task"),
    Rung("rungs.chapter", "the chapter's crawler"),
    Rung("rungs.native", "the same with async and await"),
    Rung("rungs.asyncio_end", "the same on asyncio, aiohttp"),
    Rung("tornado", "callbacks later, a decorator"),
    Rung("pycoro.promises", "promises, a thread a request"),
    Rung("pycoro.one_selector", "promises, one selector"),
)
