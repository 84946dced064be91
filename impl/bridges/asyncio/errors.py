"""The exception handler and debug mode of the simulated loop.

An error that cannot be raised to a caller is described by a dict with asyncio's keys: message, exception, task, handle
and so on.  The program's handler gets it, in the context of the failed task or handle; without a handler, the logger
`asyncio` does.  In debug mode coroutines and handles record where they were made.  Slow callbacks are not reported,
because in virtual time no callback is slow.

Source: CPython documentation of 3.15, "Event Loop", Error Handling API; "Developing with asyncio", Debug Mode.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from asyncio import format_helpers
from collections.abc import Callable
from contextvars import Context
from typing import Any

from ..simulated_loop import ErrorContext, SimLoopBase

_ErrorHandler = Callable[[asyncio.AbstractEventLoop, ErrorContext], object]


class Errors(SimLoopBase):
    """A mixin of SimEventLoop: the exception handler and debug mode.

    Needs: no method of another part.  Gives: the Error Handling API, `get_debug`, `set_debug`.
    """

    def __init__(self) -> None:
        """Set the mixin's own state; SimEventLoop calls this after SimLoopBase's."""
        self._handler: _ErrorHandler | None = None

    def get_debug(self) -> bool:
        return self._debug

    def set_debug(self, enabled: bool) -> None:
        self._debug = enabled
        if self.is_running():
            sys.set_coroutine_origin_tracking_depth(10 if enabled else 0)

    def get_exception_handler(self) -> _ErrorHandler | None:
        return self._handler

    def set_exception_handler(self, handler: _ErrorHandler | None) -> None:
        if handler is not None and not callable(handler):
            raise TypeError(f"A callable object or None is expected, got {handler!r}")
        self._handler = handler

    def default_exception_handler(self, context: ErrorContext) -> None:
        error = context.get("exception")
        lines = [context.get("message") or "Unhandled exception in event loop"]
        lines += [
            f"{key}: {_shown(key, context[key])}" for key in sorted(context) if key not in ("message", "exception")
        ]
        logging.getLogger("asyncio").error(
            "\n".join(lines),
            exc_info=(type(error), error, error.__traceback__) if error is not None else None,
        )

    def call_exception_handler(self, context: ErrorContext) -> None:
        """Call the handler in a copy of the context of the failed task, future or handle (CPython: since 3.12)."""
        handler = self._handler
        if handler is None:
            self.default_exception_handler(context)
            return
        about: Any = context.get("task") or context.get("future") or context.get("handle")
        within: Any = about.get_context() if hasattr(about, "get_context") else None
        try:
            if isinstance(within, Context):
                within.copy().run(handler, self, context)
            else:
                handler(self, context)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            self.default_exception_handler(
                {"message": "Unhandled error in exception handler", "exception": error, "context": context}
            )


def note_origin(handle: asyncio.Handle, between: int = 0) -> None:
    """Record the stack that made a handle: that of the caller's caller, or `between` frames further up."""
    inside: Any = handle  # the attribute is private to asyncio (CPython 3.11 to 3.15)
    inside._source_traceback = format_helpers.extract_stack(sys._getframe(2 + between))


def _shown(key: str, value: Any) -> str:
    return "\n" + "".join(value.format()).rstrip() if key == "source_traceback" else repr(value)
