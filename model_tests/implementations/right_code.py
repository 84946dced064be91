"""Right implementations: they obey asyncio's documentation, and differ from CPython's code where it leaves them free.

A judge of implementations must find nothing wrong with them.  Each says what leaves its difference free.
"""

import ast
import asyncio
import importlib
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Final

from .corpus import AnyImplementation, corpus

LOCKS: Final = ("Lock", "Semaphore", "BoundedSemaphore", "Event", "Condition")


@dataclass(frozen=True, slots=True)
class Right:
    """A right implementation: a module with some of asyncio's names."""

    #: The module, in its package; or of a text the last part of its name.
    module: str
    #: The names of asyncio that it brings.
    names: tuple[str, ...]
    #: Its difference, in one clause.
    differs: str
    #: The module that it adapts, if any; without that it cannot be imported.
    library: str | None = None
    #: Methods that are not there or not of asyncio's interface, by `Name.method` or `Name: remark`.
    missing: tuple[str, ...] = ()
    #: Bugs of the library, as `subject of the sentence: text`; it is right apart from them.  If the first word is a
    #: program of tests/implementations, that shows the bug.
    bugs: tuple[str, ...] = ()
    #: Whether its names belong together, and are tested as one subject.
    whole: bool = False
    package: str = ""
    #: The sentences on its difference, if neither its module nor its text has them.
    free: str = ""
    #: Its text, if it is no module of a package.
    text: AnyImplementation | None = None

    def implementations(self) -> list[AnyImplementation]:
        """One for each name, or the module itself if it is whole; a name of a loop is also the module itself."""
        things = ["" if self.whole or not name[0].isupper() else name for name in self.names]
        return [self._of(thing) for thing in dict.fromkeys(things)]

    def _of(self, thing: str) -> AnyImplementation:
        colon = f":{thing}" if thing else ""
        if self.text is not None:
            return replace(self.text, name=self.text.name + colon, thing=thing)
        [folder] = importlib.import_module(self.package).__path__
        file = f"{self.module}.py{colon}"
        return AnyImplementation(f"right/libraries/{file}", self.differs, self.names, file=f"{folder}/{file}")

    def load(self) -> ModuleType:
        """Import the module.  Raises ImportError if its library is not installed."""
        if self.text is not None:
            return self.text.load()
        return importlib.import_module(f".{self.module}", self.package)


def right_implementations() -> list[Right]:
    """Return the right implementations of our own."""
    return [of_text(text) for text in corpus("right").values()]


def of_text(text: AnyImplementation) -> Right:
    """Return the row of a text: a whole one has the names of asyncio that it defines."""
    defined = (getattr(statement, "name", "") for statement in ast.parse(text.text).body)
    names = text.about or tuple(name for name in defined if hasattr(asyncio, name))
    missing = tuple(filter(None, text.said("missing").split("; ")))
    module = text.name.partition("/")[2]
    return Right(module, names, text.cause, missing=missing, whole=not text.about, text=text)
