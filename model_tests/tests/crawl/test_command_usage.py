"""`loopspec crawl` before it crawls: its options; bad usage is one line, and unneeded modules are not loaded."""

import gc
from dataclasses import fields
from typing import Any

import pytest

from impl.crawl.caps import Caps
from impl.crawl.commands import crawl as command
from impl.crawl.commands.command_line import BY_NAME, read
from impl.crawl.crawler import CrawlConfig
from impl.crawl.options import USUAL, CrawlOptions
from impl.crawl.output import Output
from impl.crawl.polite import Manners
from impl.crawl.pool import Times
from impl.crawl.real import crawl
from impl.web.limits import Limits

from ..fixtures import Captured
from ..process import python

ROOT = "http://a.test/"

ITSELF = "a header that the crawler does not set itself"
NOT_IN_SHARDS = ("--max-pages", "--max-hosts", "--save")


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        *(([], "URL"), (["ftp://a.test/"], "'ftp://a.test/'"), (["http://[bad/"], "'http://[bad/'")),
        *((["http://a.test:70000/"], "70000"), ([""], "'http://'")),
        (["http://a.test/", "file:///etc/passwd"], "'file:///etc/passwd'"),
        (["a.test", "--max-tasks", "0"], "--max-tasks: a number from 1 to 10000, not '0'"),
        (["a.test", "--max_tasks", "0"], "--max_tasks: a number from 1"),
        (["a.test", "--max-tries", "0"], "--max-tries: a number from 1"),
        (["a.test", "--max-redirect", "-1"], "--max-redirect"),
        (
            ["a.test", "--limit", "body_bytes=0"],
            "--limit: body_bytes: a number from 1 to 1099511627776, not '0'",
        ),
        (["a.test", "--limit", "links=0"], "--limit: links: a number from 1"),
        (["a.test", "--limit", "bytes_s=-1"], "--limit: bytes_s: a number from 0"),
        (["a.test", "--limit", "links="], "--limit: links: a number from 1 to 1099511627776, not ''"),
        (
            ["a.test", "--limit", "links"],
            "--limit: NAME=VALUE, not 'links'; a NAME is header_bytes, body_bytes, ",
        ),
        (
            ["a.test", "--limit", "body=1"],
            "--limit: no limit is named 'body'; a NAME is header_bytes, body_bytes, ",
        ),
        (["a.test", "--timeout", "0"], "greater than 0, not '0'"),
        (["a.test", "--timeout", "inf"], "greater than 0, not 'inf'"),
        (["a.test", "--timeout", "nan"], "greater than 0, not 'nan'"),
        (["a.test", "--timeout", "soon"], "greater than 0, not 'soon'"),
        (["a.test", "--exclude", "("], "exclude is not a regular expression: '('"),
        (
            ["a.test", "--json", "no/such/directory/x"],
            "--json: cannot write no/such/directory/x: No such file",
        ),
        (["a.test", "--json", "."], "--json: cannot write .: Is a directory"),
        (["a.test", "--json", "/dev/full"], "--json: cannot write /dev/full: No space left on device"),
        (["a.test", "--json", "/dev/null", "--sort"], "--sort: /dev/null is not a regular file"),
        (["a.test", "--sort"], "--sort: there is no file to sort; name it by --json or --resume"),
        (["a.test", "--json", "x", "--resume", "x"], "not allowed with"),
        (["a.test", "--resume", "/dev/null"], "--resume: /dev/null: it is not a regular file"),
        (["a.test", "--resume", __file__], "--resume: " + __file__ + ": it is not the journal of a crawl"),
        (["a.test", "--flush", "now"], "--flush"),
        (["a.test", "-v", "-q"], "not allowed with"),
        (["a.test", "--strict", "--lenient"], "not allowed with"),
        (["a.test", "--max"], "--max"),
        (["a.test", "--shards", "0"], "--shards: a number from 1 to 1000"),
        *((["a.test", "--shards", "2", each, "9"], f"--shards: leave out {each},") for each in NOT_IN_SHARDS),
        (["a.test", "--dask", "x"], "--dask: name by --shards the number of shards"),
        (["a.test", "--header=no colon"], "argument --header: NAME:VALUE, not 'no colon'\n"),
        (["a.test", "--header=a b:c"], "argument --header: NAME:VALUE, not 'a b:c'\n"),
        (["a.test", "--header=Host:x"], f"argument --header: {ITSELF}, not Host\n"),
        (["a.test", "--header=Proxy-Authorization:x"], f"--header: {ITSELF}, not Proxy-Authorization\n"),
        (["a.test", "--header=x:a\r\nb"], "argument --header: printable ASCII text, not 'a\\r\\nb'\n"),
        (["a.test", "--user-agent= "], "argument --user-agent: printable ASCII text, not ' '\n"),
        (["a.test", "--delay=-1"], "argument --delay: a number of seconds greater than 0, not '-1'\n"),
        (["a.test", "--per-host=0"], "argument --per-host: a number from 1 to 10000, not '0'\n"),
        (["a.test", "--include", "["], "include is not a regular expression: '[': "),
        (["a.test", "--check", "x"], "argument --check: invalid choice: 'x'"),
        (["a.test", "--format", "xml"], "argument --format: invalid choice: 'xml'"),
        (["a.test", "--slow", "0"], "argument --slow: a number of seconds greater than 0, not '0'"),
        (["a.test", "-v", "--format", "csv"], "-v prints lines of its own; leave it out, or --format"),
    ],
)
def test_bad_usage_is_one_line(argv: list[str], says: str, capsys: Captured) -> None:
    assert command.main(argv) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("loopspec crawl: ")
    assert says in err


