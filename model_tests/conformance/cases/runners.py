"""Programs that no loop runs: they call `run` and use a `Runner` (programs/staged.py, `outside`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...vectors.vector import vectors
from .sources import Case

PROGRAMS: Final = vectors("""
# the programs of a runner share a context: RUN-2, since 3.11
v = ContextVar("v", default=0)
r = Runner(loop_factory=this_loop)
r.run(sets())
r.run(gets())
r.close()
v.get()
async def sets(): v.set(1)
async def gets(): v.get()

# a program of a runner may have a context of its own: RUN-2, since 3.11
v = ContextVar("v", default=0)
c = copy_context()
r = Runner(loop_factory=this_loop)
r.run(sets())
r.run(gets(), context=c)
r.run(sets(), context=c)
r.run(gets())
r.close()
async def sets(): v.set(1)
async def gets(): v.get()

# the context of a runner is a copy of the one in which it begins: RUN-2, since 3.11
v = ContextVar("v", default=0)
v.set(2)
r = Runner(loop_factory=this_loop)
r.get_loop()
v.set(3)
r.run(gets())
r.close()
async def gets(): v.get()

# what a program leaves is there for the next, until the runner is closed: RUN-2, since 3.11
r = Runner(loop_factory=this_loop)
r.run(leaves())
r.run(looks())
r.close()
see(t)
async def leaves():
    t = go(waits)
    turn()
async def looks(): see(t)
async def waits(): await sleep(100)

# a runner that is closed refuses: RUN-2, since 3.11
r = Runner(loop_factory=this_loop)
r.close()
r.close()
try: r.get_loop()
except RuntimeError: pass

# the error of a program leaves the runner, which goes on: RUN-2, since 3.11
r = Runner(loop_factory=this_loop)
try: r.run(fails())
except KeyError: pass
r.run(ends())
r.close()
async def fails(): raise KeyError(1)
async def ends(): return 2

# run cancels what a program leaves, and waits for it: RUN-1, since 3.11
run(leaves(), loop_factory=this_loop)
see(t)
async def leaves():
    t = go(waits)
    turn()
async def waits():
    try: await sleep(100)
    finally: turn(2)

# run does so, too, when the program fails: RUN-1, since 3.11
try: run(fails(), loop_factory=this_loop)
except KeyError: see(t)
async def fails():
    t = go(waits)
    turn()
    raise KeyError(1)
async def waits(): await sleep(100)

# a runner has one loop, that of its factory: RUN-2, since 3.11
r = Runner(loop_factory=this_loop)
r.get_loop()
r.run(ends())
r.get_loop()
r.close()
async def ends(): pass

# a runner that is closed runs nothing: RUN-2, since 3.11
r = Runner(loop_factory=this_loop)
r.run(ends())
r.close()
try: r.run(ends())
except RuntimeError: pass
async def ends(): pass

# a task that fails while it is cancelled at the end is reported: RUN-2, since 3.11
r = Runner(loop_factory=this_loop)
r.run(leaves())
r.close()
async def leaves():
    t = go(fails)
    turn()
async def fails():
    try: await sleep(100)
    finally: raise OSError(1)

# a runner that is closed makes no other loop: RUN-2, since 3.11
r = Runner()
r.run(ends())
r.close()
try: r.run(ends())
except RuntimeError: pass
try: r.get_loop()
except RuntimeError: pass
async def ends(): pass

# run closes the asynchronous generators that a program leaves: RUN-1, since 3.11
run(leaves(), loop_factory=this_loop)
async def leaves():
    g = agen(closes())
    await g.asend(None)
async def closes(): await sleep(0)

# a Runner closes asynchronous generators when it is closed: RUN-2, since 3.11
r = Runner(loop_factory=this_loop)
r.run(leaves())
r.run(looks())
r.close()
async def leaves():
    g = agen(closes())
    await g.asend(None)
async def looks(): await sleep(0)
async def closes(): await sleep(0)

# a program that is cancelled raises CancelledError: RUN-1, since 3.11
try: run(cancels(), loop_factory=this_loop)
except CancelledError: pass
async def cancels(): raise CancelledError()
""")
#: Within a loop.
WITHIN: Final = vectors("""
# run is refused while a loop runs: RUN-1, since 3.11
c = ends()
try: run(c)
except RuntimeError: c.close()
async def ends(): return 1

# a Runner is refused while a loop runs: RUN-2, since 3.11
c = ends()
r = Runner()
try: r.run(c)
except RuntimeError: c.close()
async def ends(): return 1
""")


def runners() -> Iterator[Case]:
    """Yield these programs."""
    for vector in PROGRAMS:
        yield Case(vector.name, {**vector.program, "how": ["outside"]}, vector.rules, None, vector.since)
    for vector in WITHIN:
        yield Case(vector.name, vector.program, vector.rules, None, vector.since)
