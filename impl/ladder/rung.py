"""Teaching code: the list of rungs, in the order in which the texts climb them.

Theory of operation.  A rung is a module with `run(world, urls)`, which fetches the pages its own way, and
`waiting_unit()`, which makes one of the things that wait there, so that its bytes can be measured.  One whose simulated
world is another than the others' has `simulated_world(site)`, too.  The URLs are distinct: some rungs would fetch one
twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from ..crawl.outcome import Outcome
from ..web.site import Site
from .world.interfaces import Place
from .world.simulated import SimulatedWorld


@dataclass(frozen=True)
class Rung:
    """One rung; `module` is its name in this package, `title` says in a few words what is new in it.

    `only_real` says why it has no run in the simulated world; "": it has.
    """

    module: str
    title: str
    only_real: str = ""

    @property
    def name(self) -> str:
        return self.module.rpartition(".")[2]

    def load(self) -> None:
        """Import it, which takes time that its run should not.

        Raises:
            ModuleNotFoundError: what it stands on is not installed.
        """
        self._module()

    def simulated(self, site: Site) -> Place:
        """A simulated world for it, with that site."""
        make: Callable[[Site], Place] = getattr(self._module(), "simulated_world", SimulatedWorld)
        return make(site)

    def run(self, world: Place, urls: Sequence[str]) -> dict[str, Outcome]:
        """Fetch the pages, in a world of its kind: what became of each."""
        run: Callable[[Place, Sequence[str]], dict[str, Outcome]] = self._module().run
        return run(world, urls)

    @property
    def unit(self) -> Callable[[], object] | None:
        """Makes one of the things that wait; None: it is no object of the program."""
        made: Callable[[], object] | None = getattr(self._module(), "waiting_unit", None)
        return made

    def _module(self) -> Any:  # Any: a module, known by what is called of it above
        return import_module(f".{self.module}", __package__)


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
