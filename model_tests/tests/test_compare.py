"""`loopspec compare`: the arms agree, a difference is found, made small and told, and nothing is left behind."""

from __future__ import annotations

import gc
import signal
import socket
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from impl.crawl.crawler import Plan
from impl.crawl.frontier import Frontier
from impl.crawl.record import Record, canonical
from impl.web.http import LIMITS
from impl.web.site import Broken, Fault, Html, Moved, Raw, Resource, Site

from ..arms import asyncio_arm, trio_arm
from ..arms import compare as command
from ..arms.compare import arms, drawn
from ..arms.comparison import Arm, Difference, Kind, NewFrontier, compare, differences, plan, scope, smallest
from ..arms.server import Server
from ..arms.show import records_that_differ, resources
from ..arms.sites import urls_of
from ..museum.first_discovery import SPECIMENS, FirstDiscovery

R, A, B, C, D = (f"http://a.test/{name}" for name in ("", "a", "b", "c", "d"))
ARMS = ("impl", "asyncio", "trio")

#: Conditions with one worker and every host in scope: on asyncio and trio too, the order of fetches is known.
ONE_WORKER = 2

# The smallest sites on which the first discovery of c must not fix its budget, the order that shows it first.
ONE_ROOT = Site({R: Html((B, A)), A: Html((C,)), B: Moved(C), C: Moved(D), D: Html()}, (R,), 1)
TWO_ROOTS = Site({A: Html((C,)), B: Moved(C), C: Moved(D), D: Html()}, (B, A), 1)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(params=ARMS)
def arm(request: pytest.FixtureRequest, server: Server) -> Arm:
    """Each arm."""
    return next(each for each in arms(server) if each.name == request.param)


@pytest.fixture
def impl_only() -> Arm:
    return arms(Server.__new__(Server))[0]  # it asks no server


def crawled(arm: Arm, site: Site, number: int = 0) -> dict[str, Record]:
    """What the arm finds, by URL; it must be what the oracle says, under that and the next conditions."""
    assert list(differences(site, arm, (number, number + 1))) == []
    frontier = Frontier(site.limit, scope(site, number))
    arm.crawl(site, plan(site, number), frontier, number)
    return {row.url: row for row in canonical(frontier)}


# --- the arms agree -----------------------------------------------------------------------------------------


def test_all_arms_agree_on_random_sites(server: Server) -> None:
    total = compare((drawn(seed) for seed in range(1000, 1020)), arms(server))
    assert str(total) == "20 sites, 240 runs, 0 differences"


FAULTS: list[tuple[Fault, str, int | None]] = [
    ("status", "status", 503),
    ("refused", "refused", None),
    ("no-such-host", "no-such-host", None),
    ("reset", "reset", None),
    ("incomplete", "incomplete", None),
    ("garbage", "protocol", None),
    ("no-location", "location", 302),
]


@pytest.mark.parametrize(("fault", "error", "status"), FAULTS, ids=[fault for fault, _, _ in FAULTS])
def test_every_fault_is_a_record(arm: Arm, fault: Fault, error: str, status: int | None) -> None:
    """By a link and by a redirect; what else the site has is crawled all the same."""
    bad = "http://bad.test/"
    site = Site({R: Html((A, bad, B)), A: Html((C,)), B: Moved(bad), bad: Broken(fault, 503)}, (R,), 1)
    found = crawled(arm, site)
    assert (found[bad].outcome, found[bad].error, found[bad].status) == ("error", error, status)
    assert sorted(found) == sorted([R, A, B, C, bad])


def test_silence_is_a_timeout(server: Server) -> None:
    """Nothing else is on this site, so that the limit may be short."""
    site = Site({R: Broken("silent")}, (R,), 0)
    for crawl in (asyncio_arm.crawl, trio_arm.crawl):
        frontier = Frontier(0)
        crawl(Plan((R,), max_redirect=0, max_tries=2), frontier, server.dial(site), timeout_s=0.01)
        assert [row.error for row in canonical(frontier)] == ["timeout"]


