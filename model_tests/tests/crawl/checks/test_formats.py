"""The formats of the result: each is read back by a program that knows it."""

from __future__ import annotations

import csv
import json
from xml.etree import ElementTree

import pytest

from impl.crawl.checks.findings import Checker, Findings
from impl.crawl.checks.formats import FORMATS, SITEMAP_MAX, cell, printable
from impl.crawl.record import Record, record
from impl.web.outcome import FetchFailure, Page, Redirect
from impl.web.reference import Reference

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
