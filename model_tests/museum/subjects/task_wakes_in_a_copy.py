"""TASK-11: after its first wait a task runs in a copy of its context."""

from __future__ import annotations

import asyncio.tasks
from contextvars import copy_context
from typing import Any

PyTask: Any = vars(asyncio.tasks)["_PyTask"]

# `Any` in this file: a subject is as loosely typed as what it replaces.


class Task(PyTask):  # type: ignore[misc]  # typeshed does not know the class in pure Python
    def _Task__wakeup(self: Any, future: Any) -> None:  # noqa: N802  # mangled
        copy_context().run(super()._Task__wakeup, future)
