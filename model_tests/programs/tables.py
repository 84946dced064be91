"""Tables of texts, subjects above all: before each text stands its head, a line that begins with `# `."""

import re
from pathlib import Path


def table(file: Path) -> tuple[str, dict[str, str]]:
    """The lines before the first head, and the texts by their heads, without the empty lines around them."""
    first, *parts = re.split(r"^# (.+)\n", file.read_text(encoding="utf-8"), flags=re.M)
    return first, {head: text.strip("\n") + "\n" for head, text in zip(parts[::2], parts[1::2], strict=True)}


def texts(file: Path) -> dict[str, str]:
    """The texts of a table that begins with a head."""
    first, found = table(file)
    assert first == ""
    return found


def change(text: str) -> tuple[str, str]:
    """Lines before a change and after it: `-` begins a line that goes, `+` one that comes, a space one that stays."""
    lines = text.splitlines(keepends=True)
    before, after = ("".join(line[1:] for line in lines if line[0] in signs) for signs in (" -", " +"))
    return before, after
