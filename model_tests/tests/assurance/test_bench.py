"""The benches: every workload does its exact number of operations on every peer, and every row is printed.

No time is asserted.  A peer without its package (`make bench` installs it) is reported as skipped.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ...assurance.bench import crawl, explore, pages
from ...assurance.bench.__main__ import main
from ...assurance.bench.facade import Peer
from ...assurance.bench.measure import Measured, Miscounted, Ratio, counted, goals, lines, measure
from ...assurance.bench.peers import NAMES, all_peers, peer
from ...assurance.bench.rows import ROWS, Row
from ...crawls.nginx import NginxError, PendingRequest, serve
from ..fixtures import Captured, Patch


def there(name: str) -> Peer:
    """Return the peer, or skip this test."""
    try:
        return peer(name)
    except ModuleNotFoundError as missing:
        pytest.skip(f"{missing.name} is not installed")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_workload_does_its_exact_count_on_every_peer(row: Row, name: str, full: bool) -> None:
    if name in row.without:
        return
    if not full and row.name == "bytes" and name not in ("impl", "trio"):
        pytest.skip("not run without --full: a process of its own, as for impl and trio")
    if not full and name == "bridge-any":
        pytest.skip("not run without --full: the workloads on the bridge, in another order")
    assert counted(row, there(name), row.quick) > 0


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_no_row_counts_less_than_it_measures(row: Row) -> None:
    """The sizes divide into the workloads' own parts, or a peer would count as wrong."""
    for size in (row.size, row.quick):
        assert size % {"switch": 1000, "crowd": 10_000}.get(row.name, 2) == 0


def test_a_peer_that_does_less_is_refused() -> None:
    row = ROWS[0]
    honest = peer("impl")
    lazy = Peer("lazy", lambda main: honest.fresh(main) - 1, honest.run)
    with pytest.raises(Miscounted, match=r"switch on lazy: 1999 operations, not 2000"):
        counted(row, lazy, row.quick)


@pytest.mark.long("the whole table")
def test_the_table_has_every_row_and_names_what_was_not_run(capsys: Captured) -> None:
    assert main(["--quick"]) == 0
    printed = capsys.readouterr().out.splitlines()
    heading = next(i for i, line in enumerate(printed) if line.startswith("workload"))
    assert printed[heading].split()[-len(NAMES) :] == [*NAMES[1:], "goal"]
    names = [line.split()[0] for line in printed[heading + 1 :] if line[0] != " " and "(" in line]
    assert names == [row.name for row in ROWS]
    missing = [line.split()[2] for line in printed if line.startswith("not run:")]
    assert missing == all_peers()[1]


