"""Which releases a bug is in, by the versions and the patch releases of its fix."""

from __future__ import annotations

import pytest

from ...programs.releases import includes, parsed, text

#: A bug of 3.13 to 3.15, mended in patch releases of two of them.
SPAN = (3, 13), (3, 16), ((3, 14, 10), (3, 15, 2))


@pytest.mark.parametrize(
    ("release", "has"),
    [
        ("3.12.13", False),
        ("3.13", True),
        ("3.13.18", True),
        ("3.14", True),
        ("3.14.9", True),
        ("3.14.10", False),
        ("3.14.11", False),
        ("3.15.0rc1", True),
        ("3.15.2", False),
        ("3.16.0a1", False),
        ("3.20", False),
    ],
)
def test_a_fix_is_in_the_later_releases_of_its_version(release: str, has: bool) -> None:
    assert includes(*SPAN, parsed(release)) is has


def test_a_release_that_first_has_a_bug_may_be_a_patch() -> None:
    assert [includes((3, 13, 4), (3, 14), (), (3, 13, patch)) for patch in (3, 4, 5)] == [False, True, True]


def test_the_releases_in_words() -> None:
    assert text(*SPAN) == "3.13 to before 3.16, fixed in 3.14.10 and 3.15.2"
    assert text((3, 8), (3, 12), ()) == "3.8 to before 3.12"
