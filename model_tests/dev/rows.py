"""A document with a table; rows are replaced one by one, so that a part of the table can be run again."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Rows:
    """The document: its head, which ends with the head of the table, and a row for each name, in order of the names."""

    path: Path
    head: str

    def read(self) -> dict[str, str]:
        """Return the rows by their name, which is the first cell."""
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        table = [line for line in lines if line.startswith("| ")][1:]
        return {line.split(" | ")[0].removeprefix("| "): line for line in table}

    def write(self, new: Mapping[str, str]) -> None:
        """Replace rows, or add them."""
        every = sorted({**self.read(), **new}.items())
        self.path.write_text(self.head + "".join(f"{line}\n" for _, line in every), encoding="utf-8")


def row(name: str, *cells: str) -> str:
    """Return the row of a name."""
    return f"| {' | '.join(' '.join(cell.replace('|', '/').split()) for cell in (name, *cells))} |"
