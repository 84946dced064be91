"""Choices and tokens: one source of choices, separate lanes, any lists are valid, and a damaged token is detected."""

import ast
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from impl import Choices
from impl.sim import choices as choices_module
from impl.sim.choices import LANES, Lane
from impl.sim.token import Packer, TokenError, Unpacker

from ...dev.pythons import ROOT

widths = st.lists(st.integers(1, 20), max_size=30)
draws = st.lists(st.tuples(st.sampled_from(LANES), st.integers(1, 20)), max_size=40)


def all_drawn(choices: Choices, points: list[tuple[str, int]]) -> list[int]:
    return [choices.lane(name)(n) for name, n in points]


@given(draws, st.integers(0, 2**64 - 1))
def test_what_was_drawn_replays(points: list[tuple[str, int]], seed: int) -> None:
    seeded = Choices.seeded(seed)
    values = all_drawn(seeded, points)
    assert all(0 <= value < n for value, (_, n) in zip(values, points, strict=True))
    again = Choices.listed(seeded.drawn())
    assert all_drawn(again, points) == values
    assert again.digest() == seeded.digest()


@given(draws, st.dictionaries(st.sampled_from(LANES), st.lists(st.integers())))
def test_any_lists_are_a_valid_run(points: list[tuple[str, int]], lists: dict[str, list[int]]) -> None:
    """Out of range is clamped, exhausted is 0, and one possibility consumes nothing."""
    left = {name: list(lists.get(name, ())) for name in LANES}
    expected = [min(max(left[name].pop(0) if left[name] else 0, 0), n - 1) if n > 1 else 0 for name, n in points]
    assert all_drawn(Choices.listed(lists), points) == expected


@given(draws, st.sampled_from(LANES), st.integers(0, 1000))
def test_lanes_do_not_shift_each_other(points: list[tuple[str, int]], noisy: str, seed: int) -> None:
    quiet, loud = Choices.seeded(seed), Choices.seeded(seed)
    for name, n in points:
        value = quiet.lane(name)(n)
        if name == noisy:
            loud.lane(noisy)(7)
        else:
            assert loud.lane(name)(n) == value


@given(widths, widths)
def test_the_digest_is_of_the_widths(one: list[int], other: list[int]) -> None:
    """Different choice points have different digests; the answers there do not matter."""

    def digest(points: list[int], seed: int) -> bytes:
        choices = Choices.seeded(seed)
        for n in points:
            choices.schedule(n)
        return choices.digest()

    real = [[n for n in points if n > 1] for points in (one, other)]
    assert (digest(one, 1) == digest(other, 2)) == (real[0] == real[1])


def test_the_digest_tells_lanes_apart() -> None:
    digests = set()
    for name in LANES:
        choices = Choices.plain()
        choices.lane(name)(2)
        digests.add(choices.digest())
    assert len(digests) == len(LANES)


def test_plain_is_always_the_plain_thing() -> None:
    choices = Choices.plain()
    assert [choices.lane(name)(9) for name in LANES] == [0] * len(LANES)


def test_a_seed_means_the_same_numbers_for_ever() -> None:
    """From the documentation: the sequence of random() does not change between versions."""
    network = Choices.seeded(7).network
    assert [network(1000) for _ in range(5)] == [119, 601, 444, 218, 170]


def test_seeds_and_lanes_are_spread() -> None:
    firsts = {(seed, name): Choices.seeded(seed).lane(name)(2**32) for seed in range(100) for name in LANES}
    assert len(set(firsts.values())) == len(firsts)


@pytest.mark.parametrize("n", [0, -3])
def test_nothing_to_choose_from_is_an_error(n: int) -> None:
    with pytest.raises(ValueError, match=f"choose\\({n}\\) in lane 'faults'"):
        Choices.plain().faults(n)


def test_an_unknown_lane_is_named() -> None:
    with pytest.raises(ValueError, match="no such lane: conditions; the lanes are schedule"):
        Choices.listed({"conditions": [1]})
    with pytest.raises(ValueError, match="no such lane: digest"):
        Choices.plain().lane("digest")


# --- tokens --------------------------------------------------------------------------------------------------