def test_a_row_may_be_named(capsys: Captured) -> None:
    assert main(["--quick", "queue"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[4:] if line[0] not in " n"] == ["queue"]


@pytest.mark.parametrize("argv", [["--rounds", "0"], ["--rounds", "two"], ["nothing"]])
def test_bad_usage_is_one_line_and_exit_2(argv: list[str], capsys: Captured) -> None:
    with pytest.raises(SystemExit) as ended:
        main(argv)
    assert ended.value.code == 2
    assert argv[-1] in capsys.readouterr().err.splitlines()[-1]


def test_ratios_are_taken_within_a_round() -> None:
    """Two rounds, the second on a machine four times as slow: the ratio is 1/2 in both."""
    warm_up = [0.0, 0.0]
    costs = iter([*warm_up, 8.0, 4.0, 16.0, 32.0])  # the order of the peers rotates by one each round
    row = Row("row", "what", 2, 1, lambda peer, size: (next(costs), size), base="base")
    real = peer("impl")
    base, own = (Peer(name, real.fresh, real.run) for name in ("base", "impl"))
    measured = measure(row, [base, own], 2, quick=False)
    assert measured.ratios["impl"] == Ratio(0.5, 0.5, 0.5)
    assert measured.ratios["base"] == Ratio(1.0, 1.0, 1.0)
    assert measured.base == 20.0 / 2


@pytest.mark.parametrize(("with_contexts", "without", "said"), [
    (0.5, 0.4, "0.50 met, 0.66 met"),
    (0.6, 0.5, "0.50 met without contexts, 0.66 met"),
    (0.7, 0.6, "0.50 missed, 0.66 met without contexts"),
    (0.7, 0.67, "0.50 missed, 0.66 missed"),
])  # fmt: skip
def test_a_goal_is_judged_by_the_loop_with_contexts(with_contexts: float, without: float, said: str) -> None:
    row = next(row for row in ROWS if row.name == "cancel")
    ratios = {"impl": Ratio(with_contexts, 0, 1), "no-context": Ratio(without, 0, 1)}
    measured = Measured(row, 1e-6, ratios)
    assert goals(measured) == said
    assert lines(measured).splitlines()[0].startswith("cancel (asyncio 1.00 us)")


# --- bench-crawl -----------------------------------------------------------------------------------------


def test_crawlers_that_asked_for_other_pages_are_told() -> None:
    page, other = (
        PendingRequest(at, "http", "GET", status, path)
        for at, status, path in ((1.0, 200, "/index.html"), (3.0, 404, "/gone"))
    )
    one = crawl.Crawl(1.0, 1.0, [page, other])
    less = crawl.Crawl(1.0, 1.0, [page])
    twice = crawl.Crawl(1.0, 1.0, [page, page, other])
    assert crawl.differences({"a": [one], "b": [one]}) == []
    assert crawl.differences({"a": [one], "b": [one, less]}) == [
        "b and a differ in 1 URLs, the first is ('/gone', 404)"
    ]
    assert crawl.differences({"a": [one], "b": [twice]}) == ["b asked 3 times for 2 URLs"]
    assert one.pages_per_s == 0.5


def test_what_is_missing_is_one_line_and_exit_2(tmp_path: Path, capsys: Captured) -> None:
    assert crawl.main(["--site", str(tmp_path), "loopspec"]) == 2
    assert capsys.readouterr().err == f"bench-crawl: --site {tmp_path} has no index.html\n"


def test_nginx_that_is_missing_is_named(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("shutil.which", lambda name, path=None: None)
    with pytest.raises(NginxError, match="nginx is not installed"), serve(tmp_path):
        pass


def test_nginx_logs_what_was_asked_for_and_ends_with_its_block() -> None:
    with TemporaryDirectory() as name:
        root = Path(name)
        (root / "index.html").write_text("here", encoding="utf-8")
        root.chmod(0o755)  # a server started by root runs as an unprivileged user
        try:
            with serve(root) as nginx:
                assert nginx.get("/", "/gone") == [200, 404]
                assert [(asked.path, asked.status) for asked in nginx.asked()] == [("/", 200), ("/gone", 404)]
                assert nginx.asked() == []
                raise KeyError("out of the block by an error")
        except NginxError as missing:
            if "not installed" not in str(missing):
                raise
            pytest.skip(str(missing))
        except KeyError:
            pass
    with pytest.raises(ConnectionRefusedError):
        nginx.get("/")


def test_nginx_that_may_not_read_the_site_is_told() -> None:
    with TemporaryDirectory() as name:
        root = Path(name) / "nothing"
        root.mkdir()
        with pytest.raises(NginxError, match=r"not installed|answers 40[34] for /index.html"), serve(root):
            pass


def test_the_columns_of_the_exploration_run_the_same_schedules(capsys: Captured) -> None:
    assert explore.main(["--quick"]) == 0
    head, _, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("schedules of a CPU second, medians of 1 interleaved round; ")
    assert [row.split()[:2] for row in rows[:2]] == [["two_by_three_gathered", "182"], ["locked", "486"]]


def test_a_column_that_runs_other_schedules_is_refused(monkeypatch: Patch) -> None:
    every = explore.columns()
    monkeypatch.setattr(explore, "columns", lambda: {**every, "other": lambda name: 7})
    with pytest.raises(explore.DifferentCounts, match="locked has different numbers of schedules"):
        explore.measure(["locked"], 1)


# --- simulated crawls that grow ------------------------------------------------------------------------------


@pytest.mark.long("it crawls thousands of pages")
def test_what_a_url_costs(full: bool) -> None:
    """Growth is asserted of memory only: seconds depend on the machine's other work."""
    sizes = (1_000, 10_000) if full else (400,)
    least = pages.cost(1)
    rows = [pages.row(pages.cost(size), least) for size in sizes]
    assert all(row.urls > row.pages and row.seconds > 0 and row.bytes > 0 for row in rows)
    assert len(list(pages.lines(rows))) == 1 + len(sizes)
    if full:
        assert pages.growth(*rows)[1] <= pages.GROWTH_MAX
