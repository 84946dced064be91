"""A baseline: the findings of a subject that its author accepts for now; a test fails only for others.

It is a file of JSON.  A finding is known again by its rule, its kind and its sentence: programs and lines may change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, NamedTuple

from impl.bridges.own_packages import located
from impl.commands.options import UsageError

from ..subjects.subject import AS, split
from .finding import Finding, Rejection
from .sentence import sentence

#: The value of "loopspec" in such a file.
MARK: Final = "conform baseline"


class KnownFinding(NamedTuple):
    """The parts of a finding that make it known again, and the rules that break with it."""

    rule: str
    kind: str
    sentence: str
    also: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: Finding | Rejection) -> KnownFinding:
        """Return it of a finding."""
        if isinstance(found, Rejection):
            return cls(", ".join(found.rules), "machine", found.title)
        return cls(found.rule, found.kind, sentence(found), found.also)

    def is_again(self, other: KnownFinding) -> bool:
        """Return whether both are the same finding."""
        return self[:3] == other[:3]

    def line(self) -> str:
        """Return it as a line of the report."""
        return f"{self.sentence}: {self.rule or 'no rule'}"


@dataclass(frozen=True)
class Baseline:
    """The accepted findings of a subject, by its dotted name."""

    subject: str
    accepted: tuple[KnownFinding, ...] = ()

    @classmethod
    def read(cls, path: Path, subject: str) -> Baseline:
        """Read the file of this subject.

        Raises:
            UsageError: there is none, it is no baseline, or one of another subject.
        """
        update = "write it with --update-baseline"
        try:
            made = json.loads(path.read_text(encoding="utf-8"))
            if made["loopspec"] != MARK:
                raise ValueError
            entries = (KnownFinding(**{**each, "also": tuple(each["also"])}) for each in made["accepted"])
            found = cls(str(made["subject"]), tuple(entries))
            for each in found.accepted:
                "".join((*each[:3], *each.also))  # all are strings
        except FileNotFoundError:
            raise UsageError(f"there is no baseline {path}: {update}") from None
        except OSError as error:
            raise UsageError(f"cannot read the baseline {path}: {error.strerror}") from None
        except (ValueError, TypeError, KeyError):
            raise UsageError(f"{path} is no baseline of loopspec conform: {update}, to another file") from None
        if found.subject != name_of(subject):
            raise UsageError(f"{path} is the baseline of {found.subject}, not of {name_of(subject)}: give each a file")
        return found

    def accepts(self, found: KnownFinding) -> bool:
        """Return whether a finding is accepted, and so are the rules that break with it."""
        rules = {rule for each in self.accepted for rule in (each.rule, *each.also)}
        return any(map(found.is_again, self.accepted)) and rules.issuperset(found.also)

    def updated(self, found: Iterable[KnownFinding], tested: Callable[[str], bool]) -> Baseline:
        """Return it with these findings in the place of those that were tested again."""
        kept = [each for each in self.accepted if not tested(each.rule)]
        return Baseline(self.subject, tuple(sorted({*kept, *found})))

    def gone(self, found: Collection[KnownFinding], tested: Callable[[str], bool]) -> list[KnownFinding]:
        """Return the accepted findings that are no longer there, of the rules that were tested."""
        return [each for each in self.accepted if not any(map(each.is_again, found)) and tested(each.rule)]

    def text(self) -> str:
        """Return the file."""
        accepted = [each._asdict() for each in self.accepted]
        return json.dumps({"loopspec": MARK, **asdict(self), "accepted": accepted}, indent=1) + "\n"


NO_BASELINE: Final = Baseline("")


def name_of(subject: str) -> str:
    """Return the name that a subject has wherever its folder is: MODULE, or MODULE:CLASS."""
    path, thing = split(subject.partition(AS)[0])
    dotted = located(Path(path).resolve())[1] if path.endswith(".py") else path
    return f"{dotted}:{thing}" if thing else dotted
