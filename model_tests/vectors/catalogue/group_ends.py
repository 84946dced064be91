"""TaskGroup: what it raises, the value of cancelling() afterwards, nested groups (GROUP)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors(
    """
# KeyboardInterrupt in the body comes out itself: GROUP-8, since 3.11
async def a(): await f
f = future()
try:
    async with TaskGroup() as g:
        A = g.create_task(a())
        turn()
        raise KeyboardInterrupt(3)
except KeyboardInterrupt: main.cancelling()
see(A)

# SystemExit in the body comes out itself: GROUP-8, since 3.11
async def a():
    try: await f
    except CancelledError: raise KeyError(1)
f = future()
try:
    async with TaskGroup() as g:
        A = g.create_task(a())
        turn()
        raise SystemExit(3)
except SystemExit: main.cancelling()
see(A)

# cancelling() is balanced after a failure: GROUP-9, since 3.11
async def a(): raise KeyError(1)
f = future()
try:
    async with TaskGroup() as g:
        A = g.create_task(a())
        await f
except ExceptionGroup: main.cancelling()
await sleep(1)
main.cancelling()

# cancelling() is balanced though the body replaces the cancel: GROUP-9 GROUP-6, since 3.11
async def a(): raise KeyError(1)
f = future()
try:
    async with TaskGroup() as g:
        A = g.create_task(a())
        try: await f
        except CancelledError: raise ValueError(2)
except ExceptionGroup: main.cancelling()
await sleep(1)

# groups in groups: GROUP-2 GROUP-9, since 3.11
async def a(): raise KeyError(1)
f = future()
try:
    async with TaskGroup() as g:
        try:
            async with TaskGroup() as h:
                A = h.create_task(a())
                await f
        except ExceptionGroup: main.cancelling()
        await sleep(1)
except ExceptionGroup: loop.time()
await sleep(1)

# the outer of two groups fails: GROUP-2 GROUP-4 GROUP-9, since 3.11
async def a():
    await sleep(1)
    raise KeyError(1)
async def b(): await f
f = future()
try:
    async with TaskGroup() as g:
        A = g.create_task(a())
        async with TaskGroup() as h: B = h.create_task(b())
except ExceptionGroup: main.cancelling()
see(B)
await sleep(1)

# a timeout around a group: GROUP-4 TIMEOUT-1 TIMEOUT-8, since 3.11
async def a(): await f
f = future()
try:
    async with timeout(1):
        async with TaskGroup() as g: A = g.create_task(a())
except TimeoutError: main.cancelling()
see(A)
await sleep(1)

# a task of a group has the name that it was given: GROUP-1 TASK-9, since 3.11
async def a(): pass
async with TaskGroup() as g:
    A = g.create_task(a(), name="first")
    A.get_name()
"""
)
