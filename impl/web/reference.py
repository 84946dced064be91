"""A link checker's notes of a page besides its links: where each reference to a URL stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple


@dataclass(frozen=True, slots=True)
class Check:
    """The parts of a page that are read besides its links: references always; the resources and fragments, if they are
    checked.
    """

    resources: bool = False
    fragments: bool = False


#: By the names of the option --check.
CHECKS: Final = {
    "links": Check(),
    "fragments": Check(fragments=True),
    "all": Check(resources=True, fragments=True),
}

#: The URL standard drops tabs and line ends within a URL.
_DROPPED: Final = dict.fromkeys(map(ord, "\t\n\r"))


class Reference(NamedTuple):
    """A reference to the canonical `url`.

    fragment: without "#", "" for none, or where fragments are not checked; element: its name; line: of the element's
    tag, from 1; text: of the element, or its alternative text, with white space collapsed and cut.
    """

    url: str
    fragment: str
    element: str
    line: int
    text: str


def bare_fragment(text: str) -> str:
    """The fragment of a URL reference, "" for none, or if it means the top (HTML standard, 7.4.6.4).

    Directives, such as text to highlight, are no part of it (WICG, URL fragment text directives).
    """
    asked = text.partition("#")[2].strip(" \f\t\r\n").translate(_DROPPED).partition(":~:")[0]
    return "" if asked.lower() == "top" else asked
