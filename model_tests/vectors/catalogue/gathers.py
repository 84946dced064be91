"""gather: many results, in the order of the arguments (GATHER)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors(
    """
# results stand in the order of the arguments: GATHER-1
f, g, h = future(), future(), future()
r = gather(f, g, h)
h.set_result(3)
turn()
f.set_result(1)
turn()
see(r)
g.set_result(2)
turn()
see(r)
await r

# gather runs coroutines: GATHER-1
async def a():
    await sleep(0)
    return 1
async def b(): return 2
await gather(a(), b())

# a gather ends a turn after its last child: GATHER-1 FUT-2
f = future()
r = gather(f)
f.set_result(1)
see(r)
turn()
see(r)

# the first exception comes at once, and the others go on: GATHER-2
async def a():
    await f
    return 1
f, g, h = future(), future(), future()
A = go(a)
r = gather(A, g, h)
turn()
g.set_exception(KeyError(2))
turn()
see(r, A, h)
h.set_exception(ValueError(3))
f.set_result(1)
with suppress(KeyError): await r
turn()
see(r, A)

# a gather that failed silences the exceptions that come later: GATHER-2 FUT-9
async def a(): raise KeyError(1)
async def b():
    await sleep(0)
    raise ValueError(2)
A, B = go(a), go(b)
try: await gather(A, B)
except KeyError: turn(3)
del A
del B
turn()

# a child fails first though it stands last: GATHER-2
f, g = future(), future()
r = gather(f, g)
g.set_exception(KeyError(2))
f.set_exception(ValueError(1))
turn(2)
see(r)

# with return_exceptions exceptions stand among the results: GATHER-3
f, g, h = future(), future(), future()
r = gather(f, g, h, return_exceptions=True)
f.set_exception(KeyError(1))
turn()
see(r)
g.set_result(2)
h.cancel()
turn()
await r

# with return_exceptions a cancelled child stands among the results: GATHER-3 GATHER-5
f, g = future(), future()
r = gather(f, g, return_exceptions=True)
f.cancel()
turn()
see(r, g)
g.set_result(2)
turn()
await r

# cancelling a gather cancels its children: GATHER-4
async def a(): await f
async def b(): await g
f, g = future(), future()
A, B = go(a), go(b)
r = gather(A, B)
turn()
r.cancel()
see(r, f, g)
turn(3)
see(A, B, r)

# who awaits a gather is cancelled with all children: GATHER-4 CANCEL-1
async def a(): await f
async def b(): await g
async def c(): await gather(a(), b())
f, g = future(), future()
C = go(c)
turn(2)
C.cancel()
turn(4)

# cancelling a gather leaves a child that is done: GATHER-4
f, g = future(), future()
r = gather(f, g)
f.set_result(1)
turn()
r.cancel()
turn(2)
see(f, g, r)

# a gather that is cancelled waits for its children: GATHER-4
async def a():
    try: await f
    except CancelledError: await g
f, g = future(), future()
A = go(a)
r = gather(A)
turn()
r.cancel()
turn(3)
see(r)
g.set_result(1)
turn(3)
see(r)

# a gather whose child swallows the cancel is cancelled all the same: GATHER-4
async def a():
    try: await f
    except CancelledError: return 1
f = future()
A = go(a)
r = gather(A)
turn()
r.cancel()
turn(3)
see(A, r)

# with return_exceptions a gather that is cancelled is cancelled: GATHER-4 GATHER-3
f, g = future(), future()
r = gather(f, g, return_exceptions=True)
r.cancel()
turn(3)
see(f, g)
await r

# a cancelled child is an error of the gather: GATHER-5
f, g = future(), future()
r = gather(f, g)
f.cancel()
turn(2)
see(g, r)
with suppress(CancelledError): await r
g.set_result(2)

# the child that ends last is cancelled: GATHER-5
f, g = future(), future()
r = gather(f, g)
f.set_result(1)
turn(2)
g.cancel()
turn(2)
await r

# a gather whose children are all done refuses to be cancelled: GATHER-6
f, g = future(), future()
r = gather(f, g)
f.set_result(1)
g.set_result(2)
r.cancel()
await r

# the same future twice is awaited once: GATHER-7
f, g = future(), future()
r = gather(f, g, f)
f.set_result(1)
turn()
see(r)
g.set_result(2)
turn()
await r

# the same coroutine twice runs once: GATHER-7
async def a():
    f.done()
    return 1
f = future()
co = a()
await gather(co, co)

# a gather of nothing gives an empty list: GATHER-8
r = gather()
turn()
await r

# a gather that is done leaves its children alone: GATHER-9
f, g = future(), future()
r = gather(f, g)
f.set_exception(KeyError(1))
turn(2)
r.cancel()
turn(2)
see(g)
with suppress(KeyError): await r

# a gather of what is done already: GATHER-1
f = future()
f.set_result(1)
g = future()
g.set_result(2)
r = gather(g, f)
turn(2)
see(r)
await r

# the message of a cancel goes through a gather: CANCEL-10 GATHER-4, since 3.9
async def a(): await f
f = future()
A = go(a)
r = gather(A)
turn()
r.cancel("why")
turn(3)
with suppress(CancelledError): await r
"""
)
