"""Shield: what it protects, and which outcome it passes on (SHIELD)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors("""
# shield gives the result a turn later: SHIELD-1
f = future()
s = shield(f)
see(s)
f.set_result(1)
see(s)
turn()
see(s)

# shield gives the error a turn later: SHIELD-1
f = future()
s = shield(f)
f.set_exception(KeyError(1))
see(s)
turn()
await s

# shield of what is done: SHIELD-1
f = future()
f.set_result(1)
s = shield(f)
see(s)
await s

# shield of a coroutine runs it: SHIELD-1
async def a():
    f.done()
    return 1
f = future()
await shield(a())

# a shield of what failed already raises that: SHIELD-1
f = future()
f.set_exception(KeyError(1))
with suppress(KeyError): await shield(f)

# cancelling a shield leaves the inner alone: SHIELD-2
f = future()
s = shield(f)
s.cancel()
turn(2)
see(f)
f.set_result(1)
turn()
see(s)

# cancelling a shield leaves an inner task alone that is ready: SHIELD-2
async def a():
    await sleep(0)
    await sleep(0)
    return 1
A = go(a)
s = shield(A)
s.cancel()
turn(4)
see(A)

# who awaits a shield is cancelled, the inner goes on: SHIELD-2 CANCEL-1
async def a():
    await f
    return 1
async def b(): await shield(A)
f = future()
A, B = go(a), go(b)
turn()
B.cancel()
turn(2)
see(A, B)
f.set_result(1)

# a shield that was cancelled hears nothing of a later result: SHIELD-2
f = future()
s = shield(f)
f.set_result(1)
s.cancel()
turn(2)
see(s)

# an error of the inner after the shield was cancelled is reported: FUT-9 SHIELD-2, since 3.7
f = future()
s = shield(f)
s.cancel()
turn()
f.set_exception(KeyError(1))
turn(2)
del f
turn()

# an error of the inner after the shield was cancelled is not reported if a task takes it: FUT-9 SHIELD-2, since 3.7
async def a():
    with suppress(KeyError): await f
f = future()
go(a)
s = shield(f)
turn()
s.cancel()
turn()
f.set_exception(KeyError(1))
turn(2)
del f
turn()

# cancelling the inner cancels the shield: SHIELD-3
async def a(): await f
f = future()
A = go(a)
s = shield(A)
turn()
A.cancel()
turn()
see(A)
turn()
see(s)
""")
