"""Each named difference exists on its versions, is distinguished from the others, and does not exist elsewhere."""

from pathlib import Path

import pytest

from ...programs.differences import DIFFERENCES, Difference, explain, left_out
from ...programs.releases import THIS, includes, parsed, text
from ...programs.runtimes import observe
from ...programs.tables import texts
from ...programs.vectors.catalogue import CATALOGUE
from ...programs.vectors.known_bugs import TRIED
from ...programs.vectors.notation import program
from ...programs.vectors.vector import Vector

#: For each difference a program that shows it.
SHOWN = texts(Path(__file__).with_name("differences.txt"))


def test_every_difference_is_shown() -> None:
    assert set(SHOWN) == {difference.name for difference in DIFFERENCES}


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.name)
@pytest.mark.parametrize("runtime", ["asyncio", "asyncio-py"])
def test_a_difference_is_there_on_its_versions_and_on_no_other(difference: Difference, runtime: str) -> None:
    shows = program(SHOWN[difference.name])
    ours, theirs = observe(shows, "impl"), observe(shows, runtime)
    if not difference.meets(THIS):
        assert left_out(shows) is not difference
        assert difference.name not in (explain(shows, ours, theirs) or [])
        return
    if ours == theirs and THIS not in TRIED:
        pytest.skip("this release may have a fix: the lists name those of the releases that were tried")
    assert ours != theirs
    if difference.leaves_out:
        assert left_out(shows) is difference
    else:
        assert left_out(shows) is None
        assert explain(shows, ours, theirs) == [difference.name]


@pytest.mark.parametrize("vector", CATALOGUE[::10], ids=lambda vector: vector.name)
def test_one_line_that_is_wrong_is_not_explained(vector: Vector) -> None:
    ours = observe(vector.program, "impl")
    for place in range(len(ours)):
        wrong = [*ours[:place], [*ours[place][:3], ours[place][3] + " wrong"], *ours[place + 1 :]]
        assert explain(vector.program, ours, wrong) is None
    assert explain(vector.program, ours, ours[:-1]) is None
    assert explain(vector.program, ours, ours) == []


# Which releases a bug is in, by the versions and the patch releases of its fix.

#: A bug of 3.13 to 3.15, mended in patch releases of two of them.
SPAN = (3, 13), (3, 16), ((3, 14, 10), (3, 15, 2))


@pytest.mark.parametrize(("release", "has"), [
    ("3.12.13", False), ("3.13", True), ("3.13.18", True),
    ("3.14", True), ("3.14.9", True), ("3.14.10", False), ("3.14.11", False),
    ("3.15.0rc1", True), ("3.15.2", False), ("3.16.0a1", False), ("3.20", False),
])  # fmt: skip
def test_a_fix_is_in_the_later_releases_of_its_version(release: str, has: bool) -> None:
    assert includes(*SPAN, parsed(release)) is has


def test_a_release_that_first_has_a_bug_may_be_a_patch() -> None:
    assert [includes((3, 13, 4), (3, 14), (), (3, 13, patch)) for patch in (3, 4, 5)] == [False, True, True]


def test_the_releases_in_words() -> None:
    assert text(*SPAN) == "3.13 to before 3.16, fixed in 3.14.10 and 3.15.2"
    assert text((3, 8), (3, 12), ()) == "3.8 to before 3.12"
