"""The journal of a crawl: JSON Lines, a head and then one record for each URL, in order of completion.  No I/O.

1.  The head names the format, its version and the settings that the result depends on: roots, scope, limits.  A crawl
    goes on from a journal only if its own settings are the same.
2.  A line is written whole or not at all, so only the last line can be *torn*: it has no line feed, and is dropped.
3.  The records of a crawl that was stopped at any moment are a state below the least fixpoint of the site
    (frontier.py): `replay` completes their URLs without a fetch, in any order, and the crawl goes on from there
    (CRAWL-6).  The `budget` of a line is the one known when its URL was done; a replay computes the final ones.

Source: jsonlines.org; the free theorem of the least fixpoint (chaotic iteration: steps are joins, and joins commute).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from ...web.outcome import ERRORS
from ...web.reference import Reference
from ...web.url import canonical
from ..frontier import Frontier
from ..record import KEYS, Record, json_line, outcome_of, record
from .append_file import FileError

#: The values of the settings.  Any: JSON.
Settings = Mapping[str, Any]

#: Raised whenever the meaning of a line changes.
VERSION: Final = 2

_HEAD: Final = {"journal": "loopspec crawl", "version": VERSION}
_SHOWN: Final = 80
#: A URL may be as long as its server likes, a line of an error may not.
_LONG: Final = 500
_MOST: Final = 1 << 63
_LISTS: Final = ("links", "resources", "references", "anchors")


#: Called with a record of a journal, and where its line begins, in bytes.
Seen = Callable[[Record, int], object]


class JournalError(FileError):
    """A file is no journal, or that of another crawl; the text is one line."""


@dataclass(frozen=True, slots=True)
class Journal:
    """The contents of a journal.

    settings: those of its head; None: not even the head is whole.  rows: its records, bare.  whole: the bytes of its
    whole lines; torn: the bytes after them.
    """

    settings: Settings | None
    rows: list[Record]
    whole: int
    torn: int


def head(settings: Settings) -> bytes:
    """The first line of a journal; `settings` must be JSON."""
    return (json.dumps({**_HEAD, **settings}) + "\n").encode("ascii")


def line(row: Record) -> bytes:
    """The line of one record."""
    return json_line(row).encode("ascii")


def decode(lines: Iterable[bytes], seen: Seen | None = None) -> Journal:
    """Read a journal.

    Parameters:
        lines: with their line feeds, as a binary file yields them.
        seen: called with each record as it is read, and where its line begins; the journal keeps the bare ones.

    Raises:
        JournalError: a whole line is not in this version's format, or a URL is recorded twice.
    """
    settings: Settings | None = None
    rows: dict[str, Record] = {}
    whole = torn = 0
    for number, text in enumerate(lines, 1):
        if not text.endswith(b"\n"):
            torn = len(text)
            break
        if settings is None:
            settings = _settings(text)
        else:
            row = row_of(text, number)
            if row.url in rows:
                raise JournalError(f"line {number}: {_cut(row.url)} is recorded a second time; {_cure(number)}")
            rows[row.url] = row.bare()
            if seen is not None:
                seen(row, whole)
        whole += len(text)
    return Journal(settings, list(rows.values()), whole, torn)


def must_agree(found: Settings, expected: Settings) -> None:
    """Check that a journal with the settings `found` is one of the crawl with the settings `expected`.

    Raises:
        JournalError: it is not; the text names the first setting that differs.
    """
    expected = json.loads(json.dumps(expected))  # a tuple is a list in JSON
    for name in dict.fromkeys((*expected, *found)):
        if name not in found or name not in expected or found[name] != expected[name]:
            theirs, ours = (_shown(each.get(name)) for each in (found, expected))
            which = _shown(name).strip('"')
            raise JournalError(f"it is the journal of another crawl: its {which} is {theirs}, not {ours}")


def replay(frontier: Frontier, rows: Iterable[Record]) -> None:
    """Complete the recorded URLs in `frontier`, which has the roots already, without a fetch.

    The order of `rows` does not matter.

    Raises:
        JournalError: no record leads to a recorded URL, or a link is not canonical; `frontier` is not to be used.
    """
    known = {row.url: row for row in rows}
    todo = list(frontier.queued)
    while todo:
        url = todo.pop()
        row = known.pop(url, None)
        if row is None:
            continue
        frontier.start(url)
        try:
            todo += frontier.complete(url, outcome_of(row))
        except ValueError as error:
            raise JournalError(_cut(f"the record of {url}: {error}")) from None
    for url in known:
        raise JournalError(f"nothing that is recorded leads to {_cut(url)}: a line before its record was removed")


def _settings(text: bytes) -> Settings:
    value = _json(text)
    if not isinstance(value, dict) or value.get("journal") != _HEAD["journal"]:
        raise JournalError("it is not the journal of a crawl")
    if value.get("version") != VERSION:
        raise JournalError(f"it is a journal of version {_shown(value.get('version'))}; this program reads {VERSION}")
    return {name: value[name] for name in value if name not in _HEAD}


def row_of(text: bytes, number: int) -> Record:
    """The record of a line, which is that of a number.

    Raises:
        JournalError: it is none that this version writes.
    """
    value = _json(text)
    try:
        if not isinstance(value, dict) or tuple(value) != KEYS:
            raise ValueError
        lists = {key: tuple(value[key]) for key in _LISTS if type(value[key]) is list}
        if len(lists) < len(_LISTS):
            raise ValueError
        lists["references"] = tuple(Reference(*each) for each in lists["references"])
        row = Record(**{**value, **lists})
        if not _plausible(row):
            raise ValueError
    except (TypeError, ValueError):
        raise JournalError(f"line {number} is not a record; {_cure(number)}") from None
    return row


def _plausible(row: Record) -> bool:
    """Whether `row` is the record of some outcome; a TypeError says no, too."""
    lines = (each.line for each in row.references)
    numbers = (row.budget, row.size, row.tries, row.status or 0, row.slow_ms or 0, *lines)
    texts = (row.url, row.content_type, row.target or "", row.error or "", row.fragment)
    lists = (row.links, row.resources, row.anchors, *((a, b, c, e) for a, b, c, _, e in row.references))
    return (
        all(type(each) is int and 0 <= each < _MOST for each in numbers)
        and all(type(each) is str for each in chain(texts, *lists))
        and canonical(row.url) == row.url
        and (row.target is None or canonical(row.target) == row.target)
        and (row.error is None or row.error in ERRORS)
        and (row.outcome == "error") == (row.error is not None)
        and record(row.url, outcome_of(row), row.budget, row.tries, row.slow_ms) == row
    )


def _json(text: bytes) -> object:
    """The value of a line; None, which no line has, if it is not JSON."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _shown(value: object) -> str:
    """A value of a file on one line, without control characters."""
    return json.dumps(value)[:_SHOWN]


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_LONG]}..."


def _cure(number: int) -> str:
    """Any prefix of a journal is a journal."""
    return f"remove the file's lines from {number} on to go on from those before"
