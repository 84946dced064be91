"""The final report of a crawl, as lines of plain text.

A pure function of the records and the time they took: the same crawl gives the same report, to the byte.  Totals come
first, then the URLs that concern a site's owner: errors with the least of their referrers, redirect cycles, and
redirects that were cut because their budget was used up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ..checks.findings import NOT_ASKED, BrokenLink, Findings, redirect_cycles
from ..checks.formats import FORMATS, TEXT, source
from ..record import Record

#: A section names at most this many URLs; the rest is counted.
SHOWN = 10


def report(
    rows: Sequence[Record],
    cut: Sequence[tuple[str, str]],
    elapsed_ns: int | None,
    of_what: str = "",
    before: int = 0,
    found: Findings | None = None,
) -> list[str]:
    """The lines of the report.

    `rows`: sorted records; `cut`: the result of `Frontier.cut`; `elapsed_ns`: nanoseconds, None if they are not known;
    `of_what`: a text printed after the time, " of virtual time" for instance; `before`: how many of the records are
    those of an earlier run (its time does not count); `found`: the findings of a link checker, if it was
    asked.
    """
    return [
        _headline(len(rows), before, elapsed_ns, of_what),
        *_summary(rows),
        *_section("errors", _errors(rows) if found is None else _broken(found.broken)),
        *_section("missing fragments", _broken(found.missing if found else ())),
        *_section("not allowed by robots.txt", [row.url for row in rows if row.error == NOT_ASKED]),
        *_section("chains of redirects", [" -> ".join(urls) for urls in (found.chains if found else ())]),
        *_section("https pages with http resources", [f"{a}  {b}" for a, b in (found.mixed if found else ())]),
        *_section("slow", [f"{ms / 1000:.3f} s  {url}" for url, ms in (found.slow if found else ())]),
        *_section("redirects in a circle", [" -> ".join(cycle) for cycle in redirect_cycles(rows)]),
        *_section("redirects not followed: budget used up", [f"{url} -> {target}" for url, target in cut]),
    ]


def formatted(
    form: str,
    rows: Sequence[Record],
    cut: Sequence[tuple[str, str]],
    found: Findings,
    elapsed_ns: int | None = None,
    before: int = 0,
) -> Iterable[str]:
    """The lines of a format of --format; the other parameters are those of `report`."""
    if form == TEXT:
        return report(rows, cut, elapsed_ns, before=before, found=found)
    return FORMATS[form](rows, found)


def is_broken(found: Findings) -> bool:
    """Whether some URL leads to no document, or a fragment is missing in it: a circle of redirects leads to none."""
    return bool(found.broken or found.missing or found.circles)


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
        yield from (f"  {line}" for item in lines[:SHOWN] for line in item.split("\n"))
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


def _broken(found: Sequence[BrokenLink]) -> list[str]:
    """An item for each: the problem, the URL, and then the places that refer to it."""
    items = []
    for each in found:
        lines = [f"{each.problem:<12} {each.url}", *(f"    from {source(where)}" for where in each.sources)]
        if more := each.count - len(each.sources):
            lines.append(f"    and from {more:,} more")
        items.append("\n".join(lines))
    return items
