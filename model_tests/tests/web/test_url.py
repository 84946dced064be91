"""Canonical URLs against vectors of the WHATWG URL standard, and the parts that a request needs."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from impl.web.url import Address, canonical, linked, resolve, split, with_scheme

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
    # How the parser itself reads paths, escapes and hosts: test_whatwg.py.
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
    st.sampled_from(
        (HERE, BASE, f"{HERE}c/d?/e/f#/g", f"{HERE}c?d#e", "file:///C:/a", "mailto:a", "ftp://a/b?c")
    ),
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
