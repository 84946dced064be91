"""loopspec where POSIX is not: it is imported, explores, runs, checks, conforms and simulates as it does here."""

import os
from pathlib import Path

import pytest

from ...conformance.child import SLOW
from ...dev.pythons import ROOT
from ...dev.tutorial import timeless
from ...examples import __file__ as examples
from ..process import python

#: An output that has no arrows.
PIPE = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONHASHSEED": "0"}
HERE = PIPE | {"PYTHONPATH": str(ROOT)}
WINDOWS = PIPE | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), str(ROOT)])}

#: In two parts, because no test here is one of the rule.
RULE = f"EVENT-{3}"

FILES = {
    "arrows.py": """
import asyncio
async def main():
    print("→ ok ✓")
    raise ValueError("a → b")
""",
    "mine.py": "import asyncio\nclass Event(asyncio.Event):\n    def clear(self): pass\n",
}
IMPORTS = """
import importlib, pkgutil
from importlib.util import find_spec
import impl, spec, model_tests
left = []
for package in (impl, spec, model_tests):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if ".tests" not in module.name and not module.name.endswith("__main__"):
            try:
                importlib.import_module(module.name)
            except ImportError as error:
                if error.name is None or "Windows" in str(error):
                    left.append(f"{module.name}: {error}")
print(*left, sep="\\n")
"""


def test_the_names_of_posix_are_gone() -> None:
    program = "import os, signal, sys\nassert sys.platform == 'win32' and not hasattr(os, 'fork')"
    ran = python("-c", f"{program} and not hasattr(signal, 'SIGKILL')\nimport fcntl", env=WINDOWS)
    assert ran.stderr.splitlines()[-1].startswith("ModuleNotFoundError: ")


def test_each_module_is_imported() -> None:
    ran = python("-c", IMPORTS, env=WINDOWS)
    assert (ran.stdout.split(), ran.stderr[-500:]) == ([], "")


@pytest.mark.short(
    "1-explore arrows.py:main --svg run.svg",
    "1-run arrows.py:main",
    "0-check future",
    "0-simulate --pages 8 --verbose --json pages.json",
    why="seconds of two processes each",
)
@pytest.mark.parametrize(("status", "command"), [
    (1, "explore shop.py:main --confirm confirmed.py"),
    (1, "explore shop.py:main --jobs 2 --runs 20 --keep-going"),
    (1, "explore arrows.py:main --svg run.svg"),
    (1, "run arrows.py:main"),
    (0, "check future"),
    (0, "simulate --pages 8 --verbose --json pages.json"),
    (0, "simulate --pages 8 --shards 2"),
    (1, f"conform mine.py --only {RULE} --random 0"),
])  # fmt: skip
def test_a_command_prints_the_same(tmp_path: Path, status: int, command: str) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "shop.py").write_bytes(Path(examples).with_name("shop.py").read_bytes())
    words = ("-m", "model_tests.commands.cli", *command.split())
    here, there = (python(*words, cwd=tmp_path, env=env) for env in (HERE, WINDOWS))
    assert "UnicodeEncodeError" not in there.stdout + there.stderr
    assert (here.returncode, here.stderr) == (status, there.stderr)
    assert (there.returncode, timeless(there.stdout)) == (status, timeless(here.stdout))


@pytest.mark.long("a second; spec/test_render.py has the refusal")
def test_mathematics_is_refused_by_a_pipe_that_cannot_hold_it() -> None:
    there = python("-m", "model_tests.commands.cli", "explain", "queue", env=WINDOWS)
    assert there.returncode == 2
    assert there.stderr == "loopspec explain: the output cannot hold the signs (charmap): use --output\n"


@pytest.mark.parametrize("env", [HERE, WINDOWS], ids=["here", "windows"])
def test_a_limit_of_time_ends_the_child_of_conform(env: dict[str, str]) -> None:
    program = "from model_tests.conformance import child\nchild.limit(0.2)\nwhile True: pass"
    ended = python("-c", program, env=env).returncode
    assert ended == (SLOW if env is HERE else 197)
