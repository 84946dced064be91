"""Every wrong implementation states its defect; test_table.py has the checks that catch it."""

from __future__ import annotations

import inspect
import re

import pytest

from ...implementations.corpus import HOME, corpus
from ...implementations.tables import table

#: The heads of a kind: a name, the rules that it breaks or asyncio's names that it brings, and the cause.
HEADS = {
    "wrong": r"\w+, [A-Z]+-\d+( [A-Z]+-\d+)*: .+",
    "mutants": r"\w+, [A-Z]+-\d+: .+",
    "right": r"\w+(, [A-Za-z]\w*( \w+)*)?: .+",
}
#: The word before its sentence, or its source.
WORDS = {"wrong": "breaks", "mutants": "source", "right": "free"}
LEAST = {"wrong": 800, "mutants": 180, "right": 90}


@pytest.mark.parametrize("kind", HEADS)
def test_every_text_says_what_is_wrong_or_free(kind: str) -> None:
    names = []
    for path in sorted(HOME.glob(f"{kind}/*/*.txt")):
        for head, text in table(path)[1].items():
            names.append(re.split(r"[,:]", head)[0])
            assert re.fullmatch(HEADS[kind], head), head
            assert re.search(rf"^    # {WORDS[kind]}\b", text, re.M), names[-1]
    assert len(names) == len(set(names)) == len(corpus(kind)) > LEAST[kind]


def test_a_text_builds_on_another_of_its_kind() -> None:
    event = corpus("right")["newest_first"].load().Event
    assert [each.__name__ for each in event.__mro__] == ["Event", "Event", "object"]


def test_a_traceback_of_a_text_shows_its_lines() -> None:
    queue = corpus("right")["half_queue"].load().Queue
    assert "return len(self._items)" in inspect.getsource(queue.qsize)
