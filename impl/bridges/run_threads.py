"""The threads of a simulated run of any runtime: it has none until something starts or waits for one."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable

from ..errors import DeadlockError
from ..sim.kernel import Kernel
from ..threads.group import ThreadGroup
from ..threads.thread import running_thread


class RunThreads:
    """The part of a simulated run that has its threads."""

    kernel: Kernel
    #: The threads of the run; None: it has started none, and no wait for one.
    threads: ThreadGroup | None = None
    #: The first thing that the run used and that cannot be simulated.
    refused: BaseException | None

    def deadlocked(self) -> DeadlockError:
        """The error of a run that waits for ever; it names the tasks and threads that are left."""
        raise NotImplementedError

    def group(self) -> ThreadGroup:
        """The threads of the run, if it had none before."""
        if self.threads is None:
            self.threads = ThreadGroup(self.kernel, self)
            self._counts = Counter[str]()
            if self.kernel.choices is not None:
                self.kernel.choices.threads = True
        return self.threads

    def count(self, kind: str) -> int:
        """The next number of that kind in the names of threads, as the standard library counts in a new process."""
        self.group()
        self._counts[kind] += 1
        return self._counts[kind] - (kind == "pool")

    def thread_failed(self, thread: threading.Thread, report: Callable[[], object]) -> None:
        """A thread has ended by an error, which a search notes; `report` prints it, as the standard library does."""
        failed = running_thread()
        if self.kernel.limits is not None and failed is not None:
            self.kernel.limits.note({"handle": thread, "exception": failed.error})
        if not logging.getLogger("asyncio").disabled:  # as for a callback
            report()
