"""Subjects of the kit, in a file."""

from __future__ import annotations

from pathlib import Path

from ...programs.tables import texts

#: The texts of some, by name.
TEXTS = texts(Path(__file__).with_name("subjects.txt"))


def subject(folder: Path, text: str) -> str:
    """Write a subject to the file mine.py; return its path."""
    path = folder / "mine.py"
    path.write_text(text)
    return str(path)