@pytest.mark.short("distributed", why="a process each; commands/test_cli.py has h11")
@pytest.mark.parametrize("library", ["h11", "publicsuffixlist", "distributed"])
def test_a_missing_extra_is_one_line(library: str) -> None:
    hide = f"import sys; sys.modules[{library!r}] = None\n"
    options = ["--shards", "2", "--dask", "127.0.0.1:1"] if library == "distributed" else ["--lenient"]
    call = f"from model_tests.commands.cli import main; sys.exit(main({['crawl', *options, 'http://127.0.0.1:2/']}))"
    ran = python("-c", hide + call)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert f"needs {library}" in ran.stderr


def test_without_a_terminal_and_lenient_neither_rich_nor_the_list_is_loaded() -> None:
    ran = python("-X", "importtime", "-m", "impl", "crawl", "http://127.0.0.1:2/")
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in ran.stderr.splitlines()}
    assert (ran.returncode, loaded & {"impl", "rich", "publicsuffixlist", "asyncio"}) == (1, {"impl"})


def test_the_collector_is_left_as_it_was(capsys: Captured) -> None:
    before = gc.get_threshold()
    assert command.main(["http://127.0.0.1:3/", "--max-tries", "1", "--no-robots"]) == 1  # refused
    assert command.main(["a.test", "--max-tasks", "0"]) == 2
    assert gc.get_threshold() == before
    assert "1 URL in" in capsys.readouterr().out


def test_the_command_line_has_the_defaults_of_the_classes() -> None:
    assert read([ROOT]) == (CrawlConfig((ROOT,)), USUAL, Output())


def test_each_option_of_the_command_line_is_a_field() -> None:
    argv = [
        *("--limit", "links=7", "--limit", "bytes_s=0", "--limit", "links=8", "--per-host", "3"),
        "--no-robots",
    ]
    argv += [
        *("--delay", "1", "--header", "a:b", "--timeout", "5", "--max-seconds", "9"),
        "--private",
        "-v",
        ROOT,
    ]
    config, options, output = read(argv)
    assert config == CrawlConfig((ROOT,), caps=Caps(seconds=9))
    assert options == CrawlOptions(
        limits=Limits(links=8),
        times=Times(),
        manners=Manners(per_host=3, delay_s=1),
        robots=False,
        headers=(("a", "b"),),
        timeout=5,
        private=True,
    )
    assert output == Output(verbose=True)


def test_the_help_lists_each_limit_with_its_default(capsys: Captured) -> None:
    assert list(BY_NAME) == [*(each.name for each in fields(Limits)), "bytes_s"]
    with pytest.raises(SystemExit):
        read(["--help"])
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    for name, each in BY_NAME.items():
        assert [line for line in lines if line.startswith(f"{name}={each.default}: ")], name


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"check": "all of it"}, "check must be one of links, fragments, all, not 'all of it'"),
        ({"timeout": 0}, "timeout must be greater than 0, not 0"),
        ({"slow": -1.0}, "slow must be greater than 0"),
        ({"shards": 0}, "shards must be greater than 0, not 0"),
        ({"dask": "127.0.0.1:1"}, "dask runs shards: give their number"),
    ],
)
def test_options_that_cannot_be_used(given: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=f"^{says}"):
        CrawlOptions(**given)


def test_shards_have_no_cap_on_pages() -> None:
    with pytest.raises(ValueError, match="a cap on pages or hosts"):
        crawl(CrawlConfig((ROOT,), caps=Caps(pages=1)), CrawlOptions(shards=2))
