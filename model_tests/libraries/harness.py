"""A harness: a program of a library, the tasks that its user may cancel, and the outcomes that have an explanation."""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from impl.bridges.network import Network
from impl.explore.programs.program import UserMain

from .finding import FOLDER

#: A program with a harness in the text of a module, by its name.
_MADE: Final = re.compile(r"^@harness_of\(.*?^(?:async )?def (\w+)", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Harness:
    """A program of a library under search; its docstring states the claim."""

    #: The distribution.
    library: str
    #: It returns a summary of its run, and raises when the claim does not hold.
    main: UserMain
    #: The tasks that a user of the library may cancel: patterns of their names, separated by commas.
    cancel: str = ""
    #: The faults of the network that the program bears, separated by commas.
    faults: str = ""
    #: The objects that `main` must not leave behind.
    leaks: str = "all"
    #: Whether a run takes more than 5 ms: fewer are made then.
    slow: bool = False
    #: The network, if the default one does not do.
    network: Network | None = None
    #: Patterns of outcomes -> the finding that explains them.
    finds: Mapping[str, str] = field(default_factory=dict)
    #: Patterns of outcomes -> the reason why they do not count as a bug of the library.
    allowed: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of its program."""
        return self.main.__name__

    @property
    def holds(self) -> str:
        """The sentence that states the claim."""
        claim = " ".join((inspect.getdoc(self.main) or "").partition("\n\n")[0].split())
        return claim[:1].lower() + claim[1:]

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


def harness_of(library: str, **options: Any) -> Callable[[UserMain], UserMain]:  # Any: the other fields of a Harness
    """Make a harness of the decorated program, which stays as it is."""

    def decorated(main: UserMain) -> UserMain:
        vars(main)["harness"] = Harness(library, main, **options)
        return main

    return decorated


def _matching(patterns: Mapping[str, str], outcome: str) -> str | None:
    return next((why for pattern, why in patterns.items() if fnmatchcase(outcome, pattern)), None)


def places() -> dict[str, Path]:
    """Return the files of all harnesses, by the names of the harnesses, in order."""
    return dict(
        sorted(
            (name, path)
            for path in FOLDER.glob("*/harnesses.py")
            for name in _MADE.findall(path.read_text(encoding="utf-8"))
        )
    )


def harness(name: str) -> Harness | str:
    """Return the harness of a name, or why it cannot run here."""
    try:
        module = import_module(f"{__package__}.{places()[name].parent.name}.harnesses")
        made: Harness = vars(vars(module)[name])["harness"]
        version(made.library)
    except (ModuleNotFoundError, PackageNotFoundError) as error:
        return f"{error.name} is not installed; `make hunt` brings it"
    return made
