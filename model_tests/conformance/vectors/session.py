"""A session with a player: a process that plays programs, by the protocol of FORMAT.md."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final

from ...programs.vectors.vector import Vector
from ..normal import Line

# `Any` in this file: JSON from the player.

#: How long a player may take for one answer, in seconds.
SECONDS: Final = 20


class PlayerError(Exception):
    """The player does not keep to the protocol; the text is one line."""


class Session:
    """A player that runs; a context manager that ends it.

    Parameters:
        command: its command line.
        seconds: how long it may take for an answer.

    Raises:
        PlayerError: it cannot be started, or its first line is not as FORMAT.md says.
    """

    def __init__(self, command: str, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  # until the end
        text: dict[str, Any] = {"encoding": "utf-8", "errors": "replace", "stderr": self._errors}
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(shlex.split(command), stdin=pipe, stdout=pipe, **text)
        except (OSError, ValueError, IndexError) as error:
            self._errors.close()
            raise PlayerError(f"cannot start {command!r}: {error}") from None
        self._lines: SimpleQueue[str] = SimpleQueue()
        Thread(target=self._read, daemon=True).start()
        try:
            first = self._answer("at its start")
            self._names = first.get("names", [])
            python = re.fullmatch(r"3\.(\d+)", str(first.get("python", "3.0")))
            if first.get("format") != 1 or not (python and _are_strings(self._names)):
                raise PlayerError(f'its first line is not {{"format": 1, "names": [...]}}: {_short(first)}')
            self._version = (3, int(python[1]))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the player."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._errors):
            try:
                if stream is not None:
                    stream.close()
            except BrokenPipeError:  # a program was still to be written to it
                pass

    def can_play(self, vector: Vector, needs: Sequence[str]) -> bool:
        """Return whether the player has the names that a vector needs."""
        return self._version >= vector.since or set(needs) <= set(self._names)

    def play(self, vector: Vector) -> list[Line] | None:
        """Return the lines of a vector; None: the player lacks something that the vector needs.

        Raises:
            PlayerError: the player ended, took too long, or answered something else.
        """
        where = f"at the vector {vector.name!r}"
        assert self._process.stdin is not None
        try:
            print(json.dumps({"program": vector.program}), file=self._process.stdin, flush=True)
        except OSError:
            pass  # it has ended, and its last words are read below
        answer = self._answer(where)
        if "lacks" in answer:
            return None
        lines = answer.get("lines")
        if not isinstance(lines, list) or not all(map(_is_line, lines)):
            raise PlayerError(f'{where} its answer is not {{"lines": [...]}}: {_short(answer)}')
        return lines

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                self._lines.put(line)
        self._lines.put("")

    def _answer(self, where: str) -> dict[str, Any]:
        try:
            text = self._lines.get(timeout=self._seconds)
        except Empty:
            raise PlayerError(f"no answer within {self._seconds:g} s {where}") from None
        if not text:
            self._errors.seek(0)
            said = self._errors.read().strip().splitlines()
            status = self._process.wait()
            raise PlayerError(f"it ended {where}, with status {status}" + (f": {said[-1]}" if said else ""))
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise PlayerError(f"no object of JSON {where}: {_short(text)}")
        return answer


def _short(value: object) -> str:
    text = value.strip() if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_line(line: object) -> bool:
    return isinstance(line, list) and len(line) == 4 and type(line[0]) is int and _are_strings(line[1:])
