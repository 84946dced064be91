"""The journal: its format, its replay, and its file.

Any prefix of a crawl, in any order, leads to the same fixpoint.  The file has whole lines or none, whatever fails.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given

from impl.crawl.frontier import Frontier
from impl.crawl.record import Record, canonical, outcome_of, record
from impl.crawl.results.append_file import FileError
from impl.crawl.results.journal import Journal, JournalError, decode, head, line, must_agree, replay
from impl.crawl.results.journal_file import JournalFile, read_journal, write_journal
from impl.sim.choices import Choices
from impl.web.outcome import FetchFailure, Outcome, Page, Redirect
from impl.web.serving.site import Site
from spec.crawl import Const

from ....crawls.oracle import oracle, outcome
from ....implementations.all_mutants import BY_NAME
from ....refinement.machines.crawl import SITES, crawled, models, site_of
from ...process import python
from ..helpers import room

A, B = "http://a.test/", "http://b.test/?q"
SETTINGS = {"roots": [A], "strict": True, "exclude": None, "max_redirect": 3}
ROWS = [
    record(A, Page((A, B), 200, 7, "text/html; \xfc", (A,)), 3, 1, slow_ms=5),
    record(B, Redirect(A, 301, 5, "", "x"), 3, 2),
    record("http://c.test/", FetchFailure("refused"), 0, 4),
    record("http://d.test/", FetchFailure("status", 404, 9, "text/html"), 1, 1),
]
DATA = head(SETTINGS) + b"".join(map(line, ROWS))


def read(data: bytes) -> Journal:
    return decode(BytesIO(data))


def test_a_journal_is_read_as_it_was_written_up_to_a_cut() -> None:
    assert read(DATA) == Journal(SETTINGS, ROWS, len(DATA), 0)
    assert DATA.count(b"\n") == 5
    assert json.loads(DATA.splitlines()[0]) == {"journal": "loopspec crawl", "version": 2, **SETTINGS}
    for length in range(len(DATA) + 1):
        found = read(DATA[:length])
        lines = DATA[:length].count(b"\n")
        assert (found.settings, found.rows) == (SETTINGS if lines else None, ROWS[: max(0, lines - 1)])
        assert (found.whole, found.whole + found.torn) == (DATA.rfind(b"\n", 0, length) + 1, length)


@pytest.mark.parametrize("row", ROWS, ids=["page", "redirect", "refused", "status"])
def test_a_record_and_its_outcome_are_the_same_thing(row: Record) -> None:
    assert record(row.url, outcome_of(row), row.budget, row.tries, row.slow_ms) == row


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\n", "it is not the journal of a crawl"),
        (b"{}\n", "it is not the journal of a crawl"),
        (b"[" * 100_000 + b"\n", "it is not the journal of a crawl"),
        (line(ROWS[0]), "it is not the journal of a crawl"),
        (head({"version": 1}), "it is a journal of version 1; this program reads 2"),
        (head({"version": "\x1b\n"}), 'it is a journal of version "\\u001b\\n"; this program reads 2'),
        (head({}) + b"\xff\xfe\n", "line 2 is not a record; remove the file's lines from 2 on"),
        (head({}) + b"\0" * 100 + b"\n", "line 2 is not a record"),
        (DATA + b"{}\n", "line 6 is not a record"),
        (DATA + line(ROWS[1]), "line 6: http://b.test/?q is recorded a second time; remove"),
    ],
)
def test_what_is_not_a_journal_is_refused(data: bytes, says: str) -> None:
    with pytest.raises(JournalError) as refused:
        read(data)
    assert str(refused.value).startswith(says)
    assert "\n" not in str(refused.value)


CHANGES: list[Mapping[str, object]] = [
    *({"more": 1}, {"links": [B, A]}, {"links": "ab"}, {"links": [1]}, {"links": None}, {"resources": [1]}),
    *({"anchors": "ab"}, {"references": [[A, "", "a", 1]]}, {"references": [[A, "", "a", "1", ""]]}),
    *({"references": [1]}, {"slow_ms": -1}, {"url": "HTTP://a.test"}, {"url": "\ud800"}, {"status": None}),
    *({"status": True}, {"size": -1}, {"size": 10**1000}, {"budget": "3"}, {"outcome": "redirect"}),
    *({"outcome": "error", "links": [], "error": "bad luck"}, {"error": "reset"}),
]


@pytest.mark.parametrize("keys", CHANGES)
def test_a_changed_record_is_refused(keys: Mapping[str, object]) -> None:
    changed = json.dumps({**json.loads(line(ROWS[0])), **keys}).encode()
    with pytest.raises(JournalError, match=r"^line 2 is not a record"):
        read(head({}) + changed + b"\n")


@given(st.lists(st.one_of(st.binary(max_size=20), st.sampled_from(DATA.splitlines(True))), max_size=6))
def test_garbage_is_read_or_refused(pieces: list[bytes]) -> None:
    try:
        read(b"".join(pieces))
    except JournalError:
        pass


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"roots": [B]}, f'its roots is ["{A}"], not ["{B}"]'),
        ({"strict": False}, "its strict is true, not false"),
        ({"body_bytes": 1}, "its body_bytes is null, not 1"),
        ({"\x1b[2J\n": 1}, "its \\u001b[2J\\n is null, not 1"),
    ],
)
def test_a_journal_of_another_crawl_is_refused(other: dict[str, object], says: str) -> None:
    must_agree(SETTINGS, {**SETTINGS, "roots": (A,)})
    with pytest.raises(JournalError, match=r"^it is the journal of another crawl: ") as refused:
        must_agree(SETTINGS, {**SETTINGS, **other})
    assert str(refused.value).endswith(says)


def test_a_record_that_nothing_leads_to_is_refused() -> None:
    frontier = Frontier(3)
    frontier.offer(A, 3)
    with pytest.raises(JournalError, match=r"^nothing that is recorded leads to http://c.test/:"):
        replay(frontier, [ROWS[2], ROWS[0]])
    long = replace(ROWS[2], url=f"http://c.test/{'x' * 10_000}")
    with pytest.raises(JournalError, match=r"^nothing .* leads to http://c.test/x{400,500}\.\.\.: "):
        replay(Frontier(3), [long])


def test_a_link_that_is_not_canonical_is_refused() -> None:
    def allows(url: str) -> bool:
        if url == "x":
            raise ValueError("not canonical")
        return True

    frontier = Frontier(3, allows)
    frontier.offer(A, 3)
    with pytest.raises(JournalError, match=r"^the record of http://a.test/: not canonical"):
        replay(frontier, [record(A, Page(("x",)), 3, 1)])


@dataclass(frozen=True)
class Cut:
    """A crawl of the site of `k` that was stopped: the numbers of its choices, and the rest of its journal."""

    k: Const
    seed: int
    left: int
    order: int

    @property
    def site(self) -> Site:
        return site_of(self.k)[0]

    def journal(self) -> bytes:
        done = crawled(self.site, Choices.seeded(self.seed).schedule)
        lines = [line(record(url, known, done.best[url], 1)) for url, known in done.outcomes.items()]
        prefix, rest = lines[: self.left], b"".join(lines[self.left :])
        choose = Choices.seeded(self.order).schedule
        shuffled = [prefix.pop(choose(len(prefix))) for _ in range(len(prefix))]
        return head(SETTINGS) + b"".join(shuffled) + rest[: min(self.order, rest.find(b"\n"))]

    def resumed(self, make: type[Frontier] = Frontier) -> Frontier:
        """The frontier at the end of the crawl that goes on from there; it fetches no URL that was recorded."""
        rows = read(self.journal()).rows
        frontier = make(self.site.limit)
        for root in self.site.roots:
            frontier.offer(root, self.site.limit)
        replay(frontier, rows)
        assert set(frontier.outcomes) == {row.url for row in rows}
        to_the_end(frontier, lambda url: outcome(self.site, url), Choices.seeded(self.order).schedule)
        return frontier

    def is_the_least_solution(self, frontier: Frontier) -> bool:
        """Whether that is so by the specification, and by the oracle."""
        numbers = site_of(self.k)[1]
        least = {u: budget for u, budget in self.k.least.items() if budget >= 0}
        same = {numbers[url]: budget for url, budget in frontier.best.items()} == least
        return same and canonical(frontier) == oracle(self.site)


def to_the_end(frontier: Frontier, fetch: Callable[[str], Outcome], choose: Callable[[int], int]) -> None:
    while not frontier.idle:
        urls = (*frontier.queued, *frontier.in_flight)
        if (url := urls[choose(len(urls))]) in frontier.queued:
            frontier.start(url)
        else:
            frontier.complete(url, fetch(url))


NUMBER = st.integers(0, 1000)
CUTS = st.builds(
    Cut,
    st.one_of(models().map(lambda model: model.k), st.sampled_from(SITES)),
    NUMBER,
    st.integers(0, 6),
    NUMBER,
)


@given(CUTS)
def test_any_prefix_in_any_order_leads_to_the_least_solution(cut: Cut) -> None:
    """CRAWL-6, CRAWL-1."""
    assert cut.is_the_least_solution(cut.resumed())


@pytest.mark.parametrize("wrong", ["FrontierFirstDiscoveryWins", "FrontierDoesNotPropagate"])
def test_a_frontier_that_depends_on_the_order_is_caught(wrong: str) -> None:
    cuts = [Cut(SITES[0], seed, left, seed) for seed in range(20) for left in range(6)]
    assert not all(cut.is_the_least_solution(cut.resumed(BY_NAME[wrong].wrong)) for cut in cuts)


# --- the file ---------------------------------------------------------------------------------------------------------

LINES = list(map(line, ROWS))


def written(path: Path, count: int, *, torn: bytes = b"") -> Path:
    """Write a journal of the first `count` records, and the beginning of another line."""
    path.write_bytes(head(SETTINGS) + b"".join(LINES[:count]) + torn)
    return path


def refusal(make: str, path: Path | str, settings: dict[str, object] = SETTINGS) -> str:
    """Open a journal that must be refused, without a descriptor left; return the error."""
    before = os.listdir("/proc/self/fd")
    with pytest.raises(FileError) as refused:
        getattr(JournalFile, make)(str(path), settings)
    assert len(os.listdir("/proc/self/fd")) == len(before)
    return str(refused.value)


@pytest.mark.parametrize("sync", [False, True])
def test_each_line_is_there_as_soon_as_it_is_written(tmp_path: Path, sync: bool) -> None:
    path = tmp_path / "journal"
    path.write_text("an old file\n" * 100)
    journal = JournalFile.create(str(path), SETTINGS, sync=sync)
    for count, row in enumerate(ROWS):
        assert path.read_bytes() == head(SETTINGS) + b"".join(LINES[:count])
        journal.append(row)
    journal.close()
    journal.close()
    assert read_journal(str(path)).rows == ROWS


@pytest.mark.parametrize("torn", [b"", LINES[2][:-1], b"\0" * 5000])
def test_a_journal_goes_on_after_its_last_whole_line(tmp_path: Path, torn: bytes) -> None:
    path = written(tmp_path / "journal", 2, torn=torn)
    journal, found = JournalFile.resume(str(path), SETTINGS)
    assert (found.rows, found.torn) == (ROWS[:2], len(torn))
    journal.append(ROWS[2])
    journal.close()
    assert path.read_bytes() == written(tmp_path / "other", 3).read_bytes()


@pytest.mark.parametrize("content", [None, b"", b'{"journal": "loo'])
def test_a_journal_without_a_whole_head_is_a_new_one(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "journal"
    if content is not None:
        path.write_bytes(content)
    journal, found = JournalFile.resume(str(path), SETTINGS)
    journal.close()
    assert found == Journal(None, [], 0, len(content or b""))
    assert path.read_bytes() == head(SETTINGS)


def test_what_is_refused_is_left_as_it_was(tmp_path: Path) -> None:
    path = written(tmp_path / "journal", 2, torn=b"{")
    before = path.read_bytes()
    other = {**SETTINGS, "strict": False}
    assert refusal("resume", path, other).startswith(f"{path}: it is the journal of another crawl")
    path.write_bytes(before + b"}\n")
    assert refusal("resume", path).startswith(f"{path}: line 4 is not a record")
    assert path.read_bytes() == before + b"}\n"
    assert refusal("create", tmp_path) == f"cannot write {tmp_path}: Is a directory"
    assert refusal("create", "no/such/file") == "cannot write no/such/file: No such file or directory"
    assert refusal("resume", "no/such/file") == "cannot write no/such/file: No such file or directory"
    assert refusal("resume", "/dev/null") == "/dev/null: it is not a regular file"
    assert refusal("create", "/dev/full") == "cannot write /dev/full: No space left on device"
    with pytest.raises(FileError, match="cannot read no/such/file: No such file"):
        read_journal("no/such/file")


def test_two_crawls_do_not_write_one_journal(tmp_path: Path) -> None:
    path = written(tmp_path / "journal", 2)
    journal, _ = JournalFile.resume(str(path), SETTINGS)
    other = f"""
