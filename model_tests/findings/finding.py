"""A finding: the library with its versions, how the bug is found, and what its plain script shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: A limit of the design, or a use that the library does not promise to bear.
NO_BUG: Final = "no bug, but a limit: "
#: The library of a bug of Python's own; its versions are releases.
PYTHON: Final = "CPython"


@dataclass(frozen=True, slots=True)
class Finding:
    """A bug, in a folder of its name: REPORT.md, plain.py, and program.py if no harness or fact draws it."""

    name: str
    #: The distribution with the bug, and the versions in which it was seen.
    library: str
    versions: tuple[str, ...]
    bug: str
    #: The rule that it breaks, in our words; "" if it breaks none, as one that is not about asyncio.
    rule: str
    #: What the plain script shows without the bug, and with it.
    control: str
    shows: str
    #: The name of the tasks that may be cancelled in the search, those that a user cancels.
    cancel: str = ""
    #: How the run of the search ends that shows it; of a bug of CPython: its name in programs/differences.py.
    failure: str = ""
    #: The subject with which the conformance kit finds it, in model_tests/subjects/right/libraries.
    subject: str = ""
    #: The first Python that has it.
    since: tuple[int, int] = (3, 11)
    #: The release that has it no more.
    mended: str = ""
    #: An issue that reports it, or why it is none.
    known: str = "not reported when it was found"
