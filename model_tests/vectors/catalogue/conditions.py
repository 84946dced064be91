"""Conditions: waiters release the lock and wait for a notification (COND)."""

from __future__ import annotations

from ..vector import vectors

#: Two or three tasks that wait for a condition.
WAITERS = """
async def a():
    async with c: await c.wait()
async def b():
    async with c: await c.wait()
async def d():
    async with c: await c.wait()
c = Condition()
A, B = go(a), go(b)
"""

VECTORS = [
    *vectors(
        """
# notify wakes one, the oldest: COND-1 COND-9
turn()
async with c: c.notify()
turn(3)
see(A, B)
async with c: c.notify()

# notify(n) wakes n, the oldest: COND-1 COND-9
D = go(d)
turn()
async with c: c.notify(2)
turn(5)
see(A, B, D)

# notify_all wakes all: COND-1 COND-8
D = go(d)
turn()
async with c: c.notify_all()

# two notifies wake two: COND-1 COND-9
D = go(d)
turn()
async with c:
    c.notify()
    c.notify()
turn(5)
see(B, D)

# a notify that finds nobody is gone: COND-1
async with c: c.notify(5)
turn(5)
see(A, B)

# who was notified goes on when the lock is free: COND-4
turn()
await c.acquire()
c.notify()
turn(3)
see(A)
c.release()
turn(3)
see(A)

# a notify that a cancelled waiter has eaten goes to another: COND-6
turn()
async with c: c.notify()
A.cancel()

# a notify that a waiter has eaten that is cancelled in the lock's line goes to another: COND-6
turn()
await c.acquire()
c.notify()
turn(2)
A.cancel()
turn(2)
c.release()

# the notify passes over a waiter that was cancelled in the same turn: COND-6 COND-1 COND-9
turn()
await c.acquire()
A.cancel()
c.notify()
c.release()
""",
        WAITERS,
    ),
    *vectors("""
# wait without the lock is an error: COND-3
c = Condition()
with suppress(RuntimeError): await c.wait()
with suppress(RuntimeError): c.notify()
with suppress(RuntimeError): c.notify_all()
c.locked()

# wait gives the lock back, and takes it again: COND-4
async def a():
    await c.acquire()
    await c.wait()
    c.locked()
    await f
    c.release()
f = future()
c = Condition()
A = go(a)
turn()
c.locked()
await c.acquire()
c.notify()
c.release()
turn(3)
c.locked()
f.set_result(1)
turn()
c.locked()

# a wait that is cancelled holds the lock again: COND-4
async def a():
    await c.acquire()
    try: await c.wait()
    except CancelledError: c.locked()
    await f
f = future()
c = Condition()
A = go(a)
turn()
A.cancel()
turn(3)
c.locked()

# a cancelled wait waits for the lock: COND-4
async def a():
    await c.acquire()
    try: await c.wait()
    except CancelledError: c.locked()
c = Condition()
A = go(a)
turn()
await c.acquire()
A.cancel()
turn(3)
see(A)
c.release()

# a cancel while the lock is taken again comes out with its message: COND-5 COND-4, since 3.9
async def a():
    async with c:
        try: await c.wait()
        except CancelledError:
            c.locked()
            raise
c = Condition()
A = go(a)
turn()
await c.acquire()
c.notify()
turn(2)
A.cancel("why")
turn(2)
c.release()
turn(3)
c.locked()

# two cancels while the lock is taken again: COND-5 COND-4
async def a():
    async with c: await c.wait()
c = Condition()
A = go(a)
turn()
await c.acquire()
c.notify()
turn(2)
A.cancel()
turn(2)
A.cancel()
turn(2)
see(A)
c.release()
turn(3)
c.locked()

# wait_for returns when the predicate holds: COND-7
async def a():
    async with c: await c.wait_for(check)
def check(): e.is_set()
e = Event()
c = Condition()
A = go(a)
turn()
async with c: c.notify()
turn(3)
see(A)
e.set()
turn(3)
see(A)
async with c: c.notify()

# wait_for does not wait if the predicate holds: COND-7
def check(): e.is_set()
e = Event()
e.set()
c = Condition()
async with c: await c.wait_for(check)

# wait_for gives what the predicate gave: COND-7
def check(): q.qsize()
q = Queue()
q.put_nowait(5)
q.put_nowait(6)
c = Condition()
async with c: await c.wait_for(check)

# wait_for without the lock is an error: COND-3 COND-7
def check(): e.is_set()
e = Event()
c = Condition()
with suppress(RuntimeError): await c.wait_for(check)

# conditions may share a lock: COND-4 COND-1
async def a():
    async with c: await c.wait()
async def b():
    async with d: await d.wait()
m = Lock()
c, d = Condition(m), Condition(m)
A, B = go(a), go(b)
turn()
async with d: d.notify()
turn(3)
see(A, B)
m.locked()

# wait_for on a condition ends inside its lock: WAITFOR-2 COND-4
c = Condition()
with suppress(TimeoutError):
    async with c: await wait_for(c.wait(), 1)
c.locked()
"""),
]
