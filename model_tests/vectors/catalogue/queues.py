"""Queues: items in order, bounds, and waiters that are woken and cancelled (QUEUE)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors("""
# items leave in the order in which they came: QUEUE-1 QUEUE-10 QUEUE-19
q = Queue()
q.qsize()
q.empty()
q.put_nowait(1)
q.put_nowait(2)
await q.put(3)
q.qsize()
q.empty()
q.get_nowait()
await q.get()
q.get_nowait()
q.empty()

# a bounded queue refuses what is too much: QUEUE-2 QUEUE-25
q = Queue(2)
q.full()
q.put_nowait(1)
q.put_nowait(2)
q.full()
try: q.put_nowait(3)
except QueueFull: pass
q.get_nowait()
q.full()
q.put_nowait(4)
q.get_nowait()
q.get_nowait()

# an empty queue refuses to give: QUEUE-24
q = Queue()
try: q.get_nowait()
except QueueEmpty: pass
q.qsize()
q.put_nowait(1)
q.get_nowait()

# a maxsize of 0 or less is no bound: QUEUE-9
q = Queue(-1)
q.put_nowait(1)
q.put_nowait(2)
q.full()
p = Queue(0)
p.put_nowait(1)
p.put_nowait(2)
p.full()

# getters are served oldest first: QUEUE-3 QUEUE-23
async def a(): await q.get()
async def b(): await q.get()
async def c(): await q.get()
q = Queue()
A, B, C = go(a), go(b), go(c)
turn()
q.put_nowait(1)
q.put_nowait(2)
turn(2)
see(C)
q.put_nowait(3)

# putters are served oldest first: QUEUE-3 QUEUE-23
async def a(): await q.put(1)
async def b(): await q.put(2)
async def c(): await q.put(3)
q = Queue(1)
q.put_nowait(0)
A, B, C = go(a), go(b), go(c)
turn()
q.get_nowait()
turn(2)
q.get_nowait()
turn(2)
q.get_nowait()
turn(2)
q.get_nowait()

# a get that finds an item does not wait: QUEUE-11
async def a(): await q.get()
q = Queue()
A = go(a)
turn()
q.put_nowait(1)
await q.get()
turn(2)
see(A)
q.put_nowait(2)

# a put that finds room does not wait: QUEUE-12 QUEUE-13
async def a(): await q.put(2)
q = Queue(1)
q.put_nowait(1)
A = go(a)
turn()
q.get_nowait()
await q.put(3)
turn(2)
see(A)
q.get_nowait()
turn(2)
q.get_nowait()

# a getter that was overtaken waits again: QUEUE-4
async def a(): await q.get()
async def b(): await q.get()
q = Queue()
A, B = go(a), go(b)
turn()
q.put_nowait(1)
q.get_nowait()
turn(2)
q.put_nowait(2)
turn(2)
q.put_nowait(3)

# a put wakes one getter, each: QUEUE-5
async def a(): await q.get()
async def b(): await q.get()
q = Queue()
A, B = go(a), go(b)
turn()
q.put_nowait(1)
q.put_nowait(2)
turn()
see(A, B)

# a get wakes one putter, each: QUEUE-21
async def a(): await q.put(3)
async def b(): await q.put(4)
q = Queue(2)
q.put_nowait(1)
q.put_nowait(2)
A, B = go(a), go(b)
turn()
q.get_nowait()
q.get_nowait()
turn()
see(A, B)

# a waiting get is served by a waiting put: QUEUE-5 QUEUE-21
async def a():
    await q.get()
    await q.get()
    await q.get()
async def b():
    await q.put(1)
    await q.put(2)
    await q.put(3)
q = Queue(1)
A, B = go(a), go(b)

# a cancelled get leaves the item: QUEUE-5 QUEUE-27 QUEUE-18
async def a(): await q.get()
q = Queue()
A = go(a)
turn()
q.put_nowait(1)
A.cancel()
turn(2)
q.qsize()
q.get_nowait()

