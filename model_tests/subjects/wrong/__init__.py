"""Wrong subjects: implementations of asyncio's names, each with one defect that a real author could make.

They are written from the documentation and the source of CPython alone, not from the rules or the programs of the
conformance kit, so that the share of them that the kit catches is an honest figure.  Each module is one family and
imports only the standard library and `_parts`; `loopspec conform FILE.py:NAME` puts one of them to the test.  A
subject's docstring says in its first line what is wrong and then, after "Breaks", which sentence of the documentation
(page, section); in a text (`*.txt`) the head and the last line do.  `model_tests/mutants/caught.json` says which check
catches it.  `second` to `tenth` were written after the kit had run on the others, by authors that knew neither;
`_parts` and the deletion of twins came later.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, Final

from ...programs.runtimes import tell_c_of_pure_tasks

tell_c_of_pure_tasks()  # else current_task() knows no task of a subject in Python, which is no defect of its author's

FOLDER: Final = Path(__file__).parent
Subject = Any  # a class or a function in the place of one of asyncio's


def families() -> list[str]:
    """Return the names of the modules of this package, sorted; those of later sets are in folders of their own."""
    found = (path.relative_to(FOLDER).with_suffix("").parts for path in FOLDER.glob("**/[a-z]*.py"))
    return sorted(map(".".join, found))


def subjects_of(family: str) -> list[tuple[str, Subject]]:
    """Return (name, subject) for each wrong subject of a module that this Python has, in the order of the file."""
    module = importlib.import_module(f"{__name__}.{family}")
    return [
        (name, thing)
        for name, thing in vars(module).items()
        if not name.startswith("_") and getattr(thing, "__module__", None) == module.__name__
    ]


def wrong_subjects() -> list[tuple[str, str]]:
    """Return (path of the file, name in it) of each wrong subject that this Python has."""
    return [
        (str(importlib.import_module(f"{__name__}.{family}").__file__), name)
        for family in families()
        for name, _ in subjects_of(family)
    ]
