"""impl's loop as a host of the driver."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ...interfaces import Runnable
from ...loop import Loop
from ...tasks.current import set_running_loop
from ...tasks.task import Task
from .arguments import calls
from .counting import Counting, counting
from .drive import AnyTask, FixedChoices, Main, closing_quietly
from .ready import Entry, LiveTasks, NamedReady
from .watch import watched


class _RecordingLoop(Loop):
    """It records the calls of the exception handler that the program sets, and reports nothing else."""

    def report(self, what: dict[str, Any]) -> None:  # Any: asyncio's context dict
        if self._handler is not None:
            calls(self._handler, (self, what))
        super().report(what)

    def default_exception_handler(self, what: dict[str, Any]) -> None:  # Any: asyncio's context dict
        """Nothing."""


class ImplHost:
    """One run on impl.Loop.

    Parameters:
        groups: whether callbacks of gather that only count stand side by side (counting.py).
    """

    def __init__(self, groups: bool = True) -> None:
        self.counting = Counting()
        self.fixed = FixedChoices()
        if groups:
            self.ready = NamedReady(_task_of, self.counting.group_of)
            self.counting.ready = self.ready
        else:
            self.ready = NamedReady(_task_of)
        self.kernel = self._loop = _RecordingLoop(self.fixed.choices, "any", contexts=False, ready=self.ready)
        self._live = self._loop.live = LiveTasks(self)
        self._before: Any = None  # Any: as current.AnyLoop

    @property
    def refused(self) -> None:
        """Nothing: a program of impl uses the real world as it likes."""

    def begin(self, main: Main) -> AnyTask:
        self._before = set_running_loop(self._loop)
        self._loop._running = True
        return self._loop.create_task(main())

    def ended_by(self, error: BaseException) -> BaseException:
        return error

    def left(self) -> list[AnyTask]:
        return self._live.unseen()

    def views(self) -> Iterable[Any]:
        return self.left()

    def after_step(self, entry: Entry) -> None:
        """Nothing: every slot of impl's objects is watched."""

    def close(self) -> None:
        self._loop._running = False
        set_running_loop(self._before)
        for _ in range(3):
            with closing_quietly():
                self._loop.close()
                return


def _task_of(item: Runnable) -> object | None:
    return item if isinstance(item, Task) else None


@contextmanager
def impl_hosts(groups: bool = True, watches: bool = True) -> Iterator[Callable[[], ImplHost]]:
    """Within the block, impl's objects record their accesses; yields a function that makes the host of a run.

    Parameters:
        groups: as ImplHost's.
        watches: False: no accesses are needed.
    """
    current: list[ImplHost] = []

    def make() -> ImplHost:
        current[:] = [ImplHost(groups)]
        return current[0]

    with ExitStack() as stack:
        if watches:
            stack.enter_context(watched())
        if groups:
            stack.enter_context(counting(lambda: current[0].counting))
        yield make
