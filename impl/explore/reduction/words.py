"""Accesses in words: the names that the program itself has for its objects, variables and keys.

A name is looked for where a reader would find it: in the local variables of the coroutines that are suspended or run
now, in the attributes of the objects that those hold (`self.queue`), and else in the module-level names that their
functions use.  A future that waits in a primitive has the name of that primitive.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from types import FrameType, ModuleType
from typing import Any, Final, NamedTuple

from ...sim.frames import frames_of, is_installed, is_library, variables_of
from .footprint import FOREIGN, UNKNOWN, Access, Name, Named, log
from .kinds import PLAIN, attributes, is_container_class, is_of_the_loop, is_own


class Touched(NamedTuple):
    """An access in words.

    name: the program's own word for the variable or the object, such as `seen`, `self.queue` or `Lock`.
    cell: its part: a key or an attribute as Python writes it (`['a']`, `.count`), or a slot of a primitive; or "".
    write: whether it was changed.
    where: "path:line" of the program; "" if none of its lines ran.
    of: the name of the object in the log, which is the same in all runs; None: a variable, or it has none.
    """

    name: str
    cell: str
    write: bool
    where: str
    of: Hashable = None
    #: The method that was called, of an object that is not understood.
    how: str = ""
    foreign: bool = False

    def __str__(self) -> str:
        return f"{self.name}{self.cell}"


#: Slots of futures, tasks and callbacks that say nothing to a reader.
_PLUMBING: Final = frozenset({"_coro", "_cancels", "_name", "_value", "_line", "_fn", "_args", "_waiting", "_stage"})
_PLUMBING_CLASSES: Final = frozenset({"_Gathering", "DoneCallback", "Callback", "CancelForwarder", "FutureError"})


class Words:
    """Collects the program's words for objects while a run goes on, and says accesses in them."""

    def __init__(self) -> None:
        self._words: dict[int, str] = {}
        self._module_words: dict[int, str] = {}
        self._names: dict[int, Name] = {}

    def learn(self, tasks: Iterable[Any]) -> None:  # Any: tasks of any runtime
        """Look through the frames of suspended tasks, outermost first."""
        for task in tasks:
            for frame in frames_of(task):
                if not is_library(frame.f_code.co_filename):
                    self.learn_frame(frame)

    def learn_frame(self, frame: FrameType) -> None:
        """Look through the variables of one frame, and the module-level names that its function uses."""
        if not is_installed(frame.f_code.co_filename):
            known = frame.f_globals
            for name in frame.f_code.co_names:
                if name in known:
                    self._module_words.setdefault(id(known[name]), name)
        for name, value in variables_of(frame).items():
            if (
                not name.startswith("_ls_")
                and type(value) not in PLAIN
                and not issubclass(type(value), ModuleType | type)
            ):
                self._learn(value, name)
                if is_own(value) or log.known(value) is not None:
                    for attribute, held in attributes(value).items():
                        if type(held) not in PLAIN and log.known(held) is not None:
                            self._learn(held, f"{name}.{attribute}")

    def _learn(self, thing: object, word: str) -> None:
        """The first word that an object has is kept, until another object has its id."""
        named = log.known(thing)
        if named is not None:
            self._begin(named)
        self._words.setdefault(id(thing), word)

    def _begin(self, named: Named) -> None:
        if self._names.setdefault(named.key, named.name) != named.name:
            self._names[named.key] = named.name
            self._words.pop(named.key, None)

    def word(self, named: Named) -> str:
        """The name of a task, the program's word for another object, or the name of its class."""
        ours = (vars(each).get("get_name") for each in named.kind.__mro__ if is_of_the_loop(each.__module__))
        if (get_name := next(filter(None, ours), None)) and (task := named.thing()) is not None:
            return str(get_name(task))
        self._begin(named)
        thing = named.thing() if issubclass(named.kind, type) else None
        kind = thing if isinstance(thing, type) else named.kind
        return self._words.get(named.key) or self._module_words.get(named.key) or kind.__name__

    def say(self, accesses: Iterable[Access], plumbing: bool = False) -> list[Touched]:
        """The accesses of a step in words, each once, in order; a write stands for a read of the same.

        `plumbing`: also those to the inner state of futures and callbacks.
        """
        said: dict[tuple[str, str, Hashable], Touched] = {}
        for access in list(accesses):  # a word may record an access
            if not plumbing and (
                access.cell in _PLUMBING or (access.thing and access.thing.kind.__name__ in _PLUMBING_CLASSES)
            ):
                continue
            touched = self._touched(access)
            key = touched.name, touched.cell, touched.of
            if key not in said or (touched.write and not said[key].write):
                said[key] = touched
        return list(said.values())

    def _touched(self, access: Access) -> Touched:
        thing, cell, write, where, how = access
        if thing is None:
            return Touched("something unknown" if cell == UNKNOWN else str(cell), "", write, where)
        if cell == FOREIGN:
            return Touched(self.word(thing), "", write, where, thing.name, how, True)
        if is_container_class(thing.kind):
            shown = f"[{cell!r}]"
        else:  # a class of the user may have `session` and `_session`
            shown = f".{str(cell).lstrip('_') if is_of_the_loop(thing.kind.__module__) else cell}"
        return Touched(self.word(thing), "" if cell == "" else shown, write, where, thing.name)
