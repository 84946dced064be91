"""Render a site's resources as real HTML and real references, in the many forms that authors write.

An oracle reads `Html.links`; a crawler must find the same links in bytes.  To make that a real test, each reference
takes one of several forms (absolute, relative to host or directory, with a fragment), each attribute one of several
quotings, and decoys stand between them: links in comments, scripts and other attributes, and schemes that no crawler
follows.  The choice depends on SHA-256 of the URL and a label, never on Python's `hash`, which differs between
processes.  A form is used only if it resolves back to its URL, so the standard's parser, not this file, decides where
a form is valid.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from html import escape
from typing import Final

from ..url import canonical, split
from .site import Html

#: How many pages are kept, of some KB each: a comparison serves those of a small site again and again.
KEPT: Final = 1 << 9


def pick(url: str, label: str, n: int) -> int:
    """A number below `n`, always the same for a URL and a label."""
    digest = hashlib.sha256(f"{label} {url}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % n


@lru_cache(maxsize=KEPT)
def html(url: str, page: Html) -> bytes:
    """The page as UTF-8: its links in order, and no other http or https link."""
    base = url
    lines = ["<!DOCTYPE html>", f"<title>{escape(url)}</title>"]
    if pick(url, "base", 4) == 1:
        # A base that is not the page's own directory; a second one follows, which must not count.
        base = canonical("/elsewhere/deep/", url) or url
        lines += [f'<base target=_top><base href="{base}">', '<base href="http://decoy.example/">']
    for i, link in enumerate(page.links):
        decoy = _DECOYS[pick(url, f"decoy {i}", len(_DECOYS))].format(i)
        element = _ELEMENTS[pick(url, f"element {i}", len(_ELEMENTS))]
        lines += [decoy, element(reference(link, base, f"{url} {i}"), i)]
    return "\n".join([*lines, ""]).encode()


def location(url: str, target: str) -> str:
    """The Location that a redirect from `url` sends."""
    return reference(target, url, "location")


def reference(target: str, base: str, label: str) -> str:
    """One of the URL references that resolve to `target` against `base`."""
    forms = [form + mark for form in _forms(target, base) for mark in ("", "#top", "#")]
    right = [form for form in forms if canonical(form, base) == target]
    return right[pick(base, f"{label} {target}", len(right))]


def _forms(target: str, base: str) -> list[str]:
    """The absolute form, which is always correct, and shorter ones, which are correct for some bases."""
    there, here = split(target), split(base)
    forms = [target, target.removeprefix(f"{there.scheme}:")]
    if (there.scheme, there.authority) == (here.scheme, here.authority):
        forms += [there.target, _climb(there.target, here.target)]
    return forms


def _climb(target: str, base: str) -> str:
    """`target` relative to the directory of `base`: up out of the segments that differ, then down."""
    path, mark, query = target.partition("?")
    *inward, name = path.split("/")
    outward = base.partition("?")[0].split("/")[:-1]
    shared = 0
    while shared < min(len(inward), len(outward)) and inward[shared] == outward[shared]:
        shared += 1
    steps = [".."] * (len(outward) - shared) + inward[shared:]
    return "/".join([*(steps or ["."]), name]) + mark + query


def _unquoted(href: str, i: int) -> str:
    # A value with characters that unquoted ones may not contain (HTML standard, 13.1.2.3) is quoted after all.
    quote = '"' if any(char in href for char in "\"'`=<> ") else ""
    return f"<p>{i}: <a class=plain href={quote}{escape(href)}{quote} rel=next>unquoted</a>"


_ELEMENTS: Final[tuple[Callable[[str, int], str], ...]] = (
    lambda href, i: f'<p>{i}: <a href="{escape(href)}">double</a>',
    lambda href, i: f"<p>{i}: <A HREF = '{escape(href)}' >single</A>",
    lambda href, i: f'<p>{i}: <a\n  href="\n {escape(href)}\t"\n>white space</a>',
    lambda href, i: f'<p>{i}: <a data-href="/decoy" href="{escape(href).replace("/", "&#x2f;")}">entities',
    lambda href, i: f'<map name=m{i}><area shape=default alt=area href="{escape(href)}"></map>',
    lambda href, i: f'<p>{i}: <a href="{escape(href)}" href="/decoy">the first attribute counts</a>',
    _unquoted,
)

_DECOYS: Final = (
    "",
    '<!-- <a href="/decoy-{0}">comment</a> -->',
    "<script>document.write('<a href=\"/decoy-{0}\">script</a>')</script>",
    '<link rel=prev href="/decoy-{0}"><a name="here-{0}">anchor</a>',
    '<a href="mailto:{0}@example.test">mail</a> <a href="javascript:void({0})">script</a>',
    '<textarea><a href="/decoy-{0}">text</a></textarea>',
    '<a href="http://[bad-{0}/">malformed</a> <a href="ftp://example.test/{0}">ftp</a>',
)
