"""The walls of the house: imports between packages, the cost of an import, the contents and the size of a checkout."""

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from impl.bridges.asyncio.loop import SimEventLoop
from impl.bridges.simulated_loop import SimLoopBase
from impl.sim.loop_base import LoopBase
from impl.threads.group import RunThreads

from ..dev.imports import imports
from ..dev.pythons import ROOT
from .process import python

WINGS = ("spec", "impl", "model_tests")
TOP_LEVEL = {
    *WINGS,
    *("pyproject.toml", "constraints.txt", "Makefile", "LICENSE", ".gitignore", ".ci"),
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md"),
}
MOST_LINES = 400
MOST_FILES = 25


def files(*patterns: str) -> list[str]:
    """Return the files of the checkout that match one of the patterns, as paths from its root."""
    return sorted(path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern))


#: A file of LONGER may grow by a tenth: a rule more, or a program, needs no other number here.
SLACK = 1.1
CHAPTER = "a specification is one chapter"
MADE = "made from all rules, or all programs, one a line"
SHOWN = "a tutorial shows the output of its programs"
TABLE = "one table, an item a few lines"
#: The files that are longer than MOST_LINES, or nearly so: the lines that each has had, and the reason.
LONGER = {
    "spec/queue/specification.py": (767, CHAPTER),
    "spec/callbacks/specification.py": (485, CHAPTER),
    "spec/crawl/specification.py": (431, CHAPTER),
    "spec/locks/specification.py": (482, CHAPTER),
    "spec/scopes/specification.py": (659, CHAPTER),
    "spec/stream/ends.py": (428, CHAPTER),
    "spec/stream/specification.py": (410, CHAPTER),
    "spec/assurance.json": (429, MADE),
    "model_tests/libraries/loops/loops.json": (396, MADE),
    "model_tests/implementations/caught.json": (1_183, MADE),
    "model_tests/documents/order/pairs.txt": (705, TABLE),
    "model_tests/programs/vectors/vectors.json": (631, MADE),
    "model_tests/conformance/cases/expected.txt": (4_045, MADE),
    "model_tests/tests/web/wpt/urltestdata.json": (880, TABLE),
    "model_tests/tests/web/wpt/toascii.json": (1_739, TABLE),
    "model_tests/assurance/fuzz/specifications/corpus.txt": (2_821, TABLE),
    "model_tests/tests/conformance/planted.txt": (471, TABLE),
    "spec/premises.json": (1_853, MADE),
    "spec/README.md": (770, SHOWN),
    "spec/LIMITER.md": (454, SHOWN),
    "impl/ladder/README.md": (647, SHOWN),
}

#: Never loaded by `import impl`: other runtimes, the checks' libraries, and the crawl's dependencies.
HEAVY = {"asyncio", "trio", "hypothesis", "h11", "idna", "turbohtml", "z3", "rich", "ssl"}

#: Modules that demonstrate another library, and are loaded only on request.
SHOWS = {
    # the errors that a program of asyncio or trio ends with when it was cancelled
    "impl/explore/programs/on_asyncio.py": {"asyncio"},
    # the reduction records the accesses of asyncio's tasks and primitives
    **{f"impl/explore/reduction/{name}.py": {"asyncio"} for name in ("futures", "watch_asyncio", "host_asyncio")},
    "impl/explore/programs/on_trio.py": {"trio"},
    # the format of `loopspec crawl --save`
    "impl/crawl/results/archive.py": {"warcio"},
    # the ladder ends on asyncio and aiohttp
    "impl/ladder/rungs/asyncio_end.py": {"asyncio", "aiohttp", "yarl"},
    "impl/ladder/world/asyncio_world.py": {"asyncio"},
    **{name: {"asyncio"} for name in files("impl/bridges/*.py", "impl/bridges/*asyncio/*.py")},
    **{name: {"trio", "outcome"} for name in files("impl/bridges/trio/*.py")},
}

#: Underscored names of asyncio's futures, tasks and queues.
INSIDE = re.compile(
    r"\b(?:_asyncio_future_blocking|_callbacks|_cancel_message|_fut_waiter|_log_destroy_pending|_log_traceback"
    r"|_make_cancelled_error|_must_cancel|_num_cancels_requested|_source_traceback|_unfinished_tasks)\b"
)

