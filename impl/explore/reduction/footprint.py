"""Footprints: the cells that one step read, wrote or added to, and which footprints conflict.

1.  A *cell* is a part of the state that one step can change on its own: a slot of a future, a key of a dictionary, a
    variable that functions share.  Each cell has a bit; a footprint is three sets of bits.
2.  Two steps *conflict* if the order of the two may matter: both touch a cell, and one of them writes it.  Two
    *additions* to one cell commute with each other, and with nothing else.
3.  `log` collects the footprint of the step that runs now.  There is one, because the recording descriptors
    (watch.py) and the rewritten program (rewrite.py) must reach it with no argument; one exploration at a time uses it.
4.  Objects are named when they are made, as (process of the step that made it, n-th thing that this process made):
    so equivalent runs give equal names to equal objects, and a cell has the same bit in all runs of an exploration.
5.  The state that nothing understands is one cell, UNKNOWN: every step of the program reads it, and a step that did
    something that is not understood writes it.  Such a step conflicts with every step of the program.
6.  The log keeps no object of the program alive: an object and its name are known by its id until it dies.  One that
    cannot be weakly referenced (a list, a dictionary) is held, and let go at the first access after which nothing else
    holds it: before that access is recorded, so the program cannot observe that it died late.
7.  A death that something observes (`__del__`, a weak reference that is not ours) is not understood.  The step that
    drops the last reference has it; so while such an object lives, a step may do something else after any other one.

Source: Godefroid, "Partial-Order Methods for the Verification of Concurrent Systems" (1996), section 3.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from sys import getrefcount
from types import FrameType, GeneratorType
from typing import Final, NamedTuple, TypeAlias
from weakref import getweakrefcount, ref

from ...sim.frames import is_library
from .kinds import attributes, is_of_the_loop, own_classes, own_namespaces

#: The name of an object: (process, n-th thing that it made); or a name that is fixed, such as that of a module's list.
Name: TypeAlias = Hashable

#: The module that runs a program: its callers are none of the program's lines.
_BELOW: Final = f"{__package__}.drive"
#: The cell of everything that is not understood.
UNKNOWN: Final = "unknown"
#: For a report: the cell of all of an object, of a library, say, whose accesses are not recorded one by one.
FOREIGN: Final = "foreign"

#: The references to an object in a dictionary that nothing else holds, as `map` counts them.
_ALONE: Final = next(map(getrefcount, {0: []}.values()))


def _held_once() -> int:
    """The references to an object that one thing holds, from a function that has it in a variable: 3, since 3.14 2."""
    box: list[object] = [object()]
    thing = box[0]
    return getrefcount(thing)


_SHARED: Final = _held_once()


class Footprint(NamedTuple):
    """Three sets of cells, as bits."""

    reads: int
    writes: int
    adds: int


def conflict(one: Footprint, other: Footprint) -> bool:
    """Whether the order of two steps with these footprints may matter."""
    r, w, a = one
    r2, w2, a2 = other
    return bool(w & (r2 | w2 | a2) or w2 & (r | a) or a & r2 or r & a2)


class Access(NamedTuple):
    """One access of a step, as a report shows it (words.py gives `thing` a word).

    thing: None: of a variable, or of something unknown.
    """

    thing: Named | None
    cell: Hashable
    write: bool
    where: str  # "file.py:12", the line of the program; "" if no line of it runs
    how: str = ""  # the method that was called, of an object that is not understood


class Named:
    """An object of this run, its name, and the bits of its three cells that stand for many.

    whole: a step that reads or writes one key reads it; one that may change every key writes it.
    some: a step that changes one key adds to it; one that looks at all keys reads it.
    order: a step that inserts a key writes it, because the order of keys shows in an iteration.
    """

    __slots__ = ("behind", "key", "kind", "name", "order", "others", "ref", "some", "watched", "whole")

    def __init__(self, name: Name, thing: object, log: Log) -> None:
        self.name = name
        self.key = id(thing)
        self.kind = type(thing)
        #: The reads of an iterator or a view of a builtin; None: it is another object.
        self.behind: tuple[object, ...] | None = None
        #: None: the log holds it.
        self.ref: ref[object] | None = None
        #: Whether its death is observed, and the number of weak references that tell nothing about that.
        self.watched = id(self.kind) in own_classes and hasattr(self.kind, "__del__")
        self.others = 0
        self.whole = log.bit((name, "whole"))
        self.some = log.bit((name, "some"))
        self.order = log.bit((name, "order"))

    def thing(self) -> object | None:
        """The object; None: it is dead, or the log holds it."""
        return None if self.ref is None else self.ref()


class Log:
    """The footprint of the step that runs now, and the names of the objects of this run."""

    __slots__ = (
        "_bits", "_brief_classes", "_died", "_held", "_made", "_names", "accesses", "adds", "causes",
        "process", "reads", "unknown", "unknown_bit", "unwatched", "writes",
    )  # fmt: skip

    def __init__(self) -> None:
        #: Every access of the step, for a report; None: only the footprint.
        self.accesses: list[Access] | None = None
        self._brief_classes: list[type] = []
        self.forget()

    def forget(self) -> None:
        """Begin an exploration: no cell has a bit."""
        self._bits: dict[Hashable, int] = {}
        self.unknown_bit = self.bit(UNKNOWN)
        #: The lines of the program with accesses that are not understood, with the number of steps.
        self.causes: Counter[str] = Counter()
        self.begin_run()

    def begin_run(self) -> None:
        """Begin a run: no object has a name."""
        while self._brief_classes:
            own_classes.pop(id(self._brief_classes.pop()), None)
        self._names: dict[int, Named] = {}
        self._made: Counter[Name] = Counter()
        #: The objects that cannot be weakly referenced, by id.
        self._held: dict[int, object] = {}
        #: Whether the loop may hold a value of the program that it looks at unseen (arguments.py).
        self.unwatched = False
        self.begin_step(())

    def begin_step(self, process: Name) -> None:
        """Begin a step of `process`."""
        self.process = process
        self.reads = self.writes = self.adds = 0
        #: Whether this step did something that is not understood, and whether that is a death.
        self.unknown = self._died = False

    def end_step(self) -> Footprint:
        """The footprint since `begin_step`."""
        self.let_go()
        if self._died:  # maybe in code that is no part of the step
            self.not_understood()
        if self.unknown:
            for named in self._names.values():
                thing = named.thing()
                named.watched = named.watched or (thing is not None and getweakrefcount(thing) > named.others)
        return Footprint(self.reads, self.writes, self.adds)

    # --- names -------------------------------------------------------------------------------------------

    def bit(self, cell: Hashable) -> int:
        """The bit of a cell."""
        return 1 << self._bits.setdefault(cell, len(self._bits))

    def made(self, thing: object, name: Name = None) -> Named:
        """Name an object that is new in this step, unless it has a name; `name`: one that is fixed.

        A class of the program has a fixed name.
        """
        known = self._names.get(id(thing))
        if known is None:
            cls = own_classes.get(id(thing))
            if cls is not None:
                name = "class", cls.__module__, cls.__qualname__
            elif name is None:
                nth = self._made[self.process] = self._made[self.process] + 1
                name = (self.process, nth)
            known = self._names[id(thing)] = Named(name, thing, self)
            try:
                known.ref = ref(thing, self._dead(known))
            except TypeError:
                self._held[id(thing)] = thing
            else:  # asyncio refers to its tasks
                of_the_loop = is_of_the_loop(type(thing).__module__)
                known.others = getweakrefcount(thing) if of_the_loop else 1
        return known

    def _dead(self, named: Named) -> Callable[[object], None]:
        """The function that is called when an object dies."""
        names = self._names

        def dead(_: object) -> None:
            names.pop(named.key, None)
            if named.watched and names is self._names:
                self.died()

        return dead

    def mortal(self) -> bool:
        """Whether an object with an observed death lives, or one died in this step.

        A generator is one if two things hold it after a step: it is closed as it dies.
        """
        found = self._died
        for named in self._names.values():
            if named.kind is GeneratorType and (thing := named.thing()) is not None:
                named.watched = named.watched or getrefcount(thing) > _SHARED
            found = found or named.watched
        return found

    def died(self) -> None:
        """An object has died, and something observes that."""
        self._died = True

    def let_go(self) -> None:
        """Let the objects die that only the log holds."""
        held = self._held
        while _ALONE in map(getrefcount, held.values()):
            alone = [key for key, n in zip(held, map(getrefcount, held.values()), strict=True) if n == _ALONE]
            for key in alone:
                self._names.pop(key, None)
                held.pop(key, None)

    def abandon(self) -> None:
        """Hold no object any more; an id may then be that of another one, so no later step is understood."""
        self.unwatched = True
        self.not_understood()
        self._held = {}

    def known(self, thing: object) -> Named | None:
        """The name of an object; None: it has none, because nothing saw it being made."""
        known = self._names.get(id(thing))
        return self.made(thing) if known is None and id(thing) in own_classes else known

    def class_made(self, cls: type) -> None:
        """A class of the program was made; one that is made within a run is forgotten after it."""
        if id(cls) not in own_classes:
            own_classes[id(cls)] = cls
            self._brief_classes.append(cls)

    # --- accesses to objects of the loop: the first one is in the step that makes them ----------------------

    def read(self, thing: object, slot: str) -> None:
        """A slot of an object was read."""
        self.reads |= self.bit((self.made(thing).name, slot))
        if self.accesses is not None:
            self._note(thing, slot, False)

    def write(self, thing: object, slot: str) -> None:
        """A slot of an object was written, or a mutable value in it was looked up."""
        self.writes |= self.bit((self.made(thing).name, slot))
        if self.accesses is not None:
            self._note(thing, slot, True)

    def add(self, thing: object, slot: str) -> None:
        """A slot of an object was added to, in a way that commutes with other additions."""
        self.adds |= self.bit((self.made(thing).name, slot))
        if self.accesses is not None:
            self._note(thing, slot, True)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Within the block, accesses are no part of the step."""
        kept = self.reads, self.writes, self.adds, self.accesses, self.unknown
        self.accesses = None
        try:
            yield
        finally:
            self.reads, self.writes, self.adds, self.accesses, self.unknown = kept

    # --- accesses to variables and objects of the program ---------------------------------------------------

    def read_variable(self, name: str) -> None:
        self.let_go()
        self.reads |= self.bit(("variable", name))
        if self.accesses is not None:
            self._note(None, name, False)

    def write_variable(self, name: str) -> None:
        self.let_go()
        self.writes |= self.bit(("variable", name))
        if self.accesses is not None:
            self._note(None, name, True)

    def read_key(self, thing: object, key: Hashable) -> None:
        """One key, index or attribute of an object was looked at."""
        self.let_go()
        named = self._names.get(id(thing)) or self.known(thing) or self._stranger(thing, key, False)
        if named is None:
            return
        self.reads |= self.bit((named.name, "key", key)) | named.whole
        if self.accesses is not None:
            self._note(thing, key, False)

    def write_key(self, thing: object, key: Hashable, inserts: bool) -> None:
        """One key of an object was changed; `inserts`: it was added or removed."""
        self.let_go()
        named = self._names.get(id(thing)) or self.known(thing) or self._stranger(thing, key, True)
        if named is None:
            return
        self.writes |= self.bit((named.name, "key", key)) | (named.order if inserts else 0)
        self.reads |= named.whole
        self.adds |= named.some
        if self.accesses is not None:
            self._note(thing, key, True)

    def read_all(self, thing: object) -> None:
        """Every key of an object may have been looked at, or their order."""
        self.let_go()
        named = self._names.get(id(thing)) or self.known(thing) or self._stranger(thing)
        if named is None:
            return
        self.reads |= named.whole | named.some
        if self.accesses is not None:
            self._note(thing, "", False)

    def write_all(self, thing: object) -> None:
        """Every key of an object may have been looked at and changed."""
        self.let_go()
        named = self._names.get(id(thing)) or self.known(thing) or self._stranger(thing)
        if named is None:
            return
        self.writes |= named.whole
        if self.accesses is not None:
            self._note(thing, "", True)

    def _stranger(self, thing: object, key: Hashable = "", write: bool = True) -> Named | None:
        """An object was used that nothing saw being made: that is not understood, and only a report names it.

        The dictionary of a module or an object stands for its variables or attributes.
        """
        self.not_understood()
        if self.accesses is None:
            return None
        known = (named.thing() for named in self._names.values())
        owner = next((each for each in known if each is not None and attributes(each) is thing), None)
        if owner is None and id(thing) not in own_namespaces:
            return self.made(thing)
        self._note(owner, key, write)
        return None

    def foreign(self, thing: object, write: bool, how: str = "") -> None:
        """For a report only: an object was used that is not understood, by the method `how`, or in another way."""
        if self.accesses is not None:
            self.accesses.append(Access(self.made(thing), FOREIGN, write, line_of_program(), how))

    def not_understood(self, where: str = "") -> None:
        """The step did something that may change any state of the program; `where`: a line, if none of it runs."""
        self.let_go()
        if not self.unknown:
            self.unknown = True
            self.writes |= self.unknown_bit
            self.causes[where or line_of_program()] += 1
        if self.accesses is not None:
            self._note(None, UNKNOWN, True)

    def _note(self, thing: object, cell: Hashable, write: bool) -> None:
        assert self.accesses is not None
        named = None if thing is None else self.made(thing)
        self.accesses.append(Access(named, cell, write, line_of_program()))


def line_of_program() -> str:
    """The innermost line of the program that runs now, as "path:line"; "": none does."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") != _BELOW:
        if not is_library(frame.f_code.co_filename):
            return f"{frame.f_code.co_filename}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


#: The log of the exploration that runs.
log: Final = Log()
