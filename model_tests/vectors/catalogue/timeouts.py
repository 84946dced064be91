"""sleep and timeout: the clock, and cancels that come from it (SLEEP, TIMEOUT)."""

from __future__ import annotations

from ..vector import vectors

VECTORS = vectors(
    """
# sleep gives its result after its delay: SLEEP-1
await sleep(2, 7)
await sleep(0.5)
loop.time()

# who sleeps wakes in the order of the deadlines: SLEEP-2
async def a(): await sleep(3, 1)
async def b(): await sleep(1, 2)
async def c(): await sleep(2, 3)
A, B, C = go(a), go(b), go(c)

# a sleep that is cancelled ends at once: SLEEP-1 CANCEL-1
async def a(): await sleep(5)
A = go(a)
await sleep(1)
A.cancel()
await sleep(1)
see(A)

# a sleep that is cancelled leaves no timer behind: SLEEP-1 CANCEL-1
async def a(): await sleep(9)
A = go(a)
await sleep(1)
A.cancel()

# at its deadline a block raises TimeoutError: TIMEOUT-1, since 3.11
f = future()
with suppress(TimeoutError):
    async with timeout(1): await f
see(f)
loop.time()

# who is cancelled from outside has not expired: TIMEOUT-4 TIMEOUT-2, since 3.11
async def a():
    async with timeout(2) as t: await f
f = future()
A = go(a)
turn()
A.cancel()
turn(2)
t.expired()

# a block in time is left alone: TIMEOUT-1 TIMEOUT-4, since 3.11
async with timeout(2) as t: await sleep(1)
t.expired()
await sleep(5)
t.expired()

# a block in time leaves no timer behind: TIMEOUT-1 TIMEOUT-3, since 3.11
async with timeout(9) as t:
    await sleep(1)
    t.reschedule(loop.time() + 7)
    await sleep(1)

# timeout_at is told the time: TIMEOUT-1, since 3.11
await sleep(1)
with suppress(TimeoutError):
    async with timeout_at(loop.time() + 2) as t: await sleep(9)
loop.time()
t.when()

# a block without a deadline waits without end: TIMEOUT-1 TIMEOUT-3, since 3.11
async with timeout(None) as t: await sleep(100)
t.when()
t.expired()

# within the block the deadline is a cancel: TIMEOUT-1, since 3.11
try:
    async with timeout(1) as t:
        try: await sleep(5)
        except CancelledError:
            t.expired()
            raise
except TimeoutError: t.expired()

# a block that swallows the cancel ends as it ends: TIMEOUT-1 TIMEOUT-8, since 3.11
async with timeout(1) as t:
    with suppress(CancelledError): await sleep(5)
t.expired()
main.cancelling()
await sleep(1)

# an error after the deadline is no TimeoutError: TIMEOUT-1, since 3.11
try:
    async with timeout(1):
        try: await sleep(5)
        except CancelledError: raise KeyError(1)
except KeyError: main.cancelling()

# a cancel from outside stays one: TIMEOUT-2, since 3.11
async def a():
    async with timeout(5): await f
f = future()
A = go(a)
turn()
A.cancel()
turn(2)
see(A)

# a cancel from outside in the turn before the deadline strikes stays one: TIMEOUT-2 CANCEL-2, since 3.11
async def a():
    async with timeout(-1): await f
    await sleep(1)
f = future()
A = go(a)
turn()
A.cancel()
turn(3)
see(A)
A.cancelling()

# a cancel from outside just after the deadline struck stays one: TIMEOUT-2 CANCEL-2, since 3.11
async def a():
    async with timeout(-1): await f
    await sleep(1)
f = future()
A = go(a)
turn(2)
A.cancel()
turn(3)
see(A)
A.cancelling()

# reschedule moves the deadline: TIMEOUT-3, since 3.11
async with timeout(1) as t:
    t.reschedule(loop.time() + 5)
    t.when()
    await sleep(3)
    t.expired()
loop.time()

# reschedule moves the deadline back: TIMEOUT-3, since 3.11
try:
    async with timeout(5) as t:
        t.reschedule(loop.time() + 1)
        await sleep(9)
except TimeoutError: loop.time()

# reschedule to none: TIMEOUT-3, since 3.11
async with timeout(1) as t:
    t.reschedule(None)
    t.when()
    await sleep(50)

# reschedule from none: TIMEOUT-3, since 3.11
try:
    async with timeout(None) as t:
        t.reschedule(loop.time() + 2)
        await sleep(50)
except TimeoutError: loop.time()

# a deadline that is past strikes at the first await: TIMEOUT-5, since 3.11
try:
    async with timeout(-1):
        loop.time()
        await sleep(0)
        loop.time()
        await sleep(0)
except TimeoutError: loop.time()

# a deadline that is now strikes: TIMEOUT-5, since 3.11
f = future()
try:
    async with timeout(0): await f
except TimeoutError: loop.time()

# a deadline that is now strikes at the first await: TIMEOUT-5, since 3.11
await sleep(1)
try:
    async with timeout_at(loop.time() + 0):
        loop.time()
        await sleep(0)
        loop.time()
        await sleep(0)
except TimeoutError: loop.time()

# a past deadline does not strike without an await: TIMEOUT-5 TIMEOUT-8, since 3.11
async with timeout(-1) as t: loop.time()
await sleep(1)
t.expired()
main.cancelling()

# of nested timeouts the inner expires: TIMEOUT-6, since 3.11
async with timeout(5) as t:
    try:
        async with timeout(1) as u: await sleep(9)
    except TimeoutError: t.expired()
    await sleep(1)
t.expired()
u.expired()

# of nested timeouts the outer expires: TIMEOUT-6, since 3.11
try:
    async with timeout(1) as t:
        try:
            async with timeout(5) as u: await sleep(9)
        except TimeoutError: u.expired()
except TimeoutError: t.expired()
u.expired()

# of nested timeouts both expire at once: TIMEOUT-6, since 3.11
try:
    async with timeout(-1) as t:
        async with timeout(-1) as u: await sleep(9)
except TimeoutError: t.expired()
main.cancelling()
u.expired()

# a timeout is entered once: TIMEOUT-7, since 3.11
t = timeout(1)
async with t: pass
with suppress(RuntimeError):
    async with t: pass

# a timeout is not rescheduled before it begins, nor after its end: TIMEOUT-7, since 3.11
t = timeout(1)
with suppress(RuntimeError): t.reschedule(loop.time() + 2)
async with t: pass
with suppress(RuntimeError): t.reschedule(loop.time() + 2)

# a timeout that expired is not rescheduled: TIMEOUT-7, since 3.11
with suppress(TimeoutError):
    async with timeout(1) as t: await sleep(5)
with suppress(RuntimeError): t.reschedule(loop.time() + 2)

# cancelling() is balanced after a timeout: TIMEOUT-8, since 3.11
try:
    async with timeout(1):
        try: await sleep(5)
        finally: main.cancelling()
except TimeoutError: main.cancelling()
await sleep(1)

# cancelling() counts only what came from outside: TIMEOUT-8 TIMEOUT-2, since 3.11
async def a():
    try: await sleep(8)
    except CancelledError: A.cancelling()
    try:
        async with timeout(1): await sleep(9)
    except TimeoutError: A.cancelling()
    await sleep(1)
A = go(a)
turn()
A.cancel()
await sleep(5)
see(A)
"""
)
