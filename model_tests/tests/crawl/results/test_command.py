"""The results of `loopspec crawl`: its journal, --resume and --sort, its exit status, and disks that are full."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from impl.crawl.commands import report as report_command
from impl.crawl.results.journal import head
from impl.web import interpret
from impl.web.serving.site import Html, Moved, Resource

from ....crawls.server import Server
from ....dev.pythons import ROOT
from ...fixtures import Captured, Patch
from ..helpers import RealSite, page, room


@pytest.fixture
def web(capsys: Captured, no_certificates: None) -> Iterator[RealSite]:
    with Server() as server:
        yield RealSite(server, capsys)


def redirecting(web: RealSite) -> dict[str, Resource]:
    """A site with budgets that depend on the order of completion, with an error, and a circle."""
    moved = {"b": "c", "c": "d", "d": "e", "r1": "r2", "r2": "r1"}
    return {
        "": page("a", "b", "r1", "missing"),
        "a": Html((f"{web.root}c",), latency_ms=20),
        **{path: Moved(f"{web.root}{target}") for path, target in moved.items()},
        "e": page("a"),
    }


@pytest.mark.parametrize(
    ("pages", "status"),
    [
        *(({"": page("a"), "a": page("")}, 0), ({"": page("a")}, 1)),
        *(({"": Moved("http://127.0.0.1:{port}/")}, 1), ({}, 1)),
    ],
    ids=["fine", "missing", "circle", "no-root"],
)
def test_the_exit_status_says_whether_all_is_well(web: RealSite, pages: dict[str, Resource], status: int) -> None:
    web.serve({path: Moved(web.root) if isinstance(page, Moved) else page for path, page in pages.items()})
    assert web.crawl()[0] == status
    assert web.crawl("--exit-zero")[0] == 0


def test_a_redirect_that_was_not_followed_is_no_error(web: RealSite) -> None:
    web.serve({"": Moved(f"{web.root}a"), "a": page()})
    assert web.crawl("--max-redirect", "0")[0] == 0


def test_a_crawl_goes_on_from_any_prefix_of_its_journal(web: RealSite, tmp_path: Path, full: bool) -> None:
    web.serve(redirecting(web))
    path = tmp_path / "journal"
    status, report, _ = web.crawl("--json", str(path))
    lines = path.read_bytes().splitlines(True)
    web.crawl("--resume", str(path), "--sort")
    whole = path.read_bytes()
    assert (status, len(lines)) == (1, 10)
    for done in range(len(lines) + 1) if full else (0, 1, 5, 10):
        torn = b"".join(lines[done : done + 1])[:-1]
        path.write_bytes(b"".join(lines[:done]) + torn)
        web.asked.clear()
        status, out, [err] = web.crawl("--resume", str(path), "--sort")
        assert (status, out[1:], path.read_bytes()) == (1, report[1:], whole)
        known = max(0, done - 1)
        assert (web.asked.total(), set(web.asked.values()) <= {1}) == (9 - known, True)
        tail = f"; its torn last line of {len(torn)} bytes is dropped" if torn else ""
        assert err == f"loopspec crawl: {known} URLs are recorded in {path}{tail}"
        again = f"9 URLs, {9 - known} of them now, in " if known else "9 URLs in "
        assert out[0].startswith(again)


def test_the_lines_are_in_order_of_completion_without_sort(web: RealSite, tmp_path: Path) -> None:
    web.serve({"": page("slow", "x"), "slow": Html(latency_ms=100), "x": page()})
    path = tmp_path / "journal"
    assert web.crawl("--json", str(path), "--flush", "disk")[0] == 0
    head, *lines = path.read_text("ascii").splitlines()
    assert [line.split('"')[3].removeprefix(web.root) for line in lines] == ["", "x", "slow"]
    assert head.startswith('{"journal": "loopspec crawl", "version": 2, "roots": ["http://127.0.0.1:')


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--max-redirect", "3"), "its max_redirect is 10, not 3"),
        (("--exclude", "x"), 'its exclude is null, not "x"'),
        (("--timeout", "1"), "its timeout is 30.0, not 1.0"),
        (("--limit", "links=9"), "its links is 20000, not 9"),
        (("--limit", "bytes_s=9"), "its bytes_s is 100, not 9"),
        (("--lenient",), "its strict is true, not false"),
        (("http://a.test/",), "its roots is ["),
    ],
)
def test_another_journal_is_refused(web: RealSite, tmp_path: Path, options: tuple[str, ...], says: str) -> None:
    web.serve({"": page()})
    path = tmp_path / "journal"
    web.crawl("--json", str(path), "--max-tasks", "3")
    before = path.read_bytes()
    status, out, [err] = web.crawl("--resume", str(path), *options)
    assert (status, out, path.read_bytes()) == (2, [], before)
    assert f"--resume: {path}: it is the journal of another crawl: {says}" in err
    assert web.crawl("--resume", str(path), "--max-tasks", "1", "--exit-zero")[0] == 0


def test_a_journal_that_lost_a_line_in_the_middle_is_refused(web: RealSite, tmp_path: Path) -> None:
    web.serve({"": page("a"), "a": page("b"), "b": page()})
    path = tmp_path / "journal"
    web.crawl("--json", str(path))
    lines = path.read_bytes().splitlines(True)
    path.write_bytes(b"".join(lines[:2] + lines[3:]))
    status, out, [err] = web.crawl("--resume", str(path))
    assert (status, out) == (2, [])
    assert f"{path}: nothing that is recorded leads to {web.root}b: a line before its record was" in err


@pytest.mark.parametrize("more", [0, 100])
def test_a_disk_that_fills_up_ends_the_crawl_and_loses_nothing(web: RealSite, tmp_path: Path, more: int) -> None:
    web.serve({"": page("a"), "a": page("b"), "b": page()})
    path = tmp_path / "journal"
    web.crawl("--json", str(path))
    lines = path.read_bytes().splitlines(True)
    with room(sum(map(len, lines[:3])) + more):
        status, out, err = web.crawl("--json", str(path), "--exit-zero")
    assert (status, path.read_bytes()) == (1, b"".join(lines[:3]))
    assert err[0] == f"loopspec crawl: cannot write {path}: File too large"
    assert (len(err), out[0].startswith("3 URLs in ")) == (1, True)
    web.asked.clear()
    assert web.crawl("--resume", str(path))[0] == 0
    assert list(web.asked) == [f"{web.root}b"]


def test_an_exception_in_a_fetch_loses_no_result(web: RealSite, tmp_path: Path, monkeypatch: Patch) -> None:
    """Whatever was raised: the traceback comes before the report, and the records were written before both."""
    whole = interpret.reading

    def reading(url: str, *more: Any) -> Any:
        if not url.endswith("/"):
            raise MemoryError("no memory is left")
        return whole(url, *more)

    monkeypatch.setattr("impl.crawl.fetch.reading", reading)
    web.serve({"": page("a"), "a": page()})
    status, out, err = web.crawl("--json", str(tmp_path / "records"))
    assert status == 1
    assert out[0].startswith("1 URL in ")
    assert "MemoryError: no memory is left" in err
    assert err[-1].startswith("loopspec crawl: ended early; in flight ")
    assert len((tmp_path / "records").read_text().splitlines()) == 2


def test_a_file_that_cannot_be_sorted_stays_as_it_is(web: RealSite, tmp_path: Path) -> None:
    web.serve({"": page("z", "a"), "a": page(), "z": Html(tuple(f"http://x{i}.test/" for i in range(9)))})
    path = tmp_path / "journal"
    (tmp_path / "journal.new").mkdir()
    status, out, [err] = web.crawl("--json", str(path), "--sort")
    assert (status, err) == (1, f"loopspec crawl: cannot write {path}.new: Is a directory")
    assert out[0].startswith("3 URLs in ")
    assert path.read_bytes().count(b"\n") == 4


@pytest.mark.parametrize(
    ("target", "status", "says"),
    [("pipe", 141, ""), ("/dev/full", 2, "loopspec: cannot write the output: No space left on device\n")],
)
def test_unread_output_loses_nothing(web: RealSite, tmp_path: Path, target: str, status: int, says: str) -> None:
    web.serve({"": page("a"), "a": page()})
    path = tmp_path / "journal"
    if target == "pipe":
        reader, output = os.pipe()
        os.close(reader)
    else:
        output = os.open(target, os.O_WRONLY)
    argv = [
        *(sys.executable, "-m", "model_tests.commands.cli", "crawl", "--no-robots", web.root, "-v", "--json"),
        str(path),
    ]
    ran = subprocess.run(argv, cwd=ROOT, stdout=output, stderr=subprocess.PIPE, text=True, check=False)
    os.close(output)
    assert (ran.returncode, ran.stderr) == (status, says)
    assert web.crawl("--resume", str(path))[0] == 0


def test_the_report_of_a_file_is_the_crawls(web: RealSite, tmp_path: Path, capsys: Captured) -> None:
    web.serve(redirecting(web))
    path, by_crawl, by_report = (tmp_path / name for name in ("journal", "crawl", "report"))
    _, out, _ = web.crawl("--json", str(path))
    by_crawl.write_bytes(path.read_bytes())
    web.crawl("--resume", str(by_crawl), "--sort")
    assert report_command.main([str(path), "--json", str(by_report)]) == 1
    assert by_report.read_bytes() == by_crawl.read_bytes() != path.read_bytes()
    assert capsys.readouterr() == ("\n".join(["9 URLs", *out[1:]]) + "\n", "")
    with path.open("rb+") as file:
        file.truncate(path.stat().st_size - 5)
    report_command.main([str(path)])
    shown = capsys.readouterr()
    assert shown.out.startswith("8 URLs\n")
    assert shown.err == "loopspec crawl report: the crawl ended early; queued 1\n"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        *((None, "cannot read {path}: No such file or directory"), (b"", "{path}: it is empty")),
        (b"x\n", "{path}: it is not the journal of a crawl"),
        (head({}), "{path}: its head is not one of a crawl: 'roots'"),
        (
            head({"roots": [], "max_redirect": "x"}),
            "{path}: its head is not one of a crawl: there is no root",
        ),
        (
            head({"roots": ["http://a.test/"], "max_redirect": "x"}),
            "{path}: its head is not one of a crawl: '<'",
        ),
        (head({"roots": ["http://a.test/"], "exclude": 1}), "{path}: its head is not one of a crawl: "),
        (head({"roots": [1]}), "{path}: its head is not one of a crawl: "),
    ],
)
def test_no_report_is_one_line(tmp_path: Path, capsys: Captured, content: bytes | None, says: str) -> None:
    path = tmp_path / "journal"
    if content is not None:
        path.write_bytes(content)
    assert report_command.main([str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("loopspec crawl report: " + says.format(path=path))


def test_a_report_needs_a_file(capsys: Captured) -> None:
    assert report_command.main([]) == 2
    assert capsys.readouterr().err == "loopspec crawl report: name the file that crawl --json wrote\n"
