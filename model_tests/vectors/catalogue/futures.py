"""Futures: done once, callbacks deferred and in order, errors kept and reported (FUT)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors("""
# a result is given once: FUT-1 FUT-6
f = future()
f.set_result(1)
with suppress(InvalidStateError): f.set_result(2)
with suppress(InvalidStateError): f.set_exception(KeyError(3))
f.cancel()
f.result()
f.exception()

# a future whose result is None is done: FUT-6 FUT-1
f = future()
f.set_result(None)
f.done()
f.result()
with suppress(InvalidStateError): f.set_result(1)

# an exception is given once: FUT-1 FUT-6
f = future()
f.set_exception(KeyError(1))
with suppress(InvalidStateError): f.set_result(2)
with suppress(InvalidStateError): f.set_exception(ValueError(3))
f.cancel()
f.exception()
f.done()
f.cancelled()
f.result()

# a cancelled future stays cancelled: FUT-1
f = future()
f.cancel()
f.cancel()
f.done()
f.cancelled()
with suppress(InvalidStateError): f.set_result(1)
with suppress(InvalidStateError): f.set_exception(KeyError(2))
await f

# a future that is pending holds nothing: FUT-6
f = future()
f.done()
f.cancelled()
with suppress(InvalidStateError): f.result()
with suppress(InvalidStateError): f.exception()

# a cancelled future gives CancelledError: FUT-6
f = future()
f.cancel()
with suppress(CancelledError): f.result()
with suppress(CancelledError): f.exception()

# an exception may be given as its class: FUT-6
Mine = derive("Mine", KeyError)
f = future()
f.set_exception(Mine)
f.result()

# resolving runs no callback: FUT-2 FUT-5
def one(): f.done()
def two(): f.done()
def three(): f.done()
f = future()
f.add_done_callback(one)
f.add_done_callback(two)
f.add_done_callback(three)
f.set_result(1)
see(f)
turn()
see(f)

# an exception runs no callback: FUT-2
def one(): f.exception()
f = future()
f.add_done_callback(one)
f.set_exception(KeyError(1))
see(f)
turn()
see(f)

# a cancel runs no callback: FUT-2
def one(): f.cancelled()
f = future()
f.add_done_callback(one)
f.cancel()
see(f)
turn()
see(f)

# resolving runs no task: FUT-2 TASK-1
async def a():
    await f
f = future()
A = go(a)
turn()
f.set_result(1)
see(A)
turn()
see(A)

# a callback on a done future comes in the next turn: FUT-3
def one(): f.done()
f = future()
f.set_result(1)
f.add_done_callback(one)
see(f)
turn()
see(f)

# awaiting a done future does not suspend: FUT-4
def one(): pass
f = future()
f.set_result(1)
loop.call_soon(one)
await f
await f
see(f)

# callbacks and waiters of one future in the order in which they came: FUT-5
async def a(): await f
async def b(): await f
def one(): pass
def two(): pass
f = future()
f.add_done_callback(one)
A = go(a)
turn()
f.add_done_callback(two)
B = go(b)
turn()
f.add_done_callback(one)
f.set_result(1)

# callbacks that come later stand behind those that are due: FUT-3 FUT-5
def one(): pass
def two(): pass
def more(): f.add_done_callback(two)
f = future()
f.add_done_callback(more)
f.add_done_callback(one)
f.set_result(1)

# what is resolved first is told first: FUT-5
async def a(): await f
async def b(): await g
f, g = future(), future()
B, A = go(b), go(a)
turn()
f.set_result(1)
g.set_result(2)

# three wait for one future, and one of them is cancelled: FUT-5 TASK-1
async def a(): await f
async def b(): await f
async def c(): await f
f = future()
A, B, C = go(a), go(b), go(c)
turn()
B.cancel()
see(f)
turn(2)

# StopIteration becomes a RuntimeError: FUT-7, since 3.13
f = future()
f.set_exception(StopIteration(5))
await f

# a class of StopIteration becomes a RuntimeError: FUT-7
Stop = derive("Stop", StopIteration)
f = future()
f.set_exception(Stop(5))
await f

# an exception that is awaited again and again does not grow: FUT-8
e = KeyError(1)
f = future()
f.set_exception(e)
for i in [1, 2, 3]:
    try: await f
    except KeyError: grew(e)

# an exception that nobody retrieved is reported once: FUT-9
f = future()
f.set_exception(KeyError(1))
del f
turn()

# a task that fails and that nobody asked is reported once: FUT-9
async def a(): raise KeyError(1)
A = go(a)
turn(2)
del A
turn()

# exception() silences the report: FUT-9
f = future()
f.set_exception(KeyError(1))
f.exception()
del f
turn()

# result() silences the report: FUT-9
f = future()
f.set_exception(KeyError(1))
with suppress(KeyError): f.result()
del f
turn()

# to ask whether it is done silences nothing: FUT-9
f = future()
f.set_exception(KeyError(1))
f.done()
f.cancelled()
del f
turn()

# an await silences the report: FUT-9
f = future()
f.set_exception(KeyError(1))
with suppress(KeyError): await f
del f
turn()

# remove_done_callback removes all that are equal: FUT-10
def one(): pass
def two(): pass
f = future()
f.add_done_callback(one)
f.add_done_callback(two)
f.add_done_callback(one)
f.remove_done_callback(one)
f.remove_done_callback(one)
f.set_result(1)
turn()
f.remove_done_callback(two)

# a callback that fails is reported and stops no other: FUT-11
async def a(): await f
def one(): pass
def bad(): f.nothing()
f = future()
f.add_done_callback(bad)
f.add_done_callback(one)
A = go(a)
turn()
f.set_result(1)

# callbacks that are equal need not be the same: FUT-10
f, g = future(), future()
f.add_done_callback(getattr(g, "set_result"))
f.remove_done_callback(getattr(g, "set_result"))
f.set_result(1)
turn()
see(g)

# a callback runs in the context of who registered it: FUT-12, since 3.7
def one(): v.get()
v = ContextVar("v", default=0)
old = v.set(1)
f = future()
f.add_done_callback(one)
new = v.set(2)
f.set_result(1)
turn()
v.get()

# a callback runs in the context that was given: FUT-12, since 3.7
def one(): v.get()
v = ContextVar("v", default=0)
old = v.set(1)
context = copy_context()
new = v.set(2)
f = future()
f.add_done_callback(one, context=context)
f.set_result(1)
f.add_done_callback(one, context=context)

# a callback runs in the context that was given when the future is cancelled, too: FUT-12, since 3.7
def one(): v.get()
v = ContextVar("v", default=0)
old = v.set(1)
context = copy_context()
new = v.set(2)
f = future()
f.add_done_callback(one, context=context)
f.cancel()

# the message of a cancelled future reaches who awaits: FUT-13, since 3.9
async def a(): await f
f = future()
A = go(a)
turn()
f.cancel("why")
turn()
see(A)
await f

# a future knows its loop: FUT-6, since 3.7
f = Future()
see(f)
f.get_loop()
""")
