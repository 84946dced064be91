"""The findings in the records of a crawl are the same for every order of the records."""

from __future__ import annotations

import csv
import json
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from impl.crawl.checks.findings import BrokenLink, Checker, Findings, LinkSource, Stopwatch
from impl.crawl.checks.formats import FORMATS, SITEMAP_MAX, cell, printable
from impl.crawl.checks.places import PLACES_MAX, PlaceIndex, ReferringPlace
from impl.crawl.record import Record, record
from impl.crawl.results.report import is_broken
from impl.web.outcome import FetchFailure, Outcome, Page, Redirect
from impl.web.reference import Reference

HTML = "text/html"


def url(name: str) -> str:
    return f"http://a.test/{name}"


def page(*references: tuple[str, str, int], anchors: tuple[str, ...] = (), kind: str = HTML) -> Page:
    links = tuple(url(name) for name, _, _ in references)
    noted = tuple(Reference(url(name), asked, "a", at, f"{name} {at}") for name, asked, at in references)
    return Page(links, 200, 1, kind, (), noted, anchors)


def seen(site: dict[str, Outcome], chance: Random | None = None) -> Findings:
    rows = [record(url(name), each, 3, 1) for name, each in sorted(site.items())]
    order = chance.sample(rows, len(rows)) if chance else rows
    checker = Checker()
    for row in order:
        checker.see(row)
    return checker.found([row.bare() for row in rows])


def broken(name: str, problem: str, *sources: LinkSource) -> BrokenLink:
    return BrokenLink(url(name), problem, sources, len(sources))


def source(page: str, line: int, text: str, *via: str) -> LinkSource:
    return LinkSource(ReferringPlace(url(page), line, "a", text), tuple(map(url, via)))


#: Fragments that are there, that are missing, behind redirects, of a text, and of a page that is broken.
SITE: dict[str, Outcome] = {
    "": page(
        *(("", "here", 1), ("", "gone", 2), ("x", "", 3), ("x", "y", 4), ("r", "gone", 5), ("t", "any", 6)),
        anchors=("here", "café"),
    ),
    "p": page(("", "caf%C3%A9", 1), ("r", "", 2), ("rx", "", 3), ("s", "gone", 4), ("no", "", 5)),
    "r": Redirect(url("r2")),
    "r2": Redirect(url("")),
    "s": Redirect(url(""), fragment="lost"),
    "rx": Redirect(url("x")),
    "x": FetchFailure("status", 404),
    "t": page(kind="text/plain"),
    "no": FetchFailure("robots"),
    "root": Redirect(url("down")),
    "down": FetchFailure("refused"),
    "alone": FetchFailure("reset"),
}


def test_what_is_found() -> None:
    found = seen(SITE)
    assert found.broken == (
        broken("alone", "reset"),
        broken("down", "refused", LinkSource(ReferringPlace(url("root")))),
        broken("x", "404", source("", 3, "x 3"), source("p", 3, "rx 3", "rx")),
    )
    assert found.missing == (
        broken("#gone", "no-fragment", source("", 2, " 2"), source("", 5, "r 5", "r", "r2")),
        broken("#lost", "no-fragment", source("p", 4, "s 4", "s")),
    )
    assert found.chains == ((url("r"), url("r2"), url("")),)
    assert (found.mixed, found.slow) == ((), ())


@settings(max_examples=20)
@given(st.randoms(use_true_random=False))
def test_the_order_of_the_crawl_does_not_matter(chance: Random) -> None:
    assert seen(SITE, chance) == seen(SITE)


def test_a_circle_and_an_unknown_target_lead_nowhere_and_end() -> None:
    site: dict[str, Outcome] = {
        "": page(("a", "x", 1), ("c", "", 2)),
        "a": Redirect(url("b")),
        "b": Redirect(url("a")),
    }
    found = seen({**site, "c": Redirect(url("unknown"))})
    assert (found.broken, found.missing, found.chains) == ((), (), ())
    assert found.circles == ((url("a"), url("b"), url("a")),)
    assert found.problems() == {url("a"): BrokenLink(url("a"), "circle", (), 0)}
    assert is_broken(found)


@settings(max_examples=20)
@given(st.randoms(use_true_random=False))
def test_only_the_least_places_are_kept_and_all_are_counted(chance: Random) -> None:
    pages: dict[str, Outcome] = {f"{i:03}": page(("x", "", 1), ("x", "", 2)) for i in range(15)}
    [found] = seen({**pages, "x": FetchFailure("reset")}, chance).broken
    assert [each.place.page for each in found.sources] == [url(f"{i:03}") for i in range(PLACES_MAX)]
    assert found.count == 15


def test_the_places_of_what_is_there_are_not_kept() -> None:
    index = PlaceIndex(lambda url: "out" not in url)
    index.add(record(url(""), page(("a", "", 1), ("b", "x", 2), ("out", "", 3)), 0))
    assert [(where, asked) for where, asked, _ in index] == [(url("a"), ""), (url("b"), ""), (url("b"), "x")]
    index.add(record(url("b"), page(), 0))
    assert [(where, asked) for where, asked, _ in index] == [(url("a"), ""), (url("b"), "x")]
    index.add(record(url("a"), page(("a", "", 1), ("b", "", 1)), 0))
    assert [(where, asked) for where, asked, _ in index] == [(url("b"), "x")]


def test_mixed_content_and_slow_pages() -> None:
    https = "https://a.test/"
    resources = ("http://a.test/i.png", "https://a.test/s.css")
    rows = [record(each, Page((), resources=resources), 0, 1, slow_ms=7) for each in (url(""), https)]
    checker = Checker()
    for row in rows:
        checker.see(row)
    found = checker.found(rows)
    assert found.mixed == ((https, "http://a.test/i.png"),)
    assert found.slow == ((url(""), 7), (https, 7))
    assert not is_broken(found)


