"""Libraries that use threads: a planted race is found and named, and the program without it is never accused."""

import importlib.util
import re
import time
from importlib import import_module
from pathlib import Path

import pytest

from impl.explore import explore
from impl.explore.programs.program import UserMain

from ...programs.tables import texts
from ..fixtures import Patch

PROGRAMS = {**texts(Path(__file__).with_name("libraries.txt")), **texts(Path(__file__).with_name("django.txt"))}
HEAD = """\
import asyncio, threading, time
from contextlib import closing, nullcontext
from pathlib import Path

FIXED = {fixed}
LOCK = threading.Lock()
"""


def main_of(head: str, fixed: bool, folder: Path, monkeypatch: Patch) -> UserMain:
    """The function `main` of a text of the table, with or without its race."""
    for module in " ".join(re.findall("^needs: (.+)$", PROGRAMS[head], re.M)).split():
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    text = re.sub("^(needs|names): .+\n", "", PROGRAMS[head], flags=re.M)
    name = f"library_{list(PROGRAMS).index(head)}_{fixed}"
    (folder / f"{name}.py").write_text(HEAD.format(fixed=fixed) + text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.chdir(folder)
    main: UserMain = import_module(name).main
    return main


@pytest.mark.parametrize("head", PROGRAMS)
def test_a_planted_race_is_found_and_named(head: str, tmp_path: Path, monkeypatch: Patch) -> None:
    found = explore(main_of(head, False, tmp_path, monkeypatch))
    assert found.failure is not None
    assert re.search(head.partition(": ")[2], found.failure.outcome)
    report = found.report()
    for each in re.findall("^names: (.+)$", PROGRAMS[head], re.M):
        assert re.search(each, report), report
    again = explore(found.failure.program.setup.main, token=found.failure.simple.token).failure
    assert again is not None
    assert re.search(head.partition(": ")[2], again.outcome)


@pytest.mark.parametrize("head", PROGRAMS)
def test_without_it_no_run_fails(head: str, full: bool, tmp_path: Path, monkeypatch: Patch) -> None:
    begun = time.monotonic()
    found = explore(main_of(head, True, tmp_path, monkeypatch), runs=1000 if full else 10)
    assert found.failure is None, found.report()
    assert found.threaded
    assert full or time.monotonic() - begun < 60, "it waits for real time"
