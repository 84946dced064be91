"""`loopspec check FILE.py`: a user's file is checked; an error in it is reported in a line or two.

Every file here is written to a folder outside the project, and the command runs in this process.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import pytest

from spec.commands import check
from spec.kit import instances
from spec.registry import REGISTRY

from ....documents.explain import command as explain
from ...fixtures import Captured

HEAD = '''
from spec.kit.core import Spec
from spec.kit.bounded import Counts, Fails, Holds, only
from spec.queue.models import queue_model
from spec.queue import Queue, queue

mine = Spec("mine", Queue, queue)


@mine.invariant
def sane(k, s):
    """MY-1: Items got were sent."""
    {sane}


@mine.action()
def nothing(k, s):
    """MY-2: Nothing happens."""
    {nothing}


def model():
    return queue_model(1, 0, 1, spec=mine)


'''
HOLDS = 'SMALL = Holds(mine, "small", lambda: [model()], Counts(1, 14, 51, 5))\n'


def written(sane: str = "return len(s.got) <= len(s.sent)", nothing: str = "yield s") -> str:
    return HEAD.format(sane=sane, nothing=nothing)


OWN = """\
from dataclasses import *; from decimal import *; from functools import *; from pathlib import *
from typing import *; from spec.kit import *

{decorator}
class Own:
    n: Decimal
    {more}
mine = Spec("mine", Own)
SMALL = Holds(mine, "small", lambda: [Model(mine, 0, (Own({n}),), {{}})])
"""


def own_state(more: str = "pass", n: str = "Decimal(0)", decorator: str = "@dataclass(frozen=True)") -> str:
    return OWN.format(more=more, n=n, decorator=decorator)


def run(text: str | bytes, capsys: Captured, *, name: str = "mine.py", of: str = "") -> tuple[int, str, str]:
    """Check a file; return the status, the output and the errors."""
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    status = check.main([name + of])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_a_file_is_checked_and_warned_of(capsys: Captured) -> None:
    status, out, err = run(written() + HOLDS, capsys)
    lines = out.splitlines()
    assert (status, err) == (0, "")
    assert lines[0].startswith("mine: small         14 states        51 edges  depth  5 ")
    assert lines[1:] == [
        "mine: reached in 14 states: 1 action, 1 yield",
        "  warning: mine.py:10: sane (MY-1): no instance shows that it can fail",
        "1 instances, 14 states, 51 edges, 0 violations",
    ]


def test_counts_need_not_be_pinned(capsys: Captured) -> None:
    status, out, _ = run(written() + 'SMALL = Holds(mine, "small", lambda: [model()])\n', capsys)
    assert status == 0
    assert out.splitlines()[0].endswith(" s  not pinned")
    status, out, _ = run(written() + HOLDS.replace("51", "50"), capsys)
    assert status == 1
    assert "  found:         Counts(models=1, states=14, edges=51, depth=5)\n" in out


def test_a_broken_rule_is_told_with_its_trace(capsys: Captured) -> None:
    status, out, _ = run(written(sane="return len(s.got) < 1") + HOLDS, capsys)
    assert status == 1
    assert "mine: sane (MY-1) is broken after 2 steps\n   0  init" in out
    fails = 'F = Fails(mine, "early", lambda: queue_model(1, 0, 1, spec=only(mine, "sane")), "sane", 2)\n'
    status, out, _ = run(written(sane="return len(s.got) < 1") + fails, capsys)
    assert (status, out.splitlines()[0]) == (0, "mine: early  refuted, as it must be: sane, after 2 steps")


def test_a_search_that_would_pass_its_limit_is_unfinished(capsys: Captured) -> None:
    text = written() + HOLDS
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("spec.commands.run.search", partial(instances.search, limit=13))
        status, out, _ = run(text, capsys)
    assert (status, out.splitlines()[0]) == (3, "mine: small  UNFINISHED")
    assert out.endswith("13 reachable states: the search is no proof\n1 instances, 0 states, 0 edges, 0 violations\n")


def test_instances_are_those_of_the_file_each_once(capsys: Captured) -> None:
    more = """
