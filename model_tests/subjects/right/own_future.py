"""A Future and a Task of one's own, derived from those that CPython has in Python.

Difference: `repr`, the names that tasks get by default, and the class of the futures that the loop makes.

Freedom: "the default asyncio Task implementation generates a default name during instantiation"
(Task.get_name) speaks of the default implementation only, and no sentence says how a future or task is printed.
"""

from __future__ import annotations

import asyncio
from itertools import count
from typing import Any

from ...programs.runtimes import tell_c_of_pure_tasks

# Any: typeshed does not know the classes in Python.
PyFuture: Any = vars(asyncio.futures)["_PyFuture"]
PyTask: Any = vars(asyncio.tasks)["_PyTask"]
NUMBERS = count(1)
tell_c_of_pure_tasks()


class Future(PyFuture):  # type: ignore[misc]  # as above
    def __repr__(self) -> str:
        return f"<a future: {'done' if self.done() else 'pending'}>"


class Task(PyTask):  # type: ignore[misc]  # as above
    def __init__(self, coro: Any, **keywords: Any) -> None:
        if keywords.get("name") is None:
            keywords["name"] = f"job {next(NUMBERS)}"
        super().__init__(coro, **keywords)

    def __repr__(self) -> str:
        return f"<{self.get_name()}: {'done' if self.done() else 'pending'}>"
