"""TaskGroup: tasks that end together (GROUP)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors(
    """
# a group waits for all its tasks: GROUP-1, since 3.11
async def a(): await f
async def b(): await sleep(2)
f = future()
f.set_result(1)
async with TaskGroup() as g:
    A, B = g.create_task(a()), g.create_task(b())
    see(A)
see(A, B)
loop.time()

# a group of none ends at once: GROUP-1, since 3.11
async with TaskGroup() as g: pass
main.cancelling()

# a group waits for tasks that are created at its end: GROUP-1, since 3.11
async def a():
    await sleep(1)
    B = g.create_task(b())
async def b():
    await sleep(1)
    return 2
async with TaskGroup() as g: A = g.create_task(a())
see(B)
loop.time()

# a task of a group runs in the context that it was given: TASK-11, since 3.11
async def a(): v.get()
v = ContextVar("v", default=0)
old = v.set(1)
context = copy_context()
new = v.set(2)
async with TaskGroup() as g: A = g.create_task(a(), context=context)

# a failure cancels the others and the body: GROUP-2, since 3.11
async def a(): raise KeyError(1)
async def b(): await f
f, h = future(), future()
try:
    async with TaskGroup() as g:
        A, B = g.create_task(a()), g.create_task(b())
        await h
except ExceptionGroup: main.cancelling()
see(h, B)
await sleep(1)

# cancelling() is balanced after a failure while the group ends: GROUP-9 GROUP-2, since 3.11
async def a():
    await sleep(1)
    raise KeyError(1)
async def b(): await f
f = future()
try:
    async with TaskGroup() as g:
        A, B = g.create_task(a()), g.create_task(b())
except ExceptionGroup: main.cancelling()
see(B)
loop.time()

# all failures come out: GROUP-2, since 3.11
async def a(): raise KeyError(1)
async def b():
    try: await f
    finally: raise ValueError(2)
async def c(): raise IndexError(3)
f = future()
with suppress(ExceptionGroup):
    async with TaskGroup() as g:
        A, B, C = g.create_task(a()), g.create_task(b()), g.create_task(c())

# a group waits for the tasks that it cancelled: GROUP-2 GROUP-1, since 3.11
async def a(): raise KeyError(1)
async def b():
    try: await f
    finally: await sleep(2)
f = future()
try:
    async with TaskGroup() as g:
        B, A = g.create_task(b()), g.create_task(a())
except ExceptionGroup: loop.time()

# a body that swallows the group's cancel: GROUP-2 GROUP-9, since 3.11
async def a(): raise KeyError(1)
f = future()
try:
    async with TaskGroup() as g:
        A = g.create_task(a())
        try: await f
        except CancelledError: main.cancelling()
except ExceptionGroup: main.cancelling()
await sleep(1)

# a failed task needs no report: GROUP-2 FUT-9, since 3.11
async def a(): raise KeyError(1)
with suppress(ExceptionGroup):
    async with TaskGroup() as g: A = g.create_task(a())
del A
turn(2)

# a task that is cancelled is no failure: GROUP-3, since 3.11
async def a(): await f
async def b():
    await h
    return 2
f, h = future(), future()
async with TaskGroup() as g:
    A, B = g.create_task(a()), g.create_task(b())
    turn()
    A.cancel()
    turn(2)
    see(B)
    h.set_result(1)
see(A, B)

# a task that raises CancelledError is no failure: GROUP-3, since 3.11
async def a(): raise CancelledError()
async with TaskGroup() as g: A = g.create_task(a())
main.cancelling()

# a cancel from outside cancels the tasks: GROUP-4, since 3.11
async def a():
    async with TaskGroup() as g:
        B, C = g.create_task(sleep(9)), g.create_task(c())
async def c():
    try: await h
    finally: await sleep(2)
h = future()
A = go(a)
turn(3)
A.cancel()
turn(3)
see(B, A)
await sleep(3)
see(A)
A.cancelling()

# a cancel from outside in the body cancels the tasks: GROUP-4, since 3.11
async def a():
    async with TaskGroup() as g:
        B = g.create_task(b())
        await h
