"""Tasks: when they run, what they receive, how they end, their names (TASK, AWAIT, ENSURE)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors("""
# a new task runs nothing at once: TASK-6, since 3.7
async def a(): A.done()
A = create_task(a())
see(A)
turn()
see(A)

# tasks begin in the order in which they were made: TASK-6
async def a():
    A.done()
    return 1
async def b():
    B.done()
    return 2
B, A = go(b), go(a)
await A
see(B)

# a task gets what it awaited: TASK-2
async def a():
    await f
    with suppress(KeyError): await g
    await h
f, g, h = future(), future(), future()
A = go(a)
turn()
f.set_result(1)
turn()
g.set_exception(KeyError(2))
turn()
h.cancel()

# a task that awaits something pending waits for it: TASK-3
async def a(): await f
f = future()
A = go(a)
turn(5)
see(A)
f.set_result(1)
turn()
see(A)

# a task is woken once: TASK-1 TASK-21
async def a():
    await f
    await g
f, g = future(), future()
A = go(a)
turn()
f.set_result(1)
turn(3)
see(A)
g.set_result(2)
turn(3)
see(A)

# sleep(0) gives up one turn: TASK-4
async def a():
    loop.time()
    await sleep(0)
    loop.time()
    await sleep(0)
    loop.time()
async def b():
    loop.time()
    await sleep(0)
    loop.time()
A, B = go(a), go(b)
turn()
see(A)
turn()
see(B)
turn()
see(A)

# sleep(0) gives its result: TASK-4 SLEEP-1
await sleep(0, 5)
await sleep(-1, 6)

# a task ends as its coroutine does: TASK-5
async def a(): return 1
async def b(): raise KeyError(2)
async def c(): raise CancelledError()
A, B, C = go(a), go(b), go(c)
turn()
see(A, B, C)
A.cancel()

# awaiting a task gives its end: TASK-5 TASK-2
async def a(): return 1
async def b(): raise KeyError(2)
A, B = go(a), go(b)
await A
with suppress(KeyError): await B
with suppress(KeyError): await B
await A

# who awaits a task runs a turn after its end: TASK-5 FUT-2
async def a(): return 1
async def b(): await A
A, B = go(a), go(b)
turn()
see(A, B)
turn()
see(B)

# a task's result is its coroutine's affair: TASK-7, since 3.8
async def a(): await f
f = future()
A = go(a)
with suppress(RuntimeError): A.set_result(1)
with suppress(RuntimeError): A.set_exception(KeyError(2))
turn()
f.set_result(3)

# a bad yield is an error in the task, which may go on: TASK-8
async def a():
    try:
        yield 5
    except RuntimeError:
        turn()
    await f
    yield 6
f = future()
A = go(a)
turn(3)
f.set_result(1)

# a bare yield is a turn: TASK-8 TASK-4
async def a():
    yield None
    return 1
A = go(a)
turn()
see(A)
turn()
see(A)

# what is no Exception ends a task as other errors do: TASK-5, since 3.8
async def a(): raise BaseException(1)
async def b():
    try: await A
    except BaseException: return 2
A, B = go(a), go(b)
turn(3)
see(A, B)

# SystemExit ends its task, and comes out of the loop, which can go on: TASK-13
async def a():
    await f
    raise SystemExit(3)
async def b():
    try: await A
    except SystemExit: return 4
f = future()
A, B = go(a), go(b)
turn()
f.set_result(1)
turn(2)
see(A, B)

# KeyboardInterrupt ends its task, and comes out of the loop, which can go on: TASK-13
async def a():
    try: raise KeyboardInterrupt(3)
    finally: A.done()
async def b():
    A.done()
    await sleep(1)
    A.done()
A, B = go(a), go(b)
turn()
see(A)

# a task that awaits itself gets an error: AWAIT-1 TASK-8
async def a():
    with suppress(RuntimeError): await A
    return 1
A = go(a)

# a task has the name that it was given: TASK-9, since 3.8
async def a(): A.get_name()
A = create_task(a(), name="first")
A.get_name()
A.set_name("second")
A.get_name()
A.set_name(3)
A.get_name()

# a task knows its coroutine: TASK-9, since 3.8
async def a(): pass
co = a()
A = create_task(co)
A.get_coro()
B = create_task(a())
B.set_name("b")
C = create_task(a(), name="c")
C.get_name()

# what is no coroutine makes no task: TASK-6 ENSURE-1, since 3.7
with suppress(TypeError): loop.create_task(5)
f = future()
with suppress(TypeError): loop.create_task(f)

# current_task is the one that runs: TASK-10, since 3.7
async def a():
    current_task()
    await sleep(0)
    current_task()
def one(): current_task()
A = go(a)
current_task()
loop.call_soon(one)
turn()
current_task()

# all_tasks are those that are not done: TASK-10, since 3.7
async def a(): pass
async def b(): await f
f = future()
A, B, C = go(a), go(b), go(a)
C.cancel()
turn()
set(all_tasks())

# a task runs in a copy of its maker's context: TASK-11, since 3.7
async def a():
    v.get()
    mine = v.set(3)
    await sleep(0)
    v.get()
v = ContextVar("v", default=0)
old = v.set(1)
A = go(a)
new = v.set(2)
turn()
v.get()

# a task runs in the context that it was given: TASK-11, since 3.11
async def a():
    v.get()
    v.set(3)
    await f
    v.get()
    v.set(4)
v = ContextVar("v", default=0)
f = future()
context = copy_context()
v.set(2)
A = create_task(a(), context=context)
turn()
f.set_result(1)
turn()
v.get()
context.get(v)

# a task that waits is pending when main ends: TASK-1
async def a():
    try: await f
    finally: f.cancelled()
f = future()
A = go(a)
turn()

# ensure_future leaves futures and tasks as they are: ENSURE-1
async def a(): return 1
f = future()
A = go(a)
ensure_future(f)
ensure_future(A)
await A

# ensure_future makes tasks of coroutines: ENSURE-1
async def a(): return 1
A = ensure_future(a())
see(A)
await A

# ensure_future makes a task of what can be awaited: ENSURE-1
f = future()
x = awaitable(f)
A = ensure_future(x)
turn()
see(A)
f.set_result(1)
await A

# what can be awaited is gathered, waited for and shielded: ENSURE-1 GATHER-1 WAITFOR-1 SHIELD-1
f = future()
f.set_result(1)
await gather(awaitable(f), f)
await wait_for(awaitable(f), 5)
await shield(awaitable(f))

# ensure_future refuses what cannot be awaited: ENSURE-1
with suppress(TypeError): ensure_future(5)

# what is neither awaitable nor future is not gathered: ENSURE-1
with suppress(TypeError): gather(5)
""")
