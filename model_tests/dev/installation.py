"""The wheel as its user has it: in an empty environment, beside a project with packages named as ours in a checkout.

Everything runs twice, with one Python and one set of libraries: from the wheel, in a project with its own `spec`,
`impl` and `model_tests`, first on the path, that raise on import; and from the checkout, in a project without them.
Exit status and output have to be equal, digests and tokens included. The first commands of the README, and programs
that need no library, run in an environment that holds the wheel alone; the test that `loopspec new` writes needs
Hypothesis and pytest besides. On the oldest and the newest Python, the others run after the extra `check` is added. On
the newest, all that tutorials and guides show is run with the wheel, too (`make guides-check` runs it on each, from the
checkout), and pytest finds flaky tests with the wheel's plugin (flaky.py).

    python -m model_tests.dev.installation WHEEL [VERSION...]      versions of Python (default: all that are supported)
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from difflib import unified_diff
from functools import partial
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from .. import examples
from . import flaky
from .pythons import ROOT, SUPPORTED, Interpreter, pythons
from .tutorial import LADDER, LIMITER, PAGES, PLACE, Shell, blocks, same, timeless, typed, updated
from .wheel import ModuleNames, files, names

PYPROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGE: Final[str] = PYPROJECT["project"]["name"]
#: In the checkout, the module of the command.
COMMAND: Final[str] = PYPROJECT["project"]["scripts"][PACKAGE].partition(":")[0]
EXTRA: Final = "check"

#: Arguments of `loopspec` -> the exit status.  The first command names the extra that it lacks.
ALONE: Final = {
    "simulate --pages 8": 2,
    "-h": 0,
    "explain": 0,
    "explain queue": 0,
    "check future": 0,
    "check no_such_text": 2,
    "vectors": 0,
    "run stuck.py:main": 1,
}
WITH_LIBRARIES: Final = {
    **{f"simulate --pages 20 --seed {n} --order {order}": 0 for n in range(3) for order in ("fifo", "any")},
    "run aiohttp_race.py:main --seed 17": 1,
    "run anyio_listener.py:main --seed 17 --order any": 0,
    "compare --sites 3": 0,
    "ladder": 0,
    "conform mine.py --only QUEUE-5 --random 0": 1,
    "conform asyncio --only QUEUE-5 LOCK-5 TASK-2 CANCEL-1 GATHER-2 TIMEOUT-1 --random 5": 0,
}

#: Files of both projects.  The programs in them are spelled as in the checkout.
PROJECT: Final = {
    "mine.py": "import asyncio\n\n\nclass Queue(asyncio.LifoQueue):\n    pass\n",
    "stuck.py": "import asyncio\n\n\nasync def main():\n    await asyncio.Queue().get()\n",
    "library.py": """\
import logging
import impl
import model_tests

async def stuck():
    await impl.Queue().get()

try:
    impl.run(stuck())
except impl.DeadlockError as error:
    print(error)
logging.basicConfig(format="%(name)s: %(message)s")
impl.Loop().default_exception_handler({"message": "an error without a caller"})
""",
    "kit.py": """\
import model_tests
from model_tests.conformance import budget, kit

print(model_tests.conform("asyncio", only=["QUEUE-5"], random=0).text())
report = kit.run("mine.py", only=["QUEUE-5"], budget=budget.Budget(runs=0))
with open("broken.py", "w") as file:
    file.write(report.findings[0].script())
""",
}
#: For the wheel alone: no import brings more than it names, and the names of the project are the project's.
IMPORTS: Final = """
import sys
import loopspec

def loaded():
    return {name.split(".")[1] for name in sys.modules if name.startswith("loopspec.")}

assert loaded() == set(), loaded()
from loopspec import impl
assert loaded() == {"impl"}, loaded()
assert "asyncio" not in sys.modules
from loopspec import model_tests, spec
assert not {"impl", "spec", "model_tests"} & sys.modules.keys()
for name in "impl", "spec", "model_tests":
    try:
        __import__(name)
    except RuntimeError:
        continue
    raise AssertionError(f"{name} is not the project's")
