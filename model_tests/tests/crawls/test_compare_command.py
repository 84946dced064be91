"""`loopspec compare`, the command: its report of a difference, bad usage, and that it leaves nothing behind."""

import _thread
import gc
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.web.serving.site import Broken, Html, Moved, Raw, Resource, Site

from ...crawls import compare as command
from ...crawls.compare import IMPL, SIMULATED, drawn, runtimes
from ...crawls.comparison import CrawlRuntime, differences, plan
from ...crawls.server import Server
from ...crawls.show import records_that_differ, resources
from ..fixtures import Captured, Patch

R, A, B, C, D = (f"http://a.test/{name}" for name in ("", "a", "b", "c", "d"))


def wrong_runtime(right: CrawlRuntime) -> CrawlRuntime:
    def crawl(site: Site, by: CrawlConfig, frontier: Frontier, number: int) -> None:
        known = {
            url: replace(resource, status=301) if isinstance(resource, Moved) else resource
            for url, resource in site.resources.items()
        }
        right.crawl(replace(site, resources=known), by, frontier, number)

    return CrawlRuntime("old", crawl, conditions=1, shrink_attempts=2)


def test_a_difference_is_told_on_its_smallest_site(monkeypatch: Patch, capsys: Captured) -> None:
    """It is shown once for sites with one root, once for sites with several."""
    right = replace(IMPL, conditions=2)
    monkeypatch.setattr(command, "runtimes", lambda server: (right, wrong_runtime(IMPL)))
    monkeypatch.setattr(command, "_EVERY", 10)
    seeds = [seed for seed in range(16) if list(differences(drawn(seed), wrong_runtime(IMPL), (0,)))]
    assert command.main(["--sites", "16"]) == 1
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[: len(seeds) + 1] == [
        *(f"the site of seed {n}: 1 of 3 runs differ; alone: --seed {n} --sites 1" for n in seeds if n < 10),
        f"10 sites, 30 runs, {len([n for n in seeds if n < 10])} differences so far",
        *(f"the site of seed {n}: 1 of 3 runs differ; alone: --seed {n} --sites 1" for n in seeds if n >= 10),
    ]
    first, second = (number for number, line in enumerate(lines) if line.startswith("the smallest site"))
    told = [
        "old differs from the oracle under conditions 0: 10 workers, all hosts in scope",
        "  http://a.test/",
        "    oracle  redirect, status 302, to http://a.test/5, budget 0",
        "    old     redirect, status 301, to http://a.test/5, budget 0",
        "there impl differs from the oracle in 0 of 12 runs",
        "there old differs from the oracle in 2 of 2 runs",
    ]
    one_root = [
        "  2 URLs, 1 root, limit 0",
        "    root http://a.test/   302 to http://a.test/5",
        "         http://a.test/5  nothing there: 404",
    ]
    assert lines[first + 1 : first + 10] == [*one_root, *told]
    assert lines[second + 1].endswith(", 2 roots, limit 0")
    assert lines[-1] == f"16 sites, 48 runs, {len(seeds)} differences"


def test_sites_and_long_differences_are_shown() -> None:
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
    urls = tuple(f"http://a.test/{i:02}" for i in range(12))
    site = Site({R: Html(urls)}, (R,))

    def nothing(site: Site, by: CrawlConfig, frontier: Frontier, number: int) -> None:
        pass

    [found] = differences(site, replace(IMPL, crawl=nothing), (0,))
    lines = list(records_that_differ(found))
    assert len(lines) == 1 + 3 * 10 + 1
    assert lines[-1] == "  and 3 more URLs"


def test_the_command_compares_sites_and_a_directory(capsys: Captured, full: bool, tmp_path: Path) -> None:
    sites = 3 if full else 2
    assert command.main(["--sites", str(sites), "--seed", "5"]) == 0
    assert capsys.readouterr().out == f"{sites} sites, {sites * 28} runs, 0 differences\n"
    links = "<a href=sub/>s</a> <a href=missing>m</a> <a href=http://b.test/>b</a>"
    (tmp_path / "index.html").write_text(links)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "index.html").write_text("<a href=../index.html>i</a>")
    assert command.main(["--site", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1 sites, 28 runs, 0 differences\n"


def test_a_directory_that_differs_is_not_shrunk(tmp_path: Path, monkeypatch: Patch, capsys: Captured) -> None:
    (tmp_path / "index.html").write_text("<a href=1>1</a>")

    def one_url(site: Site, by: CrawlConfig, frontier: Frontier, number: int) -> None:
        IMPL.crawl(replace(site, resources={**site.resources, site.roots[0]: Html()}), by, frontier, number)

    wrong = CrawlRuntime("short", one_url, conditions=1, shrink_attempts=1)
    monkeypatch.setattr(command, "runtimes", lambda server: (wrong,))
    assert command.main(["--site", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "only here: http://site.test/1" in lines[2]
    assert lines[-2:] == ["    short   not fetched", "1 sites, 1 runs, 1 differences"]


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        *((["--sites", "0"], "--sites: a number from 1 to"), (["--sites", "many"], "'many'")),
        *((["--sites"], "--sites"), (["--seed", "-1"], "--seed")),
        (["--site", "no/such/directory"], "--site: not a directory: no/such/directory"),
        (["--site", "model_tests", "--sites", "3"], "leave out --sites"),
        (["--site", "model_tests", "--seed", "0"], "leave out --seed"),
        (["--site", str(Path(__file__).parent)], "no index.html"),
        (["--real-sites", "61"], "--real-sites: 61 of 60 sites; at most all, see --sites"),
        (["--sites", "3", "--real-sites", "4"], "--real-sites: 4 of 3 sites"),
        (["--real-sites", "some"], "'some'"),
        (["--site", "model_tests", "--real-sites", "1"], "leave out --real-sites"),
        (["spare"], "spare"),
    ],
)
def test_bad_usage_is_one_line(argv: list[str], says: str, capsys: Captured) -> None:
    assert command.main(argv) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("loopspec compare: ")
    assert says in err


def test_no_thread_and_no_socket_is_left() -> None:
    """An unclosed socket is a ResourceWarning, which is an error here."""
    before = set(threading.enumerate())
    command.main(["--sites", "1"])
    gc.collect()
    assert set(threading.enumerate()) <= before


class Interrupting(dict[str, Resource]):
    """Resources of a site with a server that sends Ctrl-C on a request for `a`."""

    def get(self, url: str, default: Resource | None = None) -> Resource | None:  # type: ignore[override] # narrower: what the server asks
        if url == A:
            _thread.interrupt_main()  # a simulated run has signals of its own
        return super().get(url, default)


@pytest.mark.parametrize(
    "name",
    [*(runtime.name for runtime in SIMULATED), *["impl-real", "asyncio-real", "aiohttp-real", "trio-real"]],
)
def test_an_interrupt_ends_everything(name: str, caplog: pytest.LogCaptureFixture) -> None:
    before = set(threading.enumerate())
    site = Site(Interrupting({R: Html((A, B, C)), A: Html()}), (R,))
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted(name, site)
    finally:
        signal.signal(signal.SIGINT, previous)
    gc.collect()
    caplog.clear()  # the interrupted task holds the interrupt, which is never retrieved
    assert set(threading.enumerate()) <= before


def interrupted(name: str, site: Site) -> None:
    with Server() as server:
        runtime = next(each for each in runtimes(server) if each.name == name)
        runtime.crawl(site, plan(site, 0), Frontier(site.limit), 0)