#: Words that the project's sentences do without.  Written so that the pattern does not match its own text.
DIALECT = re.compile(r"\b(?:w[h]o|w[h]oever|no[b]ody|some[b]ody|(?:is|are) t[o]ld)\b", re.IGNORECASE)
#: May only fall.
MOST_DIALECT = 43

#: Strings that would tie a checkout to one machine or registry.  Written so that no pattern matches its own text.
PLACES = re.compile(
    r"""(?<![\w.)}/*-])/(?:work|root|home|Users|opt)/      # a directory of one machine
      | /tmp/tmp[a-z0-9_]{8}/                             # or of one run
      | pypi\.org | pythonhosted\.org | registry\.npmjs | debian\.org
      | index[-_]url | find[-_]links | \.\./shared""",
    re.VERBOSE,
)


def sources(wing: str) -> list[Path]:
    found = sorted((ROOT / wing).rglob("*.py"))
    assert found, f"{wing}/ holds no Python file"
    return found


def absolute(wing: str) -> Iterator[tuple[str, str]]:
    """(where, top-level name) of every absolute import of the wing, those inside functions included."""
    for path in sources(wing):
        for node in imports(path):
            match node:
                case ast.Import(names=names):
                    modules = [alias.name for alias in names]
                case ast.ImportFrom(module=str(module), level=0):
                    modules = [module]
                case _:
                    continue
            for module in modules:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", module.partition(".")[0]


def crawl_extra() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = (re.match(r"[\w-]+", text) for text in project["optional-dependencies"]["crawl"])
    return {name[0].replace("-", "_") for name in names if name}


def tracked() -> list[str]:
    """Return the tracked files, as far as they exist in the work tree."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_spec_knows_only_itself_the_standard_library_and_z3_in_one_module() -> None:
    strange = [at for at in absolute("spec") if at[1] not in sys.stdlib_module_names]
    assert [(where.partition(":")[0], name) for where, name in strange] == [("spec/kit/prove/solver.py", "z3")]


def test_impl_knows_only_itself_the_standard_library_and_the_crawl_extra() -> None:
    known = (sys.stdlib_module_names | crawl_extra()) - {"asyncio"}
    shown = {(file, name) for file, names in SHOWS.items() for name in names}
    strange = [
        (where, name)
        for where, name in absolute("impl")
        if name not in known and (where.partition(":")[0], name) not in shown
    ]
    assert strange == []


def test_what_asyncio_keeps_to_itself_is_named_in_bridges_alone() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {word}"
        for path in sources("impl")
        if path.relative_to(ROOT).parts[1] not in ("bridges", "ladder")
        for word in INSIDE.findall(path.read_text(encoding="utf-8"))
    }
    assert found == set()
    assert INSIDE.findall((ROOT / "impl/bridges/on_asyncio/internals.py").read_text(encoding="utf-8"))


def test_what_shows_another_library_is_loaded_only_when_that_is_asked_for() -> None:
    """`import impl`, the ladder's command, and every rung except the one that demonstrates it, work without it."""
    program = (
        "import sys, impl; from impl.ladder import command\n"
        "for rung in command.RUNGS: rung.name in ('processes', 'asyncio_end') or rung.load()\n"
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    ran = python("-c", program, check=True)
    loaded = set(ran.stdout.split())
    assert "impl" in loaded
    assert {name for names in SHOWS.values() for name in names} & loaded == set()


@pytest.mark.parametrize("part", SimEventLoop.__bases__)
def test_a_part_of_the_simulated_loop_states_what_it_needs_of_the_others(part: type) -> None:
    """Each part derives from the base alone; of the loop it calls its own names, the base's and those that it
    declares.
    """
    assert part.__bases__ == (SimLoopBase,)
    bases = (SimLoopBase, LoopBase, RunThreads)
    known = {name for each in (part, *bases) for name in (*vars(each), *of_self(each, ast.Store))}
    stated = re.search(r"Needs: (.*?)\.  Gives:", inspect.getdoc(part) or "", re.DOTALL)
    assert stated is not None
    assert of_self(part, ast.Load) - known == set(re.findall(r"`(\w+)`", stated[1]))


def of_self(part: type, context: type[ast.expr_context]) -> set[str]:
    """Return the attributes of `self` that the methods of a class load, or store."""
    return {
        node.attr
        for node in ast.walk(ast.parse(inspect.getsource(part)))
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, context)
        if isinstance(node.value, ast.Name) and node.value.id == "self"
    }


