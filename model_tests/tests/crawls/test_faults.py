"""Attempts that meet faults: every runtime gives the oracle's result, and a wrong crawler does not."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from impl.crawl.crawler import CrawlConfig
from impl.crawl.frontier import Frontier
from impl.web.outcome import FetchFailure, Page
from impl.web.serving.faults import FAULTS, HARMLESS, TIMED
from impl.web.serving.site import AttemptFault, Html, Moved, Site

from ...crawls import aiohttp_runtime
from ...crawls import compare as command
from ...crawls.compare import IMPL, SIMULATED, drawn, runtimes
from ...crawls.comparison import CrawlRuntime, differences
from ...crawls.oracle import OURS, TRIES, answers, oracle, possible, possible_when_slow
from ...crawls.server import Server
from ...crawls.show import resources
from ...crawls.sites import fewer, pruned, shrink, size, smaller, weight
from ...refinement.held import HeldRuns

R, A, B = (f"http://a.test/{name}" for name in ("", "a", "b"))
#: The struck URL is reached by a link and by a redirect, on a connection that may be reused.
SITE = Site({R: Html((A, B)), A: Html((R,)), B: Moved(A)}, (R,), 1)
QUICK = [fault for fault in FAULTS if fault not in TIMED]
#: The tries of a URL that a fault strikes, and the conditions of each such crawl in virtual time.
STRUCK = (1, 4)
CONDITIONS = (0, 2)
HELD = [HeldRuns("CRAWL-22", tuple(each.name for each in SIMULATED), traces=len(STRUCK) * len(CONDITIONS))]


def struck(*faults: AttemptFault | None) -> Site:
    return replace(SITE, faults={A: faults})


def everywhere(faults: Sequence[AttemptFault], tries: int) -> Site:
    """A site with a page for each fault, which strikes the first attempts at it."""
    pages = {f"{R}{fault}": (fault,) * tries for fault in faults}
    return Site({R: Html(tuple(pages)), **dict.fromkeys(pages, Html((A,)))}, (R,), faults=pages)


@pytest.mark.parametrize("runtime", SIMULATED, ids=lambda runtime: runtime.name)
@pytest.mark.parametrize("tries", STRUCK)
def test_each_fault_in_virtual_time(runtime: CrawlRuntime, tries: int) -> None:
    met: Counter[AttemptFault] = Counter()
    assert list(differences(everywhere(FAULTS, tries), runtime, CONDITIONS, struck=met)) == []
    assert set(met) == set(FAULTS)


def test_each_fault_on_real_sockets(server: Server) -> None:
    for runtime in (runtime for runtime in runtimes(server) if runtime.real):
        met: Counter[AttemptFault] = Counter()
        assert list(differences(everywhere(QUICK, 2), runtime, (1,), struck=met)) == []
        assert set(met) == set(QUICK)


def test_silence_on_real_sockets_ends_with_an_error_or_not(server: Server) -> None:
    """With a short time limit, the result of a slow machine is right, too (CRAWL-22)."""
    runtime = next(runtime for runtime in runtimes(server) if runtime.name == "impl-real")
    assert list(differences(struck("late", "silent-body"), runtime, (1,))) == []


def test_every_fault_is_drawn() -> None:
    sites = [drawn(seed, faults=True) for seed in range(100)]
    assert {fault for site in sites for faults in site.faults.values() for fault in faults} == {None, *FAULTS}
    assert [replace(site, faults={}) for site in sites] == [drawn(seed) for seed in range(100)]


@pytest.mark.parametrize(
    ("faults", "errors"),
    [
        *((("empty",), [None]), (("empty", "half-body"), ["incomplete"]), ((None, "garbage"), [None])),
        *((("garbage",), ["protocol"]), (("late", "empty"), [None, "incomplete"])),
        *((("reset-after", "bad-length"), [None, "protocol"]), (("drip", "garbage"), [None])),
    ],
)
def test_what_is_possible_at_last(faults: tuple[AttemptFault | None, ...], errors: list[str | None]) -> None:
    assert TRIES == 2
    found = possible(struck(*faults), A, OURS)
    assert [one.error if isinstance(one, FetchFailure) else None for one in found] == errors


def test_aiohttp_repeats_a_request_and_some_faults_are_no_errors() -> None:
    [found] = possible(struck("empty", "reset-first", "half-head"), A, aiohttp_runtime.CLIENT)
    assert isinstance(found, Page)
    [ours] = possible(struck("empty", "reset-first", "half-head"), A, OURS)
    assert ours == FetchFailure("reset")
    for fault in (fault for fault in FAULTS if fault in HARMLESS - TIMED - {"reset-after"}):
        assert isinstance(possible(struck(fault), A, OURS)[0], Page)


def test_timing_decides_about_an_error_and_about_nothing_else() -> None:
    late = struck("late", "late")
    page, timeout = possible(late, A, OURS)
    assert timeout == FetchFailure("timeout")
    for met in (page, timeout):
        rows = oracle(late, answer=answers({A: met}, lambda url: possible(late, url, OURS)))
        assert {row.url: row.error for row in rows} == {R: None, A: getattr(met, "error", None), B: None}
    wrong = answers({A: FetchFailure("refused"), R: FetchFailure("timeout")}, lambda url: possible(late, url, OURS))
    assert (wrong(A), wrong(R)) == (page, possible(late, R, OURS)[0])
    assert possible_when_slow(late, R, OURS) == [possible(late, R, OURS)[0], FetchFailure("timeout")]


def once(site: Site, by: CrawlConfig, frontier: Frontier, number: int) -> None:
    IMPL.crawl(site, replace(by, max_tries=1), frontier, number)


def test_a_crawler_without_a_second_try_is_caught_and_made_small() -> None:
    wrong = replace(IMPL, crawl=once)
    faulty = (drawn(seed, faults=True) for seed in range(100))
    site = next(site for site in faulty if list(differences(site, wrong, (0,))))
    least = shrink(site, lambda one: bool(list(differences(one, wrong, (0,)))))
    assert len(least.resources) == 1
    [faults] = least.faults.values()
    assert len(faults) == 1
    assert f"attempts: {faults[0]}" in "\n".join(resources(least))


def test_the_shrinker_takes_faults_away() -> None:
    site = struck("empty", None, "drip")
    assert [one.faults.get(A, ()) for one in fewer(site)][:3] == [(), (None, "drip"), (None, None, "drip")]
    assert {weight(one) for one in fewer(site)} == {0, 3, 4, 5}  # 5: None is replaced by None
    assert all(size(one) < size(site) for one in smaller(site))
    assert pruned(replace(site, faults={A: (None,), "http://b.test/": ("empty",)})).faults == {}


def test_the_command_prints_what_struck_random_sites(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--sites", "2", "--seed", "6", "--faulty", "--real-sites", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 sites, 40 runs, 0 differences"
    assert int(lines[1].removeprefix("faults struck: ")) > 10
    assert [line.split()[0] for line in lines[2:]] == sorted(FAULTS)
    assert command.main(["--site", "model_tests", "--faulty"]) == 2
    assert "leave out --faulty" in capsys.readouterr().err