"""
#: The same: the public function, which needs the extra `conform`.
PUBLIC: Final = """
import loopspec
from loopspec import model_tests

assert loopspec.conform is model_tests.conform
assert loopspec.conform("asyncio", only=["QUEUE-5"], random=0).status == 0
"""
#: The README, up to its first command: the line that installs, with the words after `pip install`.
FIRST: Final = re.compile(r"^    pip install (.+)$(?s:.*?)^```console$", re.MULTILINE)
#: The parts of the output that vary between two equal runs, besides times: a pattern and its replacement.
VARIES: Final = (
    (r"\bat 0x[0-9a-f]+", "at 0x"),
    (r"\]\([^()\s]*?/(?=spec/)", "]("),  # where a link of the rendered specification begins
    (r"(?m)^(\w+ +[\d.]+(?: +\d+){2}) +[\d,]+|[\d,]+ bytes", r"\1"),  # memory, in the table of the ladder
)


class Differs(Exception):
    """The wheel behaves otherwise than the checkout; `str` names the difference."""


@dataclass(frozen=True, slots=True)
class Side:
    """The wheel or the checkout: a project, and how a program or a command runs in it."""

    folder: Path
    python: Path
    command: tuple[str | Path, ...]
    path: Path  #: PYTHONPATH

    def start(self, *words: str | Path) -> subprocess.Popen[str]:
        """Start a process in the project, without the settings of this one."""
        return subprocess.Popen(
            words,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.path), "PYTHONHASHSEED": "0", "COLUMNS": "100"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def seen(self, process: subprocess.Popen[str]) -> str:
        """The output of the process and its exit status, without variable parts: folders, the name of the package."""
        output, _ = process.communicate()
        output = timeless(output).replace(f"{self.folder}{os.sep}", "").replace(f"{PACKAGE}.", "")
        for pattern, replacement in VARIES:
            output = re.sub(pattern, replacement, output)
        return f"{output}exit status {process.returncode}\n"


class BothSides:
    """Both sides on one Python, in a folder of their own."""

    def __init__(self, python: Interpreter, wheel: Path, folder: Path) -> None:
        environment = folder / "environment"
        subprocess.run([python.path, "-m", "venv", "--without-pip", environment], check=True)
        self.wheel, self.python = wheel, environment / "bin" / "python"
        # Both have one name: a report has the name of a subject's module, and its digest is made from it.
        project, plain = folder / "wheel" / "project", folder / "checkout" / "project"
        self.wheels = Side(project, self.python, (self.python.with_name(PACKAGE),), project)
        self.checkouts = Side(plain, self.python, (self.python, "-m", COMMAND), ROOT)
        self.names = names(PACKAGE, list(files(ROOT, PYPROJECT)))
        shutil.copytree(Path(examples.__file__).parent, plain)
        for name, text in PROJECT.items():
            (plain / name).write_text(text, encoding="utf-8")
        project.mkdir(parents=True)
        for path in plain.glob("*.py"):
            (project / path.name).write_text(self.names.rewrite(path.read_text(encoding="utf-8")), encoding="utf-8")
        for package in {name.partition(".")[0] for name in self.names.modules}:
            decoy = project / package / "__init__.py"
            decoy.parent.mkdir()
            decoy.write_text(f"raise RuntimeError('the {package} of the project')\n", encoding="utf-8")

    def install(self, *what: str) -> None:
        """Have pip install into the environment.  Raises CalledProcessError."""
        subprocess.run([*pip(self.python), *what], check=True)

    def compare(self, title: str, status: int, words: Sequence[str], of_command: bool = False) -> None:
        """Run Python, or the command, with these words on both sides, at the same time.

        Raises:
            Differs: different things were seen, or not this exit status.
        """
        began, sides = time.monotonic(), (self.wheels, self.checkouts)
        started = [side.start(*(side.command if of_command else (self.python,)), *words) for side in sides]
        seen, expected = (side.seen(process) for side, process in zip(sides, started, strict=True))
        if seen != expected or not seen.endswith(f"exit status {status}\n"):
            texts = seen.splitlines(), expected.splitlines()
            differences = "\n".join(unified_diff(*texts, "the wheel", "the checkout", n=1, lineterm="")) or seen
            raise Differs(f"{title} (wanted: exit status {status}):\n{differences}")
        print(f"  {title}: {time.monotonic() - began:.1f} s", flush=True)

    def commands(self, statuses: Mapping[str, int]) -> None:
        """Run these commands on both sides.  Raises Differs."""
        for arguments, status in statuses.items():
            self.compare(f"{PACKAGE} {arguments}", status, arguments.split(), of_command=True)

    def programs(self, *paths: str) -> None:
        """Run these files of the projects on both sides.  Raises Differs."""
        for path in paths:
            self.compare(path, 0, [path])

    def succeeds(self, *words: str | Path) -> str:
        """Run it on the wheel; returns the output.  Raises Differs if it fails."""
        seen = self.wheels.seen(self.wheels.start(*words))
        if not seen.endswith("exit status 0\n"):
            raise Differs(f"{' '.join(map(str, words))}:\n{seen}")
        return seen.removesuffix("exit status 0\n")

    def silent(self, program: str) -> None:
        """Run a program on the wheel.  Raises Differs if it fails or prints anything."""
        if seen := self.succeeds(self.python, "-c", program):
            raise Differs(f"{program}\n{seen}")

    def run(self, libraries: bool, guides: bool) -> None:
        """Run what needs few libraries.

        Parameters:
            libraries: whether to run what needs more, as well.
            guides: whether to run the documents and the tests of pytest, which take two minutes of a core.

        Raises:
            Differs: the first difference.
            subprocess.CalledProcessError: the wheel cannot be installed.
        """
        self.first_screen()
        self.silent(IMPORTS)
        self.commands(ALONE)
        self.programs("library.py")
        self.install(f"{self.wheel}[conform]")
        self.silent(PUBLIC)
        self.install("pytest")
        self.code_of_a_user()
        if libraries:
            self.install(f"{self.wheel}[{EXTRA}]")
            self.commands(WITH_LIBRARIES)
            self.programs("httpx_retries.py", "trio_timeout.py", "kit.py", "broken.py")
        if guides:
            self.guides()

    def guides(self) -> None:
        """Run all that documents show, and the tests of pytest.  Raises Differs."""
        jobs: list[Callable[[], str]] = [self.flaky]
        jobs += [partial(self.document, *item) for item in documents(self.wheel, self.names).items()]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for running in [pool.submit(job) for job in jobs]:
                print(f"  {running.result()}", flush=True)

    def first_screen(self) -> None:
        """Type the first commands of the README, with the wheel that `.` would make.  Raises Differs."""
        began, text = time.monotonic(), long_description(self.wheel)
        if not (found := FIRST.search(text)):
            raise Differs("the README does not begin with `pip install` and a command")
        self.install("--no-index", *(str(self.wheel) if word == "." else word for word in found[1].split()))
        all_blocks = blocks(text)
        console = next(block for block in all_blocks if block.language == "console")
        with tempfile.TemporaryDirectory() as folder:
            printed = typed(console, all_blocks, Path(folder), Shell(self.python))
        if not same(console.text, printed):
            raise Differs(f"the README shows:\n{console.text}and the wheel prints:\n{printed}")
        print(f"  the first commands of the README: {time.monotonic() - began:.1f} s", flush=True)

    def code_of_a_user(self) -> None:
        """Write a specification with its code and test, and run them.  Raises Differs if a command fails."""
        self.succeeds(self.python.with_name(PACKAGE), "new", "pool")
        self.succeeds(self.python, "-m", "pytest", "test_pool.py")
        print(f"  with Hypothesis and pytest alone: {PACKAGE} new pool; pytest test_pool.py", flush=True)

    def document(self, name: str, text: str) -> str:
        """Run all that a tutorial or guide of the wheel shows; return a line about it.

        Raises:
            Differs: something else is printed.
        """
        began = time.monotonic()
        now = updated(text, Shell(self.python))
        shown, printed = (plain(each).splitlines() for each in (text, now))
        if shown != printed:
            raise Differs("\n".join(unified_diff(shown, printed, name, "the wheel", n=1, lineterm="")))
        return f"{name}: {time.monotonic() - began:.1f} s"

    def flaky(self) -> str:
        """Find and replay flaky tests with pytest, as the user of the wheel does; return a line.  Raises Differs."""
        shutil.copytree(self.checkouts.folder / "flaky", self.wheels.folder / "flaky")
        began = time.monotonic()
        try:
            replays = flaky.check(partial(self.wheels.start, self.python, "-m", "pytest", "-p", "no:cacheprovider"))
        except flaky.NotReplayed as error:
            raise Differs(f"pytest flaky:\n{error}") from None
        return f"pytest flaky, {replays} tests found and replayed: {time.monotonic() - began:.1f} s"


def pip(python: Path) -> list[str | Path]:
    """Return the command that installs into the environment of a Python; the caller appends the packages."""
    into: list[str | Path] = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
    return [*into, "-c", ROOT / "constraints.txt"]


def long_description(wheel: Path) -> str:
    """The README in the wheel.

    Raises:
        Differs: something besides the package and its metadata is in the wheel.
    """
    with ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        tops = {name.partition("/")[0] for name in archive.namelist()}
        if tops != {PACKAGE, metadata.partition("/")[0]}:
            raise Differs(f"the wheel has at its top level: {', '.join(sorted(tops))}")
        return archive.read(metadata).decode().partition("\n\n")[2]


def plain(document: str) -> str:
    """A document without the parts that differ in the wheel: the package, seconds, a state that Z3 has chosen."""
    return re.sub(r"(?m)^ +0  from  .*", "", timeless(document.replace(f"{PACKAGE}.", "")))


def documents(wheel: Path, of: ModuleNames) -> dict[str, str]:
    """The README of the wheel, and the tutorials and guides, by their names in a checkout."""
    texts = {"README.md": long_description(wheel)}
    for path in (PLACE, LIMITER, LADDER, *PAGES[1:]):
        texts[path.relative_to(ROOT).as_posix()] = of.document(path.read_text(encoding="utf-8"))
    # Its one command measures real time, so its output is never the same; one program is about code for a checkout.
    walk = LADDER.relative_to(ROOT).as_posix()
    texts[walk] = texts[walk].replace("```console", "```measured")
    texts[walk] = re.sub(r"```python(?=\nfrom model_tests\.)", "```checkout", texts[walk])
    return texts


def main(argv: Sequence[str]) -> int:
    """Check the wheel on these Pythons; 0, 1 if something differs or no Python answers, 2 on bad usage."""
    if not argv or not argv[0].endswith(".whl") or not Path(argv[0]).is_file():
        print("usage: python -m model_tests.dev.installation WHEEL [VERSION...]", file=sys.stderr)
        return 2
    wanted = argv[1:] or SUPPORTED
    found = pythons(wanted)
    for version in set(wanted) - {python.version for python in found}:
        print(f"make wheel-check: not run on Python {version}: it is not on this machine", flush=True)
    for python in found:
        print(f"make wheel-check: Python {python.version}", flush=True)
        with tempfile.TemporaryDirectory(prefix="loopspec-installed-") as folder:
            try:
                pair = BothSides(python, Path(argv[0]).resolve(), Path(folder).resolve())
                pair.run(libraries=python in (found[0], found[-1]), guides=python is found[-1])
            except (Differs, subprocess.CalledProcessError) as error:
                print(f"make wheel-check: Python {python.version}: {error}", file=sys.stderr)
                return 1
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
