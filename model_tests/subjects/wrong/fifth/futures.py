"""Wrong Future: its state, callbacks, results, exceptions and cancel()."""

from __future__ import annotations

from typing import Any

from .._parts import Future


class FutureThatRemovesCallbacksByIdentity(Future):
    """A bound method is not removed, as each access to it makes another, equal object.

    Breaks "Remove callback from the callbacks list. Returns the number of callbacks removed, which is typically 1"
    (asyncio-future.html, Future.remove_done_callback()); futures.py: "if f != fn"
    """

    def remove_done_callback(self, fn: Any) -> int:
        kept = [(callback, context) for callback, context in self._callbacks if callback is not fn]
        removed = len(self._callbacks) - len(kept)
        self._callbacks[:] = kept
        return removed