PREFIX = "t1-"


@given(st.lists(st.integers(0, 2**64)), st.binary(max_size=20))
def test_a_token_carries_numbers_and_bytes(numbers: list[int], data: bytes) -> None:
    packer = Packer()
    for number in numbers:
        packer.number(number)
    unpacker = Unpacker(packer.raw(data).token(PREFIX), PREFIX)
    assert [unpacker.number(2**64) for _ in numbers] == numbers
    assert unpacker.raw(len(data)) == data
    unpacker.end()


TOKEN = Packer().number(7).number(200).raw(b"digest").token(PREFIX)


@pytest.mark.long("each character of a token")
@example(0, "+")
@given(st.integers(0, len(TOKEN) - len(PREFIX) - 2), st.characters(codec="utf-8"))
def test_one_wrong_character_is_found(place: int, character: str) -> None:
    """All but the last: its lowest bits have no meaning in base64."""
    at = len(PREFIX) + place
    damaged = TOKEN[:at] + character + TOKEN[at + 1 :]
    if damaged == TOKEN:
        return
    with pytest.raises(TokenError, match="damaged"):
        Unpacker(damaged, PREFIX)


@example("0/")
@given(st.text(max_size=30))
def test_no_text_is_a_token_by_accident(text: str) -> None:
    with pytest.raises(TokenError):
        Unpacker(text, PREFIX)
    with pytest.raises(TokenError):
        Unpacker(PREFIX + text, PREFIX)


@pytest.mark.parametrize("length", range(len(PREFIX), len(TOKEN)))
def test_a_token_cut_short_is_found(length: int) -> None:
    with pytest.raises(TokenError):
        Unpacker(TOKEN[:length], PREFIX)


def test_two_neighbours_swapped_are_found() -> None:
    swaps = [TOKEN[:at] + TOKEN[at + 1] + TOKEN[at] + TOKEN[at + 2 :] for at in range(len(PREFIX), len(TOKEN) - 1)]
    for swapped in set(swaps) - {TOKEN}:
        with pytest.raises(TokenError):
            Unpacker(swapped, PREFIX)


def test_reading_other_than_was_written_is_found() -> None:
    with pytest.raises(TokenError, match="too short"):
        Unpacker(TOKEN, PREFIX).raw(100)
    unpacker = Unpacker(TOKEN, PREFIX)
    unpacker.number(7)
    with pytest.raises(TokenError, match="longer"):
        unpacker.end()
    with pytest.raises(TokenError, match="too short"):
        Unpacker(Packer().raw(b"\xff").token(PREFIX), PREFIX).number(1000)
    with pytest.raises(TokenError, match="too great"):
        Unpacker(TOKEN, PREFIX).number(6)
    with pytest.raises(TokenError, match="too great"):  # seven zero bits, again and again
        Unpacker(Packer().raw(b"\x80" * 1000).token(PREFIX), PREFIX).number(1000)


# --- the table of choice points ------------------------------------------------------------------------------


def lanes(text: str) -> list[str]:
    """Return the lanes that a source file draws from; to read a field of one draws nothing."""
    attributes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)]
    read = [node.value for node in attributes if node.attr in Lane.__slots__]
    return [
        node.attr
        for node in attributes
        if node.attr in LANES and node not in read
        if ast.unparse(node.value).rpartition(".")[2] in ("choices", "drawn")
    ]


def test_the_table_has_a_row_for_each_place_that_draws_from_a_lane() -> None:
    listed = re.findall(r"^\| (\w+) +\| (\S+\.py) ", choices_module.__doc__ or "", re.MULTILINE)
    drawing = [
        (lane, path.relative_to(ROOT / "impl").as_posix())
        for path in sorted((ROOT / "impl").rglob("*.py"))
        for lane in lanes(path.read_text(encoding="utf-8"))
    ]
    assert sorted(listed) == sorted(drawing)


def test_a_lane_that_is_read_draws_nothing() -> None:
    assert lanes("if choices.schedule.overtaken:\n    self.choices.faults(2)") == ["faults"]
    assert lanes("pick = choices.schedule.pick") == ["schedule"]
