"""The files that `loopspec new` writes, for the name `gate`; `written` puts another name in its place.

The lines are short enough for a name of LONGEST characters in 88 columns, and none is split that a shorter name would
let a formatter join.  They are gate.txt, gate_adapter.txt and test_gate.txt beside this file.
"""

import ast
import re
from pathlib import Path
from typing import Final

from impl.bridges.own_packages import spelled

#: The most characters of a name.
LONGEST: Final = 15

TEXT, ADAPTER, TEST = (
    spelled(Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8"))
    for name in ("gate", "gate_adapter", "test_gate")
)
#: The files, by the name that each has for `gate`.
FILES: Final = {"gate.py": TEXT, "gate_adapter.py": ADAPTER, "test_gate.py": TEST}


def written(name: str) -> dict[str, str]:
    """The files for another name: file name -> text."""

    def put(text: str) -> str:
        return re.sub(r"(?<![a-z])gate(?![a-z])", name, text.replace("GATE-", f"{name.upper()}-"))

    return {put(file): put(text) for file, text in FILES.items()}


def taken() -> set[str]:
    """The names that the files use themselves."""
    nodes = [node for text in FILES.values() for node in ast.walk(ast.parse(text))]
    found = {node.id for node in nodes if isinstance(node, ast.Name)}
    found |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    found |= {node.name for node in nodes if isinstance(node, ast.alias | ast.FunctionDef)}
    return found - {"gate"}
