"""The stored evidence that each property and bounded model is needed: only.json, an entry a line."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from .edit import Key

FILE: Final = Path(__file__).with_name("only.json")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence that `of` is needed, one of the four that follow.

    `texts`: the wrong texts that it alone refutes; `proof`: an obligation that has a counterexample without it, by the
    name of the case, the action and the goal; `missed`: some part of the specification is reached no more; `edit`: a
    machine-made mutant that only it kills.
    """

    of: str
    texts: tuple[str, ...] = ()
    proof: tuple[str, ...] = ()
    missed: bool = False
    edit: Key | None = None


def read(path: Path = FILE) -> dict[str, Evidence]:
    """Return the stored entries, by the name of the part that could be deleted."""
    found: dict[str, Evidence] = {}
    for each in json.loads(path.read_text(encoding="utf-8")):
        edit = Key(**each["edit"]) if "edit" in each else None
        texts, proof = (tuple(each.get(name, ())) for name in ("texts", "proof"))
        found[each["of"]] = Evidence(each["of"], texts, proof, each.get("missed", False), edit)
    return found


def write(entries: Iterable[Evidence], path: Path = FILE) -> None:
    """Store these."""
    lines = []
    for entry in entries:
        line: dict[str, object] = {"of": entry.of}
        for name in "texts", "proof", "missed":
            if value := getattr(entry, name):
                line[name] = value
        if entry.edit:
            line["edit"] = entry.edit._asdict()
        lines.append("  " + json.dumps(line, ensure_ascii=False))
    path.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8", newline="\n")
