"""TASK-13: SystemExit and KeyboardInterrupt end their task as other errors do, and the loop goes on."""

from __future__ import annotations

import asyncio.tasks
import inspect
from typing import Any

# `Any` in this file: a subject is as loosely typed as what it replaces.

ENDS = "        except (KeyboardInterrupt, SystemExit) as exc:\n            super().set_exception(exc)\n"

within = dict(vars(asyncio.tasks))
text = inspect.getsource(within["_PyTask"])
assert text.count(ENDS + "            raise\n") == 1
exec(text.replace(ENDS + "            raise\n", ENDS), within)
Task: Any = within["Task"]
