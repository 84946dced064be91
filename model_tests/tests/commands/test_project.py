"""`[tool.loopspec]` of pyproject.toml: defaults of options, below the command line; an error in it is one line."""

import argparse
import json
import re
import textwrap
from pathlib import Path

import pytest

from impl.bridges import command as run
from impl.commands.options import Parser, UsageError
from impl.crawl.commands.command_line import parser as parser_of_crawl
from impl.explore.command import parser as parser_of_explore
from spec.commands import target

from ...commands import cli, project
from ...commands.flags import FLAGS
from ...dev.pythons import ROOT
from ...explored import item as loaded_before
from ..fixtures import Captured, Patch
from .test_flags import kind, parsers

pytest_plugins = "pytester"

#: A program that runs alike under every schedule.
PROGRAM = "import asyncio\n\n\nasync def main() -> None:\n    await asyncio.sleep(0)\n"
#: A value of each kind, and of flags whose texts have a form.
SAMPLES: dict[str, object] = {"switch": True, "number": 7, "seconds": 7.5, "text": "x", "file": "x.txt"}
FORMS: dict[str, object] = {
    "only": ["QUEUE-1", "QUEUE-2"],
    "header": ["A: b"],
    "limit": ["links=7"],
    "outside": ["localhost:5432"],
    "proxy": "http://proxy:1",
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: Patch) -> Path:
    """A project, with a folder in it, which is the working directory."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "own.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.chdir(tmp_path / "sub")
    return tmp_path


def write(text: str) -> None:
    Path("../pyproject.toml").write_text(text, encoding="utf-8")


def loopspec(*arguments: str) -> int:
    return cli.main([*arguments])


def test_the_nearest_file_sets_a_default_and_the_command_line_wins(capsys: Captured) -> None:
    write("[tool.loopspec.explore]\nruns = 3\nkeep-going = true\nseed = 5\n")
    assert loopspec("explore", "own.py:main") == 0
    assert "the seeds were 5 to 7" in capsys.readouterr().out
    assert loopspec("explore", "own.py:main", "--runs", "4", "--seed", "0") == 0
    assert "the seeds were 0 to 3" in capsys.readouterr().out
    Path("pyproject.toml").write_text("[tool.other]\nruns = 9\n", encoding="utf-8")
    assert loopspec("explore", "own.py:main", "--runs", "2") == 0
    assert "the seeds were 0 to 1" in capsys.readouterr().out


def test_only_the_command_reads_the_file(capsys: Captured) -> None:
    write("[tool.loopspec.run]\nruns = 2\n")
    assert run.main(["own.py:main"]) == 0
    assert "seeds: " not in capsys.readouterr().out
    assert loopspec("run", "own.py:main") == 0
    assert "seeds: 0-1\n" in capsys.readouterr().out
    assert Parser.parse is target.Parser.parse is argparse.ArgumentParser.parse_known_args


def test_the_command_line_wins_over_what_it_excludes(capsys: Captured) -> None:
    write("[tool.loopspec.explore]\nruns = 3\nevery = true\n[tool.loopspec.check]\ntlc = true\n")
    assert loopspec("explore", "own.py:main", "--seed", "7") == 0
    assert "the seeds were 7 to 9" in capsys.readouterr().out
    assert loopspec("check", "queue", "--trace", "first_in_first_out") == 0
    write('[tool.loopspec.crawl]\njson = "x.json"\nquiet = true\nlenient = true\n')
    made = parser_of_crawl()
    for words, wanted in (
        ([], ("x.json", None, False, True, False)),
        (["--resume", "y.json"], (None, "y.json", False, True, False)),
        (["-v", "--strict"], ("x.json", None, True, False, True)),
    ):
        options, _ = project.parse(made, words)
        found = (options.json, options.resume, options.verbose, options.quiet, options.strict)
        assert found == wanted, words
        assert options.max_tasks == 10
    write("[tool.loopspec.crawl]\nmax-tasks = 4\n")
    assert project.parse(made, [])[0].max_tasks == 4
    assert project.parse(made, ["--max_tasks", "5"])[0].max_tasks == 5


def toml(value: object) -> str:
    return json.dumps(value)  # of these values, both are written alike


def test_each_option_of_each_command_has_a_default_there(folder: Path, monkeypatch: Patch) -> None:
    """A value gives in the file what it gives on the command line."""
    plain, met = argparse.ArgumentParser.parse_known_args, set()
    for parser in parsers(monkeypatch):
        for name, action in project._options(parser).items():
            of = kind(action, folder / "sub" / "own.py")
            value = FORMS.get(name, next(iter(action.choices)) if action.choices else SAMPLES.get(of))
            texts = value if isinstance(value, list) else [value]
            words = [f"--{name}", *([] if of == "switch" else map(str, texts))]
            table = ".".join(["tool.loopspec", *parser.prog.split()[1:]])
            write(f"[{table}]\n{name} = {toml(value)}\n")
            wanted = getattr(plain(parser, words)[0], action.dest)
            found = project.configured(parser)
            assert [*found] == [action.dest], (parser.prog, name)
            assert str(found[action.dest]) == str(wanted), (parser.prog, name)
            met.add(f"--{name}")
    assert FLAGS.keys() - met == {"--explore", "--pictures", "--refused", "--replay"}


HEAD = "[tool.loopspec.explore]"


@pytest.mark.parametrize(("text", "said"), [
    (f"{HEAD}\nruns = 0", f"{HEAD} runs: a number from 1 to 1000000000000, not '0': change it, or delete it"),
    (f'{HEAD}\nruns = "5"', f"{HEAD} runs: a number without quotes, not '5': change it, or delete it"),
    (f"{HEAD}\nruns = true", f"{HEAD} runs: a number from 1 to 1000000000000, not 'True': change it, or delete it"),
    (f"{HEAD}\nruns = [5]", f"{HEAD} runs: a number from 1 to 1000000000000, not '[5]': change it, or delete it"),
    (f"{HEAD}\nlate = true", f"{HEAD} late: a number of seconds, not 'True': change it, or delete it"),
    (f"{HEAD}\nevery = 1", f"{HEAD} every: true or false, not 1: change it, or delete it"),
    (f"{HEAD}\ncancel = 1", f"{HEAD} cancel: a text in quotes, not 1: change it, or delete it"),
    (f'{HEAD}\norder = "lifo"', f"{HEAD} order: one of fifo, any, not 'lifo': change it, or delete it"),
    (f'{HEAD}\njson = "own.py"', f"{HEAD} json: own.py is a Python file that loopspec has not written, and is not"
        " overwritten: name another file: change it, or delete it"),
    (f"{HEAD}\nkeep_going = true", f"{HEAD} keep_going: there is no such option: delete it, or write one of runs,"),
    (f"{HEAD}\nreport.runs = 5", f"{HEAD} report: there is no such option: delete it, or write one of runs,"),
    (f"{HEAD}\nevery = true\njobs = 2", f"{HEAD} jobs: it excludes every: delete one of them"),
    ("[tool.loopspec.explor]\nruns = 5", "[tool.loopspec.explor]: there is no such command: delete it, or name one of"),
    ("[tool.loopspec]\nruns = 5", "[tool.loopspec.runs]: there is no such command: delete it, or name one of crawl,"),
    ("[tool.loopspec]\nexplore = 5", "[tool.loopspec]: explore is no table: write [tool.loopspec.explore]"),
    ("[tool]\nloopspec = 5", "tool.loopspec is no table: write [tool.loopspec.explore], for instance"),
    ("[tool.loopspec", "it cannot be read: "),
])  # fmt: skip
def test_an_error_names_the_file_the_table_and_the_key(text: str, said: str, folder: Path, capsys: Captured) -> None:
    write(text)
    assert loopspec("explore", "own.py:main") == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"loopspec explore: {folder / 'pyproject.toml'}: {said}")
    Path("../pyproject.toml").rename("pyproject.toml")
    assert loopspec("explore", "own.py:main") == 2
    assert capsys.readouterr().err.startswith(f"loopspec explore: pyproject.toml: {said}")


def test_a_command_within_a_command_has_a_table_in_a_table(capsys: Captured) -> None:
    write('[tool.loopspec.crawl]\nmax-tasks = 0\n[tool.loopspec.crawl.report]\nformat = "xml"\n')
    for words, said in (
        (["crawl", "report", "x"], "[tool.loopspec.crawl.report] format: one of text, "),
        (["crawl", "http://127.0.0.1:9/"], "[tool.loopspec.crawl] max-tasks: a number from 1 "),
    ):
        assert loopspec(*words) == 2
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--no-such-option"], ["-h"]])
def test_help_and_an_error_of_the_command_line_come_before_the_file(words: list[str], capsys: Captured) -> None:
    write("[tool.loopspec.explore]\nruns = 0\n")
    try:
        status = loopspec("explore", *words)
    except SystemExit as left:
        status = int(left.code or 0)
    out, err = capsys.readouterr()
    assert "pyproject" not in out + err
    assert status == (0 if words == ["-h"] else 2)


def test_pytest_reads_the_same_table(pytester: pytest.Pytester) -> None:
    assert loaded_before
    pytester.makepyfile(
        test_it="import asyncio, pytest\nseen = []\n"
        "@pytest.mark.explore\nasync def test_of_the_file(): seen.append(1)\n"
        "@pytest.mark.explore(runs=2)\nasync def test_of_the_marker(): seen.append(2)\n"
        "def test_count(): assert (seen.count(1), seen.count(2)) == (4, 2)\n"
    )
    pytester.makepyprojecttoml(
        '[tool.loopspec.explore]\nruns = 4\nkeep-going = true\nruntime = "trio"\njson = "never.json"\n'
    )
    arguments = ("-p", "no:cacheprovider", "-p", "no:asyncio")
    pytester.runpytest_inprocess(*arguments).assert_outcomes(passed=3)
    pytester.makepyprojecttoml("[tool.loopspec.explore]\nrun = 4\n")
    refused = pytester.runpytest_inprocess(*arguments)
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["ERROR: pyproject.toml: *tool.loopspec.explore* run: there is no such option: *"])
    unmarked = pytester.runpytest_inprocess(*arguments, "-k", "count")
    assert "tool.loopspec" not in unmarked.stderr.str()


def test_the_same_defaults_are_those_of_the_parser() -> None:
    write("")
    made = parser_of_explore()
    assert vars(project.parse(made, ["x.py:main"])[0]) == vars(made.parse_args(["x.py:main"]))


def test_the_example_of_the_documentation_is_right(monkeypatch: Patch) -> None:
    page = (ROOT / "model_tests" / "documents" / "site" / "options.md").read_text(encoding="utf-8")
    text, said = re.findall(r"\n\n((?:(?: {4}.*)?\n)+)\n", page)
    write(textwrap.dedent(text))
    found = {parser.prog: project.configured(parser) for parser in parsers(monkeypatch)}
    assert {prog: values for prog, values in found.items() if values} == {
        "loopspec explore": {"runs": 500, "keep_going": True, "errors": "all"},
        "loopspec conform": {"only": ["QUEUE-5", "LOCK-5"]},
        "loopspec crawl": {"check": "fragments", "headers": [("Accept-Language", "en")]},
        "loopspec crawl report": {"format": "junit"},
    }
    rows = re.findall(r"`(--[a-z-]+) ([^`]+)`", page.partition("\nA file")[0])
    choices = {"--order": r"fifo\|any", "--runtime": r"asyncio\|trio"}
    assert rows == [(name, FLAGS[name].metavar or choices[name]) for name, _ in rows]
    write("[tool.loopspec.explore]\nruns = 0\n")
    with pytest.raises(UsageError, match=re.escape(said.partition("pyproject.toml: ")[2].strip())):
        project.configured(parser_of_explore())
