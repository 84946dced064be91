"""TASK-5: an error that is no Exception leaves the task pending, and goes to the loop."""

from __future__ import annotations

import asyncio.tasks
import inspect
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.

ENDS = "        except BaseException as exc:\n            super().set_exception(exc)"

within = dict(vars(asyncio.tasks))
text = inspect.getsource(within["_PyTask"])
assert text.count(ENDS) == 1
exec(text.replace(ENDS, ENDS.replace("BaseException", "Exception")), within)
Task: Any = within["Task"]