@pytest.mark.parametrize(("slow_s", "ms"), [(None, None), (1.5, None), (1.0, 1500)])
def test_the_last_try_is_timed(slow_s: float | None, ms: int | None) -> None:
    times = iter((0.0, 9.0, 10.0, 11.5))
    watch = Stopwatch(lambda: next(times), slow_s)

    async def fetch(url: str) -> Outcome:
        return FetchFailure("reset")

    fetch_timed = watch.timing(fetch)
    for _ in range(2):
        with pytest.raises(StopIteration):
            fetch_timed("x").__await__().send(None)
    assert (watch.slow_ms("x"), watch.slow_ms("x")) == (ms, None)


def test_a_record_is_bare_without_its_notes() -> None:
    row: Record = record(url(""), SITE[""], 0)
    assert row.references
    assert row.anchors
    assert (row.bare().references, row.bare().anchors, row.bare().links) == ((), (), row.links)


# --- formats ----------------------------------------------------------------------------------------------------------

ROOT, GONE, MOVED, TEXT, SHUT = (f"http://a.test/{name}" for name in ("", "g?a&b='\\", "m", "t", "s"))
#: Texts of a hostile server: mark-up, a terminal escape, a formula, a line end, a lone surrogate.
ODD = '=<b>&"\x1b[31m\x00 \u202e\ud800]]>'
ROWS = [
    record(
        ROOT,
        Page(
            (GONE, MOVED, TEXT, SHUT),
            200,
            9,
            "text/html",
            (TEXT,),
            (Reference(GONE, "", "a", 3, ODD), Reference(ROOT, "x", "a", 4, "x")),
            ("id",),
        ),
        3,
        1,
    ),
    *(record(GONE, FetchFailure("status", 404, 2, ODD), 3, 1), record(MOVED, Redirect(TEXT, 301), 3, 1)),
    *(record(SHUT, FetchFailure("robots"), 3, 0), record(TEXT, Page((), 200, 5, "text/plain"), 3, 1)),
]
LINE = "http://a.test/, line 3: "


def found(rows: list[Record]) -> Findings:
    checker = Checker()
    for row in rows:
        checker.see(row)
    return checker.found(rows)


def told(form: str, rows: list[Record] = ROWS) -> str:
    text = "\n".join(FORMATS[form](rows, found(rows)))
    assert all(each == "\n" or each.isprintable() for each in text)
    return text


def test_jsonl_and_csv() -> None:
    objects = list(map(json.loads, told("jsonl").splitlines()))
    assert [each["url"] for each in objects] == [row.url for row in ROWS]
    assert objects[1]["sources"] == [{"page": ROOT, "line": 3, "element": "a", "text": ODD, "via": []}]
    assert [*objects[0]["missing"]] == ["x"]
    assert not {"references", "anchors"} & {*objects[0]}
    rows = list(csv.DictReader(told("csv").splitlines()))
    assert [(row["url"], row["problem"], row["line"]) for row in rows] == [
        *((ROOT, "", ""), (f"{ROOT}#x", "no-fragment", "4"), (GONE, "404", "3"), (MOVED, "", "")),
        *((SHUT, "", ""), (TEXT, "", "")),
    ]
    assert rows[2]["text"] == cell(ODD)


def test_junit() -> None:
    root = ElementTree.fromstring(told("junit"))
    assert root.attrib == {"tests": "6", "failures": "2", "errors": "0", "skipped": "1"}
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert [*cases] == [ROOT, GONE, MOVED, SHUT, TEXT, f"{ROOT}#x"]
    [failure] = cases[GONE]
    assert (failure.get("message"), failure.text) == ("404", f'from {LINE}"{printable(ODD)}"')
    assert [each.tag for each in cases[SHUT]] == ["skipped"]


def test_graphml_and_dot() -> None:
    root = ElementTree.fromstring(told("graphml"))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert [node.get("id") for node in root.iter(f"{space}node")] == [row.url for row in ROWS]
    edges = {(edge.get("target"), edge.findtext(f"{space}data")) for edge in root.iter(f"{space}edge")}
    links = {(url, "link") for url in (GONE, MOVED, TEXT, SHUT)}
    assert edges == {*links, (TEXT, "resource"), (TEXT, "redirect")}
    lines = told("dot").splitlines()
    quoted = GONE.replace("\\", "\\\\")
    assert (lines[0], lines[-1]) == ("digraph crawl {", "}")
    assert f'  "{quoted}" [color=red];' in lines
    assert f'  "{ROOT}" -> "{quoted}";' in lines
    assert f'  "{MOVED}" -> "{TEXT}" [style=dashed];' in lines


def test_sitemap(monkeypatch: pytest.MonkeyPatch) -> None:
    root = ElementTree.fromstring(told("sitemap"))
    assert [each.text for each in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")] == [ROOT]
    monkeypatch.setattr("impl.crawl.checks.formats.SITEMAP_MAX", 1)
    rows = [record(f"{ROOT}{i}", Page((), 200, 1, "text/html"), 0) for i in range(3)]
    assert "<!-- 2 URLs are left out: a sitemap has 1 at most -->" in told("sitemap", rows)
    assert SITEMAP_MAX == 50_000


def test_what_a_server_sends_is_shown_escaped() -> None:
    assert printable("a\x1b[31m\u202eb") == "a\\x1b[31m\\u202eb"
    assert [cell(text) for text in ("=1", "+1", "-1", "@x", "x=1")] == ["'=1", "'+1", "'-1", "'@x", "x=1"]
