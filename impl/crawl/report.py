"""The final report of a crawl, as lines of plain text.

A pure function of the records and the time they took: the same crawl gives the same report, to the byte.  Totals come
first, then the URLs that concern a site's owner: errors with the least of their referrers, redirect cycles, and
redirects that were cut because their budget was used up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from .record import Record

#: A section names at most this many URLs; the rest is counted.
SHOWN = 10
#: The error of a URL that was not fetched because its owner does not want it: it is not broken.
NOT_ASKED = "robots"


def report(
    rows: Sequence[Record],
    cut: Sequence[tuple[str, str]],
    elapsed_ns: int | None,
    of_what: str = "",
    before: int = 0,
) -> list[str]:
    """The lines of the report.

    `rows`: sorted records; `cut`: the result of `Frontier.cut`; `elapsed_ns`: nanoseconds, None if they are not known;
    `of_what`: a text printed after the time, " of virtual time" for instance; `before`: how many of the records are
    those of an earlier run, whose time does not count.
    """
    return [
        _headline(len(rows), before, elapsed_ns, of_what),
        *_summary(rows),
        *_section("errors", _errors(rows)),
        *_section("not allowed by robots.txt", [row.url for row in rows if row.error == NOT_ASKED]),
        *_section("redirects in a circle", [" -> ".join(cycle) for cycle in redirect_cycles(rows)]),
        *_section("redirects not followed: budget used up", [f"{url} -> {target}" for url, target in cut]),
    ]


def is_broken(rows: Sequence[Record]) -> bool:
    """Whether some URL leads to no document: it ended in an error, or in a circle of redirects."""
    return any(row.error not in (None, NOT_ASKED) for row in rows) or bool(redirect_cycles(rows))


def _headline(urls: int, before: int, elapsed_ns: int | None, of_what: str) -> str:
    head = _count(urls, "URL")
    if elapsed_ns is None:
        return head
    now = f", {urls - before:,} of them now," if before else ""
    speed = f", {(urls - before) / elapsed_ns * 1e9:,.1f} URLs a second" if elapsed_ns else ""
    return f"{head}{now} in {elapsed_ns / 1e9:,.3f} s{of_what}{speed}"


def _summary(rows: Sequence[Record]) -> Iterator[str]:
    outcomes = Counter(row.outcome for row in rows)
    yield _line("outcome", ((kind, outcomes[kind]) for kind in ("page", "redirect", "error")))
    yield _line("status", sorted(Counter(str(row.status or "none") for row in rows).items()))
    if outcomes["error"]:
        yield _line("error", sorted(Counter(row.error for row in rows if row.error is not None).items()))
    yield f"  {'size':<9} {_count(sum(row.size for row in rows), 'byte')}"


def _line(head: str, counts: Iterable[tuple[str, int]]) -> str:
    return f"  {head:<9} " + "   ".join(f"{name} {count:,}" for name, count in counts)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield f"{title} ({len(lines):,})"
        yield from (f"  {line}" for line in lines[:SHOWN])
        if len(lines) > SHOWN:
            yield f"  and {len(lines) - SHOWN:,} more"


def _errors(rows: Sequence[Record]) -> list[str]:
    """One line per error: its kind, its URL, and the first URL in order that leads there."""
    referrers: dict[str, str] = {}
    for row in rows:
        for url in row.links if row.target is None else (row.target,):
            referrers.setdefault(url, row.url)
    return [
        f"{str(row.status) if row.error == 'status' else row.error:<12} {row.url}"
        + (f"  (from {referrers[row.url]})" if row.url in referrers else "")
        for row in rows
        if row.error not in (None, NOT_ASKED)
    ]


def redirect_cycles(rows: Iterable[Record]) -> list[tuple[str, ...]]:
    """The redirect cycles among the records: each once, from its least URL back to it, sorted."""
    onward = {row.url: row.target for row in rows if row.target is not None}
    cycles: list[tuple[str, ...]] = []
    settled: set[str] = set()  # used for membership only
    for start in sorted(onward):
        walk: dict[str, None] = {}
        url: str | None = start
        while url is not None and url not in settled and url not in walk:
            walk[url] = None
            url = onward.get(url)
        if url is not None and url in walk:  # the walk has returned to `url`
            path = list(walk)
            ring = path[path.index(url) :]
            least = ring.index(min(ring))
            cycles.append((*ring[least:], *ring[: least + 1]))
        settled.update(walk)
    return sorted(cycles)