@pytest.mark.parametrize("wing", WINGS)
def test_imports_inside_a_wing_are_relative(wing: str) -> None:
    assert [at for at in absolute(wing) if at[1] == wing] == []


def test_import_impl_is_cheap() -> None:
    ran = python("-X", "importtime", "-c", "import impl", check=True)
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in ran.stderr.splitlines()}
    assert "impl" in loaded
    assert loaded & HEAVY == set()


def test_the_top_level_holds_only_what_belongs() -> None:
    assert {Path(name).parts[0] for name in tracked()} == TOP_LEVEL


def test_every_wing_is_typed() -> None:
    assert {f"{wing}/py.typed" for wing in WINGS} <= set(tracked())


def test_no_file_is_long() -> None:
    lines = {name: (ROOT / name).read_bytes().count(b"\n") for name in tracked()}
    most = {name: max(MOST_LINES, int(had * SLACK)) for name, (had, _) in LONGER.items()}
    assert {name: count for name, count in lines.items() if count > most.get(name, MOST_LINES)} == {}
    assert [name for name in LONGER if lines.get(name, 0) * SLACK < MOST_LINES] == [], "they are no exceptions"


def test_no_folder_is_crowded() -> None:
    folders = Counter(str(Path(name).parent) for name in tracked() if name.endswith(".py"))
    assert {folder: count for folder, count in folders.items() if count > MOST_FILES} == {}


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{name}:{number}: {line.strip()}"
        for name in tracked()
        for number, line in enumerate((ROOT / name).read_text("utf-8", "replace").splitlines(), 1)
        if PLACES.search(line)
    ]
    assert found == []


def test_the_dialect_does_not_grow() -> None:
    """Sentences about persons and hearsay; the subject of a sentence is a named thing (CONTRIBUTING.md, "Style")."""
    texts = [name for name in tracked() if name.endswith((".py", ".md")) or "/catalogue/" in name]
    found = sum(len(DIALECT.findall((ROOT / name).read_text("utf-8"))) for name in texts)
    assert found <= MOST_DIALECT, f"{found} words of {DIALECT.pattern}"
    assert found > MOST_DIALECT - 20, f"{found} words: lower MOST_DIALECT"


def test_the_pattern_of_places_sees_what_it_should() -> None:
    bad = (
        "cd " + "/work" + "/main",
        '"' + "/root" + '/x"',
        "/tmp" + "/tmpdywon7t0/wrong.py",
        "https://" + "pypi" + ".org",
        "--" + "index" + "-url",
    )
    assert [text for text in bad if not PLACES.search(text)] == []
    assert not PLACES.search("http://a.example/work/page")


# The ceiling: how many files and lines of Python each part may have is a figure in pyproject.toml.  To raise it is a
# line in a commit, with a reason: the project once doubled in a week, and no one had meant it to.

CEILINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["ceilings"]
#: Lines by which a part may be below its ceiling: what was saved is not to be spent unseen.
UNSPENT_MAX = 500


def size(part: str) -> tuple[int, int]:
    """Return the number of files and of lines of a part of the project; tests are a part of their own."""
    tests = ROOT / "model_tests" / "tests"
    paths = [
        path for path in (ROOT / part).rglob("*.py") if part == "model_tests/tests" or not path.is_relative_to(tests)
    ]
    return len(paths), sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def test_every_part_has_a_ceiling() -> None:
    assert list(CEILINGS) == ["spec", "impl", "model_tests", "model_tests/tests"]


@pytest.mark.parametrize("part", CEILINGS)
def test_a_part_stays_below_its_ceiling(part: str) -> None:
    files, lines = size(part)
    most = CEILINGS[part]
    assert files <= most["files"], "join files, or raise the ceiling in pyproject.toml with a reason"
    assert lines <= most["lines"], "delete what is no longer needed, or raise the ceiling with a reason"
    assert most["lines"] - lines <= UNSPENT_MAX, f"lower the ceiling of {part} to {lines}"
