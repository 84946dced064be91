"""Programs that give asyncio a value of their own: it calls, compares, hashes, formats or iterates it.

Each row is a program of two tasks: what is made before both, what the first does, and what the second does.  The first
gives the value to a function of asyncio; the second changes what is behind the value, or looks at it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

_HEAD: Final = """\
import asyncio
import contextvars
import dataclasses
import heapq
import itertools
import types
import weakref
from asyncio import Condition, PriorityQueue as Heap, create_task as start, current_task as this
from functools import partial

class Less(list):
    __slots__ = ()
    __hash__ = object.__hash__

class Name:
    def __init__(self, found): self.found = found
    def __str__(self): return f"n{len(self.found)}"
    def __repr__(self): return f"r{self.found}"
    def __hash__(self): return 1
    def __eq__(self, other): return bool(self.found)
    def __lt__(self, other): return len(self.found) < 1
    def __call__(self, *args): self.found.append(3)
    def __iter__(self): return iter(self.found)
    def __await__(self): return iter(self.found)
    def __float__(self): return float(len(self.found))

@dataclasses.dataclass(order=True)
class Item:
    rank: list
    def __hash__(self): return 1

@dataclasses.dataclass(slots=True)
class Slot:
    rank: list

class Dies:
    def __init__(self, seen): self.seen = seen
    def __del__(self): self.seen.append(this().get_name())

class DiesInSlots:
    __slots__ = ("seen",)
    __init__, __del__ = Dies.__init__, Dies.__del__

class DiesInDict(dict):
    def __del__(self): self["seen"].append(this().get_name())

def ends(seen):
    try: yield
    finally: seen.append(this().get_name())

async def done(value=None): return value
async def holds(value):
    await ticks(1)
    del value
    await ticks(1)
async def ticks(n=2):
    for _ in range(n): await asyncio.sleep(0)

async def text_of(what):
    try: await what
    except asyncio.CancelledError as error: return str(error)
async def timed(timeout, when):
    async with timeout:
        timeout.reschedule(when)
        await asyncio.sleep(0.5)
def result(loop):
    future = loop.create_future()
    future.set_result(1)
    return future

async def main():
    found, seen, box = [], [], {}
    loop = asyncio.get_running_loop()
    future, handle = loop.create_future, loop.set_exception_handler
"""
_TAIL: Final = """\
    ts = [asyncio.create_task(one()), asyncio.create_task(two())]
    await asyncio.sleep(3)
    for t in ts:
        if t.done() and not t.cancelled() and t.exception(): seen.append(type(t.exception()).__name__)
    return repr((len(found), seen, [t.done() for t in ts]))
