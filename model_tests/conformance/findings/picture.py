"""The scenes of a finding of the conformance kit: the lines of the subject, beside those that the rule demands."""

from collections.abc import Sequence
from typing import Final

from impl.picture import Row, Scene

from ...programs.script import shared
from ..normal import Line
from .finding import Finding
from .sentence import sentence

_MS: Final = 1_000_000


def scenes_of(finding: Finding) -> list[Scene]:
    """Return two scenes: the lines that were seen, and the expected ones; moved lines are a turned pair."""
    lanes = list(dict.fromkeys(actor for _, actor, *_ in [*finding.expected, *finding.seen]))
    turned = _turned(finding.seen, finding.expected)
    program = finding.text()
    also = [f"also: {', '.join(finding.also)}"] if finding.also else []
    return [
        Scene(
            f"{finding.rule}: what {finding.subject} does",
            tuple(lanes),
            _rows(
                finding.seen,
                finding.expected,
                lanes,
                turned,
                finding.rule,
                "differs from what the rule demands",
            ),
            (sentence(finding), *also),
            program,
        ),
        Scene(
            "what the rule demands",
            tuple(lanes),
            _rows(finding.expected, finding.seen, lanes, turned, finding.rule, "is not so in the other run"),
        ),
    ]


def _turned(seen: Sequence[Line], expected: Sequence[Line]) -> dict[tuple[object, ...], int]:
    """The lines that both have once, and that have changed places with another: each with the number of its pair."""
    one, other = [_said(line) for line in seen], [_said(line) for line in expected]
    both = [line for line in one if one.count(line) == other.count(line) == 1]
    place = {line: other.index(line) for line in both}
    turned = [
        line
        for n, line in enumerate(both)
        if any((m < n) != (place[each] < place[line]) for m, each in enumerate(both) if m != n)
    ]
    return {line: number for number, line in enumerate(turned, 1)}


def _said(line: Line) -> tuple[object, ...]:
    """A line without its time."""
    return tuple(line[1:])


def _rows(
    lines: Sequence[Line],
    others: Sequence[Line],
    lanes: Sequence[str],
    turned: dict[tuple[object, ...], int],
    rule: str,
    wrong: str,
) -> tuple[Row, ...]:
    alike = shared(list(lines), list(others))
    rows = []
    for place, line in enumerate(lines):
        time, actor, what, outcome = line
        pair = turned.get(_said(line))
        rows.append(
            Row(
                lanes.index(actor),
                f"{what} → {outcome}" if outcome else what,
                time=int(time * _MS),
                rule="" if place in alike else rule,
                fault="" if place in alike else wrong,
                pairs=() if pair is None else (pair,),
            )
        )
    return tuple(rows)
