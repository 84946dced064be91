"""A badge that a project may show: how many of the rules that were judged its implementation keeps, as an SVG."""

from collections.abc import Mapping
from html import escape
from typing import Final

from ..judge import State

LABEL: Final = "loopspec"
#: Pixels: of a character, of the space around a text, and of the badge.
_CHAR, _SPACE, _HEIGHT = 6.5, 6, 20
_GREY, _GREEN, _RED = "#444", "#2e7d32", "#b3261e"
_FONT: Final = 'font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" fill="#fff"'


def kept(counts: Mapping[State, int]) -> tuple[int, int]:
    """Return how many rules are not broken, and how many were judged.

    A difference in timing keeps the rules, as the documentation leaves the timing free; so does a known bug of asyncio,
    which is not the subject's.  A rule that is not exercised or not judged counts on neither side.
    """
    good = sum(counts.get(state, 0) for state in (State.HELD, State.TIMING, State.KNOWN))
    return good, good + counts.get(State.BROKEN, 0)


def badge(subject: str, counts: Mapping[State, int]) -> str:
    """Return the badge.

    Parameters:
        subject: the name of the subject, with version and Python, for the text that a pointer shows.
        counts: the number of rules in each state.
    """
    good, judged = kept(counts)
    said = f"{good} of {judged} rules"
    whole = ", ".join(f"{number} {state.value}" for state, number in counts.items() if number)
    left, right = (round(_CHAR * len(text)) + 2 * _SPACE for text in (LABEL, said))
    colour = _GREEN if good == judged else _RED
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{_HEIGHT}" role="img"'
        f' aria-label="{LABEL}: {said}">\n'
        f"<title>{escape(subject)}: {whole}</title>\n"
        f'<rect width="{left + right}" height="{_HEIGHT}" rx="3" fill="{colour}"/>\n'
        f'<path d="M3 0h{left - 3}v{_HEIGHT}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="{_GREY}"/>\n'
        f"{_drawn(LABEL, 0, left)}{_drawn(said, left, right)}</svg>\n"
    )


def _drawn(text: str, x: int, width: int) -> str:
    """A text of exactly the width that it has, whatever the font is."""
    return f'<text x="{x + _SPACE}" y="14" textLength="{width - 2 * _SPACE}" {_FONT}>{text}</text>\n'