# the wake-up of a cancelled getter goes to the next: QUEUE-5 QUEUE-18
async def a(): await q.get()
async def b(): await q.get()
q = Queue()
A, B = go(a), go(b)
turn()
q.put_nowait(1)
A.cancel()

# a woken getter that is cancelled and uncancelled gets its item: QUEUE-33 CANCEL-6, since 3.11
async def a():
    await q.get()
    return 1
q = Queue()
A = go(a)
turn()
q.put_nowait(1)
A.cancel()
A.uncancel()

# a woken putter that is cancelled and uncancelled adds its item: QUEUE-33 CANCEL-6, since 3.11
async def a(): await q.put(2)
q = Queue(1)
q.put_nowait(1)
A = go(a)
turn()
q.get_nowait()
A.cancel()
A.uncancel()
turn(2)
q.get_nowait()

# a getter that is uncancelled before it was woken is cancelled: QUEUE-33 QUEUE-27, since 3.11
async def a(): await q.get()
q = Queue()
A = go(a)
turn()
A.cancel()
A.uncancel()
q.put_nowait(1)
turn(2)
q.qsize()

# a getter cancelled before the put is passed over: QUEUE-5 QUEUE-17
async def a(): await q.get()
async def b(): await q.get()
q = Queue()
A, B = go(a), go(b)
turn()
A.cancel()
q.put_nowait(1)

# a getter that is cancelled and gone is passed over: QUEUE-5 QUEUE-17
async def a(): await q.get()
async def b(): await q.get()
q = Queue()
A, B = go(a), go(b)
turn()
A.cancel()
turn(2)
q.put_nowait(1)
turn(2)
see(B)
q.qsize()

# two getters cancelled in a row hand on twice: QUEUE-5
async def a(): await q.get()
async def b(): await q.get()
async def c(): await q.get()
q = Queue()
A, B, C = go(a), go(b), go(c)
turn()
q.put_nowait(1)
A.cancel()
turn()
B.cancel()

# a cancel beside a wake-up leaves those behind in their places: QUEUE-3 QUEUE-17
async def a(): await q.get()
async def b(): await q.get()
async def c(): await q.get()
async def d(): await q.get()
q = Queue()
A, B, C, D = go(a), go(b), go(c), go(d)
turn()
B.cancel()
q.put_nowait(1)
turn(3)
q.put_nowait(2)
turn(2)
q.put_nowait(3)

# a cancelled putter beside one that was woken leaves those behind in their places: QUEUE-3 QUEUE-17
async def a(): await q.put(2)
async def b(): await q.put(3)
async def c(): await q.put(4)
async def d(): await q.put(5)
q = Queue(1)
q.put_nowait(1)
A, B, C, D = go(a), go(b), go(c), go(d)
turn()
B.cancel()
q.get_nowait()
turn(3)
q.get_nowait()
turn(2)
q.get_nowait()
turn(2)
q.get_nowait()

# a cancelled put puts nothing: QUEUE-27 QUEUE-17
async def a(): await q.put(2)
q = Queue(1)
q.put_nowait(1)
A = go(a)
turn()
A.cancel()
turn(2)
q.get_nowait()
turn(2)
q.qsize()

# a put cancelled after its wake-up puts nothing: QUEUE-27 QUEUE-18
async def a(): await q.put(2)
q = Queue(1)
q.put_nowait(1)
A = go(a)
turn()
q.get_nowait()
A.cancel()
turn(2)
q.qsize()

# the wake-up of a cancelled putter goes to the next: QUEUE-21 QUEUE-18
async def a(): await q.put(2)
async def b(): await q.put(3)
q = Queue(1)
q.put_nowait(1)
A, B = go(a), go(b)
turn()
q.get_nowait()
A.cancel()
turn(3)
q.get_nowait()

# a putter cancelled before the get is passed over: QUEUE-21 QUEUE-17
async def a(): await q.put(2)
async def b(): await q.put(3)
q = Queue(1)
q.put_nowait(1)
A, B = go(a), go(b)
turn()
A.cancel()
q.get_nowait()
turn(3)
q.get_nowait()
""")
