"""Text of a server as it is shown: in a report, in XML, in a spreadsheet."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from .findings import LinkSource


def printable(text: str) -> str:
    r"""`text` with control characters, terminal escapes, marks of direction and the like as \x1b; lines stay."""
    return "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode("ascii")
        for each in text
    )


def source(where: LinkSource) -> str:
    """A place as a report names it: page, line, element if it is not `a`, text, redirects."""
    place, via = where
    shown = place.page
    if place.line:
        element = "" if place.element == "a" else f", {place.element}"
        text = f': "{printable(place.text)}"' if place.text else ""
        shown += f", line {place.line}{element}{text}"
    return shown + (f", by way of {' and '.join(via)}" if via else "")


def xml_text(text: str) -> str:
    """`text` as the content of an XML element; XML has no control characters, not even escaped."""
    return escape(printable(text))


def xml_value(text: str) -> str:
    """`text` as the value of an XML attribute, with its quotes."""
    return quoteattr(printable(text))


def cell(text: str) -> str:
    """`text` as the cell of a spreadsheet, which must not take it for a formula (OWASP, CSV injection)."""
    text = printable(text)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text