from spec.queue.bounded import QUEUE
from spec.registry import REGISTRY
other = Spec("another", Queue, queue)
OTHER = Holds(other, "x", lambda: [queue_model(1, 0, 1, spec=other)])
ALL = [SMALL, OTHER, Holds(mine, "again", lambda: [model()])]
"""
    text = written() + HOLDS + more
    for of, number in {"": 3, ":mine": 2, ":another": 1, ":other": 1, ":SMALL": 1, ":ALL": 3}.items():
        status, out, _ = run(text, capsys, of=of)
        assert (of, status, out.splitlines()[-1].split()[0]) == (of, 0, str(number))


def test_a_file_finds_what_stands_beside_it_and_hides_nothing(capsys: Captured) -> None:
    Path("beside_it.py").write_text(written(), encoding="utf-8")
    Path("random.py").write_text("raise RuntimeError('not this one')\n", encoding="utf-8")
    text = "import random\nrandom.Random\nfrom beside_it import *\n" + HOLDS
    assert run(text, capsys)[::2] == (0, "")
    assert run(text, capsys, name="json.py")[::2] == (0, "")
    assert sys.modules["json"].loads("1") == 1
    assert explain.main(["--rules", "json.py"]) == 0
    assert "MY-1      invariant   sane" in capsys.readouterr().out


#: Errors in a file, and their messages after its name.
BAD: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", ": it has no instance; add one, as in  SMALL = Holds(mine,"),
    "no instance": (written(), ": it has no instance; add one, as in  SMALL = Holds(mine,"),
    "syntax": ("x = 1\ndef f(:\n", ":2: invalid syntax\n"),
    "indent": ("if True:\nx = 1\n", ":2: expected an indented block"),
    "bytes": (b"x = '\xff'\n", ":1: "),  # the text depends on the version of Python
    "null": (b"x = 1\0\n", ""),
    "import": ("\nimport no_such_module\n", ":2: ModuleNotFoundError: No module named 'no_such_module'\n"),
    "relative": ("from . import x\n", ":1: ImportError: attempted relative import"),
    "raises": ("def f():\n    1 / 0\nf()\n", ":2: ZeroDivisionError: division by zero\n"),
    "exits": ("import sys\nsys.exit(0)\n", ":2: SystemExit: 0\n"),
    "says nothing": ("assert False\n", ":1: AssertionError\n"),
    "says much": ("raise ValueError('a\\n\\nb\\nc\\nd')\n", ":1: ValueError: a\n  b\n  c\n"),
    "no docstring": (written().replace('"""MY-1: Items got were sent."""', ""), ":10: mine.sane ("),
    "no rule": (written().replace("MY-1: ", ""), ":10: mine.sane ("),
    "async": (written().replace("def sane", "async def sane"), ":10: mine: async function in the place"),
    "no parentheses": (written().replace("@mine.action()", "@mine.action") + HOLDS,
        ":16: mine: write @mine.action(), with parentheses\n"),
    "decorator": (written().replace("def sane", "@staticmethod\ndef sane"),
        ":10: mine: staticmethod in the place of a function: write def,"),
    "no yield": (written(nothing="return 3") + HOLDS, ":16: nothing has no `yield`: an action yields the"),
    "a yield too many": (written(sane="yield False") + HOLDS,
        ":10: sane has a `yield`: a property returns whether it holds\n"),
    "no models": (HEAD.format(sane="pass", nothing="yield s") + "A = Holds(mine, 'a', [])", ": A: an instance is"),
    "no spec": ("from spec.kit.bounded import *\nA = Holds(3, 'a', list)\n", ": A: an instance is a Spec,"),
}  # fmt: skip
#: Errors in a file that appear during the search; the same.
WORSE: dict[str, tuple[str | bytes, str]] = {
    "attribute": (written(sane="return s.nowhere") + HOLDS, ":13: AttributeError: 'Queue' object has no"),
    "key": (written(sane="return s.held[7] > 0") + HOLDS, ":13: KeyError: 7\n  in the state Queue(buf=(), "),
    "type": (written(nothing="yield s.buf >= 3") + HOLDS, ":19: TypeError: '>=' not supported"),
    "recursion": (written(nothing="yield from nothing(k, s)") + HOLDS, ":19: RecursionError: "),
    "exits later": (written(nothing="raise SystemExit\n    yield s") + HOLDS, ":19: SystemExit\n"),
    "no state": (written(nothing="yield 3") + HOLDS, ":16: mine: nothing(): 3 is no Queue\n"),
    "a state that changes": (written(nothing="import dataclasses\n    yield dataclasses.replace(s, buf=[])") + HOLDS,
        ":16: mine: nothing(): Queue.buf is [], which is a value that can change"),
    "no such item": (written(nothing="yield next(s for x in ())") + HOLDS,
        ":19: RuntimeError: generator raised StopIteration\n  in nothing() from the state Queue("),
    "an assert": (written(nothing="assert not s\n    yield s") + HOLDS,
        ":19: AssertionError\n  in nothing() from the state Queue("),
    "other steps": (written(nothing="mine.numbers += (1,)\n    yield from [s] * (len(mine.numbers) % 2)") + HOLDS,
        ":16: mine: nothing() has other steps from Queue("),
    "slots": (own_state(decorator="@dataclass(frozen=True, slots=True)"),
        ":4: Own has slots: leave out slots=True\n"),
    "cached": (own_state("c: Any = cached_property(id)"), ":4: Own.c is stored in the state: write a property"),
    "NaN": (own_state(n="Decimal('NaN')"), ":4: mine: an initial state: Own.n is Dec"),
    "another path": (own_state("p: PurePath = 3"), ":4: mine: an initial state: Own.p is 3, which is no PurePath\n"),
    "another value": (own_state("p: Map[int, bool] = Map({0: 1})"),
        ":4: mine: an initial state: Own.p is {0: 1}, which is no Map[int, bool]\n"),
    "no return": (written(sane="pass") + HOLDS, ":10: sane gives None, and not True or False: it lacks a return\n"),
    "another text": (written() + HOLDS.replace("model()", "queue_model(1, 0, 1)"),
        ": mine: small: the model is of another specification, 'queue': make it with spec=...\n"),
    "no list": (written() + HOLDS.replace("[model()]", "model()"), ": TypeError: 'Model' object is not iter"),
    "no domain": (written().replace("def nothing(k, s)", "def nothing(k, s, x: float)") + HOLDS,
        ":23: mine.nothing: the model has no domain for <class 'float'>\n"),
    "no type": (written().replace("def nothing(k, s)", "def nothing(k, s, x)") + HOLDS,
        ":23: nothing: the parameter x has no type, and so no domain\n"),
    "no model": (written() + HOLDS.replace("[model()]", "[]"), ": mine: small: there is no model in it\n"),
    "no such property": (written() + 'F = Fails(mine, "f", model, "insane", 2)\n',
        ": mine has no property 'insane' that could fail\n"),
    "symmetry": (written() + "S = Holds(mine, '', lambda: [queue_model(1, 0, 1, spec=mine, symmetric=1)], live=True)",
        ": mine: leads-to properties cannot be checked up to a symmetry\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", [*BAD, *WORSE])
def test_what_is_wrong_in_a_file_is_told_in_lines(name: str, capsys: Captured) -> None:
    text, said = (BAD | WORSE)[name]
    status, out, err = run(text, capsys)
    assert (status, out) == (2, "")
    assert err.startswith(f"loopspec check: mine.py{said}")
    assert err.splitlines()[-1].startswith("  while checking mine: ") == (name in WORSE)
    assert len(err.splitlines()) <= 3


def test_a_property_that_does_not_return_is_named_when_it_is_stopped(capsys: Captured) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(written(sane="raise KeyboardInterrupt") + HOLDS, capsys)
    assert ": mine.py:13: KeyboardInterrupt\n  while checking mine" in capsys.readouterr().err


def test_what_is_no_file_is_told(tmp_path: Path, capsys: Captured) -> None:
    Path("folder.py").mkdir()
    texts = ", ".join(sorted({instance.spec.name for instance in REGISTRY}))
    said = {
        "nowhere.py": "cannot read nowhere.py: No such file or directory",
        "folder.py": "cannot read folder.py: Is a directory",
        "mine.txt": f"there is no specification 'mine.txt'; there are: {texts}; or FILE.py",
    }
    for target, message in said.items():
        assert check.main([target]) == 2
        assert capsys.readouterr() == ("", f"loopspec check: {message}\n")
    for of in (":nothing_here", ":"):
        status, _, err = run(written() + HOLDS, capsys, of=of)
        assert status == 2
        assert err == f"loopspec check: mine.py: no specification or instance is called {of[1:]!r}\n"


def test_an_interrupt_is_none_of_its_business(capsys: Captured) -> None:
    with pytest.raises(KeyboardInterrupt):
        run("raise KeyboardInterrupt\n", capsys)
