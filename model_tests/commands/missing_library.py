"""A library that a command needs and cannot import: its name, and the command that brings it.

The extras are read from the metadata of the installed package, so they are those of pyproject.toml.
"""

import re
import sys
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from typing import Final

DISTRIBUTION: Final = "loopspec"
#: The packages of a checkout, which are one in the wheel.
_OWN: Final = frozenset({DISTRIBUTION, "impl", "model_tests", "spec"})
_REQUIREMENT: Final = re.compile(r"""([\w.-]+).*\bextra == ["']([\w-]+)["']""")


def advice(error: ImportError) -> str | None:
    """Return a line for the user about a failed import; None if no other package than ours explains it."""
    name = error.name or ""
    library = name.partition(".")[0]
    if not library or library in _OWN or library in sys.stdlib_module_names:
        return None
    extra = extra_of(library)
    install = f"'{DISTRIBUTION}[{extra}]'" if extra else library
    if find_spec(library) is None:
        return f"needs {library}, which is not installed: pip install {install}"
    if extra is None:
        return None
    # The part that is compiled is missing, or was compiled for another Python; or the release is too old.
    return f"{library} is installed, but not whole ({error}): pip install --force-reinstall --no-cache-dir {install}"


def extra_of(library: str) -> str | None:
    """Return the first extra that brings a library, by the name that is imported; None if none does."""
    try:
        required = requires(DISTRIBUTION) or []
    except PackageNotFoundError:  # a checkout that was not installed
        return None
    named = (found for each in required if (found := _REQUIREMENT.match(each)))
    return next((found[2] for found in named if _plain(found[1]) == _plain(library)), None)


def _plain(name: str) -> str:
    """A name as the package index compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()