from impl.crawl.results.journal_file import JournalFile
from impl.crawl.results.append_file import FileError
for make in JournalFile.create, JournalFile.resume:
    try:
        make({str(path)!r}, {SETTINGS!r})
    except FileError as error:
        print(error)
"""
    ran = python("-c", other, check=True)
    assert ran.stdout == f"another crawl is writing {path}\n" * 2
    journal.append(ROWS[2])
    journal.close()
    assert read_journal(str(path)).rows == ROWS[:3]


@pytest.mark.parametrize("fits", [0, 1, len(LINES[2]) - 1])
def test_a_line_that_does_not_fit_is_not_written(tmp_path: Path, fits: int) -> None:
    path = written(tmp_path / "journal", 2)
    size = path.stat().st_size
    journal, _ = JournalFile.resume(str(path), SETTINGS)
    with room(size + fits), pytest.raises(FileError, match=f"cannot write {path}: File too large"):
        journal.append(ROWS[2])
    assert path.stat().st_size == size
    journal.append(ROWS[2])  # there is room again
    journal.close()
    assert read_journal(str(path)).rows == ROWS[:3]


def test_a_pipe_receives_the_lines_until_it_is_closed() -> None:
    reader, writer = os.pipe()
    journal = JournalFile.create(f"/dev/fd/{writer}", SETTINGS)
    os.close(writer)
    journal.append(ROWS[0])
    assert os.read(reader, 10_000) == head(SETTINGS) + LINES[0]
    os.close(reader)
    with pytest.raises(FileError, match=r"cannot write /dev/fd/\d+: Broken pipe"):
        journal.append(ROWS[1])
    journal.close()


def test_a_journal_is_replaced_as_a_whole(tmp_path: Path) -> None:
    path = written(tmp_path / "journal", 4, torn=b"{")
    with room(300), pytest.raises(FileError, match=f"cannot write {path}"):
        write_journal(str(path), SETTINGS, ROWS * 3)
    assert path.read_bytes() == head(SETTINGS) + b"".join(LINES) + b"{"
    write_journal(str(path), SETTINGS, ROWS[::-1])
    assert read_journal(str(path)).rows == ROWS[::-1]
    assert os.listdir(tmp_path) == ["journal"]
