"""The table of assurance: of each rule, all that would notice if it were broken.

    python -m model_tests.assurance.table            write spec/assurance.json
    python -m model_tests.assurance.table --check    compare it with the present state; exit status 1 if it differs

Its sources are files that checks store and keep fresh: the pinned premises of the proofs, the pinned counts of
the search, the wrong texts, which of them one rule alone refutes (`mutation/only.json`), the vectors and the programs
of the kit, its facts, the numbers of runs that tests hold to a specification, the list of known bugs; and the tests
that name a rule.  A rule with nothing but names is an error: it could be broken unnoticed.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from spec.cases import CASES
from spec.kit.assurance import FILE, Row, load, text
from spec.kit.bounded import Fails, Holds, rewritten
from spec.kit.core import Named, Spec
from spec.kit.prove import premises
from spec.kit.prove.case import INITIALLY, POSSIBLE, Obligation
from spec.kit.prove.case import Case as Proof
from spec.kit.rules import NAMED
from spec.promises import PROMISES
from spec.registry import REGISTRY

from ..conformance.cases.sources import Case, catalogue, enumeration
from ..conformance.facts.fact import Fact, facts
from ..programs.vectors.known_bugs import Bug, bugs_of
from .mutation import evidence

TESTS: Final = Path(__file__).parents[1] / "tests"
#: The modules of tests that list the runs which they hold to a specification (`refinement/held.py`).
HOLDING: Final = (
    *("refinement.test_machines", "refinement.test_machine_stream", "refinement.test_traces_locks"),
    *("refinement.test_traces_queue", "refinement.test_traces_tasks", "crawl.test_frontier"),
    *("refinement.test_traces_callbacks", "refinement.test_traces_scopes", "refinement.test_traces_creation"),
    *("crawls.test_recorded", "crawls.test_faults", "sim.test_kernel", "sim.test_order"),
    "core.test_call_graph",
)


def gather() -> dict[str, Row]:
    """The rows of all rules: those of the specifications in their order, then the promises."""
    rows = {item.rule: Row() for spec in _specs() for item in _items(spec)}
    rows |= {promise.rule: Row() for promise in PROMISES}
    for instance in REGISTRY:
        for rule, row in _explored(instance) if isinstance(instance, Holds) else _wrong(instance):
            rows[rule] = _sum(rows[rule], row)
    for rule, row in (*_proved(), *_held()):
        rows[rule] = _sum(rows[rule], row)
    shown, played, named = _rules(catalogue()), _played(), _named()
    alone, stated = _alone(), _rules(facts().values())
    for rule, row in rows.items():
        broken = tuple(map(_broken, bugs_of(rule)))
        rows[rule] = replace(
            row,
            only=alone[rule],
            vectors=shown[rule],
            programs=played[rule],
            facts=stated[rule],
            tests=named[rule],
            broken=broken,
        )
    return rows


def _specs() -> Iterable[Spec[Any, Any]]:
    return {id(instance.spec): instance.spec for instance in REGISTRY}.values()


def _items(spec: Spec[Any, Any]) -> Iterator[Named]:
    for table in spec.tables():
        yield from table.values()


def _explored(holds: Holds) -> Iterator[tuple[str, Row]]:
    """Each rule of a specification in an instance; a leads-to property is checked in those without symmetry only."""
    if holds.counts is not None:
        seen = Row(instances=1, states=holds.counts.states, edges=holds.counts.edges)
        for item in _items(holds.spec):
            if holds.live or item.name not in holds.spec.progress:
                yield item.rule, seen


def _wrong(fails: Fails) -> Iterator[tuple[str, Row]]:
    """The rule that a wrong text breaks, and those of the actions that it writes in another way."""
    broken = fails.spec.properties.get(fails.broken)
    if broken is not None:
        yield broken.rule, Row(wrong=1)
    for right in rewritten(fails):
        yield right.rule, Row(wrong=1)


def _proved() -> Iterator[tuple[str, Row]]:
    """A row for each obligation and rule: a property has its own, an action those of all properties it must keep."""
    pins = premises.load()
    for case in CASES:
        pinned = pins[case.name].premises if case.name in pins else {}
        for obligation in case.obligations():
            if obligation not in case.false:
                row = Row(proved=int(obligation in pinned), obligations=1)
                for item in _concerned(case, obligation):
                    yield item.rule, row


def _concerned(case: Proof, obligation: Obligation) -> Iterator[Named]:
    """The rules that an obligation is about; that there are initial states is one about the assumptions."""
    spec = case.spec
    if obligation.action == INITIALLY:
        yield from (*spec.inits.values(), *(spec.assumes.values() if obligation.goal == POSSIBLE else ()))
    for name in dict.fromkeys(obligation.actions):
        yield spec.actions[name]
    if obligation.of in spec.properties:
        yield spec.properties[obligation.of]


def _alone() -> Counter[str]:
    """How many wrong texts each rule alone refutes; mutation/deletion.py tries the stored ones."""
    rules = {f"{spec.name}: {name}": item.rule for spec in _specs() for name, item in spec.properties.items()}
    return Counter(
        {rules[of]: len(entry.texts) for of, entry in evidence.read().items() if of in rules and entry.texts}
    )


def _held() -> Iterator[tuple[str, Row]]:
    """The runs that tests hold to a specification, for its actions and its rules of safety; or to a rule by itself."""
    specs = {spec.name: spec for spec in _specs()}
    for module in HOLDING:
        for held in import_module(f"..tests.{module}", __package__).HELD:
            many = len(held.runtimes)
            row = Row(machine=held.examples * many, traces=held.traces * many, runtimes=many)
            spec = specs.get(held.of)
            tables = (spec.actions, spec.invariants, spec.steps) if spec else ()
            rules = [item.rule for table in tables for item in table.values()] if spec else [held.of]
            yield from ((rule, row) for rule in rules)


def _rules(cases: Iterable[Case | Fact]) -> Counter[str]:
    """How many of the cases or facts show each rule."""
    return Counter(rule for case in cases for rule in dict.fromkeys(case.rules))


@cache
def _played() -> Counter[str]:
    """How many programs of the kit show each rule; they do not change while this runs, and there are thousands."""
    return _rules(enumeration())


def _named() -> Counter[str]:
    """How many files of tests, or of their texts, name each rule."""
    found: Counter[str] = Counter()
    for path in [*TESTS.rglob("*.py"), *TESTS.rglob("*.txt")]:
        found.update(set(NAMED.findall(path.read_text("utf-8"))))
    return found


def _broken(bug: Bug) -> str:
    """The releases that have a bug, and its issue."""
    return f"{bug.releases} ({bug.issue})"


def _sum(one: Row, two: Row) -> Row:
    """Both rows together; those of the search, the proofs and the runs only."""
    return Row(
        one.proved + two.proved,
        one.obligations + two.obligations,
        one.instances + two.instances,
        one.states + two.states,
        one.edges + two.edges,
        one.wrong + two.wrong,
        machine=one.machine + two.machine,
        traces=one.traces + two.traces,
        runtimes=max(one.runtimes, two.runtimes),
    )


def problems(rows: dict[str, Row]) -> Iterator[str]:
    """The rules with an empty row, and the obligations that are not proved."""
    for rule, row in rows.items():
        if row.empty:
            yield f"{rule}: nothing would notice if it were broken"
        if row.proved < row.obligations:
            yield f"{rule}: {row.obligations - row.proved} of {row.obligations} obligations are not proved"


def main(argv: Sequence[str] | None = None) -> int:
    """Write or check the table; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m model_tests.assurance.table", allow_abbrev=False)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if the file is not as it should be")
    options = parser.parse_args(argv)
    rows = gather()
    found = list(problems(rows))
    for line in found:
        print(line)
    if options.check and load() != rows:
        found.append("stale")
        print(f"{FILE.name} is not what is there now: run python -m model_tests.assurance.table")
    if not options.check:
        FILE.write_text(text(rows), encoding="utf-8", newline="\n")
    names = (
        *("proved", "states", "wrong", "only", "vectors", "programs", "facts", "machine", "traces"),
        *("tests", "broken"),
    )
    counts = (f"{name} {sum(bool(getattr(row, name)) for row in rows.values())}" for name in names)
    print(f"{len(rows)} rules: {', '.join(counts)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
