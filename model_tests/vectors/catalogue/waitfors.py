"""wait_for: a result, a timeout, or a cancel of the caller (WAITFOR)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors(
    """
# wait_for in time gives the result: WAITFOR-1
async def a():
    await sleep(1)
    return 5
await wait_for(a(), 2)
await sleep(5)

# wait_for in time raises the error: WAITFOR-1
async def a():
    await sleep(1)
    raise KeyError(1)
with suppress(KeyError): await wait_for(a(), 2)

# wait_for in time leaves no timer behind: WAITFOR-1
async def a():
    await sleep(1)
    return 5
await wait_for(a(), 9)

# wait_for of a future in time: WAITFOR-1
async def a(): await wait_for(f, 5)
f = future()
A = go(a)
await sleep(1)
f.set_result(3)
turn(3)
see(A)

# wait_for at the timeout cancels: WAITFOR-2
f = future()
with suppress(TimeoutError): await wait_for(f, 1)
see(f)

# wait_for returns when the inner has cleaned up: WAITFOR-2
async def a():
    try: await f
    finally: await sleep(3)
f = future()
with suppress(TimeoutError): await wait_for(a(), 1)
loop.time()

# a result in spite of the timeout comes out: WAITFOR-3
async def a():
    try: await f
    except CancelledError: return 7
f = future()
await wait_for(a(), 1)

# an error in spite of the timeout comes out: WAITFOR-3
async def a():
    try: await f
    except CancelledError: raise KeyError(1)
f = future()
with suppress(KeyError): await wait_for(a(), 1)

# a cancel of who waits reaches the inner: WAITFOR-4
async def a(): await wait_for(B, 5)
e = Event()
B = ensure_future(e.wait())
A = go(a)
turn(2)
A.cancel()
turn(6)
see(B, A)

# a cancel of who waits reaches the future: WAITFOR-4
async def a(): await wait_for(f, 5)
f = future()
A = go(a)
turn(2)
A.cancel()
turn(3)
see(f, A)

# a cancel without a timeout reaches the inner: WAITFOR-4 WAITFOR-6
async def a(): await wait_for(b(), None)
async def b(): await f
f = future()
A = go(a)
turn(2)
A.cancel()
turn(3)
see(f, A)

# a cancel in the turn of the result is not lost: WAITFOR-4
async def a():
    await wait_for(f, 5)
    await sleep(1)
f = future()
A = go(a)
turn(2)
f.set_result(1)
A.cancel()

# a cancel in the turn of the inner's end is not lost: WAITFOR-4
async def a():
    await wait_for(e.wait(), 5)
    await sleep(1)
e = Event()
A = go(a)
turn(3)
e.set()
A.cancel()
await sleep(9)
see(A)

# a cancel in the turn in which the item came leaves the item: WAITFOR-4 QUEUE-27
async def a():
    await wait_for(q.get(), 5)
    await sleep(1)
q = Queue()
A = go(a)
turn(3)
q.put_nowait(1)
A.cancel()
turn(6)
see(A)
q.qsize()

# a cancel before wait_for began: WAITFOR-4 CANCEL-3
async def a():
    A.cancel()
    await wait_for(f, 5)
    await sleep(1)
f = future()
A = go(a)
turn(6)
see(A)

# an inner that is cancelled by others raises CancelledError: WAITFOR-4 WAITFOR-1
async def a(): await wait_for(f, 5)
f = future()
A = go(a)
turn(2)
f.cancel()
turn(3)
see(A)

# a cancel while the inner cleans up after the timeout: WAITFOR-4 WAITFOR-2
async def a(): await wait_for(b(), 1)
async def b():
    try: await f
    finally: await sleep(5)
f = future()
A = go(a)
await sleep(2)
A.cancel()
await sleep(1)
see(A)

# a timeout of 0 takes what is done: WAITFOR-5
f = future()
f.set_result(1)
await wait_for(f, 0)
await wait_for(f, -1)

# a timeout of 0 cancels what is not: WAITFOR-5
f = future()
with suppress(TimeoutError): await wait_for(f, 0)
see(f)
g = future()
with suppress(TimeoutError): await wait_for(g, -1)
see(g)

# a timeout of 0 waits until the inner has cleaned up: WAITFOR-5 WAITFOR-2
async def a():
    try: await f
    finally: await sleep(3)
f = future()
A = go(a)
turn()
with suppress(TimeoutError): await wait_for(A, 0)
loop.time()
see(A)

# a timeout of 0 takes a result in spite of it: WAITFOR-5 WAITFOR-3
async def a():
    try: await f
    except CancelledError: return 7
f = future()
A = go(a)
turn()
await wait_for(A, 0)

# a timeout of 0 runs nothing of a coroutine: WAITFOR-5, since 3.7
async def a():
    f.done()
    return 1
f = future()
with suppress(TimeoutError): await wait_for(a(), 0)
with suppress(TimeoutError): await wait_for(a(), -1)

# no timeout waits without end: WAITFOR-6
async def a():
    await sleep(1000)
    return 1
await wait_for(a(), None)

# wait_for in a loop leaves nothing behind: WAITFOR-2
f = future()
for i in [1, 2, 3]:
    try: await wait_for(shield(f), i)
    except TimeoutError: see(f)
f.set_result(9)
await wait_for(f, 1)

# the message of a cancel goes through wait_for: CANCEL-10 WAITFOR-4, since 3.11
async def a(): await wait_for(f, 5)
f = future()
A = go(a)
turn(2)
A.cancel("why")
with suppress(CancelledError): await A
"""
)