"""


class Row(NamedTuple):
    """A program."""

    made: str
    one: str
    two: str

    def text(self) -> str:
        """The module; statements are separated by `; `."""
        lines = [f"    {line}\n" for line in self.made.split("; ") if line]
        for name, body in (("one", self.one), ("two", self.two)):
            lines.append(f"    async def {name}():\n")
            lines += [f"        {line}\n" for line in body.split("; ")]
        return _HEAD + "".join(lines) + _TAIL


_LOOK: Final = "seen.append(len(found))"
_PUT: Final = "found.append(9)"
_POP: Final = "found.clear()"

#: The name of a row, and what it makes, does in one task and does in the other.
ROWS: Final[dict[str, Row]] = {
    # --- callables -------------------------------------------------------------------------------------------
    "call_soon append": Row("", "loop.call_soon(found.append, 1)", _LOOK),
    "call_soon partial": Row("", "loop.call_soon(partial(found.append, 1))", _LOOK),
    "call_soon setitem": Row("", "loop.call_soon(found.__setitem__, slice(0, 0), [4, 5])", _LOOK),
    "call_soon object": Row("", "loop.call_soon(Name(found))", _LOOK),
    "call_soon heappush": Row("", "loop.call_soon(heapq.heappush, found, 1)", _LOOK),
    "call_soon map": Row("m = map(found.append, [1, 2])", "loop.call_soon(list, m)", _LOOK),
    "call_soon next": Row("it = iter([1, 2])", "loop.call_soon(next, it)", "seen.append(next(it))"),
    "call_soon set_name": Row("",
        "loop.call_soon(this().set_name, found); await ticks(); seen.append(this().get_name())", _PUT),
    "call_soon heap put": Row("q = Heap(); q.put_nowait(found)",
        "loop.call_soon(q.put_nowait, [1]); await ticks(); seen.append(q.get_nowait() is found)", _PUT),
    "call_soon set_exception": Row(
        "f = future(); E = type('E', (Exception,), {'__init__': lambda s: found.append(1)})",
        "loop.call_soon(f.set_exception, E); await ticks(3)", _LOOK),
    "call_soon_threadsafe": Row("", "loop.call_soon_threadsafe(found.extend, (1, 2))", _LOOK),
    "call_soon container": Row("", "loop.call_soon(found.extend, box.keys())", "box[1] = 2"),
    "call_later": Row("", "loop.call_later(0, found.append, 1)", f"await ticks(); {_LOOK}"),
    "call_later number": Row("Name.__radd__ = lambda s, o: o + len(s.found)",
        "loop.call_later(Name(found), seen.append, 1); await asyncio.sleep(0.5); seen.append(2)", _PUT),
    "call_at": Row("", "loop.call_at(loop.time(), found.insert, 0, 1)", f"await ticks(); {_LOOK}"),
    "call_at number": Row("", "loop.call_at(loop.time() + len(found), found.pop)", _PUT),
    "handle cancel": Row("h = loop.call_soon(found.append, 1)", "h.cancel()", _LOOK),
    "add_done_callback": Row("f = future(); f.add_done_callback(found.append)", "f.set_result(1)", _LOOK),
    "add_done_callback partial": Row("f = future(); f.add_done_callback(partial(found.insert, 0))", "f.set_result(1)",
        _LOOK),
    "add_done_callback object": Row("f = future(); f.add_done_callback(Name(found))", "f.cancel()", _LOOK),
    "add_done_callback setattr": Row(
        "f = future(); b = types.SimpleNamespace(v=0); f.add_done_callback(partial(setattr, b, 'v'))",
        "f.set_result(1)", "seen.append(b.v == 0)"),
    "task done callback": Row("", "this().add_done_callback(found.append)", f"await ticks(); {_LOOK}"),
    "remove_done_callback": Row("f = future(); f.add_done_callback(Name(found))",
        "seen.append(f.remove_done_callback(print))", _PUT),
    "remove dataclass": Row("f = future(); Item.__call__ = lambda self, *a: None; f.add_done_callback(Item(found))",
        "seen.append(f.remove_done_callback(Item([9])))", _PUT),
    "run_in_executor": Row("", "await loop.run_in_executor(None, found.append, 1)", _LOOK),
    "run_in_executor len": Row("", "seen.append(await loop.run_in_executor(None, len, found))", _PUT),
    "run_in_executor partial": Row("", "await loop.run_in_executor(None, partial(found.append, 1))",
        f"await ticks(1); {_LOOK}"),
    "run_in_executor sorted": Row("", "seen.append(await loop.run_in_executor(None, sorted, found))", _PUT),
    "run_in_executor str": Row("", "seen.append(await loop.run_in_executor(None, str, Name(found)))", _PUT),
    "run_in_executor heap": Row("q = Heap(); q.put_nowait(found)",
        "await loop.run_in_executor(None, q.put_nowait, [1]); seen.append(q.get_nowait() is found)", _PUT),
    "to_thread": Row("", "await asyncio.to_thread(found.append, 1)", _LOOK),
    "to_thread repr": Row("", "seen.append(await asyncio.to_thread(repr, found))", _PUT),
    "context.run": Row("c = contextvars.copy_context()", "c.run(found.append, 1)", _LOOK),
    "call_soon context.run": Row("c = contextvars.copy_context()", "loop.call_soon(c.run, found.append, 1)", _LOOK),
    "context var": Row("v = contextvars.ContextVar('v'); v.set(found)", "v.get().append(1)", _LOOK),
    "exception handler": Row("handle(lambda l, c: found.append(1))", "loop.call_exception_handler({'message': ''})",
        _LOOK),
    "exception handler builtin": Row("handle(box.__class__.__call__ and partial(lambda f, *a: f(1), found.append))",
        "loop.call_soon(int, 'x')", f"await ticks(1); {_LOOK}"),
    "exception handler setdefault": Row("handle(box.setdefault)", "loop.call_soon(lambda: 1 / 0)",
        "await ticks(1); seen.append(len(box))"),
    "task factory": Row("loop.set_task_factory(lambda l, c, **k: (found.append(1), asyncio.Task(c, loop=l, **k))[1])",
        "loop.create_task(done())", _LOOK),
    "task factory partial": Row(
        "F = partial(lambda f, l, c, **k: (f(1), asyncio.Task(c, loop=l, **k))[1], found.append)",
        "loop.set_task_factory(F); loop.create_task(done())", _LOOK),
    "task factory object": Row(
        "Name.__call__ = lambda s, l, c, **k: (s.found.append(1), asyncio.Task(c, loop=l, **k))[1]; "
        "loop.set_task_factory(Name(found))", "start(done())", _LOOK),
    # --- predicates ------------------------------------------------------------------------------------------
    "wait_for len": Row("c = Condition()", "await c.acquire(); await c.wait_for(found.__len__)", _PUT),
    "wait_for partial": Row("c = Condition()", "await c.acquire(); await c.wait_for(partial(len, found))", _PUT),
    "wait_for object": Row("c = Condition(); Name.__call__ = lambda s: len(s.found)",
        "await c.acquire(); await c.wait_for(Name(found))", _PUT),
    "wait_for contains": Row("c = Condition()", "await c.acquire(); await c.wait_for(partial(box.__contains__, 1))",
        "box[1] = 2"),
    "wait_for result": Row("c = Condition()", "await c.acquire(); await c.wait_for(lambda: found)", _PUT),
    "wait_for as a task": Row("c = Condition()",
        "await c.acquire(); seen.append(await start(c.wait_for(found.__len__)))", _PUT),
    "wait_for made earlier": Row("c = Condition(); w = c.wait_for(found.__len__)",
        "await c.acquire(); await ticks(1); seen.append(await w)", _PUT),
    "wait_for within wait_for": Row("c = Condition()",
        "await c.acquire(); await asyncio.wait_for(c.wait_for(found.__len__), 1)", _PUT),
    "wait_for notified": Row("c = Condition(); found.append(1)",
        "await c.acquire(); await c.wait_for(lambda: not found)",
        "await c.acquire(); c.notify_all(); c.release(); await ticks(1); found.clear()"),
    # --- items that are compared -----------------------------------------------------------------------------
    "heap of lists": Row("q = Heap(); q.put_nowait(found)", "q.put_nowait([1]); seen.append(q.get_nowait() is found)",
        _PUT),
    "heap decrease key": Row(
        "q = Heap(); a, b, c = [1], [2], found; c.append(3); q.put_nowait(a); q.put_nowait(b); q.put_nowait(c)",
        "seen.append([q.get_nowait()[0] for _ in range(3)])", "found[0] = 0"),
    "heap of tuples": Row("q = Heap(); q.put_nowait((1, found))",
        "q.put_nowait((1, [1])); seen.append(q.get_nowait()[1] is found)", _PUT),
    "heap of dataclasses": Row("q = Heap(); q.put_nowait(Item(found))",
        "q.put_nowait(Item([1])); seen.append(q.get_nowait().rank is found)", _PUT),
    "heap of dataclass fields": Row("q = Heap(); i = Item([0]); q.put_nowait(i)",
        "q.put_nowait(Item([1])); seen.append(q.get_nowait() is i)", "i.rank = [3]"),
    "heap of objects": Row("q = Heap(); q.put_nowait(Name([]))",
        "q.put_nowait(Name(found)); seen.append(q.get_nowait().found is found)", _PUT),
    "heap of derived lists": Row("q = Heap(); n = Less(); q.put_nowait(n)",
        "q.put_nowait(Less([1])); seen.append(q.get_nowait() is n)", "n.append(9)"),
    "heap of sets": Row("q = Heap(); s = set(); q.put_nowait(s)",
        "q.put_nowait({1}); seen.append(q.get_nowait() is s)", "s.update((1, 2))"),
    "heap put by map": Row("q = Heap()",
        "list(map(q.put_nowait, [found, [1]])); await ticks(1); q.put_nowait([2]); "
        "seen.append(q.get_nowait() is found)", _PUT),
    "heap waiting put": Row("q = Heap(2); q.put_nowait([0]); q.put_nowait([1])",
        "p = start(q.put(found)); await ticks(1); q.get_nowait(); await ticks(1); "
        "seen.append(q.get_nowait() is found)", _PUT),
    "maxsize object": Row(
        "Name.__le__ = lambda s, o: o == 1 and bool(s.found); q = asyncio.Queue(Name(found)); q.put_nowait(1)",
        "seen.append(q.full())", _PUT),
    "return_when": Row("t = start(done())", "await asyncio.wait([t], return_when=Name(found))", _PUT),
    "remove from set": Row("s = {Name(found)}", "s.discard(1); seen.append(len(s))", _PUT),
    "gather hashes": Row("a, b = Name(found), Name(found)",
        "await asyncio.gather(a, b, return_exceptions=True); seen.append(start(done()).get_name())", _PUT),
    # --- values that are formatted ---------------------------------------------------------------------------
    "set_name": Row("", "this().set_name(found); seen.append(this().get_name())", _PUT),
    "set_name object": Row("", "this().set_name(Name(found)); seen.append(this().get_name())", _PUT),
    "create_task name": Row("", "seen.append(start(done(), name=found).get_name())", _PUT),
    "create_task name of tuple": Row("", "seen.append(start(done(), name=('a', found)).get_name())", _PUT),
    "create_task name of slots": Row("", "seen.append(start(done(), name=Slot(found)).get_name())", _PUT),
    "create_task name of namespace": Row("n = types.SimpleNamespace(x=found)",
        "seen.append(start(done(), name=n).get_name())", _PUT),
    "group create_task name": Row("",
        "async with asyncio.TaskGroup() as g: seen.append(g.create_task(done(), name=found).get_name())", _PUT),
    "repr of future": Row("f = future(); f.set_result(found)", "seen.append('9' in repr(f).split('result')[1])",
        _PUT),
    "repr of pending future": Row("f = future()", "seen.append('pending' in f'{f}')", "f.set_result(1)"),
    "repr of task": Row("t = start(done())", "await ticks(1); seen.append('finished' in f'{t!r}')", "t.cancel()"),
    "repr of queue": Row("q = asyncio.Queue(); q.put_nowait(found)", "seen.append('9' in str(q))", _PUT),
    "repr of lock": Row("k = asyncio.Lock()", "seen.append('unlocked' in repr(k))", "await k.acquire()"),
    "repr of partial": Row("p = partial(len, found)", "seen.append('9' in repr(p))", _PUT),
    "cancel message": Row("", "this().cancel(found); seen.append(await text_of(ticks()))", _PUT),
    "message read": Row("t = start(ticks(3)); t.cancel(found)",
        "await asyncio.wait([t]); seen.append(len(str(t._make_cancelled_error())))", _PUT),
    "task stack": Row("t = start(ticks(2))", "seen.append(len(t.get_stack()))", "await t"),
    # --- values that are iterated ----------------------------------------------------------------------------
    "wait list": Row("found.append(result(loop))", "seen.append(len((await asyncio.wait(found))[0]))",
        "found.append(result(loop))"),
    "wait as a task": Row("found.append(result(loop))",
        "w = start(asyncio.wait(found)); seen.append(len((await w)[0]))", "found.append(result(loop))"),
    "wait made earlier": Row("found.append(result(loop)); w = asyncio.wait(found)", "seen.append(len((await w)[0]))",
        "found.append(result(loop))"),
    "wait within wait_for": Row("found.append(result(loop))",
        "seen.append(len((await asyncio.wait_for(asyncio.wait(found), 2))[0]))", "found.append(result(loop))"),
    "wait dict": Row("box[result(loop)] = 1", "seen.append(len((await asyncio.wait(box))[0]))",
        "box[result(loop)] = 2"),
    "wait values": Row("box[1] = result(loop)", "seen.append(len((await asyncio.wait(box.values()))[0]))",
        "box[2] = result(loop)"),
    "wait object": Row("found.append(result(loop))", "seen.append(len((await asyncio.wait(Name(found)))[0]))",
        "found.append(result(loop))"),
    "as_completed": Row("found.append(done())", "for f in asyncio.as_completed(found): seen.append(await f)",
        "found.append(done(1))"),
    "as_completed map": Row("m = map(done, found)", "for f in asyncio.as_completed(m): seen.append(await f)", _PUT),
    "gather list": Row("found.append(done())", "seen.append(len(await asyncio.gather(*found)))",
        "found.append(done(1))"),
    "gather flag": Row("async def bad(): return 1 / 0", "await asyncio.gather(bad(), return_exceptions=found)", _PUT),
    "await list": Row("found.append(None)", "await Name(found); seen.append(1)", _PUT),
    "await in a task": Row("found.append(None)",
        "t = asyncio.ensure_future(Name(found)); await ticks(1); seen.append(t.done())", _POP),
    "await in gather": Row("found.append(None)", "await asyncio.gather(Name(found)); seen.append(1)", _PUT),
    "iterate a future": Row("f = future()", "seen.append(len(await asyncio.wait_for(f, 1)))",
        "f.set_result(found); await ticks(1); found.append(1)"),
    # --- mutable values that are kept ------------------------------------------------------------------------
    "set_result": Row("f = future()", "f.set_result(found); await ticks(1); found.append(1)",
        "seen.append(len(await f))"),
    "queue put": Row("q = asyncio.Queue()", "q.put_nowait(found); await ticks(1); found.append(1)",
        "seen.append(len(await q.get()))"),
    "lifo put": Row("q = asyncio.LifoQueue()", "await q.put(found); await ticks(1); found.append(1)",
        "seen.append(len(await q.get()))"),
    "set_exception": Row("f = future(); e = OSError(found)", "await ticks(1); f.set_exception(e); found.append(1)",
        "seen.append(str(e))"),
    "set_exception class": Row("f = future(); E = type('E', (Exception,), {'__init__': lambda s: found.append(1)})",
        "f.set_exception(E)", _LOOK),
    "sleep result": Row("", "seen.append(len(await asyncio.sleep(0, found)))", _PUT),
    "sleep number": Row(
        "n = Name(found); Name.__le__ = lambda s, o: not s.found; Name.__radd__ = lambda s, o: o + 1; "
        "Name.__ne__ = Name.__eq__", "await asyncio.sleep(n); seen.append(loop.time())", _PUT),
    "timeout when": Row("", "async with asyncio.timeout(len(found)): await asyncio.sleep(0.5)", _PUT),
    "timeout object": Row("Name.__radd__ = lambda s, o: o + len(s.found)",
        "async with asyncio.timeout(Name(found)): await asyncio.sleep(0.5)", _PUT),
    "reschedule": Row("", "await timed(asyncio.timeout(None), loop.time() + len(found))", _PUT),
    "reschedule object": Row(
        "Name.__le__ = lambda s, o: not s.found; Name.__float__ = lambda s: 9.0; n = Name(found)",
        "await timed(asyncio.timeout(None), n)", _PUT),
    "semaphore value": Row(
        "Name.__lt__ = lambda s, o: False; Name.__gt__ = Name.__eq__; Name.__sub__ = lambda s, o: s; "
        "k = asyncio.Semaphore(Name(found))", "seen.append(k.locked())", _PUT),
    "barrier parties": Row(
        "Name.__lt__ = lambda s, o: False; Name.__eq__ = lambda s, o: len(s.found) == 1; "
        "b = asyncio.Barrier(Name(found))", "await asyncio.wait_for(b.wait(), 1)", _PUT),
    "event predicate": Row("e = asyncio.Event(); c = Condition()", "await c.acquire(); await c.wait_for(e.is_set)",
        "e.set()"),
    "shield": Row("", "seen.append(len(await asyncio.shield(done(found))))", _PUT),
    "shield object": Row("found.append(None)", "await asyncio.shield(Name(found)); seen.append(1)", _PUT),
    "repr of an error": Row(
        "E = type('E', (Exception,), {'__repr__': lambda s: str(found)}); f = future(); f.set_exception(E())",
        "seen.append(repr(f).count('9'))", _PUT),
    "count of objects": Row("a, b = Name(found), Name([])", "seen.append([a].count(b))", _PUT),
    "dataclass eq": Row("a, b = Slot(found), Slot([9])", "seen.append(a == b)", _PUT),
    "dataclass slots repr": Row("a = Slot(found)", "seen.append(f'{a}')", _PUT),
    "namespace eq": Row("a = types.SimpleNamespace(x=found)", "seen.append(a == types.SimpleNamespace(x=[9]))", _PUT),
    "chained": Row("c = itertools.chain(found)", "seen.append(sum(c))", _PUT),
    "memoryview": Row("b = bytearray(2); m = memoryview(b)", "seen.append(bytes(m))", "b[0] = 1"),
    "exception handler of a future": Row("handle(box.setdefault); f = [future()]; f[0].set_exception(OSError())",
        "f.clear()", "seen.append(len(box))"),
    # --- objects that die ------------------------------------------------------------------------------------
    "last reference": Row("x = Dies(seen); a, b = [x], [x]; del x", "a.clear()", "b.clear()"),
    "last reference of slots": Row("x = DiesInSlots(seen); a, b = [x], [x]; del x", "a.clear()", "b.clear()"),
    "last reference of a dict": Row("x = DiesInDict(seen=seen); a, b = {1: x}, {1: x}; del x", "a.clear()",
        "b.clear()"),
    "last reference of a list": Row("x = [Dies(seen)]; a, b = [x], [x]; del x", "a.clear()", "b.clear()"),
    "last reference of a tuple": Row("x = (1, Dies(seen)); a, b = [x], [x]; del x", "a.clear()", "b.clear()"),
    "last reference of a function": Row("x = partial(print, Dies(seen)); a, b = [x], [x]; del x", "a.clear()",
        "b.clear()"),
    "last reference of a result": Row("x = future(); x.set_result(Dies(seen)); a, b = [x], [x]; del x", "a.clear()",
        "b.clear()"),
    "last reference of a generator": Row("x = ends(seen); next(x); a, b = [x], [x]; del x", "a.clear()", "b.clear()"),
    "last local variable": Row("x = Dies(seen); a, b = holds(x), holds(x); del x", "await a", "await b"),
    "death in a step": Row("", "x = [Dies(found)]; del x; seen.append(len(found))", "found.clear()"),
    "death of an argument": Row("x = [Dies(seen)]", "await done(x.pop()); seen.append(1)", "seen.append(2)"),
    "death of an element": Row("box[1] = [Dies(found)]", "del box[1]", _LOOK),
    "death and a new list": Row("",
        "x = [1]; found.append(x); x = None; found.clear(); x = [2]; await ticks(1); seen.append(x[0])",
        "y = [3]; found.append(y); seen.append(y is found[-1])"),
    "weak reference": Row("x = [asyncio.Lock()]; r = weakref.ref(x[0])", "x.clear()", "seen.append(r() is None)"),
    "weak callback": Row("x = asyncio.Event(); r = weakref.ref(x, found.append); a, b = [x], [x]; del x",
        "await ticks(1); a.clear()", f"b.clear(); await ticks(1); {_LOOK}"),
    "weak callback of the last": Row(
        "x = Item([]); r = weakref.ref(x, lambda r: seen.append(this().get_name())); a, b = [x], [x]; del x",
        "a.clear()", "b.clear()"),
    "finalize": Row("x = Item([]); weakref.finalize(x, found.append, 1); a, b = [x], [x]; del x",
        "await ticks(1); a.clear()", f"b.clear(); await ticks(1); {_LOOK}"),
    "weak values": Row("d = weakref.WeakValueDictionary(); box[1] = d[1] = asyncio.Lock()", "box.clear()",
        "seen.append(len(d))"),
    "weak set": Row("s = weakref.WeakSet(); x = {1}; s.add(box.setdefault(1, asyncio.Queue()))", "box.clear()",
        "seen.append(len(s))"),
    "weak keys": Row("d = weakref.WeakKeyDictionary(); d[box.setdefault(1, Item([]))] = 1", "box.clear()",
        "seen.append(len(d))"),
    "weak set of tasks": Row("s = weakref.WeakSet(); s.add(start(done()))", "await ticks(1)", "seen.append(len(s))"),
    "weak method": Row("box[1] = Name(found); m = weakref.WeakMethod(box[1].__len__ if 0 else box[1].__str__)",
        "box.clear()", "seen.append(m() is None)"),
}  # fmt: skip
