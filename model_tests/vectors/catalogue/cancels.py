"""Cancel: a request is delivered once, and never lost (CANCEL)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors("""
# a cancel reaches what is awaited: CANCEL-1
async def a(): await f
f = future()
A = go(a)
turn()
A.cancel()
see(f, A)
turn()
see(A)

# a cancel goes to the end of the chain: CANCEL-1 CANCEL-9, since 3.11
async def a(): await f
async def b(): await A
async def c(): await B
f = future()
A, B, C = go(a), go(b), go(c)
turn()
C.cancel()
see(f)
A.cancelling()
B.cancelling()
C.cancelling()
turn(3)

# all along a chain are cancelled: CANCEL-1 TASK-5
async def a(): await f
async def b(): await A
async def c(): await B
f = future()
A, B, C = go(a), go(b), go(c)
turn()
C.cancel()
turn()
see(A, B)
turn()
see(B, C)

# a chain that is cancelled in its own turn: CANCEL-1 CANCEL-3
async def a(): await f
async def b(): await A
async def c():
    C.cancel()
    await B
f = future()
A, B = go(a), go(b)
turn()
C = go(c)
turn(5)

# an inner task that swallows the cancel answers it: CANCEL-2 TASK-2
async def a():
    with suppress(CancelledError): await f
    return 1
async def b(): await A
f = future()
A, B = go(a), go(b)
turn()
B.cancel()

# a cancel between the wake-up and the turn: CANCEL-2
async def a(): await f
f = future()
A = go(a)
turn()
f.set_result(1)
A.cancel()
turn()
see(A)

# a cancel between the wake-up by an error and the turn: CANCEL-2
async def a(): await f
f = future()
A = go(a)
turn()
f.set_exception(KeyError(1))
A.cancel()

# a cancel between the end of what is awaited and the turn: CANCEL-2
async def a(): return 1
async def b(): await A
A, B = go(a), go(b)
turn()
see(A)
B.cancel()
turn()
see(B)

# a cancel of who gave up its turn: CANCEL-2
async def a():
    await sleep(0)
    await sleep(0)
A = go(a)
turn()
A.cancel()
turn()
see(A)

# two cancels in one turn are thrown once: CANCEL-2 CANCEL-9
async def a():
    with suppress(CancelledError): await f
    await g
f, g = future(), future()
A = go(a)
turn()
A.cancel()
A.cancel()
turn(3)
see(A)
g.set_result(1)

# a cancel while the first one is answered comes too: CANCEL-2
async def a():
    try: await f
    except CancelledError: await g
f, g = future(), future()
A = go(a)
turn()
A.cancel()
turn()
A.cancel()
see(g)

# a cancel of oneself goes to what is awaited next: CANCEL-3
async def a():
    A.cancel()
    with suppress(CancelledError): await f
    await sleep(0)
f = future()
A = go(a)
turn()
see(f)
turn()
see(A)

# a cancel of oneself that the task awaited next swallows is answered: CANCEL-3
async def a():
    A.cancel()
    await B
    await sleep(0)
    return 1
async def b():
    try: await f
    except CancelledError: return 2
f = future()
B = go(b)
turn()
A = go(a)
turn(4)
see(A)

# a cancel goes to an inner task that is ready, and to nobody else: CANCEL-1 CANCEL-3
async def a():
    await B
    return 1
async def b():
    try: await sleep(0)
    except CancelledError: return 2
B, A = go(b), go(a)
turn()
A.cancel()
turn(3)
see(A)

# a cancel of oneself waits while what is awaited is done: CANCEL-3 FUT-4
async def a():
    A.cancel()
    await f
    await sleep(0)
f = future()
f.set_result(1)
A = go(a)

# a task that is cancelled before it began runs nothing: CANCEL-4
async def a():
    f.done()
f = future()
A = go(a)
A.cancel()
see(A)
turn()
see(A)

# who awaits a task that never began is told: CANCEL-4
async def a(): f.done()
async def b(): await A
f = future()
B, A = go(b), go(a)
A.cancel()

# a task that returns under a request is cancelled: CANCEL-5
async def a():
    A.cancel()
    return 42
A = go(a)

# a task that fails under a request fails: TASK-5
async def a():
    A.cancel()
    raise KeyError(1)
A = go(a)
turn()
see(A)

# uncancel withdraws what was not thrown: CANCEL-6, since 3.11
async def a():
    A.cancel()
    A.uncancel()
    await sleep(0)
    return 1
A = go(a)

# uncancel from outside withdraws what was not thrown: CANCEL-6, since 3.11
async def a():
    await f
    return 1
f = future()
A = go(a)
turn()
f.set_result(1)
A.cancel()
A.uncancel()

# of two requests one uncancel leaves one: CANCEL-6 CANCEL-9 CANCEL-15, since 3.11
async def a():
    A.cancel()
    A.cancel()
    A.uncancel()
    await sleep(0)
A = go(a)
turn(2)
A.cancelling()

# uncancel does not call back what was thrown on: CANCEL-6 CANCEL-1, since 3.11
async def a(): await f
f = future()
A = go(a)
turn()
A.cancel()
A.uncancel()
see(f)

# cancel does not end a task by itself: CANCEL-7
async def a():
    try: await f
    except CancelledError: return 1
f = future()
A = go(a)
turn()
A.cancel()
see(A)
A.done()
A.cancelled()
turn()
see(A)
A.cancelled()

# a task that parks asks others only under a request: CANCEL-8
async def a():
    with suppress(CancelledError): await f
    await g
f, g = future(), future()
A = go(a)
turn()
A.cancel()
turn(3)
see(g, A)

# cancelling() counts and is never negative: CANCEL-9, since 3.11
async def a():
    try: await f
    except CancelledError: A.cancelling()
    try: await g
    except CancelledError: A.cancelling()
    A.uncancel()
    A.uncancel()
    A.uncancel()
f, g = future(), future()
A = go(a)
A.cancelling()
A.uncancel()
turn()
A.cancel()
A.cancel()
turn()
A.cancel()

# a cancel of what is done is refused and counts not: CANCEL-9 FUT-1, since 3.11
async def a(): return 1
A = go(a)
await A
A.cancel()
A.cancelling()

# the message reaches the task: CANCEL-10, since 3.9
async def a():
    try: await f
    except CancelledError: raise
f = future()
A = go(a)
turn()
A.cancel("why")
with suppress(CancelledError): await A

# the message goes along the chain: CANCEL-10, since 3.9
async def a(): await f
async def b(): await A
async def c(): await B
f = future()
A, B, C = go(a), go(b), go(c)
turn()
C.cancel("why")
with suppress(CancelledError): await C

# the message of a request that waits: CANCEL-10, since 3.9
async def a(): await f
async def b():
    B.cancel("me")
    await g
f, g = future(), future()
A, B = go(a), go(b)
turn()
f.set_result(1)
A.cancel("late")

# the last message counts: CANCEL-10, since 3.9
async def a(): await sleep(0)
A = go(a)
turn()
A.cancel("one")
A.cancel("two")
with suppress(CancelledError): await A

# the message of a task that never began: CANCEL-10 CANCEL-4, since 3.9
async def a(): f.done()
A = go(a)
A.cancel("why")
with suppress(CancelledError): await A
""")
