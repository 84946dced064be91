"""Callbacks and timers of the event loop."""

from .models import callback_model, other_threads
from .specification import At, Calls, Const, Handle, Thread, Time, callbacks

__all__ = ["At", "Calls", "Const", "Handle", "Thread", "Time", "callback_model", "callbacks", "other_threads"]
