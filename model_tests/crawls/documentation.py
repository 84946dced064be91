"""HTML documentation of Debian packages: real sites of hundreds of pages on disk; of several versions the newest."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_DOCUMENTATION: Final = Path("/usr/share/doc")


@dataclass(frozen=True, slots=True)
class Package:
    """A package with HTML documentation; `place` is a glob, relative to Debian's folder of documentation."""

    #: The package's name for apt-get.
    name: str
    place: str

    def root(self) -> Path | None:
        """Return the directory of its pages, if it has an index.html, whatever dpkg lists (container images omit
        documentation).
        """
        pages = [index.parent.resolve() for index in _DOCUMENTATION.glob(f"{self.place}/index.html")]
        return max(pages, key=_version, default=None)


PYTHON: Final = Package("python3-doc", "python3.*/html")
POSTGRESQL: Final = Package("postgresql-doc", "postgresql-doc-*/html")


def _version(path: Path) -> tuple[list[int], str]:
    """Return a sort key that orders 3.9 before 3.11; the name breaks ties, so the directory's order does not matter."""
    return [int(digits) for digits in re.findall(r"\d+", str(path))], str(path)
