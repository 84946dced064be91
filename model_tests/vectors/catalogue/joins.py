"""Queues: join, the other orders, and shutdown (QUEUE)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors("""
# join waits for every report: QUEUE-6 QUEUE-14 QUEUE-35 QUEUE-15
async def a(): await q.join()
q = Queue()
q.put_nowait(1)
q.put_nowait(2)
A = go(a)
turn()
q.get_nowait()
q.get_nowait()
turn()
see(A)
q.task_done()
turn()
see(A)
q.task_done()
see(A)
turn()
see(A)

# join with nothing unfinished returns at once: QUEUE-15
def one(): pass
q = Queue()
loop.call_soon(one)
await q.join()
q.put_nowait(1)
q.get_nowait()
q.task_done()
await q.join()
see(q)

# join waits though the queue is empty: QUEUE-7 QUEUE-15
async def a(): await q.join()
q = Queue()
q.put_nowait(1)
q.get_nowait()
A = go(a)
turn(2)
see(A)
q.task_done()

# join waits again after it was released: QUEUE-7
async def a():
    await q.join()
    await q.join()
q = Queue()
q.put_nowait(1)
q.get_nowait()
q.task_done()
q.put_nowait(2)
A = go(a)
turn(2)
see(A)
q.get_nowait()
q.task_done()

# a join that was released returns, whatever was put since: QUEUE-16
async def a(): await q.join()
q = Queue()
q.put_nowait(1)
A = go(a)
turn()
q.task_done()
q.put_nowait(2)

# every join is released: QUEUE-6
async def a(): await q.join()
async def b(): await q.join()
async def c(): await q.join()
q = Queue()
q.put_nowait(1)
A, B, C = go(a), go(b), go(c)
turn()
B.cancel()
q.task_done()

# one report too many is refused: QUEUE-8 QUEUE-14
async def a(): await q.join()
q = Queue()
with suppress(ValueError): q.task_done()
q.put_nowait(1)
q.task_done()
with suppress(ValueError): q.task_done()
q.put_nowait(2)
A = go(a)
turn()
q.task_done()

# a put that waited is counted once: QUEUE-13 QUEUE-6
async def a(): await q.put(2)
async def b(): await q.join()
q = Queue(1)
q.put_nowait(1)
A, B = go(a), go(b)
turn()
q.get_nowait()
q.task_done()
turn(3)
q.get_nowait()
q.task_done()
turn(2)
see(B)

# a put that was refused is not counted: QUEUE-25 QUEUE-6
q = Queue(1)
q.put_nowait(1)
with suppress(QueueFull): q.put_nowait(2)
q.get_nowait()
q.task_done()
await q.join()

# wait_for of a get loses nothing: QUEUE-27 WAITFOR-2
q = Queue()
with suppress(TimeoutError): await wait_for(q.get(), 1)
q.put_nowait(1)
q.qsize()
await wait_for(q.get(), 1)

# a LifoQueue gives the newest: QUEUE-28
q = LifoQueue()
q.put_nowait(1)
q.put_nowait(2)
q.put_nowait(3)
q.get_nowait()
q.put_nowait(4)
await q.get()
q.get_nowait()
q.get_nowait()

# a LifoQueue counts what is put: QUEUE-28 QUEUE-6
async def a(): await q.join()
q = LifoQueue(1)
q.put_nowait(1)
q.full()
A = go(a)
turn(2)
see(A)
q.get_nowait()
q.task_done()

# a PriorityQueue gives the least: QUEUE-29
q = PriorityQueue()
q.put_nowait(3)
q.put_nowait(1)
q.put_nowait(2)
q.get_nowait()
q.put_nowait(0)
await q.get()
q.get_nowait()
q.get_nowait()

# a PriorityQueue gives the least of many, whatever their order: QUEUE-29
q = PriorityQueue()
for i in [5, 3, 8, 1, 7, 2, 6, 4]: q.put_nowait(i)
q.get_nowait()
q.get_nowait()
for i in [9, 0, 5]: q.put_nowait(i)
for i in [1, 2, 3, 4, 5, 6, 7, 8, 9]: q.get_nowait()

