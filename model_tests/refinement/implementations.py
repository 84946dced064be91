"""The implementation of each shipped specification; a derived one has that of its base.

Any other specification is implemented by the user's code alone.  References are imported when one of them is wanted:
that of the crawl brings all runtimes of crawls, which a user's code needs not.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from spec.kit.core import Spec, SpecError

from .implementation import Implementation, own_runs, plain
from .machines.adapter import Make

#: The name of each specification with a reference, and the module that has it.
MODULES: Final = {
    **dict.fromkeys(("queue", "locks", "events", "loop", "future", "stream"), "references"),
    "crawl": "crawl_reference",
}


def implementation_of(spec: Spec[Any, Any], make: Make | None = None) -> Implementation:  # Any: of any text
    """The reference of the text that `spec` derives from, or is; without one, what `make` makes.

    Raises SpecError if nothing implements it.
    """
    base: Spec[Any, Any] | None = spec
    while base is not None:
        if base.name in MODULES:
            for text, reference in import_module(f".{MODULES[base.name]}", __package__).REFERENCES:
                if text is base:
                    return reference  # type: ignore[no-any-return]  # of a module that is imported by name
        base = base.extends
    if make is not None:
        return Implementation(make, plain, own_runs)
    names = ", ".join(MODULES)
    raise SpecError(
        f"{spec.name}: nothing here implements it; it may derive from {names}; or pass code of yours as make="
    )
