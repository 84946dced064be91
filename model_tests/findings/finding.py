"""A finding: the library with its versions, how the bug is found, and the output of its plain script."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: A limit of the design, or a use that the library does not promise to bear.
NO_BUG: Final = "no bug, but a limit: "
#: The folder of the findings.
FOLDER: Final = Path(__file__).parent
#: The library of a bug of Python's own; its versions are releases.
PYTHON: Final = "CPython"


@dataclass(frozen=True, slots=True)
class Finding:
    """A bug, in a folder of its name, with a REPORT.md.

    Its plain script is there, too, or is a case of the one that the bugs of a library have in common.
    """

    name: str
    #: The distribution with the bug, and the versions that showed it.
    library: str
    versions: tuple[str, ...]
    bug: str
    #: The rule that it breaks, in our words; "" if it breaks none, as one that is not about asyncio.
    rule: str
    #: The output of the plain script without the bug, and with it.
    control: str
    shows: str
    #: The folder of a plain script with several cases: this one is called as the finding, without the folder's name.
    folder: str = ""
    #: The name in programs/differences.py of a bug of CPython.
    failure: str = ""
    #: The subject with which the conformance kit finds it, in model_tests/subjects/right/libraries.
    subject: str = ""
    #: The first Python that has it.
    since: tuple[int, int] = (3, 11)
    #: The release that has it no more.
    mended: str = ""
    #: An issue that reports it, or why it is none.
    known: str = "not reported when it was found"

    @property
    def script(self) -> Path:
        """The plain script."""
        return FOLDER / (self.folder or self.name) / "plain.py"

    @property
    def case(self) -> str:
        """The case of the plain script; "" if it has only one."""
        return self.name.removeprefix(f"{self.folder}_") if self.folder else ""
