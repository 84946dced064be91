"""`loopspec simulate`: its output, the arguments that it rejects, and its error messages."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from impl.crawl.commands.simulate import main
from impl.crawl.simulation import KIND, LATENCY_MS_MAX, PAGES_MAX
from impl.sim.recipe import SEED_MAX, SEEDED
from impl.sim.token import Packer

from ..fixtures import Captured
from .test_records import KEYS


def token(seed: int = 1, pages: int = 8, order: int = 0, latency: int = 20, of_site: int = 0) -> str:
    packer = Packer().number(seed).number(pages).number(order).number(latency).number(of_site)
    return packer.raw(b"widths").raw(b"events").token(KIND + SEEDED)


#: A token without a program: its checksums are right, its choice points are invented.
TOKEN = token()


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A directory with two pages, a link that leads out of it, and one to nowhere."""
    directory = tmp_path / "site"
    directory.mkdir()
    links = "".join(f'<a href="{url}">x</a>' for url in ("other.html", "../secret.html", "missing.html"))
    (directory / "index.html").write_text(links)
    (directory / "other.html").write_text("<p>the other")
    (tmp_path / "secret.html").write_text("<p>not served")
    return directory


def refused(capsys: Captured, *argv: str) -> str:
    """Return the command's line that rejects these arguments."""
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == ""
    [line] = err.splitlines()
    assert line.startswith("loopspec simulate: ")
    assert len(line) < 300
    return line


@pytest.mark.parametrize(
    ("argv", "what"),
    [
        (("--seed", "-1"), "--seed: a number from 0"),
        *((("--seed", "9" * 5000), "--seed: a number from 0"), (("--seed", str(SEED_MAX + 1)), "--seed")),
        *((("--pages", "0"), "--pages: a number from 1"), (("--pages", str(PAGES_MAX + 1)), "--pages")),
        (("--pages", "٣"), "--pages"),
        (("--latency-ms-max", "x"), "--latency-ms-max: a number from 0"),
        (("--order", "lifo"), "--order"),
        (("--colour",), "--colour"),
        (("--site", "no-such-directory"), "not a directory: no-such-directory"),
        (("--json", "no-such-directory/file"), "--json: cannot write no-such-directory/file"),
        (("--json", "."), "--json: cannot write"),
        *((("--token", "nonsense"), "a token begins with 'ls2-'"), (("--token", TOKEN[:-1]), "damaged")),
        *((("--token", TOKEN + "="), "damaged"), (("--token", TOKEN.swapcase()), "a token begins with")),
        (("--token", TOKEN, "--seed", "3"), "leave out --seed"),
        (("--dask", "x"), "--dask: name by --shards the number of shards"),
        (("--shards", "2", "-v"), "--shards: leave out --verbose,"),
        (("--shards", "2", "--token", "x"), "--shards: leave out --token,"),
        (("--token", TOKEN, "--json", "file"), "leave out --json"),
        (("--token", token(pages=0)), "no run has this token"),
        (("--token", token(pages=PAGES_MAX + 1)), "too great"),
        (("--token", token(seed=2**200)), "too great"),
        (("--token", token(latency=LATENCY_MS_MAX + 1)), "too great"),
        (("--token", token(order=2)), "too great"),
        (("--token", token(of_site=1)), "too short"),
    ],
)
def test_what_is_wrong_is_one_line(argv: tuple[str, ...], what: str, capsys: Captured) -> None:
    assert what in refused(capsys, *argv)


def test_zeros_in_front_and_a_token_of_another_program(capsys: Captured) -> None:
    assert main(["--pages", "0002"]) == 0
    padded = capsys.readouterr().out
    assert main(["--pages", "2"]) == 0
    assert padded == capsys.readouterr().out
    assert main(["--token", TOKEN]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "the program has changed since" in line


def test_a_directory_is_crawled_and_its_token_wants_it(site: Path, tmp_path: Path, capsys: Captured) -> None:
    lines = tmp_path / "lines"
    assert main(["--site", str(site), "--json", str(lines)]) == 0
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    assert [list(row) for row in rows] == [KEYS] * 4
    assert [(row["url"].removeprefix("http://site.test/"), row["outcome"], row["status"]) for row in rows] == [
        *(("", "page", 200), ("missing.html", "error", 404), ("other.html", "page", 200)),
        ("secret.html", "error", 404),
    ]
    printed = capsys.readouterr().out
    of_run = printed.rpartition("token: ")[2].strip()
    assert main(["--token", of_run, "--site", str(site)]) == 0
    assert capsys.readouterr().out == printed
    assert "give it again by --site" in refused(capsys, "--token", of_run)
    (site / "other.html").write_text("<p>changed")
    assert "not the directory" in refused(capsys, "--token", of_run, "--site", str(site))
    assert "--pages is for" in refused(capsys, "--site", str(site), "--pages", "3")


def test_the_file_of_records_may_not_join_the_site(site: Path, capsys: Captured) -> None:
    before = (site / "index.html").read_bytes()
    for name in ("index.html", "new.jsonl"):
        assert "part of the site" in refused(capsys, "--site", str(site), "--json", str(site / name))
    assert (site / "index.html").read_bytes() == before
    assert not (site / "new.jsonl").exists()


def test_each_url_is_told_when_it_is_done(capsys: Captured) -> None:
    assert main(["--pages", "5", "--verbose"]) == 0
    told, _, rest = capsys.readouterr().out.partition("\n\n")
    urls = [line.split()[3] for line in told.splitlines()]
    assert f"{len(urls)} URLs in" in rest
    assert len(set(urls)) == len(urls)


@pytest.mark.short("model_tests.commands.cli", why="a process each")
@pytest.mark.parametrize("module", ["impl", "model_tests.commands.cli"])
def test_a_full_disk_is_one_line(module: str) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        command = [sys.executable, "-m", module, "simulate", "--pages", "2"]
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 2
    (line,) = ran.stderr.splitlines()
    assert "cannot write the output" in line
