"""Rules that are stated in a sentence only, and shown by examples: most of them about asyncio's names.

A specification of this package states a rule as an action or a property.  Some rules gain nothing by that: the result
of a call, the text of a message, the way a combinator puts tasks together.  They are in promises.txt, in the form of a
docstring of a specification (`kit/rules.py`): identifier, sentence, source, standing; so every rule is stated once, and
can be found by its name.  A rule is of the *names* if it can be seen through a namespace with asyncio's names: the test
vectors and the conformance kit show it there.  A rule of the *loop* is tested on our own loop only, one of the *crawl*
on crawls, and one of the *kernel* on the kernel of simulated runs, which has no names of asyncio.

Sources are pages of CPython's documentation of asyncio (3.15) and their sections, files of CPython, and its issues.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, cast, get_args

from .kit.core import IDENTIFIER
from .kit.rules import CITED, Promise, PromiseStanding, Where

#: The rules: after a head, which names what they are of, those rules.
TABLE: Final = Path(__file__).with_suffix(".txt")
#: Matches before a line that begins a rule.
BEGIN: Final = re.compile(rf"\n+(?={IDENTIFIER}: )")


def promises(table: str) -> Iterator[Promise]:
    """The rules of a table such as TABLE, in their order."""
    first, *parts = re.split(r"^# (.+)\n", table, flags=re.MULTILINE)
    assert not first, f"rules without a head: {first}"
    for where, rules in zip(parts[::2], parts[1::2], strict=True):
        assert where in get_args(Where), f"# {where}: not one of {get_args(Where)}"
        for given in BEGIN.split(rules.strip()):
            rule, _, text = " ".join(given.split()).partition(": ")
            cited = CITED.fullmatch(text)
            assert cited, f"{rule} has no source"
            source, _, standing = cited["source"].rpartition("; ")
            yield Promise(rule, cited["sentence"].strip(), source, cast(PromiseStanding, standing), cast(Where, where))


PROMISES: Final = tuple(promises(TABLE.read_text(encoding="utf-8")))
