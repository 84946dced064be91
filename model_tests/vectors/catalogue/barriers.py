"""Barriers: all wait for the last (BARRIER)."""

from __future__ import annotations

from ..vector import vectors

#: The bodies of tasks that wait at a barrier.
PARTIES = """
async def a(): await x.wait()
async def b(): await x.wait()
async def c(): await x.wait()
async def d(): await x.wait()
"""

VECTORS = [
    *vectors(
        """
# the last party lets all go, each with its number: BARRIER-1, since 3.11
x = Barrier(3)
see(x)
A, B = go(a), go(b)
turn(3)
see(x, A)
C = go(c)
turn(5)
see(x)

# a barrier is used again and again: BARRIER-1, since 3.11
x = Barrier(2)
A, B = go(a), go(b)
turn(5)
see(B)
C = go(c)
turn(5)
see(C, x)
D = go(d)

# all parties wait twice: BARRIER-1, since 3.11
x = Barrier(2)
E, F = go(e), go(e)
async def e():
    await x.wait()
    await x.wait()

# a barrier of one makes nobody wait: BARRIER-1, since 3.11
x = Barrier(1)
await x.wait()
await x.wait()

# a barrier of none is an error: BARRIER-1, since 3.11
with suppress(ValueError): Barrier(0)

# async with waits at the barrier: BARRIER-1, since 3.11
x = Barrier(2)
A = go(a)
async with x as i: pass

# reset sends who waits away, and the barrier is as new: BARRIER-2, since 3.11
x = Barrier(3)
A, B = go(a), go(b)
turn(2)
await x.reset()
turn(3)
see(A, B, x)
C = go(c)
turn(2)
see(x, C)

# a reset barrier opens when all have come: BARRIER-2 BARRIER-1, since 3.11
x = Barrier(2)
A = go(a)
turn(2)
await x.reset()
B, C = go(b), go(c)
turn(5)
see(A, B, C)

# reset of an empty barrier changes nothing: BARRIER-2, since 3.11
x = Barrier(2)
await x.reset()
see(x)
A, B = go(a), go(b)

# abort breaks the barrier: BARRIER-3, since 3.11
x = Barrier(3)
A, B = go(a), go(b)
turn(2)
await x.abort()
see(x)
turn(3)
see(A, B)
C = go(c)
turn(2)
see(C)

# reset mends a broken barrier: BARRIER-3 BARRIER-2, since 3.11
x = Barrier(2)
await x.abort()
see(x)
await x.reset()
see(x)
A, B = go(a), go(b)

# a waiter that is cancelled counts no more: BARRIER-4, since 3.11
x = Barrier(2)
A = go(a)
turn(2)
A.cancel()
turn(3)
see(x)
B = go(b)
turn(3)
see(B, x)
C = go(c)

# who comes while the barrier drains waits for the next time: BARRIER-5 BARRIER-1, since 3.11
x = Barrier(2)
A, B, C = go(a), go(b), go(c)
turn(6)
see(A, B, C, x)
D = go(d)
""",
        PARTIES,
    ),
]
