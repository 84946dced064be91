"""async_timeout's timeout and timeout_at.

Difference: a context manager of a class of its own, which derives from asyncio.Timeout and has more methods.

Freedom: "Return an asynchronous context manager that can be used to limit the amount of time spent
waiting on something" (timeout) does not name its class.
"""

from __future__ import annotations

from async_timeout import timeout, timeout_at

__all__ = ["timeout", "timeout_at"]
