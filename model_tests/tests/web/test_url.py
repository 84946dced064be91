"""URLs: the canonical form, the parts that a request needs, and the parser of the URL standard.

The canonical form has vectors of the WHATWG URL standard.  The parser is judged by the tests of web-platform-tests, and
by rows that they lack.
"""

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from impl.web.url import Address, canonical, linked, resolve, split, with_scheme
from impl.web.whatwg.domain import punycode
from impl.web.whatwg.parser import href, parse

BASE = "http://site.test/a/b/c.html?q=1"

# (text, base, canonical).  The texts are ours; each shows one rule of the standard's basic URL parser.
VECTORS: tuple[tuple[str, str | None, str | None], ...] = (
    # One document, one URL: the original crawler fetched it up to four times.
    ("http://site.test", None, "http://site.test/"),
    ("http://site.test/", None, "http://site.test/"),
    ("HTTP://SITE.Test/", None, "http://site.test/"),
    ("http://site.test:80/", None, "http://site.test/"),
    ("http://site.test:/", None, "http://site.test/"),
    ("http://site.test:0080/", None, "http://site.test/"),
    ("http://site.test/#top", None, "http://site.test/"),
    ("https://site.test:443/x", None, "https://site.test/x"),
    ("https://site.test:80/x", None, "https://site.test:80/x"),
    # How the parser itself reads paths, escapes and hosts: below.
    ("http://site.test/a/%2e%2E/x y", None, "http://site.test/x%20y"),
    ("http://B\N{LATIN SMALL LETTER U WITH DIAERESIS}cher.test/", None, "http://xn--bcher-kva.test/"),
    ("http://[::0:1]:8080/", None, "http://[::1]:8080/"),
    ("http://me:secret@site.test/", None, "http://site.test/"),
    ("http://me@you:se:c@ret@site.test:81/a@b", None, "http://site.test:81/a@b"),
    ("http://site.test/http://me@you/", None, "http://site.test/http://me@you/"),
    ("c", "http://me:secret@site.test/b", "http://site.test/c"),
    # References.
    *(("d.html", BASE, "http://site.test/a/b/d.html"), ("../d.html#e", BASE, "http://site.test/a/d.html")),
    *(("/d", BASE, "http://site.test/d"), ("//other.test/d", BASE, "http://other.test/d")),
    *(("?q=2", BASE, "http://site.test/a/b/c.html?q=2"), ("", BASE, "http://site.test/a/b/c.html?q=1")),
    ("#here", BASE, "http://site.test/a/b/c.html?q=1"),
    *(("http:d.html", BASE, "http://site.test/a/b/d.html"), (" \n /d\te \r", BASE, "http://site.test/de")),
    ("/d #e", BASE, "http://site.test/d%20"),
    # Not for a crawler.
    *(("mailto:me@site.test", BASE, None), ("javascript:void(0)", BASE, None)),
    *(("ftp://site.test/", None, None), ("data:text/html,x", BASE, None)),
    # Ports of other protocols: neither a link nor a redirect leads there.
    *(("http://site.test:25/", BASE, None), ("//site.test:022", BASE, None)),
    *(("https://[::1]:6000/a", None, None), ("http://u:25@site.test:0/", None, None)),
    ("http://u:25@site.test/:25/", None, "http://site.test/:25/"),
    ("http://site.test:26/", None, "http://site.test:26/"),
    ("https://site.test:80/", None, "https://site.test:80/"),
    # Malformed.
    *(("http://[bad/", BASE, None), ("d.html", None, None), ("d.html", "mailto:me@site.test", None)),
    *(("d.html", "not a url", None), ("http://site.test/\ud800", None, None)),
)


@pytest.mark.parametrize(("text", "base", "expected"), VECTORS)
def test_canonical_form(text: str, base: str | None, expected: str | None) -> None:
    assert canonical(text, base) == expected


URLISH = st.text("htps:/\\.@?#%[]2eE0xa \t\n&='\"<>|^`{}~é本-_:;,", max_size=25)


@given(st.sampled_from(("", "http:", "http://", "https://h.test/")), URLISH)
@example("http://", "h.test/?'|^`{}")
def test_canonical_is_idempotent_and_splits(prefix: str, rest: str) -> None:
    url = canonical(prefix + rest, BASE)
    if url is None:
        return
    assert canonical(url) == url
    assert "#" not in url
    address = split(url)
    assert address.target.startswith("/")
    # Otherwise it could not be part of a request line.
    assert all("!" <= char <= "~" for char in address.target)
    assert canonical(f"{address.scheme}://{address.authority}{address.target}") == (
        url if "@" not in url.split("/")[2] else url.replace(url.split("/")[2], address.authority, 1)
    )


HERE = "http://site.test/a/"


@given(
    st.text("?#:/.\\ \t\nah@%", max_size=8),
    st.sampled_from((HERE, BASE, f"{HERE}c/d?/e/f#/g", f"{HERE}c?d#e", "file:///C:/a", "mailto:a", "ftp://a/b?c")),
)
@example("http:?q", BASE)
@example("\n?q", BASE)
@example("", BASE)
@example("..", f"{HERE}c/d?/e/f#/g")
@example("b", "file:///C:/a")
def test_a_link_is_resolved_as_if_nothing_were_remembered(text: str, base: str) -> None:
    assert linked(text, f"{HERE}other") == canonical(text, f"{HERE}other")
    assert linked(text, base) == canonical(text, base)


def test_resolve_keeps_any_scheme_and_the_fragment() -> None:
    assert resolve("ftp://site.test/a#b") == "ftp://site.test/a#b"
    assert resolve("c#d", "ftp://site.test/a") == "ftp://site.test/c#d"
    assert resolve("http://[") is None


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *(("site.test", "http://site.test"), (" site.test/x ", "http://site.test/x")),
        ("localhost:8000", "http://localhost:8000"),
        ("site.test/?next=http://other.test/", "http://site.test/?next=http://other.test/"),
        *(("https://site.test", "https://site.test"), ("HTTP://site.test", "HTTP://site.test")),
        ("ftp://site.test", "ftp://site.test"),
    ],
)
def test_a_root_without_a_scheme_gets_http(typed: str, meant: str) -> None:
    assert with_scheme(typed) == meant


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://site.test/", Address("http", "site.test", 80, "/", "site.test")),
        ("https://site.test/a?b", Address("https", "site.test", 443, "/a?b", "site.test")),
        ("http://site.test:8080/a/?", Address("http", "site.test", 8080, "/a/?", "site.test:8080")),
        ("http://[::1]/", Address("http", "::1", 80, "/", "[::1]")),
        ("http://[::1]:81/@:82", Address("http", "::1", 81, "/@:82", "[::1]:81")),
    ],
)
def test_the_parts_of_an_address(url: str, address: Address) -> None:
    assert split(url) == address


@pytest.mark.parametrize(
    "url", ["", *["site.test", "http://site.test", "http://SITE.test/", "ftp://site.test/", "http://a/#b"]]
)
def test_only_canonical_urls_are_split(url: str) -> None:
    with pytest.raises(ValueError, match="not a canonical http"):
        split(url)


# --- the parser of the standard -------------------------------------------------------------------------------------

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
