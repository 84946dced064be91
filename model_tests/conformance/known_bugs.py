"""The known bugs of a version of asyncio, and when they excuse a subject.

The bugs are listed in `programs/vectors/known_bugs.txt`, each under the first rule that it breaks, or by the
facts that show it.  A bug excuses a difference only if the subject's code is asyncio's or derives from it, or if the
documentation promises the right behaviour only since a later version.
"""

from ..programs.releases import THIS, Release
from ..programs.vectors.known_bugs import BUGS, OF_FACTS, Bug


def known(rule: str, own: frozenset[str] = frozenset(), version: Release = THIS) -> Bug | None:
    """Return the bug of that version that breaks `rule`; not in `own` names, unless a later version promises better."""
    for bug in BUGS:
        if rule == bug.rules[0] and bug.meets(version) and (bug.promised or bug.name not in own):
            return bug
    return None


def known_of_fact(fact: str, own: frozenset[str] = frozenset(), version: Release = THIS) -> Bug | None:
    """Return the bug of that version that a fact shows, by its sentence, unless it is in an `own` name."""
    for bug in OF_FACTS:
        if fact in bug.shown_by and bug.meets(version) and bug.name not in own:
            return bug
    return None
