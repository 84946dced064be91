"""wait and as_completed: which awaitables are done, and in which order (WAIT, ASDONE)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors(
    """
# FIRST_COMPLETED returns when any is done: WAIT-1
async def a(): await wait([f, g], return_when="FIRST_COMPLETED")
f, g = future(), future()
A = go(a)
turn(2)
see(A)
g.set_result(2)
turn(3)
see(f)

# FIRST_COMPLETED of three returns when any is done: WAIT-1
async def a(): await wait([f, g, h], return_when="FIRST_COMPLETED")
f, g, h = future(), future(), future()
A = go(a)
turn()
g.set_result(2)
turn(3)
see(A)

# FIRST_COMPLETED returns when any failed: WAIT-1
async def a(): await wait([f, g], return_when="FIRST_COMPLETED")
f, g = future(), future()
A = go(a)
turn()
f.set_exception(KeyError(1))
turn(3)
see(f)

# FIRST_COMPLETED with one that is done already: WAIT-1
f, g = future(), future()
g.set_result(2)
await wait([f, g], return_when="FIRST_COMPLETED")

# FIRST_EXCEPTION waits for an exception: WAIT-2
async def a(): await wait([f, g, h], return_when="FIRST_EXCEPTION")
f, g, h = future(), future(), future()
A = go(a)
turn()
f.set_result(1)
turn(3)
see(A)
g.set_exception(KeyError(2))
turn(3)
see(g)

# FIRST_EXCEPTION without an exception waits for all: WAIT-2
async def a(): await wait([f, g], return_when="FIRST_EXCEPTION")
f, g = future(), future()
A = go(a)
turn()
f.set_result(1)
turn(3)
see(A)
g.set_result(2)

# FIRST_EXCEPTION takes a cancel for no exception: WAIT-2
async def a(): await wait([f, g], return_when="FIRST_EXCEPTION")
f, g = future(), future()
A = go(a)
turn()
f.cancel()
turn(3)
see(A)
g.set_result(2)

# ALL_COMPLETED waits for all: WAIT-3
async def a(): await wait([f, g, h])
f, g, h = future(), future(), future()
A = go(a)
turn()
f.set_exception(KeyError(1))
turn(3)
g.cancel()
turn(3)
see(A)
h.set_result(3)
turn(3)
see(f)

# ALL_COMPLETED with all done returns at once: WAIT-3
def one(): pass
f = future()
f.set_result(1)
loop.call_soon(one)
await wait([f])

# a wait raises nothing at its timeout: WAIT-4
f, g = future(), future()
f.set_result(1)
await wait([f, g], timeout=1)
see(g)
g.set_result(2)
await wait([f, g], timeout=1)

# a wait with a timeout that is not needed: WAIT-4 WAIT-3
async def a():
    await sleep(1)
    return 1
A = go(a)
await wait([A], timeout=5)
await sleep(10)

# a wait in time leaves no timer behind: WAIT-4
async def a():
    await sleep(1)
    return 1
A = go(a)
await wait([A], timeout=9)

# a wait that is cancelled leaves no timer behind: WAIT-4 WAIT-5
async def a(): await wait([f], timeout=9)
f = future()
A = go(a)
await sleep(1)
A.cancel()

# a wait that is cancelled leaves what it waited for alone: WAIT-5
async def a(): await f
async def b(): await wait([A, g])
f, g = future(), future()
A, B = go(a), go(b)
turn(2)
B.cancel()
turn(3)
see(A, g)
f.set_result(1)
g.set_result(2)

# a wait cancelled when it was about to return: WAIT-5 CANCEL-2
async def b(): await wait([f])
f = future()
B = go(b)
turn(2)
f.set_result(1)
B.cancel()
turn(3)
see(B)

# wait refuses coroutines: WAIT-6, since 3.11
async def a(): pass
co = a()
with suppress(TypeError): await wait([co])
await co

# wait refuses nothing: WAIT-6
with suppress(ValueError): await wait([])

# wait refuses what is no list: WAIT-6
f = future()
with suppress(TypeError): await wait(f)

# wait refuses an unknown condition: WAIT-6
f = future()
with suppress(ValueError): await wait([f], return_when="SOMETIMES")

# as_completed gives results in the order of completion: ASDONE-1
async def a():
    for c in as_completed([f, g, h]): await c
f, g, h = future(), future(), future()
A = go(a)
turn()
h.set_result(3)
turn(2)
f.set_result(1)
turn(2)
g.set_result(2)

# as_completed gives what is done in one turn in that order: ASDONE-1
async def a():
    for c in as_completed([f, g]): await c
f, g = future(), future()
A = go(a)
turn()
g.set_result(2)
f.set_result(1)

# as_completed raises an error in its turn, and goes on: ASDONE-1
async def a():
    for c in as_completed([f, g]):
        with suppress(KeyError): await c
f, g = future(), future()
A = go(a)
turn()
g.set_exception(KeyError(2))
turn(2)
f.set_result(1)

# as_completed runs coroutines: ASDONE-1
async def a():
    await sleep(2)
    return 1
async def b():
    await sleep(1)
    return 2
for c in as_completed([a(), b()]): await c

# as_completed of nothing gives nothing: ASDONE-1
for c in as_completed([]): await c

# as_completed gives the same future once: ASDONE-1
f = future()
f.set_result(1)
for c in as_completed([f, f]): await c

# what is not done at the timeout raises TimeoutError: ASDONE-2
async def a():
    for c in as_completed([f, g, h], timeout=1):
        with suppress(TimeoutError): await c
f, g, h = future(), future(), future()
A = go(a)
turn()
g.set_result(2)
await sleep(2)
see(f)
f.set_result(1)

# as_completed in time: ASDONE-2
async def a():
    await sleep(1)
    return 1
async def b():
    for c in as_completed([A], timeout=2): await c
A, B = go(a), go(b)
await sleep(5)

# as_completed refuses what is no list: ASDONE-1
f = future()
with suppress(TypeError):
    for c in as_completed(f): await c

# as_completed in time leaves no timer behind: ASDONE-2
async def a():
    await sleep(1)
    return 1
for c in as_completed([a()], timeout=9): await c

# a cancelled step costs no result: ASDONE-3, since 3.13
async def a():
    async for x in steps: x.result()
async def b(): await steps.__anext__()
f, g = future(), future()
steps = as_completed([f, g])
B = go(b)
turn(2)
B.cancel()
turn(2)
f.set_result(1)
g.set_result(2)
A = go(a)

# a step that is cancelled when it was about to return costs no result: ASDONE-3, since 3.13
async def a():
    async for x in steps: x.result()
async def b(): await steps.__anext__()
f, g = future(), future()
steps = as_completed([f, g])
B = go(b)
turn(2)
f.set_result(1)
turn()
B.cancel()
turn(2)
g.set_result(2)
A = go(a)

# async for gives the futures themselves: ASDONE-4 ASDONE-1, since 3.13
async def a():
    async for x in as_completed([f, A, g]): list(x, x.done())
async def b():
    await h
    return 1
f, g, h = future(), future(), future()
A, B = go(b), go(a)
turn(2)
g.set_result(3)
turn(2)
h.set_result(0)
turn(3)
f.set_exception(KeyError(2))
turn(2)
see(f)

# async for raises TimeoutError at the timeout: ASDONE-4 ASDONE-2, since 3.13
f, g = future(), future()
f.set_result(1)
async for x in as_completed([f, g], timeout=1): x.result()
"""
)
