"""Known bugs of released versions of asyncio, which vectors, programs and the conformance kit find again.

A bug breaks rules, in some versions.  Where two bugs break one rule, `shown_by` distinguishes them: the names of the
vectors that show this one, or their prefixes.  A rule that is broken in a version without a known bug of that rule is a
finding.  `fixed` has the patch releases that mended a bug in a version that had it.  TRIED are the releases
on which each bug of theirs was found, and no other.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..releases import Release, includes, parsed, text
from ..tables import texts


@dataclass(frozen=True)
class Bug:
    """A known bug.

    `issue` are its issues, `name` is the affected API, `wrong` describes the defect.  `rules` are the rules that it
    breaks, the main one first.  `since` is the first release with it, `before` the first version that never had
    it, `fixed` are the patch releases that mended it in versions before.  If the documentation has `promised` the
    right behaviour since a version, no implementation need have it before.
    """

    issue: str
    name: str
    wrong: str
    rules: tuple[str, ...]
    since: Release
    before: Release
    shown_by: tuple[str, ...] = ("",)
    fixed: tuple[Release, ...] = ()
    promised: bool = False

    def meets(self, release: Release) -> bool:
        """Return whether that release has it."""
        return includes(self.since, self.before, self.fixed, release)

    @property
    def releases(self) -> str:
        """The releases that have it, in words."""
        return text(self.since, self.before, self.fixed)

    def shown(self, vector: str) -> bool:
        """Return whether that vector shows it."""
        return vector.startswith(self.shown_by)


#: The releases on which each bug of their version was found.
TRIED: Final = (
    *((3, 6, 15), (3, 7, 16), (3, 8, 18), (3, 9, 18), (3, 10, 13), (3, 11, 7), (3, 12, 1)),
    *((3, 13, 0), (3, 13, 18), (3, 14, 10), (3, 15, 2)),
)

#: PyPI's asyncio 3.4.3, for Python 3.3, counts as version 3.4.
OLDEST: Final = (3, 4)

#: The first line of a bug in a text; the releases are as in `Bug.releases`.
_HEAD: Final = re.compile(r"(.+): (.+): (.+), (\S+) to before (\S+?)(?:, fixed in (.+))?( \(promised\))?")


def bugs(text: str) -> tuple[Bug, ...]:
    """Return the bugs of a text, each with its first line, its description, and the vectors that show it."""
    found = []
    for entry in re.split(r"\n(?=\S)", text.strip()):
        first, wrong, *shown_by = entry.split("\n")
        head = _HEAD.fullmatch(first)
        assert head, f"not the first line of a bug: {first}"
        issue, name, rules, since, before, fixed, promised = head.groups(default="")
        mended = tuple(map(parsed, filter(None, fixed.split(" and "))))
        shown = tuple(line.removeprefix("    - ") for line in shown_by) or ("",)
        broken = tuple(rules.split())
        releases = parsed(since), parsed(before)
        found.append(Bug(issue, name, wrong.strip(), broken, *releases, shown, mended, bool(promised)))
    return tuple(found)


_OF_VECTORS, _OF_FACTS = texts(Path(__file__).with_suffix(".txt")).values()
# The last one was in the first releases of 3.10, too.
BUGS: Final = bugs(_OF_VECTORS)
#: Bugs that no vector shows, but facts of the conformance kit: `shown_by` has their sentences.
# The first one was seen in 3.14.10 and 3.15.2, not in 3.14.2 and 3.15.0rc1.
OF_FACTS: Final = bugs(_OF_FACTS)


def bugs_of(rule: str) -> list[Bug]:
    """Return the bugs that break a rule, those that vectors show first."""
    return [bug for bug in (*BUGS, *OF_FACTS) if rule in bug.rules]