def test_silence_is_a_timeout_in_virtual_time(impl_only: Arm) -> None:
    assert crawled(impl_only, Site({R: Broken("silent"), A: Html()}, (R, A), 0))[R].error == "timeout"


def test_documents_as_people_write_them(arm: Arm) -> None:
    page = b"<base href=/x/><a href=../y?a=1&amp;b=2#f>y</a><!-- <a href=/no> --><A HREF=' z '>z</A>"
    site = Site(
        {
            R: Raw(page, "text/html; charset=iso-8859-1"),
            "http://a.test/y?a=1&b=2": Raw(b"<a href='/no'>", "text/plain"),
            "http://a.test/x/z": Raw(b"\x00" * 300_000, "image/png"),
        },
        (R,),
    )
    found = crawled(arm, site)
    assert {url: row.size for url, row in found.items()} == {
        R: len(page),
        "http://a.test/y?a=1&b=2": 14,
        "http://a.test/x/z": 300_000,
    }


def test_a_body_or_a_header_over_its_limit(server: Server) -> None:
    site = Site({R: Html((A,)), A: Raw(b"", "text/plain; x=" + "x" * LIMITS.header_bytes)}, (R,))
    for each in arms(server):
        frontier = Frontier(10)
        each.crawl(site, plan(site, 0), frontier, 0)
        assert [row.error for row in canonical(frontier)] == [None, "too-large"]


def test_roots_are_several_and_may_be_dead(arm: Arm) -> None:
    dead = "http://gone.test/"
    site = Site({A: Html((C,)), B: Moved(A), dead: Broken("no-such-host")}, (A, B, dead), 2)
    assert {url: row.budget for url, row in crawled(arm, site).items()} == {A: 2, B: 2, C: 2, dead: 2}


def test_nothing_leads_out_of_scope(arm: Arm) -> None:
    """Under odd conditions, only the hosts of the roots are in scope: for links and redirects alike."""
    out, far = "http://b.test/", "http://b.test/far"
    site = Site({R: Html((out, A, B)), A: Moved(far), B: Html(), out: Html((R,)), far: Html()}, (R,), 3)
    assert sorted(crawled(arm, site, 0)) == sorted([R, A, B, out, far])
    assert sorted(crawled(arm, site, 1)) == sorted([R, A, B])


def test_a_root_that_is_out_of_scope_ends_at_once(arm: Arm) -> None:
    frontier = Frontier(1, lambda url: False)
    site = Site({R: Html()}, (R,), 1)
    arm.crawl(site, plan(site, 0), frontier, 0)
    assert canonical(frontier) == []


def test_an_unknown_port_of_a_known_host_is_refused(arm: Arm) -> None:
    other = "http://a.test:8080/"
    site = Site({R: Html((other,)), other: Broken("refused")}, (R,), 1)
    assert crawled(arm, site)[other].error == "refused"


