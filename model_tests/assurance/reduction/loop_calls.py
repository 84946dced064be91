"""Programs that give asyncio a value of their own: it calls, compares, hashes, formats or iterates it, or lets it die.

A row of `_ROWS` is the name of a program, the value that it makes before its two tasks, and their bodies.  The first
gives the value to a function of asyncio, or drops it; the second changes the object behind the value, or looks at it.
`?` looks at the list `found`, `+` and `-` change it.
"""

from __future__ import annotations

from typing import Final

_HEAD: Final = """\
import contextvars, dataclasses, heapq, types
from asyncio import *
from asyncio import PriorityQueue as Heap, TaskGroup, create_task as start, current_task as this
from functools import partial
from weakref import WeakKeyDictionary, WeakMethod, WeakSet, WeakValueDictionary, finalize, ref

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
async def tick(): await sleep(0)
async def ticks(n=2):
    for _ in range(n): await sleep(0)
async def holds(value):
    await tick()
    del value
    await tick()

async def text_of(what):
    try: await what
    except CancelledError as error: return str(error)
async def timed(timeout, when):
    async with timeout:
        timeout.reschedule(when)
        await sleep(0.5)
def result(loop):
    future = loop.create_future()
    future.set_result(1)
    return future

async def main():
    found, seen, box = [], [], {}
    loop, note = get_running_loop(), seen.append
    soon, future, handle = loop.call_soon, loop.create_future, loop.set_exception_handler
"""
_TAIL: Final = """\
    ts = [start(one()), start(two())]
    await sleep(3)
    for t in ts:
        if t.done() and not t.cancelled() and t.exception(): note(type(t.exception()).__name__)
    return repr((len(found), seen, [t.done() for t in ts]))
"""
_ROWS: Final = """
# callables
call_soon append: | soon(found.append, 1) | ?
call_soon setitem: | soon(found.__setitem__, slice(0, 0), [4, 5]) | ?
call_soon object: | soon(Name(found)) | ?
call_soon heappush: | soon(heapq.heappush, found, 1) | ?
call_soon next: it = iter([1, 2]) | soon(next, it) | note(next(it))
call_soon set_name: | soon(this().set_name, found); await ticks(); note(this().get_name()) | +
call_soon heap put: q = Heap(); q.put_nowait(found) | soon(q.put_nowait, [1]); await ticks();
    note(q.get_nowait() is found) | +
call_soon set_exception: f = future(); E = type('E', (Exception,), {'__init__': lambda s: found.append(1)}) |
    soon(f.set_exception, E); await ticks(3) | ?
call_soon_threadsafe: | loop.call_soon_threadsafe(found.extend, (1, 2)) | ?
call_later: | loop.call_later(0, found.append, 1) | await ticks(); ?
call_later number: Name.__radd__ = lambda s, o: o + len(s.found) | loop.call_later(Name(found), seen.append, 1);
    await sleep(0.5); note(2) | +
call_at: | loop.call_at(loop.time(), found.insert, 0, 1) | await ticks(); ?
add_done_callback: f = future(); f.add_done_callback(found.append) | f.set_result(1) | ?
add_done_callback object: f = future(); f.add_done_callback(Name(found)) | f.cancel() | ?
add_done_callback setattr: f = future(); b = types.SimpleNamespace(v=0);
    f.add_done_callback(partial(setattr, b, 'v')) | f.set_result(1) | note(b.v == 0)
task done callback: | this().add_done_callback(found.append) | await ticks(); ?
remove_done_callback: f = future(); f.add_done_callback(Name(found)) | note(f.remove_done_callback(print)) | +
remove dataclass: f = future(); Item.__call__ = lambda self, *a: None; f.add_done_callback(Item(found)) |
    note(f.remove_done_callback(Item([9]))) | +
run_in_executor: | await loop.run_in_executor(None, found.append, 1) | ?
run_in_executor len: | note(await loop.run_in_executor(None, len, found)) | +
run_in_executor str: | note(await loop.run_in_executor(None, str, Name(found))) | +
run_in_executor heap: q = Heap(); q.put_nowait(found) | await loop.run_in_executor(None, q.put_nowait, [1]);
    note(q.get_nowait() is found) | +
to_thread: | await to_thread(found.append, 1) | ?
to_thread repr: | note(await to_thread(repr, found)) | +
context.run: c = contextvars.copy_context() | c.run(found.append, 1) | ?
exception handler: handle(box.setdefault) | soon(lambda: 1 / 0) | await tick(); note(len(box))
task factory: loop.set_task_factory(lambda l, c, **k: (found.append(1), Task(c, loop=l, **k))[1]) |
    loop.create_task(done()) | ?
task factory object: Name.__call__ = lambda s, l, c, **k: (s.found.append(1), Task(c, loop=l, **k))[1];
    loop.set_task_factory(Name(found)) | start(done()) | ?
# predicates
wait_for len: c = Condition() | await c.acquire(); await c.wait_for(found.__len__) | +
wait_for object: c = Condition(); Name.__call__ = lambda s: len(s.found) | await c.acquire();
    await c.wait_for(Name(found)) | +
wait_for result: c = Condition() | await c.acquire(); await c.wait_for(lambda: found) | +
wait_for as a task: c = Condition() | await c.acquire(); note(await start(c.wait_for(found.__len__))) | +
wait_for made earlier: c = Condition(); w = c.wait_for(found.__len__) | await c.acquire(); await tick();
    note(await w) | +
wait_for within wait_for: c = Condition() | await c.acquire(); await wait_for(c.wait_for(found.__len__), 1) | +
# items that are compared
heap of lists: q = Heap(); q.put_nowait(found) | q.put_nowait([1]); note(q.get_nowait() is found) | +
heap decrease key: q = Heap(); a, b, c = [1], [2], found; c.append(3); q.put_nowait(a); q.put_nowait(b);
    q.put_nowait(c) | note([q.get_nowait()[0] for _ in range(3)]) | found[0] = 0
heap of dataclasses: q = Heap(); q.put_nowait(Item(found)) | q.put_nowait(Item([1]));
    note(q.get_nowait().rank is found) | +
heap of dataclass fields: q = Heap(); i = Item([0]); q.put_nowait(i) | q.put_nowait(Item([1]));
    note(q.get_nowait() is i) | i.rank = [3]
heap of objects: q = Heap(); q.put_nowait(Name([])) | q.put_nowait(Name(found)); note(q.get_nowait().found is found) | +
heap put by map: q = Heap() | list(map(q.put_nowait, [found, [1]])); await tick(); q.put_nowait([2]);
    note(q.get_nowait() is found) | +
heap waiting put: q = Heap(2); q.put_nowait([0]); q.put_nowait([1]) | p = start(q.put(found)); await tick();
    q.get_nowait(); await tick(); note(q.get_nowait() is found) | +
maxsize object: Name.__le__ = lambda s, o: o == 1 and bool(s.found); q = Queue(Name(found)); q.put_nowait(1) |
    note(q.full()) | +
return_when: t = start(done()) | await wait([t], return_when=Name(found)) | +
gather hashes: a, b = Name(found), Name(found) | await gather(a, b, return_exceptions=True);
    note(start(done()).get_name()) | +
# values that are formatted
set_name: | this().set_name(found); note(this().get_name()) | +
create_task name: | note(start(done(), name=found).get_name()) | +
create_task name of slots: | note(start(done(), name=Slot(found)).get_name()) | +
create_task name of namespace: n = types.SimpleNamespace(x=found) | note(start(done(), name=n).get_name()) | +
group create_task name: | async with TaskGroup() as g: note(g.create_task(done(), name=found).get_name()) | +
repr of future: f = future(); f.set_result(found) | note('9' in repr(f).split('result')[1]) | +
repr of task: t = start(done()) | await tick(); note('finished' in f'{t!r}') | t.cancel()
repr of queue: q = Queue(); q.put_nowait(found) | note('9' in str(q)) | +
cancel message: | this().cancel(found); note(await text_of(ticks())) | +
message read: t = start(ticks(3)); t.cancel(found) | await wait([t]); note(len(str(t._make_cancelled_error()))) | +
task stack: t = start(ticks(2)) | note(len(t.get_stack())) | await t
# values that are iterated
wait list: found.append(result(loop)) | note(len((await wait(found))[0])) | found.append(result(loop))
wait as a task: found.append(result(loop)) | w = start(wait(found)); note(len((await w)[0])) |
    found.append(result(loop))
wait made earlier: found.append(result(loop)); w = wait(found) | note(len((await w)[0])) | found.append(result(loop))
wait within wait_for: found.append(result(loop)) | note(len((await wait_for(wait(found), 2))[0])) |
    found.append(result(loop))
wait values: box[1] = result(loop) | note(len((await wait(box.values()))[0])) | box[2] = result(loop)
wait object: found.append(result(loop)) | note(len((await wait(Name(found)))[0])) | found.append(result(loop))
as_completed: found.append(done()) | for f in as_completed(found): note(await f) | found.append(done(1))
as_completed map: m = map(done, found) | for f in as_completed(m): note(await f) | +
gather flag: async def bad(): return 1 / 0 | await gather(bad(), return_exceptions=found) | +
await in a task: found.append(None) | t = ensure_future(Name(found)); await tick(); note(t.done()) | -
iterate a future: f = future() | note(len(await wait_for(f, 1))) | f.set_result(found); await tick(); found.append(1)
# mutable values that are kept
set_result: f = future() | f.set_result(found); await tick(); found.append(1) | note(len(await f))
lifo put: q = LifoQueue() | await q.put(found); await tick(); found.append(1) | note(len(await q.get()))
set_exception: f = future(); e = OSError(found) | await tick(); f.set_exception(e); found.append(1) | note(str(e))
sleep result: | note(len(await sleep(0, found))) | +
sleep number: n = Name(found); Name.__le__ = lambda s, o: not s.found; Name.__radd__ = lambda s, o: o + 1;
    Name.__ne__ = Name.__eq__ | await sleep(n); note(loop.time()) | +
notify number: Name.__le__ = lambda s, o: bool(s.found); c = Condition(); await c.acquire(); w = start(c.wait()) |
    await c.acquire(); c.notify(Name(found)); c.release(); await ticks(); note(w.done()) | +
timeout object: Name.__radd__ = lambda s, o: o + len(s.found) | async with timeout(Name(found)): await sleep(0.5) | +
reschedule object: Name.__le__ = lambda s, o: not s.found; Name.__float__ = lambda s: 9.0; n = Name(found) |
    await timed(timeout(None), n) | +
semaphore value: Name.__lt__ = lambda s, o: False; Name.__gt__ = Name.__eq__; Name.__sub__ = lambda s, o: s;
    k = Semaphore(Name(found)) | note(k.locked()) | +
barrier parties: Name.__lt__ = lambda s, o: False; Name.__eq__ = lambda s, o: len(s.found) == 1;
    b = Barrier(Name(found)) | await wait_for(b.wait(), 1) | +
event predicate: e = Event(); c = Condition() | await c.acquire(); await c.wait_for(e.is_set) | e.set()
shield object: found.append(None) | await shield(Name(found)); note(1) | +
repr of an error: E = type('E', (Exception,), {'__repr__': lambda s: str(found)}); f = future();
    f.set_exception(E()) | note(repr(f).count('9')) | +
dataclass slots repr: a = Slot(found) | note(f'{a}') | +
stream data: r = StreamReader(); b = bytearray(b'1') | r.feed_data(b); r.feed_eof(); note(await r.read()) | b[0] = 57
stream separator: r = StreamReader(); r.feed_data(b'2=1='); b = bytearray(b'=') | note(await r.readuntil(b)) | b[0] = 49
memoryview: b = bytearray(2); m = memoryview(b) | note(bytes(m)) | b[0] = 1
# objects that die
exception handler of a future: handle(box.setdefault); f = [future()]; f[0].set_exception(OSError()) | f.clear() |
    note(len(box))
last reference: x = Dies(seen); a, b = [x], [x]; del x | a.clear() | b.clear()
last reference of slots: x = DiesInSlots(seen); a, b = [x], [x]; del x | a.clear() | b.clear()
last reference of a dict: x = DiesInDict(seen=seen); a, b = {1: x}, {1: x}; del x | a.clear() | b.clear()
last reference of a list: x = [Dies(seen)]; a, b = [x], [x]; del x | a.clear() | b.clear()
last reference of a tuple: x = (1, Dies(seen)); a, b = [x], [x]; del x | a.clear() | b.clear()
last reference of a result: x = future(); x.set_result(Dies(seen)); a, b = [x], [x]; del x | a.clear() | b.clear()
last reference of a generator: x = ends(seen); next(x); a, b = [x], [x]; del x | a.clear() | b.clear()
last local variable: x = Dies(seen); a, b = holds(x), holds(x); del x | await a | await b
death in a step: | x = [Dies(found)]; del x; note(len(found)) | -
death of an argument: x = [Dies(seen)] | await done(x.pop()); note(1) | note(2)
death of an element: box[1] = [Dies(found)] | del box[1] | ?
death and a new list: | x = [1]; found.append(x); x = None; found.clear(); x = [2]; await tick(); note(x[0]) |
    y = [3]; found.append(y); note(y is found[-1])
weak callback: x = Event(); r = ref(x, found.append); a, b = [x], [x]; del x | await tick(); a.clear() | b.clear();
    await tick(); ?
weak callback of the last: x = Item([]); r = ref(x, lambda r: note(this().get_name())); a, b = [x], [x]; del x |
    a.clear() | b.clear()
finalize: x = Item([]); finalize(x, found.append, 1); a, b = [x], [x]; del x | await tick(); a.clear() | b.clear();
    await tick(); ?
weak values: d = WeakValueDictionary(); box[1] = d[1] = Lock() | box.clear() | note(len(d))
weak set: s = WeakSet(); x = {1}; s.add(box.setdefault(1, Queue())) | box.clear() | note(len(s))
weak keys: d = WeakKeyDictionary(); d[box.setdefault(1, Item([]))] = 1 | box.clear() | note(len(d))
weak set of tasks: s = WeakSet(); s.add(start(done())) | await tick() | note(len(s))
weak method: box[1] = Name(found); m = WeakMethod(box[1].__str__) | box.clear() |
    note(m() is None)
"""
_SHORT: Final = {"?": "note(len(found))", "+": "found.append(9)", "-": "found.clear()"}


def _programs() -> dict[str, str]:
    """The texts of the programs, by name."""
    found = {}
    for row in _ROWS.replace("\n    ", " ").strip().splitlines():
        name, colon, rest = row.partition(":")
        if colon:
            made, *bodies = ([part.strip() for part in each.split("; ")] for each in rest.split(" | "))
            lines = [f"    {line}\n" for line in made if line]
            for task, body in zip(("one", "two"), bodies, strict=True):
                lines.append(f"    async def {task}():\n")
                lines += [f"        {_SHORT.get(line, line)}\n" for line in body]
            found[name] = _HEAD + "".join(lines) + _TAIL
    return found


#: The texts of the programs, by name.
PROGRAMS: Final = _programs()
