"""Same program and same choices, same digest: in other processes, under other hashes, on other Pythons, and again in
the same process, where addresses are reused.

A fresh process hides dependence on addresses: it lays out its memory the same way each time.  So runs in one process
have garbage of changing size allocated between them, and are done in both orders.
"""

import base64
import re
import sys
from functools import cache
from pathlib import Path

import pytest

import impl
from impl.crawl.commands import simulate as command
from impl.crawl.simulation import KIND, Crawl, simulate
from impl.sim.order import Order
from impl.sim.recipe import DIGEST_BYTES, SEEDED, Recipe
from impl.sim.token import Packer, Unpacker

from ...dev.pythons import ROOT, SUPPORTED, Interpreter, run_command
from ...programs.generate import generate
from ...programs.runtimes import Line, Ours, Program, observe

PAGES, PAGES_SHORT = "200", "60"
PROGRAMS, PROGRAMS_SHORT = 100, 50
ORDERS: tuple[Order, ...] = ("fifo", "any")


@pytest.fixture
def pages(full: bool) -> str:
    return PAGES if full else PAGES_SHORT


@pytest.fixture
def programs(full: bool) -> range:
    """The seeds of random programs."""
    return range(PROGRAMS if full else PROGRAMS_SHORT)


def simulated(python: Path | str, pages: str, hash_seed: str) -> str:
    """Return the report of a process of its own."""
    words = ["-m", "impl", "simulate", "--seed", "7", "--pages", pages]
    ran = run_command(python, *words, cwd=ROOT, environment={"PYTHONHASHSEED": hash_seed})
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


def simulated_here(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """Return the report of a run in this process."""
    assert command.main(options) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def value(name: str, report: str) -> str:
    """Return the value of the line `name: ...` of the report."""
    found = re.findall(rf"^{name}: (\S+)$", report, re.MULTILINE)
    assert len(found) == 1, report
    return str(found[0])


@cache
def reference(pages: str) -> str:
    return simulated(sys.executable, pages, hash_seed="0")


# --- processes -----------------------------------------------------------------------------------------------


OTHER_SEED = pytest.mark.long("another hash seed")


@pytest.mark.parametrize(
    "hash_seed", ["1", pytest.param("2", marks=OTHER_SEED), pytest.param("random", marks=OTHER_SEED)]
)
def test_hash_seeds_change_nothing(hash_seed: str, pages: str) -> None:
    assert re.fullmatch("[0-9a-f]{64}", value("digest", reference(pages)))
    assert simulated(sys.executable, pages, hash_seed) == reference(pages)


@pytest.mark.short(SUPPORTED[0], why="a process each")
@pytest.mark.parametrize("version", SUPPORTED)
def test_every_python_has_the_same_digest(version: str, pages: str) -> None:
    python = Interpreter(version, Path()).environment
    if not python.exists():
        pytest.skip(f"not run: no environment .venv-{version}; `make setup-all` makes it")
    assert simulated(python, pages, hash_seed="0") == reference(pages)


def test_another_seed_is_another_run(pages: str, capsys: pytest.CaptureFixture[str]) -> None:
    other = simulated_here(capsys, "--seed", "8", "--pages", pages)
    assert value("digest", other) != value("digest", reference(pages))


def test_a_token_replays_its_run(pages: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In another process."""
    token = value("token", reference(pages))
    assert simulated_here(capsys, "--token", token) == reference(pages)


def test_a_token_of_a_program_that_has_changed_is_reported(pages: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The digest of the widths of the choice points precedes that of the events, at the end of a token."""
    token = value("token", reference(pages))
    data = bytearray(base64.urlsafe_b64decode(token.removeprefix(KIND + SEEDED) + "===")[:-4])  # without CRC
    data[-1 - DIGEST_BYTES] ^= 1
    changed = Packer().raw(bytes(data)).token(KIND + SEEDED)
    assert command.main(["--token", changed]) == 1
    _, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert "the program has changed" in err
    Unpacker(changed, KIND + SEEDED)  # sound: it is not the checksum that was found


# --- twice in one process ------------------------------------------------------------------------------------


def allocate(number: int) -> list[object]:
    """Allocate garbage of a size that differs each time, so that later objects have other addresses."""
    kept: list[object] = [impl.Future(impl.Loop()) for _ in range(1 + 37 * number % 101)]
    return kept[::2]


@pytest.mark.parametrize("order", ORDERS)
def test_a_crawl_twice_in_one_process(order: Order, full: bool) -> None:
    digests = set()
    kept = []
    for number in range(3):
        ran = simulate(Recipe(KIND, Crawl(60 if full else 30, order), 7))
        digests.add((ran.digest, ran.events, ran.choices.digest()))
        kept.append(allocate(number))
    assert len(digests) == 1


def test_other_runs_between_change_nothing() -> None:
    """A, B, then B, A: each has its digest, whoever ran before."""
    recipes = [Recipe(KIND, Crawl(30), 1), Recipe(KIND, Crawl(30, "any"), 2)]
    there = [simulate(recipe).digest for recipe in recipes]
    back = [simulate(recipe).digest for recipe in reversed(recipes)]
    assert there == back[::-1]
    assert len(set(there)) == 2


def played(drawn: Program, choices: impl.Choices, order: Order, recorder: impl.Recorder | None = None) -> list[Line]:
    """Return the lines of a random program on a loop that draws from `choices`."""
    return observe(drawn, Ours(loop=impl.Loop(choices, order, recorder, late_ms_max=3)))


def traced(seed: int, order: Order) -> tuple[str, bytes, list[Line]]:
    """Run a seed's program; return the digest of the trace, the digest of the widths, and the program's lines."""
    choices = impl.Choices.seeded(seed)
    recorder = impl.Recorder(keep=False)
    events = played(generate(choices.program, timers=True), choices, order, recorder)
    return recorder.digest(), choices.digest(), events


@pytest.mark.parametrize("order", ORDERS)
def test_random_programs_twice_in_one_process(order: Order, programs: range) -> None:
    there = [(traced(seed, order), allocate(seed))[0] for seed in programs]
    back = [(traced(seed, order), allocate(seed + 1))[0] for seed in reversed(programs)]
    assert there == back[::-1]
    assert len({digest for digest, *_ in there}) > len(programs) * 9 // 10


def test_the_orders_differ(programs: range) -> None:
    """Witness that `any` is exercised: most programs see another order of events than under `fifo`."""
    differ = sum(traced(seed, "any")[2] != traced(seed, "fifo")[2] for seed in programs)
    assert differ > len(programs) // 4


@pytest.mark.parametrize("order", ORDERS)
def test_what_was_drawn_replays_the_run(order: Order, programs: range) -> None:
    for seed in programs:
        choices = impl.Choices.seeded(seed)
        drawn = generate(choices.program, timers=True)
        first = played(drawn, choices, order)
        again = impl.Choices.listed(choices.drawn())
        assert generate(again.program, timers=True) == drawn
        assert played(drawn, again, order) == first
        assert again.digest() == choices.digest()
