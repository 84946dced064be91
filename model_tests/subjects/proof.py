"""Prove that every wrong subject is wrong: python -m model_tests.subjects.proof

The table `caught.json` names, for each subject, a fact or a vector of the conformance kit that holds for asyncio's own
thing and not for the subject.  One that neither tells from asyncio's has a witness (`witnesses/`) in place of a row.

One line for each subject that is not proved wrong, with a fact or vector that may be its row; exit status 1 then.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..conformance.cases.sources import Case, catalogue
from ..conformance.child import LONG_SECONDS, limit
from ..conformance.facts.fact import Fact, facts
from ..conformance.judge import Judge, State
from ..conformance.kit import Kit, left_behind
from ..conformance.process import Process
from ..conformance.served import Served
from ..programs.enumeration import Json
from ..programs.releases import THIS
from .witness import Witness, originals, seen
from .witnesses import witnesses
from .wrong import FOLDER, families, subjects_of

#: By FAMILY.NAME: the sentence of a fact, or the name of a vector.
TABLE: Final = Path(__file__).with_name("caught.json")
#: Seconds after which a subject is taken to wait for ever.
WALL: Final = 60


def faults() -> Iterator[str]:
    """Yield what is not proved."""
    shown = {id(witness.subject) for witness in witnesses()}
    rows: dict[str, str] = json.loads(TABLE.read_text(encoding="utf-8"))
    known: dict[str, Fact | Case] = {**facts(), **{case.name: case for case in catalogue()}}
    for family in families():
        for name, thing in subjects_of(family):
            subject = f"{FOLDER.joinpath(*family.split('.'))}.py:{name}"
            row = rows.get(f"{family}.{name}", "")
            if (id(thing) in shown) == bool(row):
                yield f"{family}.{name}: give it a witness or a row, {first_of(subject)!r} for instance"
            elif row and (row not in known or not differs(subject, known[row])):
                yield f"{family}.{name}: not told from asyncio's by {row!r}"
    for row in rows:
        family, _, name = row.rpartition(".")
        path = FOLDER.joinpath(*family.split(".")).with_suffix(".py")
        if not path.exists() or f" {name}(" not in path.read_text(encoding="utf-8"):
            yield f"{row}: there is no such subject, for any Python"
    for witness in witnesses():
        yield from faults_of(witness)


def differs(subject: str, shows: Fact | Case) -> bool:
    """Return whether a fact of this Python is not true of a subject, or a vector's lines are certainly wrong."""
    answer = alone(subject, shows.program)
    if isinstance(shows, Fact):
        return shows.since <= THIS and bool(answer["lines"] != shows.expected)
    judge = Judge(answer["brings"], answer["own"], lambda rule: True)
    return judge.judge(shows, answer["lines"]).state is State.BROKEN


def alone(subject: str, program: Json) -> dict[str, Json]:
    """Return what the kit's child answers about a subject and a program, from a fork of this process.

    The fork imports nothing but the subject, which would take most of the time.

    Raises:
        RuntimeError: the subject cannot be loaded, ends the process, or does not return.
    """
    read, write = os.pipe()
    if not (child := os.fork()):
        try:
            limit(LONG_SECONDS)
            signal.alarm(WALL)
            served = Served.of(subject)
            answer = {**served.greeting(), **served.serve({"program": program})}
            os.write(write, json.dumps(answer).encode())
        finally:
            os._exit(0)
    os.close(write)
    with open(read, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    if not said:
        raise RuntimeError(f"{subject} does not answer: give it a row that it answers, or a witness")
    found: dict[str, Json] = json.loads(said)
    return found


def first_of(subject: str) -> str:
    """Return the first fact or vector that tells a subject from asyncio's own, or ""."""
    with Process(subject) as process, left_behind():
        kit = Kit(process, (), False)
        kit.facts()
        if not kit.untrue:
            kit.play(catalogue())
        broken = [failed.case.name for failed in kit.causes.broken.values()]
        return next(iter([*(finding.name for finding in kit.untrue), *broken]), "")


def faults_of(witness: Witness) -> Iterator[str]:
    """Yield how a witness fails to prove its subject wrong."""
    name = f"{witness.subject.__module__.rpartition('.')[2]}.{witness.subject.__qualname__}"
    for original in originals(witness.subject):
        if (right := seen(witness.program, original)) != witness.documented:
            yield f"{name}: asyncio's {original} shows {right!r}, not {witness.documented!r}"
    if seen(witness.program, witness.subject) == witness.documented:
        yield f"{name}: shows {witness.documented!r}, like asyncio's"


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # what a wrong subject leaves behind
    found = list(faults())
    print("\n".join(found) or f"{sum(len(subjects_of(family)) for family in families())} wrong subjects")
    sys.exit(bool(found))
