"""Documentation that Debian packages: real sites of hundreds of pages, lying on disk.

Theory of operation.  A package is there when its directory holds an index.html, whatever dpkg thinks: images for
containers often leave out documentation.  Of several versions the newest counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_DOCUMENTATION: Final = Path("/usr/share/doc")


@dataclass(frozen=True, slots=True)
class Package:
    """A package of documentation in HTML; `place` is a glob, seen from where Debian puts documentation."""

    #: What apt-get calls it.
    name: str
    place: str

    def root(self) -> Path | None:
        """The directory of its pages; None if it is not installed."""
        pages = [index.parent.resolve() for index in _DOCUMENTATION.glob(f"{self.place}/index.html")]
        return max(pages, key=_version, default=None)


PYTHON: Final = Package("python3-doc", "python3.*/html")
POSTGRESQL: Final = Package("postgresql-doc", "postgresql-doc-*/html")


def _version(path: Path) -> tuple[list[int], str]:
    """What orders 3.9 before 3.11; the name breaks ties, so that the order of the directory does not count."""
    return [int(digits) for digits in re.findall(r"\d+", str(path))], str(path)
