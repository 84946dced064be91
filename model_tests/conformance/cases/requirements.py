"""The methods without which no program shows a rule broken."""

from collections.abc import Callable, Collection
from functools import partial
from typing import Final

from ...programs.enumeration import Program
from ..normal import strings

#: A rule, and the methods without which no program shows it.
NEEDS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("QUEUE-30", "QUEUE-31", "QUEUE-32"), (".shutdown",)),
    **dict.fromkeys(("QUEUE-6", "QUEUE-7", "QUEUE-15", "QUEUE-16"), (".join",)),
    **dict.fromkeys(("QUEUE-21", "QUEUE-12", "QUEUE-13"), (".put",)),
    "COND-6": (".notify", ".cancel"),
    "COND-7": (".wait_for",),
    "COND-8": (".notify_all",),
    "CANCEL-6": (".uncancel",),
    "FUT-10": (".remove_done_callback",),
}


def can_show(rules: Collection[str], program: Program) -> bool:
    """Return whether a program calls what one of these rules is about."""
    words = list(strings(program))
    return any(all(any(word.endswith(each) for word in words) for each in NEEDS.get(rule, ())) for rule in rules)


def needed(rule: str, program: Program) -> Callable[[Program], bool]:
    """Return the condition that smaller programs can still show the rule, if the program itself can."""
    return partial(can_show, [rule]) if can_show([rule], program) else lambda smaller: True
