"""Events: a flag that releases all waiters (EVENT)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors("""
# set wakes all: EVENT-1 EVENT-10
async def a(): await e.wait()
async def b(): await e.wait()
async def c(): await e.wait()
e = Event()
e.is_set()
A, B, C = go(a), go(b), go(c)
turn(2)
see(A)
e.set()
e.is_set()
see(A)
turn()
see(A, B, C)

# set again changes nothing: EVENT-1
async def a(): await e.wait()
e = Event()
A = go(a)
turn()
e.set()
e.set()
turn()
e.set()
see(A)

# a wait for a set event does not suspend: EVENT-2 EVENT-15
def one(): pass
e = Event()
e.set()
loop.call_soon(one)
await e.wait()
await e.wait()
see(e)

# after clear who comes waits: EVENT-3 EVENT-14
async def a(): await e.wait()
e = Event()
e.set()
e.clear()
e.is_set()
A = go(a)
turn(3)
see(A)
e.set()
turn()
see(A)

# a woken waiter that is cancelled and uncancelled returns: EVENT-13 CANCEL-6, since 3.11
async def a():
    await e.wait()
    return 1
e = Event()
A = go(a)
turn()
e.set()
A.cancel()
A.uncancel()

# who was woken by set returns, though it was cleared: EVENT-4
async def a(): await e.wait()
async def b(): await e.wait()
e = Event()
A = go(a)
turn()
e.set()
e.clear()
B = go(b)
turn(3)
see(A, B)

# set wakes those that are left: EVENT-1 EVENT-8
async def a(): await e.wait()
async def b(): await e.wait()
e = Event()
A, B = go(a), go(b)
turn()
A.cancel()
e.set()
turn(2)
see(A, B)

# a waiter that was woken and cancelled leaves the others alone: EVENT-1 EVENT-8
async def a(): await e.wait()
async def b(): await e.wait()
e = Event()
A, B = go(a), go(b)
turn()
e.set()
A.cancel()
turn(2)
see(A, B)
""")
