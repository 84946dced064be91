"""One loop held to the rules: the kit on the newest Python that can run it, and each finding's test on two.

A finding is published only if its short test fails on the loop and passes on asyncio, each time that it is run: twice
on each Python, and a test of nothing passes on the loop.  The rules of any other finding are counted as not judged.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from ...conformance.judge import State
from ...dev.pythons import Interpreter
from ...implementations.verdicts import verified
from .environment import Environment, Unusable
from .table import Public

#: On so many Pythons a test is run, if there are so many, and so often on each.
PYTHONS: Final = 2
TIMES: Final = 2
#: A rule of the loop alone; it is asked for itself if findings about others hide its fact.
OWN: Final = "LOOP-5"
#: How a test names the loop, and a test of nothing: on a loop that fails this one, a test that fails shows nothing.
MAKES: Final = re.compile(r"^from .* import new_event_loop$", re.M)
NOTHING: Final = """import asyncio
{}

def test_nothing():
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(asyncio.sleep(0))
"""

Json = Any


@dataclass(frozen=True)
class PublishedFinding:
    """A finding that is published."""

    rules: list[str]
    said: str
    code: str


@dataclass(frozen=True)
class LoopResult:
    """The result for a loop; `pythons` is empty if it runs on none."""

    name: str
    version: str = ""
    pythons: list[str] = field(default_factory=list)  #: the first is that of the counts
    states: dict[str, int] = field(default_factory=dict)  #: the number of rules, by state
    broken: list[PublishedFinding] = field(default_factory=list)
    #: Of the kit: findings without a test that shows them.
    unverified: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)  #: Python -> why the loop does not run there

    @property
    def counts(self) -> dict[State, int]:
        """The number of rules in each state."""
        return {state: self.states.get(state.value, 0) for state in State}

    def stored(self) -> dict[str, Json]:
        """Return it as JSON."""
        return asdict(self)

    @classmethod
    def read(cls, stored: Mapping[str, Json]) -> LoopResult:
        """Return a stored result."""
        return cls(**{**stored, "broken": [PublishedFinding(**each) for each in stored["broken"]]})


def held(loop: Public, pythons: Sequence[Interpreter]) -> LoopResult:
    """Hold a loop to the rules on the newest of these Pythons that can run it."""
    refused: dict[str, str] = {}
    places = list(islice(usable(loop, pythons, refused), PYTHONS))
    if not places:
        return LoopResult(loop.name, refused=refused)
    report = reported(places[0])
    rows = {row["rule"]: row for row in report["rules"]}
    if rows.get(OWN, {}).get("state") == State.OPEN.value:
        alone = reported(places[0], "--only", OWN)
        for finding in report["findings"]:
            finding["also"] = [rule for rule in finding["also"] if rule != OWN]
        report["findings"] += alone["findings"]
        rows |= {row["rule"]: row for row in alone["rules"]}
    failed = {rule for rule, row in rows.items() if row["state"] == State.BROKEN.value}
    broken, unverified = [], []
    for finding in report["findings"]:
        # Rules that only may fail for the same reason are not judged.
        named = [rule for rule in [finding["rule"], *finding["also"]] if rule in failed]
        rules = list(filter(None, (loop.instead.get(rule, rule) for rule in named)))
        said = finding["sentence"]
        why = doubt(finding["function"], loop, places) if rules else "its test shows no rule of its own"
        if why:
            unverified.append(f"{', '.join(named)}: {said}: {why}")
        else:
            broken.append(PublishedFinding(rules, said, finding["function"]))
    shown = {rule for each in broken for rule in each.rules}
    return LoopResult(
        loop.name,
        places[0].version(),
        [place.python.release for place in places],
        dict(Counter(state_of(row, shown) for row in rows.values())),
        broken,
        unverified,
        refused,
    )


def reported(place: Environment, *options: str) -> Json:
    """Return the report of the kit."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "report.json")
        place.conform("--json", file, *options)
        return json.loads(file.read_text(encoding="utf-8"))


def usable(loop: Public, pythons: Iterable[Interpreter], refused: dict[str, str]) -> Iterable[Environment]:
    """Yield the environments that can run a loop, the newest first; note why others cannot."""
    for python in reversed([*pythons]):
        place = Environment(loop, python)
        try:
            place.make()
        except Unusable as error:
            refused[python.version] = str(error)
        else:
            yield place


def doubt(code: str | None, loop: Public, places: Sequence[Environment]) -> str:
    """Return why the test of a finding is not published, or ""."""
    for place in places:
        for _ in range(TIMES):
            if (said := verified(code, loop.tested, str(place.path))) != "verified":
                return f"{said} on {place.python.release}"
        makes = MAKES.search(code or "")
        if makes and verified(NOTHING.format(makes[0]), loop.tested, str(place.path)) == "verified":
            return f"a test of nothing fails, too, on {place.python.release}"
    return ""


def state_of(rule: Mapping[str, str], shown: set[str]) -> str:
    """Return the state of a rule: broken if a published finding shows it, else not judged if the kit says broken."""
    if rule["rule"] in shown:
        return State.BROKEN.value
    return State.OPEN.value if rule["state"] == State.BROKEN.value else rule["state"]
