"""`loopspec crawl` as a link checker, on a real server on loopback: --check, --format, --slow, --include, --resume."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from impl.crawl.commands import report as report_command
from impl.web.serving.site import Html, Moved, Raw

from ...fixtures import Captured
from ..helpers import HTML, RealSite

TITLE = b"<h1 id=top>\n"


@pytest.fixture
def web(web: RealSite) -> RealSite:
    web.serve(
        {
            "": Raw(TITLE + b"<a href=a#x>one</a><a href=b>two</a><img src=i alt=pic><img src=f>", HTML),
            "a": Raw(TITLE + b"\n<a href=gone>gone\x1b[31m</a><a href=r#y>", HTML),
            "r": Moved(f"{web.root}r2"),
            "r2": Moved(f"{web.root}b"),
            "b": Raw(TITLE, HTML),
            "f": Raw(b"<a href=not-searched>", HTML),
        }
    )
    return web


def section(out: list[str], title: str) -> list[str]:
    start = out.index(title) + 1
    return [line.strip() for line in [*out, ""][start : [*out, ""].index("", start)]]


def test_what_each_check_finds(web: RealSite) -> None:
    status, out, _ = web.crawl()
    assert status == 1
    expected = [f"404          {web.root}gone", f'from {web.root}a, line 3: "gone\\x1b[31m"']
    assert section(out, "errors (1)") == expected
    assert section(out, "chains of redirects (1)") == [f"{web.root}r -> {web.root}r2 -> {web.root}b"]
    assert not {f"{web.root}i", f"{web.root}f"} & {*web.asked}
    status, out, _ = web.crawl("--check", "fragments", "--exclude", "gone")
    assert status == 1
    assert section(out, "missing fragments (2)") == [
        *(f"no-fragment  {web.root}a#x", f'from {web.root}, line 2: "one"', f"no-fragment  {web.root}b#y"),
        f"from {web.root}a, line 3, by way of {web.root}r and {web.root}r2",
    ]
    assert web.crawl("--exclude", "gone")[0] == 0
    _, out, _ = web.crawl("--check", "all")
    wanted = [f"404          {web.root}i", f'from {web.root}, line 2, img: "pic"']
    assert section(out, "errors (2)")[2:] == wanted
    assert f"{web.root}f" in web.asked
    assert f"{web.root}not-searched" not in web.asked


def test_a_resumed_crawl_and_a_report_tell_the_same(web: RealSite, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "journal"
    options = ("--check", "all", "--slow", "9")
    status, out, _ = web.crawl("--json", str(path), *options)
    lines = path.read_bytes().splitlines(True)
    for done in range(len(lines)):
        path.write_bytes(b"".join(lines[:done]))
        again, resumed, _ = web.crawl("--resume", str(path), "--sort", *options)
        assert (again, resumed[1:]) == (status, out[1:])
        assert sorted(path.read_bytes().splitlines(True)[1:]) == sorted(lines[1:])
    assert report_command.main([str(path)]) == status
    assert capsys.readouterr().out.splitlines()[1:] == out[1:]


def test_the_formats_of_a_crawl_and_a_report_are_the_same(web: RealSite, tmp_path: Path, capsys: Captured) -> None:
    path = str(tmp_path / "journal")
    for form in ("jsonl", "csv", "dot", "graphml", "sitemap", "junit"):
        status, out, err = web.crawl("--json", path, "--check", "all", "--format", form)
        assert (status, err) == (1, [])
        assert report_command.main([path, "--format", form]) == 1
        assert capsys.readouterr().out.splitlines() == out
    assert json.loads(web.crawl("--format", "jsonl")[1][0])["url"] == web.root


def test_a_cut_crawl_says_so_beside_its_format(web: RealSite) -> None:
    _, out, [err] = web.crawl("--max-pages", "1", "--format", "jsonl")
    assert len(out) == 1
    assert err == "loopspec crawl: cut by --max-pages: 2 known URLs left"


def test_slow_pages_are_named_and_others_not_included(web: RealSite) -> None:
    web.crawl("--include", "/[ab]$", "--exclude", "b")
    assert sorted(web.asked) == [web.root, f"{web.root}a"]
    web.serve({"": Html((f"{web.root}slow",)), "slow": Html(latency_ms=300)})
    status, out, _ = web.crawl("--slow", "0.25")
    assert status == 0
    [line] = section(out, "slow (1)")
    assert line.endswith(f" s  {web.root}slow")
