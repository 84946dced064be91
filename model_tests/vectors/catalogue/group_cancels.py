"""TaskGroup.cancel: a group that ends early, without an error (GROUP)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors(
    """
# a cancelled group ends without an error: GROUP-10 GROUP-12, since 3.15
async def a(): await f
f = future()
async with TaskGroup() as g:
    A = g.create_task(a())
    turn()
    g.cancel()
    main.cancelling()
    await f
    loop.time()
main.cancelling()
see(A)
await sleep(1)

# cancel() from a callback of a task: GROUP-10 GROUP-12, since 3.15
def late(task): g.cancel()
async def a(): await f
f = future()
async with TaskGroup() as g:
    A, B = g.create_task(a()), g.create_task(sleep(1))
    B.add_done_callback(late)
    await sleep(9)
see(A)
main.cancelling()
loop.time()

# a group that was cancelled before its entry: GROUP-11 GROUP-10, since 3.15
g = TaskGroup()
g.cancel()
g.cancel()
async with g:
    main.cancelling()
    await sleep(2)
    loop.time()
main.cancelling()
await sleep(1)

# a cancelled body that awaits nothing: GROUP-11 GROUP-10, since 3.15
g = TaskGroup()
g.cancel()
async with g: main.cancelling()
main.cancelling()
await sleep(1)

# a second cancel() requests nothing: GROUP-11, since 3.15
async def a(): await f
f = future()
async with TaskGroup() as g:
    A = g.create_task(a())
    turn()
    g.cancel()
    g.cancel()
    main.cancelling()
    try: await f
    except CancelledError: g.cancel()
    await sleep(1)
    main.cancelling()
main.cancelling()

# cancel() after the end: GROUP-11, since 3.15
async with TaskGroup() as g: turn()
g.cancel()
main.cancelling()
await sleep(1)

# cancel() after a failure requests nothing: GROUP-11 GROUP-2, since 3.15
async def a(): raise KeyError(1)
async def b():
    try: await f
    finally: g.cancel()
f = future()
try:
    async with TaskGroup() as g:
        A, B = g.create_task(a()), g.create_task(b())
        await f
except ExceptionGroup: main.cancelling()
await sleep(1)

# a cancelled group starts no more tasks: GROUP-7 GROUP-10, since 3.15
async def a(): pass
async with TaskGroup() as g:
    g.cancel()
    co = a()
    with suppress(RuntimeError): g.create_task(co)
main.cancelling()

# a failure of the body after cancel(): GROUP-6 GROUP-10, since 3.15
async def a(): await f
f = future()
try:
    async with TaskGroup() as g:
        A = g.create_task(a())
        turn()
        g.cancel()
        raise ValueError(2)
except ExceptionGroup: main.cancelling()
see(A)
await sleep(1)

# a cancel from outside before cancel(), in the same turn: GROUP-4 GROUP-10, since 3.15
async def a():
    async with TaskGroup() as g:
        B = g.create_task(b())
        await f
async def b(): await f
f = future()
A = go(a)
turn(2)
A.cancel()
g.cancel()
turn(3)
see(A, B)
A.cancelling()

# a cancel from outside while a cancelled group ends: GROUP-4 GROUP-10, since 3.15
async def a():
    async with TaskGroup() as g: B = g.create_task(b())
async def b():
    try: await f
    finally: await sleep(2)
f = future()
A = go(a)
turn(3)
g.cancel()
await sleep(1)
A.cancel("stop")
await sleep(3)
see(A, B)
A.cancelling()

# a failure of the body after cancel(), and a cancel from outside while the group ends: GROUP-5, since 3.15
async def a():
    try:
        async with TaskGroup() as g:
            B = g.create_task(b())
            turn()
            g.cancel()
            raise ValueError(2)
    except ExceptionGroup: A.cancelling()
    await sleep(1)
async def b():
    try: await f
    finally: await sleep(2)
f = future()
A = go(a)
await sleep(1)
A.cancel()
await sleep(3)
see(A)

# the outer of two groups is cancelled: GROUP-10 GROUP-4, since 3.15
async def a(): await f
async def b(): await sleep(9)
f = future()
async with TaskGroup() as g:
    A = g.create_task(a())
    async with TaskGroup() as h:
        B = h.create_task(b())
        turn()
        g.cancel()
    loop.time()
see(A, B)
main.cancelling()
await sleep(1)

# a deadline while a cancelled group ends: GROUP-4 GROUP-10 TIMEOUT-1, since 3.15
async def a():
    try: await f
    finally: await sleep(2)
f = future()
try:
    async with timeout(1):
        async with TaskGroup() as g:
            A = g.create_task(a())
            turn()
            g.cancel()
except TimeoutError: main.cancelling()
loop.time()
await sleep(1)

# GeneratorExit of the body alone comes out itself: GROUP-13, since 3.15
async def a(): await f
f = future()
try:
    async with TaskGroup() as g:
        A = g.create_task(a())
        turn()
        raise GeneratorExit(3)
except GeneratorExit: main.cancelling()
see(A)
"""
)
