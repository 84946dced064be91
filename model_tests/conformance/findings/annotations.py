"""Annotations of GitHub: a workflow prints these lines, and a finding is shown at its class.

The form of a line is that of GitHub's documentation, "Workflow commands": `::error file=...,line=...,title=...::...`.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ..attribute import families
from ..subjects.subject import AS, split
from .finding import Finding

#: By the name that a subject brings: the file, and the name of the class or function there.
Places = Mapping[str, tuple[str, str]]
#: The characters to escape in a message, and those to escape in a property.
IN_MESSAGE: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
IN_PROPERTY: Final = IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


def annotation(level: str, title: str, message: str, file: str = "", line: int = 1) -> str:
    """Return an annotation: its level is "error", "warning" or "notice"; "": it has no file."""
    place = {"file": file, "line": str(line)} if file else {}
    said = ",".join(f"{name}={value.translate(IN_PROPERTY)}" for name, value in {**place, "title": title}.items())
    return f"::{level} {said}::{message.translate(IN_MESSAGE)}"


def place_of(subject: str, places: Places, finding: Finding | None = None) -> tuple[str, int]:
    """Return the file and the line of the class that a finding is about, or of the subject; ("", 1): no source.

    The file is relative to the folder of the workflow's checkout, or else to the current one.
    """
    path, thing = split(subject.partition(AS)[0])
    file, name = (path, thing) if path.endswith(".py") else ("", "")
    if places:
        about = [each for each in places if finding and is_about(finding.rule, each)]
        file, name = places[next(iter(about or places))]
    if not file:
        return "", 1
    root = Path(os.environ.get("GITHUB_WORKSPACE") or Path.cwd()).resolve()
    full = Path(file).resolve()
    shown = full.relative_to(root) if full.is_relative_to(root) else full
    return shown.as_posix(), line_of(full, name)


def is_about(rule: str, name: str) -> bool:
    """Return whether a rule is about this name of asyncio's."""
    return not {rule, rule.partition("-")[0]}.isdisjoint(families([name]))


def line_of(file: Path, name: str) -> int:
    """Return the line on which a class or function, perhaps within another, is defined; 1 if none is."""
    head = re.compile(rf"\s*(?:class|(?:async\s+)?def)\s+{re.escape(name.rpartition('.')[2])}\b")
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 1
    return next((number for number, text in enumerate(lines, 1) if head.match(text)), 1)
