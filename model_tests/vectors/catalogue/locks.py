"""Locks: held by one task, waited for in FIFO order, never left free beside a waiter (LOCK)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors("""
# a lock is taken and given back: LOCK-1 LOCK-19 LOCK-12
m = Lock()
m.locked()
await m.acquire()
m.locked()
m.release()
m.locked()
await m.acquire()
m.locked()

# releasing a lock that nobody holds is an error: LOCK-9
m = Lock()
with suppress(RuntimeError): m.release()
m.locked()
await m.acquire()
m.release()
with suppress(RuntimeError): m.release()

# a lock that is taken makes others wait: LOCK-7 LOCK-1
async def a():
    await m.acquire()
    m.locked()
m = Lock()
await m.acquire()
A = go(a)
turn(3)
see(A)
m.release()
turn(2)
see(A)

# waiters for a lock are served oldest first: LOCK-10 LOCK-2
async def a():
    await m.acquire()
    m.release()
async def b():
    await m.acquire()
    m.release()
async def c():
    await m.acquire()
    m.release()
m = Lock()
await m.acquire()
A, B, C = go(a), go(b), go(c)
turn()
m.release()

# one release lets one in: LOCK-7 LOCK-2
async def a(): await m.acquire()
async def b(): await m.acquire()
m = Lock()
await m.acquire()
A, B = go(a), go(b)
turn()
m.release()
turn(3)
see(A, B)
m.release()

# who comes later does not overtake a woken waiter: LOCK-1 LOCK-10
async def a():
    await m.acquire()
    m.release()
async def b():
    await m.acquire()
    m.release()
m = Lock()
await m.acquire()
A = go(a)
turn()
m.release()
B = go(b)
await m.acquire()
m.release()

# async with holds the lock, and frees it after an error: LOCK-3 LOCK-7
async def a():
    async with m:
        m.locked()
        await f
async def b():
    async with m:
        m.locked()
m = Lock()
f = future()
A, B = go(a), go(b)
turn()
f.set_exception(KeyError(1))
turn(4)
m.locked()

# a woken waiter that is cancelled and uncancelled has the lock: LOCK-18 CANCEL-6, since 3.11
async def a():
    await m.acquire()
    return 1
m = Lock()
await m.acquire()
A = go(a)
turn()
m.release()
A.cancel()
A.uncancel()
turn(2)
m.locked()

# async with frees the lock after a cancel: LOCK-3 LOCK-5
async def a():
    async with m: await f
m = Lock()
f = future()
A = go(a)
turn()
A.cancel()
turn(2)
m.locked()

# a waiter that is cancelled leaves the line: LOCK-4 LOCK-5
async def a(): await m.acquire()
async def b(): await m.acquire()
m = Lock()
await m.acquire()
A, B = go(a), go(b)
turn()
A.cancel()
turn(2)
m.locked()
see(B)
m.release()
turn(2)
m.locked()

# a waiter that is cancelled wakes nobody while the lock is held: LOCK-7 LOCK-5
async def a(): await m.acquire()
async def b():
    await m.acquire()
    m.locked()
m = Lock()
await m.acquire()
A, B = go(a), go(b)
turn()
A.cancel()
turn(3)
see(B)

# the wake-up of a cancelled waiter goes to the next: LOCK-5 LOCK-8
async def a(): await m.acquire()
async def b(): await m.acquire()
m = Lock()
await m.acquire()
A, B = go(a), go(b)
turn()
m.release()
A.cancel()

# the release finds the waiter behind one that was just cancelled: LOCK-5 LOCK-8
async def a(): await m.acquire()
async def b(): await m.acquire()
m = Lock()
await m.acquire()
A, B = go(a), go(b)
turn()
A.cancel()
m.release()

# a free lock beside cancelled waiters is taken: LOCK-1 LOCK-8
async def a(): await m.acquire()
m = Lock()
await m.acquire()
A = go(a)
turn()
m.release()
A.cancel()
await m.acquire()
m.locked()

# a cancel in the turn of the acquire itself: LOCK-4 CANCEL-3
async def a():
    A.cancel()
    await m.acquire()
    await sleep(0)
m = Lock()
A = go(a)
turn(3)
m.locked()
""")
