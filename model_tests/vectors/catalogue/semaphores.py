"""Semaphores: permits that are never lost, doubled, or left beside a waiter (LOCK, SEM)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors("""
# a semaphore has as many permits as it was given: LOCK-12 LOCK-6 LOCK-1
s = Semaphore(2)
s.locked()
await s.acquire()
s.locked()
await s.acquire()
s.locked()
s.release()
s.locked()

# a semaphore has one permit if nothing is said: LOCK-12 LOCK-6
s = Semaphore()
await s.acquire()
s.locked()
t = BoundedSemaphore()
await t.acquire()
t.locked()

# a semaphore of none makes wait: LOCK-12 LOCK-2
async def a(): await s.acquire()
s = Semaphore(0)
s.locked()
A = go(a)
turn(2)
see(A)
s.release()
turn(2)
s.locked()

# a negative initial value is an error: SEM-1
try: s = Semaphore(-1)
except ValueError: Semaphore(0)
try: s = BoundedSemaphore(-1)
except ValueError: BoundedSemaphore(0)

# waiters for a semaphore are served oldest first: LOCK-10
async def a(): await s.acquire()
async def b(): await s.acquire()
async def c(): await s.acquire()
s = Semaphore(0)
A, B, C = go(a), go(b), go(c)
turn()
s.release()
turn(2)
s.release()
turn(2)
s.release()

# two releases let two in: LOCK-2 LOCK-8
async def a(): await s.acquire()
async def b(): await s.acquire()
async def c(): await s.acquire()
s = Semaphore(0)
A, B, C = go(a), go(b), go(c)
turn()
s.release()
s.release()
turn(4)
see(B)
s.locked()
see(C)

# a semaphore may be released above its initial value: LOCK-2 LOCK-6
s = Semaphore(0)
s.release()
s.release()
await s.acquire()
s.locked()
await s.acquire()
s.locked()

# a free permit of a semaphore beside cancelled waiters is taken: LOCK-1 LOCK-8
async def a(): await s.acquire()
s = Semaphore(1)
await s.acquire()
A = go(a)
turn()
A.cancel()
s.release()
await s.acquire()
s.locked()

# who comes later does not overtake a woken waiter of a semaphore: SEM-2
async def a(): await s.acquire()
async def b(): await s.acquire()
s = Semaphore(1)
await s.acquire()
A = go(a)
turn()
s.release()
s.locked()
B = go(b)
turn(3)
see(A, B)
s.release()

# who releases and acquires again waits behind the waiter: SEM-2
async def a():
    await s.acquire()
    s.release()
s = Semaphore(1)
await s.acquire()
A = go(a)
turn()
s.release()
await s.acquire()
see(A)

# who comes waits behind a woken waiter though a permit is left: SEM-2
async def a(): await s.acquire()
s = Semaphore(0)
A = go(a)
turn()
s.release()
s.release()
s.locked()
await s.acquire()
see(A)
s.locked()

# nobody waits beside a permit that was released meanwhile: LOCK-8 LOCK-3 SEM-2
async def a(): await s.acquire()
async def b(): await s.acquire()
s = Semaphore(0)
A = go(a)
turn()
s.release()
s.release()
B = go(b)
turn(3)
see(A, B)

# who queued behind a woken waiter is let in beside what is free: SEM-2 LOCK-8 LOCK-3
async def a(): await s.acquire()
async def b(): await s.acquire()
async def c(): await s.acquire()
s = Semaphore(0)
A = go(a)
turn()
B, C = go(b), go(c)
s.release()
s.release()
s.release()
turn(4)
see(B, C)
s.locked()

# who queued behind a woken waiter is let in when that one is cancelled: SEM-2 LOCK-8 LOCK-5
async def a(): await s.acquire()
async def b(): await s.acquire()
async def c(): await s.acquire()
s = Semaphore(0)
A = go(a)
turn()
B, C = go(b), go(c)
s.release()
s.release()
A.cancel()
turn(4)
see(B, C)
s.locked()

# a permit on its way to a cancelled waiter goes to the next: LOCK-5 LOCK-6
async def a(): await s.acquire()
async def b(): await s.acquire()
s = Semaphore(0)
A, B = go(a), go(b)
turn()
s.release()
A.cancel()

# a permit on its way to a cancelled waiter comes back: LOCK-5 LOCK-6
async def a(): await s.acquire()
s = Semaphore(0)
A = go(a)
turn()
s.release()
A.cancel()
turn(2)
s.locked()
await s.acquire()
s.locked()

# a waiter cancelled before the release gives nothing back: LOCK-4 LOCK-6
async def a(): await s.acquire()
async def b(): await s.acquire()
s = Semaphore(0)
A, B = go(a), go(b)
turn()
A.cancel()
turn(2)
s.locked()
see(B)
s.release()
turn(2)
s.locked()

# a release beside a cancelled waiter: LOCK-5 LOCK-8
async def a(): await s.acquire()
async def b(): await s.acquire()
s = Semaphore(0)
A, B = go(a), go(b)
turn()
A.cancel()
s.release()
turn(3)
s.locked()

# both woken, the first is cancelled: LOCK-5 LOCK-6
async def a(): await s.acquire()
async def b(): await s.acquire()
async def c(): await s.acquire()
s = Semaphore(0)
A, B, C = go(a), go(b), go(c)
turn()
s.release()
s.release()
A.cancel()
turn(4)
see(B, C)
s.locked()

# wait_for of an acquire that comes too late takes no permit: LOCK-6 WAITFOR-2
s = Semaphore(1)
await s.acquire()
with suppress(TimeoutError): await wait_for(s.acquire(), 1)
s.release()
s.locked()

# async with holds a permit and gives it back: LOCK-6
s = Semaphore(1)
with suppress(KeyError):
    async with s:
        s.locked()
        raise KeyError(1)
s.locked()

# a bounded semaphore is not released too often: SEM-3
s = BoundedSemaphore(2)
with suppress(ValueError): s.release()
await s.acquire()
s.release()
with suppress(ValueError): s.release()
await s.acquire()
await s.acquire()
s.locked()

# a bounded semaphore serves its waiters: SEM-3 LOCK-2
async def a(): await s.acquire()
s = BoundedSemaphore(1)
await s.acquire()
A = go(a)
turn()
s.release()
turn(2)
s.locked()
s.release()
s.locked()
""")
