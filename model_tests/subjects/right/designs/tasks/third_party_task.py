"""A whole task in own code, by the page "Extending": one method drives the coroutine in all cases.

The documentation lets a third-party task call _register_task, _enter_task and _leave_task; its inside is left
free.
"""

from __future__ import annotations

import asyncio
import contextvars
import itertools
import sys
import traceback
from collections.abc import Coroutine
from types import FrameType
from typing import Any, TextIO

_numbers = itertools.count(1)


class Task(asyncio.Future[Any]):
    def __init__(
        self,
        coro: Coroutine[Any, Any, Any],
        *,
        loop: asyncio.AbstractEventLoop | None = None,
        name: object = None,
        context: contextvars.Context | None = None,
        eager_start: bool = False,
    ) -> None:
        if not asyncio.iscoroutine(coro):
            raise TypeError(f"a coroutine was expected, got {coro!r}")
        super().__init__(loop=loop)
        self._coro: Any = coro
        self._requests = 0
        self._order: tuple[bool, Any] = (False, None)  # whether the next step cancels, and its message
        self._context = contextvars.copy_context() if context is None else context
        self._name = f"Task-{next(_numbers)}" if name is None else str(name)
        self._awaits: Any = None
        asyncio._register_task(self)  # type: ignore
        current = (
            asyncio.current_task(self.get_loop()) if eager_start and self.get_loop().is_running() else None
        )
        if current is None:
            self.get_loop().call_soon(self._step, context=self._context)
            return
        asyncio._leave_task(self.get_loop(), current)
        try:
            self._context.run(self._step)
        finally:
            asyncio._enter_task(self.get_loop(), current)

    def _step(self, ended: Any = None, error: BaseException | None = None) -> None:
        loop: Any = self.get_loop()
        if ended is not None:
            try:
                ended.result()
            except BaseException as failure:
                error = failure
        if self._order[0]:
            if not isinstance(error, asyncio.CancelledError):
                error = asyncio.CancelledError(*(self._order[1:] if self._order[1] is not None else ()))
            self._order = (False, None)
        self._awaits = None
        asyncio._enter_task(loop, self)  # type: ignore
        try:
            wish: Any = self._coro.send(None) if error is None else self._coro.throw(error)
        except StopIteration as stop:
            if self._order[0]:
                super().cancel(msg=self._order[1])
            else:
                super().set_result(stop.value)
        except asyncio.CancelledError as cancelled:
            super().cancel(*cancelled.args[:1])
        except BaseException as failure:
            super().set_exception(failure)
            if isinstance(failure, (KeyboardInterrupt, SystemExit)):
                raise
        else:
            self._follow(wish)
        finally:
            asyncio._leave_task(loop, self)  # type: ignore
            del error, ended

    def _follow(self, wish: Any) -> None:
        if wish is None:
            self.get_loop().call_soon(self._step, context=self._context)
        elif wish is self or not getattr(wish, "_asyncio_future_blocking", None):
            wrong = RuntimeError(f"Task {self._name} cannot wait for {type(wish).__name__} object")
            self.get_loop().call_soon(self._step, None, wrong, context=self._context)
        elif wish.get_loop() is not self.get_loop():
            wrong = RuntimeError(f"Task {self._name} got a Future attached to a different loop")
            self.get_loop().call_soon(self._step, None, wrong, context=self._context)
        else:
            wish._asyncio_future_blocking = False
            wish.add_done_callback(self._step, context=self._context)
            self._awaits = wish
            if self._order[0] and wish.cancel(msg=self._order[1]):
                self._order = (False, None)

    def cancel(self, msg: Any | None = None) -> bool:
        if self.done():
            return False
        self._requests += 1
        if self._awaits is None or not self._awaits.cancel(msg=msg):
            self._order = (True, msg)
        return True

    def cancelling(self) -> int:
        return self._requests

    def uncancel(self) -> int:
        self._requests = max(0, self._requests - 1)
        if not self._requests:
            self._order = (False, None)
        return self._requests

    def get_stack(self, *, limit: int | None = None) -> list[FrameType]:
        if not self.done():
            frame = getattr(self._coro, "cr_frame", None)
            return [] if frame is None or limit == 0 else [frame]
        failure = None if self.cancelled() else super().exception()
        frames = [frame for frame, _ in traceback.walk_tb(failure.__traceback__)] if failure else []
        return frames[:limit]

    def print_stack(self, *, limit: int | None = None, file: TextIO | None = None) -> None:
        out = sys.stderr if file is None else file
        print(f"Stack for {self._name} (oldest call first):", file=out)
        for frame in self.get_stack(limit=limit):
            traceback.print_stack(frame, limit=1, file=out)

    def get_coro(self) -> Any:
        return self._coro

    def get_context(self) -> contextvars.Context:
        return self._context

    def get_name(self) -> str:
        return self._name

    def set_name(self, value: object, /) -> None:
        self._name = str(value)

    def set_result(self, result: Any, /) -> None:
        raise RuntimeError("Task does not support set_result operation")

    def set_exception(self, exception: Any, /) -> None:
        raise RuntimeError("Task does not support set_exception operation")
