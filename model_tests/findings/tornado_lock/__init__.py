"""tornado: a waiter that is woken and cancelled keeps the lock."""

from ..finding import NO_BUG, Finding

FINDING = Finding(
    "tornado_lock",
    library="tornado",
    versions=("6.6.1",),
    bug="A task that waits for a lock, and is cancelled after it was woken, keeps the lock.",
    rule="LOCK-8",
    control="acquired",
    shows="nothing holds the lock, and it is locked",
    cancel="work",
    failure="TimeoutError",
    subject="on_tornado.py:Semaphore",
    known=NO_BUG + "tornado does not promise to bear native cancels",
)