async def b(): await f
f, h = future(), future()
A = go(a)
turn(3)
A.cancel()
turn(4)
see(B, A)

# a second cancel from outside while the group ends: GROUP-4, since 3.11
async def a():
    async with TaskGroup() as g: B = g.create_task(b())
async def b():
    try: await f
    finally: await sleep(2)
f = future()
A = go(a)
turn(3)
A.cancel()
turn(2)
A.cancel()
await sleep(5)
see(B, A)

# a failure and a cancel from outside: both come out: GROUP-5, since 3.11
async def a():
    try:
        async with TaskGroup() as g:
            B = g.create_task(b())
            await f
    except ExceptionGroup: A.cancelling()
    await sleep(1)
    return 1
async def b(): raise KeyError(1)
f = future()
A = go(a)
turn()
A.cancel()
await sleep(5)
see(A)

# a failure, and a cancel from outside while the group ends: GROUP-5, since 3.11
async def a():
    try:
        async with TaskGroup() as g:
            B, C = g.create_task(b()), g.create_task(c())
    except ExceptionGroup: A.cancelling()
    await sleep(1)
    return 1
async def b(): raise KeyError(1)
async def c():
    try: await f
    finally: await sleep(2)
f = future()
A = go(a)
await sleep(1)
A.cancel()
await sleep(5)
see(A)

# a cancel from outside, and a task that fails of it: GROUP-5 GROUP-4, since 3.11
async def a():
    try:
        async with TaskGroup() as g: B = g.create_task(b())
    except ExceptionGroup: A.cancelling()
    await sleep(1)
    return 1
async def b():
    try: await f
    except CancelledError: raise KeyError(1)
f = future()
A = go(a)
turn(3)
A.cancel()
await sleep(5)
see(A)

# the body's exception stands in the group: GROUP-6, since 3.11
async def a():
    try: await f
    finally: raise KeyError(1)
f = future()
with suppress(ExceptionGroup):
    async with TaskGroup() as g:
        A = g.create_task(a())
        turn()
        raise ValueError(2)

# the body's exception alone comes in a group: GROUP-6, since 3.11
async def a(): await f
f = future()
with suppress(ExceptionGroup):
    async with TaskGroup() as g:
        A = g.create_task(a())
        turn()
        raise ValueError(2)
see(A)
main.cancelling()

# a group is entered before tasks are created: GROUP-7, since 3.11
async def a(): pass
g = TaskGroup()
co = a()
with suppress(RuntimeError): g.create_task(co)

# a group that ended takes no more tasks: GROUP-7, since 3.11
async def a(): pass
async with TaskGroup() as g: pass
co = a()
with suppress(RuntimeError): g.create_task(co)

# a group that shuts down takes no more tasks: GROUP-7, since 3.11
async def a(): raise KeyError(1)
async def b():
    try: await f
    finally:
        co = c()
        with suppress(RuntimeError): g.create_task(co)
async def c(): f.done()
f = future()
with suppress(ExceptionGroup):
    async with TaskGroup() as g:
        A, B = g.create_task(a()), g.create_task(b())

# a coroutine that a group refused is closed: GROUP-7, since 3.13
async def a(): pass
g = TaskGroup()
co = a()
with suppress(RuntimeError): g.create_task(co)
with suppress(RuntimeError): await co
async with g: pass
co = a()
with suppress(RuntimeError): g.create_task(co)
with suppress(RuntimeError): await co

# a coroutine that a group refused because it shuts down is closed: GROUP-7, since 3.13
async def a(): raise KeyError(1)
async def b():
    try: await f
    finally:
        co = c()
        with suppress(RuntimeError): g.create_task(co)
        with suppress(RuntimeError): await co
async def c(): f.done()
f = future()
with suppress(ExceptionGroup):
    async with TaskGroup() as g:
        A, B = g.create_task(a()), g.create_task(b())

# a group is entered once: GROUP-7, since 3.11
async with TaskGroup() as g: pass
with suppress(RuntimeError):
    async with g: pass
"""
)
