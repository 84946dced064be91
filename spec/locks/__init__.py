"""Lock, Semaphore and Condition of asyncio; `events`: its Event."""

from .models import BARGING_LOCK, BARGING_SEMAPHORE, CONDITION, LOCK, SEMAPHORE, Sort, event_model, lock_model
from .specification import At, Kind, Permits, Said, Task, locks

__all__ = [
    "BARGING_LOCK",
    "BARGING_SEMAPHORE",
    "CONDITION",
    "LOCK",
    "SEMAPHORE",
    "At",
    "Kind",
    "Permits",
    "Said",
    "Sort",
    "Task",
    "event_model",
    "lock_model",
    "locks",
]
