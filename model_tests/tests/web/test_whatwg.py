"""The parser of the URL standard, judged by the tests of web-platform-tests and by rows that they lack."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from impl.web.whatwg.domain import punycode
from impl.web.whatwg.parser import href, parse

WPT = Path(__file__).parent / "wpt"


def made(text: str, base: str | None = None) -> str | None:
    try:
        return href(text, base)
    except ValueError:
        return None


def rows(name: str, least: int) -> list[Any]:
    found: list[Any] = json.loads((WPT / name).read_text("utf-8"))
    assert len(found) >= least
    return found


def test_urls_of_web_platform_tests() -> None:
    found = [(text, base, made(text, base), wanted) for text, base, wanted in rows("urltestdata.json", 870)]
    assert [row for row in found if row[2] != row[3]] == []


def test_international_domains_of_web_platform_tests() -> None:
    found = [(text, made(f"https://{text}/"), wanted) for text, wanted in rows("toascii.json", 1700)]
    assert [row for row in found if row[1] != (row[2] and f"https://{row[2]}/")] == []


LONG: tuple[tuple[str, str | None, str | None], ...] = (
    # Longer than idna takes, so than DNS carries.
    (f"http://{'a.' * 600}\xe9/", None, None),
    (f"http://{'A.' * 600}e/", None, f"http://{'a.' * 600}e/"),
    # Numbers of more digits than `int` takes.
    *((f"http://{'9' * 5000}/", None, None), (f"http://0x{'0' * 5000}1/", None, "http://0.0.0.1/")),
    (f"http://{'0' * 5000}17.1/", None, "http://15.0.0.1/"),
    *((f"http://a:{'0' * 5000}443/", None, "http://a:443/"), (f"http://a:{'9' * 5000}/", None, None)),
)


@pytest.mark.parametrize(
    ("text", "base", "wanted"), [*LONG, *(row for row in rows("../urls.json", 80) if isinstance(row, list))]
)
def test_a_row_that_others_lack(text: str, base: str | None, wanted: str | None) -> None:
    assert made(text, base) == wanted


PIECES = st.sampled_from((*"ab/.?':@|\\1éA-#", "b.c", "http:", "https://", "//", "..", "%2e"))


@given(
    st.lists(PIECES, max_size=8).map("".join),
    st.sampled_from(
        (None, "http://h/a/b?c#d", "https://u:p@h:1", "file:///C:/a", "foo://h/a/b", "mailto:a", "ws://h/a")
    ),
)
@example("http://a.1/", None)
@example("https://a.0x1/", None)
@example("a:b", "http://h/")
@example("//b.c", "http://h/")
@example("a/%2E%2e/b", "http://h/")
@example("?'", "http://h/")
@example("http://a.b", None)
def test_the_short_way_leads_to_the_same_url(text: str, base: str | None) -> None:
    try:
        wanted = str(parse(text, None if base is None else parse(base)))
    except ValueError:
        wanted = None
    assert made(text, base) == wanted


@given(st.text(min_size=1).filter(lambda label: not label.isascii()))
@example("\u5f8b" * 300 + "a-b" + "\U0010ffff")
def test_punycode_is_that_of_python(label: str) -> None:
    assert punycode(label) == label.encode("punycode").decode()


def test_a_long_international_domain_takes_milliseconds() -> None:
    """Python's codec takes 0.1 s for this one, and a page may hold thousands."""
    label = "".join(map(chr, range(0x4E00, 0x4E00 + 1000)))
    before = process_time()
    assert made(f"http://{label}/") is not None
    assert process_time() - before < 0.05
