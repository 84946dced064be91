"""One direction of a connection; `ends`: its two ends, and the calls of tasks there."""

from .ends import Bytes, Const, Said, Side, Status, Stream, Task
from .models import stream_model
from .specification import stream

__all__ = ["Bytes", "Const", "Said", "Side", "Status", "Stream", "Task", "stream", "stream_model"]