# a LifoQueue gives the last of many first, a Queue the first: QUEUE-28 QUEUE-1
q = LifoQueue()
p = Queue()
for i in [5, 3, 8, 1, 7, 2, 6, 4]:
    q.put_nowait(i)
    p.put_nowait(i)
for i in [1, 2, 3, 4, 5]:
    q.get_nowait()
    p.get_nowait()

# equal items are items of their own: QUEUE-28 QUEUE-1
q = LifoQueue()
p = Queue()
for i in [1, 2, 1, 3, 1]:
    q.put_nowait(i)
    p.put_nowait(i)
for i in [1, 2, 3, 4, 5]:
    q.get_nowait()
    p.get_nowait()

# equal priorities are parted by the rest of the entry: QUEUE-29
q = PriorityQueue()
q.put_nowait(tuple([1, 3]))
q.put_nowait(tuple([1, 2]))
q.put_nowait(tuple([0, 4]))
q.get_nowait()
q.get_nowait()
q.get_nowait()

# a PriorityQueue counts what is put: QUEUE-29 QUEUE-6
async def a(): await q.join()
async def b(): await q.get()
q = PriorityQueue(1)
B = go(b)
turn()
q.put_nowait(1)
A = go(a)
turn(2)
see(A)
q.task_done()

# after shutdown nothing is put, and what is there is got: QUEUE-30 QUEUE-38, since 3.13
q = Queue()
q.put_nowait(1)
q.put_nowait(2)
q.shutdown()
with suppress(QueueShutDown): q.put_nowait(3)
with suppress(QueueShutDown): await q.put(3)
await q.get()
q.get_nowait()
with suppress(QueueShutDown): q.get_nowait()
with suppress(QueueShutDown): await q.get()
q.task_done()
q.task_done()
await q.join()

# a full queue that is shut down raises QueueShutDown: QUEUE-30, since 3.13
q = Queue(1)
q.put_nowait(1)
q.shutdown()
with suppress(QueueShutDown): q.put_nowait(2)
with suppress(QueueShutDown): await q.put(2)

# an immediate shutdown drains, and releases join: QUEUE-31, since 3.13
async def a(): await q.join()
q = Queue()
q.put_nowait(1)
q.put_nowait(2)
A = go(a)
turn()
q.shutdown(immediate=True)
q.qsize()
turn()
see(A)
with suppress(QueueShutDown): q.get_nowait()

# an immediate shutdown counts what was got as open: QUEUE-31, since 3.13
async def a(): await q.join()
q = Queue()
q.put_nowait(1)
q.put_nowait(2)
q.get_nowait()
A = go(a)
turn()
q.shutdown(immediate=True)
turn(2)
see(A)
q.task_done()

# a plain shutdown leaves join waiting: QUEUE-30 QUEUE-31, since 3.13
async def a(): await q.join()
q = Queue()
q.put_nowait(1)
A = go(a)
turn()
q.shutdown()
turn(2)
see(A)
q.get_nowait()
q.task_done()

# shutdown releases all getters: QUEUE-32, since 3.13
async def a(): await q.get()
async def b(): await q.get()
q = Queue()
A, B = go(a), go(b)
turn()
q.shutdown()

# shutdown releases all putters: QUEUE-32 QUEUE-37, since 3.13
async def a(): await q.put(2)
async def b(): await q.put(3)
q = Queue(1)
q.put_nowait(1)
A, B = go(a), go(b)
turn()
q.shutdown()
turn(2)
q.get_nowait()
turn(2)
q.qsize()

# an immediate shutdown releases putters and getters: QUEUE-32 QUEUE-31, since 3.13
async def a(): await q.put(2)
async def b(): await p.get()
q = Queue(1)
q.put_nowait(1)
p = Queue()
A, B = go(a), go(b)
turn()
q.shutdown(immediate=True)
p.shutdown(immediate=True)

# an item that was put before the shutdown goes to the getter: QUEUE-30 QUEUE-32, since 3.13
async def a(): await q.get()
async def b(): await q.get()
q = Queue()
A, B = go(a), go(b)
turn()
q.put_nowait(1)
q.shutdown()
""")