def test_no_resolver_is_ever_asked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    real = socket.getaddrinfo

    def guarded(host: str, *rest: int, **more: int) -> Sequence[object]:
        assert host == "127.0.0.1"
        return real(host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", guarded)
    site = Site({R: Html(("http://gone.test/",)), "http://gone.test/": Broken("no-such-host")}, (R,))
    for each in arms(server):
        assert list(differences(site, each, (0,))) == []


# --- a wrong frontier is caught ------------------------------------------------------------------------------


@pytest.mark.parametrize("site", [ONE_ROOT, TWO_ROOTS], ids=["one root", "two roots"])
def test_every_arm_catches_the_first_discovery_rule(arm: Arm, site: Site) -> None:
    [found] = differences(site, arm, (ONE_WORKER,), FirstDiscovery)
    assert found.kind() is Kind.FETCHED
    assert {row.url for row in found.expected} - {row.url for row in found.found} == {D}


@pytest.mark.parametrize("wrong", SPECIMENS)
def test_random_sites_catch_every_specimen(wrong: NewFrontier, impl_only: Arm) -> None:
    total = compare(map(drawn, range(60)), [impl_only], wrong)
    assert Kind.FETCHED in {found.kind() for found in total.differences}


@pytest.mark.parametrize(("roots", "urls"), [(1, 5), (2, 4)])
def test_the_smallest_site_of_the_first_discovery_rule(roots: int, urls: int, impl_only: Arm) -> None:
    arm = replace(impl_only, hard=8)
    lost = (
        found for site in map(drawn, range(100)) if len(site.roots) == roots for found in losses(site, arm)
    )
    least = smallest(next(lost), FirstDiscovery)
    assert (len(urls_of(least.site)), len(least.site.roots), least.site.limit) == (urls, roots, 1)
    assert least.kind() is Kind.FETCHED


def losses(site: Site, arm: Arm) -> Iterator[Difference]:
    found = differences(site, arm, range(arm.usual), FirstDiscovery)
    return (difference for difference in found if difference.kind() is Kind.FETCHED)


# --- what is told of a difference ----------------------------------------------------------------------------


def wrong_arm(right: Arm) -> Arm:
    """An arm that takes every redirect for a 301."""

    def crawl(site: Site, by: Plan, frontier: Frontier, number: int) -> None:
        known = {
            url: replace(resource, status=301) if isinstance(resource, Moved) else resource
            for url, resource in site.resources.items()
        }
        right.crawl(replace(site, resources=known), by, frontier, number)

    return Arm("old", crawl, usual=1, hard=2)


def test_a_difference_is_told_on_its_smallest_site(
    impl_only: Arm, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once for sites with one root, once for sites with several."""
    monkeypatch.setattr(command, "arms", lambda server: (impl_only, wrong_arm(impl_only)))
    seeds = [seed for seed in range(60) if list(differences(drawn(seed), wrong_arm(impl_only), (0,)))]
    assert command.main(["--sites", "60"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[: len(seeds) + 1] == [
        *(f"the site of seed {n}: 1 of 9 runs differ; alone: --seed {n} --sites 1" for n in seeds if n < 50),
        f"50 sites, 450 runs, {len([n for n in seeds if n < 50])} differences so far",
        *(f"the site of seed {n}: 1 of 9 runs differ; alone: --seed {n} --sites 1" for n in seeds if n >= 50),
    ]
    first, second = (number for number, line in enumerate(lines) if line.startswith("the smallest site"))
    told = [
        "old differs from the oracle under conditions 0: 10 workers, all hosts in scope",
        "  http://a.test/",
        "    oracle  redirect, status 302, to http://a.test/1, budget 0",
        "    old     redirect, status 301, to http://a.test/1, budget 0",
        "there impl differs from the oracle in 0 of 12 runs",
        "there old differs from the oracle in 2 of 2 runs",
    ]
    one_root = [
        "  2 URLs, 1 root, limit 0",
        "    root http://a.test/   302 to http://a.test/1",
        "         http://a.test/1  nothing there: 404",
    ]
    assert lines[first + 1 : first + 10] == [*one_root, *told]
    assert lines[second + 1].endswith(", 2 roots, limit 0")
    assert lines[-1] == f"60 sites, 540 runs, {len(seeds)} differences"


def test_an_arm_that_raises_differs(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that dies ends the crawl with its error, on every arm: nobody waits for ever."""

    class Raising(Frontier):
        def start(self, url: str) -> None:
            if url == A:
                raise RuntimeError("a defect")
            super().start(url)

    site = Site({R: Html((A, B, C))}, (R,))
    for each in arms(server):
        [found] = differences(site, each, (0,), Raising)
        assert found.kind() is Kind.RAISED
        assert "a defect" in repr(found.error)
        assert any("it raised" in line and "a defect" in line for line in records_that_differ(found))


def test_a_site_is_shown_with_all_it_may_answer() -> None:
    gone = "http://gone.test/"
    answers: dict[str, Resource] = {
        R: Html((A, gone), 3),
        A: Moved(R, 307),
        B: Broken("status", 500, 2),
        C: Raw(b"abc", "text/plain"),
        D: Html(),
        gone: Broken("no-such-host"),
    }
    assert list(resources(Site(answers, (R,), 2))) == [
        "6 URLs, 1 root, limit 2",
        "  root http://a.test/     a page with links to http://a.test/a http://gone.test/, after 3 ms",
        "       http://a.test/a    307 to http://a.test/",
        "       http://gone.test/  no-such-host",
        "       http://a.test/b    500, after 2 ms",
        "       http://a.test/c    3 bytes of text/plain",
        "       http://a.test/d    a page without links",
    ]


def test_a_long_difference_is_cut(impl_only: Arm) -> None:
    urls = tuple(f"http://a.test/{i:02}" for i in range(12))
    site = Site({R: Html(urls)}, (R,))

    def nothing(site: Site, by: Plan, frontier: Frontier, number: int) -> None:
        pass

    [found] = differences(site, replace(impl_only, crawl=nothing), (0,))
    lines = list(records_that_differ(found))
    assert len(lines) == 1 + 3 * 10 + 1
    assert lines[-1] == "  and 3 more URLs"


# --- the command ---------------------------------------------------------------------------------------------


def test_the_command_compares_random_sites(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--sites", "3", "--seed", "5"]) == 0
    assert capsys.readouterr().out == "3 sites, 36 runs, 0 differences\n"


def test_the_command_compares_a_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "index.html").write_text(
        "<a href=sub/>s</a> <a href=missing>m</a> <a href=http://b.test/>b</a>"
    )
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "index.html").write_text("<a href=../index.html>i</a>")
    assert command.main(["--site", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1 sites, 12 runs, 0 differences\n"


def test_a_directory_that_differs_is_not_shrunk(
    impl_only: Arm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "index.html").write_text("<a href=1>1</a>")

    def one_url(site: Site, by: Plan, frontier: Frontier, number: int) -> None:
        impl_only.crawl(
            replace(site, resources={**site.resources, site.roots[0]: Html()}), by, frontier, number
        )

    monkeypatch.setattr(command, "arms", lambda server: (Arm("short", one_url, usual=1, hard=1),))
    assert command.main(["--site", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "only here: http://site.test/1" in lines[2]
    assert lines[-2:] == ["    short   not fetched", "1 sites, 1 runs, 1 differences"]


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--sites", "0"], "--sites: a number from 1 to"),
        (["--sites", "many"], "'many'"),
        (["--sites"], "--sites"),
        (["--seed", "-1"], "--seed"),
        (["--site", "no/such/directory"], "--site: not a directory: no/such/directory"),
        (["--site", "model_tests", "--sites", "3"], "leave them out"),
        (["--site", "model_tests", "--seed", "0"], "leave them out"),
        (["--site", str(Path(__file__).parent)], "no index.html"),
        (["spare"], "spare"),
    ],
)
def test_bad_usage_is_one_line(argv: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(argv) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("loopspec compare: ")
    assert says in err


# --- nothing is left behind ----------------------------------------------------------------------------------


def test_no_thread_and_no_socket_is_left() -> None:
    """An unclosed socket is a ResourceWarning, which is an error here."""
    before = set(threading.enumerate())
    command.main(["--sites", "2"])
    gc.collect()
    assert set(threading.enumerate()) <= before


class Interrupting(dict[str, Resource]):
    """Resources of a site whose server presses Ctrl-C when it is asked for `a`."""

    def get(self, url: str, default: Resource | None = None) -> Resource | None:  # type: ignore[override] # narrower: what the server asks
        if url == A:
            signal.raise_signal(signal.SIGINT)
        return super().get(url, default)


@pytest.mark.parametrize("name", ARMS)
def test_an_interrupt_ends_everything(name: str) -> None:
    before = set(threading.enumerate())
    site = Site(Interrupting({R: Html((A, B, C)), A: Html()}), (R,))
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted(name, site)
    finally:
        signal.signal(signal.SIGINT, previous)
    gc.collect()
    assert set(threading.enumerate()) <= before


def interrupted(name: str, site: Site) -> None:
    with Server() as server:
        arm = next(each for each in arms(server) if each.name == name)
        arm.crawl(site, plan(site, 0), Frontier(site.limit), 0)
