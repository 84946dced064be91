"""Releases of CPython, as tuples of numbers: (3, 13) is 3.13.0; and those that a bug or a difference is in."""

import re
import sys
from typing import Final

Release = tuple[int, ...]
THIS: Final[Release] = sys.version_info[:3]


def includes(since: Release, before: Release, fixed: tuple[Release, ...], release: Release) -> bool:
    """Return whether a release is from `since` to before `before`, and no later than a fix in its minor version.

    Parameters:
        fixed: patch releases, in minor versions before `before`, that have the fix; so have those after them.
    """
    return since <= release < before and not any(fix[:2] == release[:2] and fix <= release for fix in fixed)


def text(since: Release, before: Release, fixed: tuple[Release, ...]) -> str:
    """Return these releases in words: 3.13 to before 3.16, fixed in 3.14.10 and 3.15.2."""
    fixes = " and ".join(map(dotted, fixed))
    return f"{dotted(since)} to before {dotted(before)}" + (f", fixed in {fixes}" if fixes else "")


def parsed(release: str) -> Release:
    """Return a release from its text, "3.13" or "3.14.10"; a candidate, "3.16.0rc1", as its final release."""
    return tuple(map(int, re.findall(r"\d+", release)[:3]))


def dotted(release: Release) -> str:
    """Return a release as CPython writes it: 3.13.18."""
    return ".".join(map(str, release))
