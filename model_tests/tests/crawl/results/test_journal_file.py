"""The file of a journal: whole lines or none, whatever fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from impl.crawl.results.appended import FileError
from impl.crawl.results.journal import Journal, head, line
from impl.crawl.results.journal_file import JournalFile, read_journal, write_journal

from ...process import python
from ..helpers import room
from .test_journal import ROWS, SETTINGS

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
from impl.crawl.results.appended import FileError
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
