"""A harness: a program of a library, the tasks that its user may cancel, and the outcomes that have an explanation."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from impl.bridges.network import Network
from impl.explore.program import UserMain

#: The folders with harnesses.
FOLDERS: Final = ("queues", "limits", "caches", "pools", "brokers", "servers")


@dataclass(frozen=True, slots=True)
class Harness:
    """A program of a library under search; the docstring of its module states the claim."""

    #: The distribution.
    library: str
    #: It returns a summary of its run, and raises when the claim does not hold.
    main: UserMain
    #: The tasks that a user of the library may cancel: patterns of their names, separated by commas.
    cancel: str = ""
    #: The faults of the network that the program bears, separated by commas.
    faults: str = ""
    #: What `main` must not leave behind.
    leaks: str = "all"
    #: Whether a run takes more than 5 ms: fewer are made then.
    slow: bool = False
    #: The network, if the default one does not do.
    network: Network | None = None
    #: Patterns of outcomes -> the finding (model_tests/findings) that explains them.
    finds: Mapping[str, str] = field(default_factory=dict)
    #: Patterns of outcomes -> the reason why they do not count as a bug of the library.
    allowed: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of its module."""
        return self.main.__module__.rpartition(".")[2]

    @property
    def holds(self) -> str:
        """The sentence that states the claim."""
        lines = (import_module(self.main.__module__).__doc__ or "").partition("\n\n")[0]
        return " ".join(lines.split()).partition(": ")[2]

    @property
    def named(self) -> str:
        """The library with its version."""
        return f"{self.library} {version(self.library)}"

    def find(self, outcome: str) -> str | None:
        """Return the finding that explains an outcome."""
        return _matching(self.finds, outcome)

    def reason(self, outcome: str) -> str | None:
        """Return why an outcome does not count."""
        return _matching(self.allowed, outcome)


def _matching(patterns: Mapping[str, str], outcome: str) -> str | None:
    return next((why for pattern, why in patterns.items() if fnmatchcase(outcome, pattern)), None)


def modules() -> Iterator[str]:
    """Yield the names of the modules of all harnesses, in order."""
    for folder in FOLDERS:
        package = import_module(f"{__package__}.{folder}")
        for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
            yield f"{package.__name__}.{found.name}"


def harness(module: str) -> Harness | str:
    """Return the harness of a module, or why it cannot run here."""
    try:
        made: Harness = import_module(module).HARNESS
        version(made.library)
    except ModuleNotFoundError as error:
        return f"{error.name} is not installed; `make hunt` brings it"
    except PackageNotFoundError as error:
        return f"{error.name} is not installed; `make hunt` brings it"
    return made
