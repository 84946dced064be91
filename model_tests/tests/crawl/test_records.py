"""Records, their lines of JSON, and the report."""

import json
from collections.abc import Mapping

import pytest

from impl.crawl.checks.findings import redirect_cycles
from impl.crawl.frontier import Frontier
from impl.crawl.record import canonical, comparable, json_lines, record, records
from impl.crawl.results.report import SHOWN, report
from impl.web.outcome import FetchFailure, Outcome, Page, Redirect

R, A, B, C, D = (f"http://a.test/{name}" for name in "rabcd")
KEYS = ["url", "outcome", "status", "target", "links", "budget", "size", "content_type", "error", "tries"]
KEYS += ["resources", "references", "anchors", "fragment", "slow_ms"]


def crawled(outcomes: Mapping[str, Outcome], limit: int = 3) -> Frontier:
    """Return the frontier after a crawl from the first URL, one fetch at a time, last found first."""
    frontier = Frontier(limit)
    frontier.offer(next(iter(outcomes)), limit)
    while not frontier.idle:
        url = frontier.queued[-1]
        frontier.start(url)
        frontier.complete(url, outcomes[url])
    return frontier


SITE: dict[str, Outcome] = {
    R: Page((D, A, B), 200, 100, "text/html"),
    A: Redirect(B, 301, 7, "text/plain"),
    B: Redirect(A, 308),
    D: FetchFailure("status", 404, 14, "text/plain"),
}


def test_one_record_a_url_sorted() -> None:
    rows = records(crawled(SITE), dict.fromkeys(SITE, 1) | {D: 4})
    assert [row.url for row in rows] == [A, B, D, R]
    assert rows[0] == record(A, SITE[A], budget=3, tries=1)
    assert (rows[2].outcome, rows[2].status, rows[2].error, rows[2].tries) == ("error", 404, "status", 4)
    assert (rows[3].outcome, rows[3].links, rows[3].target, rows[3].error) == ("page", (A, B, D), None, None)


def test_lines_of_json_have_the_promised_keys_in_order() -> None:
    lines = list(json_lines(records(crawled(SITE), dict.fromkeys(SITE, 1))))
    assert all(line.endswith("}\n") and line.count("\n") == 1 for line in lines)
    objects = [json.loads(line) for line in lines]
    assert [list(each) for each in objects] == [KEYS] * 4
    expected = [R, "page", 200, None, [A, B, D], 3, 100, "text/html", None, 1, [], [], [], "", None]
    assert list(objects[3].values()) == expected
    assert (objects[0]["target"], objects[2]["error"]) == (B, "status")


def test_lines_are_ascii_and_links_occur_once() -> None:
    [line] = json_lines([record(A, Page((), 200, 0, "text/\xfcber\n\u2028"), 0)])
    assert line.isascii()
    assert json.loads(line)["content_type"] == "text/\xfcber\n\u2028"
    assert record(R, Page((B, A, B)), 0).links == (A, B)


def test_canonical_results_leave_out_what_a_site_does_not_determine() -> None:
    rows = {row.url: row for row in canonical(crawled(SITE))}
    assert rows[R] == record(R, SITE[R], 3)
    assert rows[A] == record(A, Redirect(B, 301), 3)
    assert rows[D] == record(D, FetchFailure("status", 404), 3)
    broken = record(A, FetchFailure("incomplete", 200, 55, "text/html"), 0, tries=4)
    assert comparable(broken) == record(A, FetchFailure("incomplete"), 0)
    assert comparable(record(A, FetchFailure("location", 302), 0)).status == 302


@pytest.mark.parametrize(
    "other",
    [
        *(Page((B,), 200, 1, "text/html"), Page((A,), 200, 2, "text/html")),
        *(Page((A,), 200, 1, "text/plain"), Redirect(A, 301), FetchFailure("reset")),
    ],
)
def test_canonical_results_keep_what_counts(other: Outcome) -> None:
    assert comparable(record(R, Page((A,), 200, 1, "text/html"), 1)) != comparable(record(R, other, 1))


def test_canonical_results_keep_the_budget_and_the_target() -> None:
    row = comparable(record(R, Redirect(A), 1))
    assert row != comparable(record(R, Redirect(A), 0))
    assert row != comparable(record(R, Redirect(B), 1))


def test_the_report_says_what_happened_and_what_was_cut() -> None:
    frontier = crawled({**SITE, R: Page((C, A, B, D), 200, 100), C: FetchFailure("refused")}, limit=0)
    rows = records(frontier, dict.fromkeys(frontier.best, 1))
    assert report(rows, frontier.cut(), 2_500_000_000, " of virtual time") == [
        "5 URLs in 2.500 s of virtual time, 2.0 URLs a second",
        "  outcome   page 1   redirect 2   error 2",
        "  status    200 1   301 1   308 1   404 1   none 1",
        "  error     refused 1   status 1",
        "  size      121 bytes",
        "",
        "errors (2)",
        f"  refused      {C}  (from {R})",
        f"  404          {D}  (from {R})",
        "",
        "redirects in a circle (1)",
        f"  {A} -> {B} -> {A}",
    ]
    frontier = crawled({A: Redirect(B), B: Redirect(C), C: Page(())}, limit=1)
    lines = report(records(frontier, {A: 1, B: 1}), frontier.cut(), 0)
    assert lines == [
        "2 URLs in 0.000 s",
        "  outcome   page 0   redirect 2   error 0",
        "  status    302 2",
        "  size      0 bytes",
        "",
        "redirects not followed: budget used up (1)",
        f"  {B} -> {C}",
    ]


def test_a_long_list_is_counted_and_not_shown() -> None:
    urls = [f"http://a.test/{i:02}" for i in range(SHOWN + 2)]
    frontier = crawled({R: Page(tuple(urls))} | {url: FetchFailure("status", 500) for url in urls})
    lines = report(records(frontier, dict.fromkeys(frontier.best, 1)), [], 1)
    start = lines.index(f"errors ({SHOWN + 2})")
    assert lines[start + SHOWN :] == [f"  500          {urls[SHOWN - 1]}  (from {R})", "  and 2 more"]


def test_redirects_in_a_circle_are_found_once() -> None:
    """A tail that leads into a circle is not part of it; a redirect to itself is a circle of one."""
    targets = {A: B, B: C, C: B, D: D, R: "http://a.test/unknown"}
    rows = [record(url, Redirect(target), 1) for url, target in sorted(targets.items())]
    assert redirect_cycles(rows) == [(B, C, B), (D, D)]
    assert redirect_cycles(list(reversed(rows))) == [(B, C, B), (D, D)]
