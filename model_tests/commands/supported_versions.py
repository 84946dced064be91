"""The versions of CPython that loopspec supports, and a sentence for a newer one.

Supported means: `make check` passes on the version, all that the documents show is run on it, and each difference of
its asyncio from the reference is stated.  The reference is the documentation of the newest.
"""

import sys
from typing import Final

SUPPORTED: Final = ("3.11", "3.12", "3.13", "3.14", "3.15")


def too_new(version: tuple[int, ...] = sys.version_info[:2]) -> str:
    """Return a sentence for a Python that is newer than those of SUPPORTED; "" for all others."""
    newest = tuple(map(int, SUPPORTED[-1].split(".")))
    if version[:2] <= newest:
        return ""
    here = ".".join(map(str, version[:2]))
    return (
        f"Python {here} is newer than those that loopspec supports ({SUPPORTED[0]} to {SUPPORTED[-1]}): "
        "its asyncio may differ from the rules"
    )
