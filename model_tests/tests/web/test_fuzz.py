"""A short fuzz of each target, and parsers with a defect: the fuzzer finds each, and makes the input small."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest
from turbohtml import Token

from impl.crawl.results import journal
from impl.web import url
from impl.web.markup import StartTags
from impl.web.whatwg import escapes, parser

from ...assurance.fuzz.__main__ import main
from ...assurance.fuzz.fuzzer import Found, fuzz
from ...assurance.fuzz.mutate import Choose
from ...assurance.fuzz.targets import TARGETS, Target
from ..fixtures import Captured, Patch

TARGET = {target.name: target for target in TARGETS}

#: The required outcomes of some of the inputs.
BECOME = {
    "responses": {
        *("page", "redirect", "status", "location"),
        *("incomplete", "protocol", "too-large", "encoding"),
    },
    "html": {"links", "none"},
    "urls": {"none", "local", "other"},
    "ada": {"none", "url"},
    "robots": {"all", "some", "nothing"},
    "journals": {"none", "empty", "whole", "incomplete"},
}


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_no_input_fails(target: Target, full: bool) -> None:
    if missing := target.missing():
        pytest.skip(missing)
    tally = fuzz(target, 0, range(20_000 if full else 250))
    assert tally.found is None, tally.found
    assert tally.became.keys() >= BECOME[target.name], "some kinds of inputs were not made"


def test_the_inputs_depend_on_the_seed_alone() -> None:
    first, second, other = (fuzz(TARGET["urls"], seed, range(100)).became for seed in (1, 1, 2))
    assert first == second != other


def found_by(target: str, inputs: int = 2000) -> Found:
    found = fuzz(TARGET[target], 0, range(inputs)).found
    assert found is not None, "the defect was not found"
    return found


def test_a_crash_on_one_sequence_of_bytes_is_found(monkeypatch: Patch) -> None:
    whole = StartTags.feed

    def feed(self: StartTags, piece: str) -> Iterator[Token]:
        if "<![" in piece:
            raise IndexError("marked section")  # as html.parser does, of some Pythons
        return whole(self, piece)

    monkeypatch.setattr(StartTags, "feed", feed)
    found = found_by("html")
    assert (found.data, type(found.error)) == (b"<![", IndexError)


def test_links_that_depend_on_the_segments_are_found(monkeypatch: Patch) -> None:
    whole = StartTags.feed
    # Each piece is read as if it were the first.
    monkeypatch.setattr(StartTags, "feed", lambda self, piece: whole(StartTags(self._names, 9999), piece))
    assert b"<a" in found_by("html").data


def test_a_form_that_is_not_canonical_is_found(monkeypatch: Patch) -> None:
    whole = url.canonical

    def canonical(text: str, base: str | None = None) -> str | None:
        made = whole(text, base)
        return made and made.replace("/../", "/", 1) + ("?" if made.endswith("x") else "")

    monkeypatch.setattr(url, "canonical", canonical)
    assert isinstance(found_by("urls").error, AssertionError)


@pytest.mark.skipif(bool(TARGET["ada"].missing()), reason=TARGET["ada"].missing())
@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("escapes.path", escapes.query),  # "^", "`", "{" and "}" stay as they are
        ("domain.check_bidi", lambda label, check_ltr: True),
        *(("host._OCTAL", re.compile("0[oO]([0-7]+)")), ("parser._DRIVE", re.compile("[A-Za-z]:"))),
    ],
)
def test_a_url_that_ada_reads_otherwise_is_found(monkeypatch: Patch, part: str, wrong: object) -> None:
    monkeypatch.setattr(f"impl.web.whatwg.{part}", wrong)
    assert isinstance(found_by("ada").error, AssertionError)


def test_a_wrong_short_way_is_found(monkeypatch: Patch) -> None:
    monkeypatch.setattr(parser, "_PLAIN", re.compile("(?P<absolute>https?://[a-z0-9.]+/[!-~]*)"))
    assert "short way" in str(found_by("urls").error)


def test_a_hang_is_found(monkeypatch: Patch) -> None:
    def endless(target: Target, data: bytes, choose: Choose) -> str:
        while b"%" in data:
            pass
        return target.check(data, choose)

    monkeypatch.setattr("model_tests.assurance.fuzz.fuzzer.CPU_S", 0.01)
    target = replace(TARGET["urls"], check=lambda data, choose: endless(TARGET["urls"], data, choose))
    found = fuzz(target, 0, range(100)).found
    assert found is not None
    assert found.data == b"%"
    assert "CPU" in str(found.error)


def test_an_input_that_takes_much_memory_is_found(monkeypatch: Patch) -> None:
    peaks = count(0, 60_000_000)
    monkeypatch.setattr("model_tests.assurance.fuzz.fuzzer._peak_bytes", lambda: next(peaks))
    monkeypatch.setattr("model_tests.assurance.fuzz.fuzzer._FILLED_S", 0)
    assert "memory" in str(found_by("robots", 1).error)


def test_an_error_that_is_none_of_ours_is_found(monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.setattr(journal, "_json", json.loads)
    assert main(["--inputs", "2000", "journals"]) == 1
    out, err = capsys.readouterr()
    assert "one failed" in out
    again = err.split("again: python -m model_tests.assurance.fuzz ")[1].split()
    assert main(again) == 1


def test_a_target_that_is_none_is_refused(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["rows"])
    assert refused.value.code == 2
    assert "no such target: rows" in capsys.readouterr().err
