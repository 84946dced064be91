"""The links of an HTML document, as a browser would follow them."""

from __future__ import annotations

from typing import Final

from turbohtml import Token

from .limits import LIMITS, Limits
from .markup import StartTags
from .robots import AGENT
from .url import canonical, resolve
from .wire import HttpError

_NAMES: Final = frozenset(("a", "area", "base"))
#: Rules for robots that leave the links of a page out.
_NOFOLLOW: Final = frozenset(("nofollow", "none"))


def forbids(rules: str) -> bool:
    """Whether a list of rules for robots, separated by commas, leaves links out."""
    return not _NOFOLLOW.isdisjoint(rule.strip() for rule in rules.lower().split(","))


class LinkReader:
    """The canonical http(s) URLs that `a` and `area` elements of an HTML text refer to; the text arrives in pieces.

    The HTML standard's tokenizer decides what a tag is: links in comments, scripts and `data-href` do not count,
    unquoted attributes and `&amp;` are read correctly, and broken mark-up is read as in browsers.  Each href is
    resolved against the first `<base href>`, which is itself resolved against `url` (HTML standard, 2.4.3).  Hrefs
    that differ only in their fragment are resolved once.

    Parameters:
        url: the URL of the document.
        limits: an href or URL longer than `url_chars` is no link; more than `links` hrefs are "too-large".
        obeys: whether links with rel=nofollow are left out, and all links of a page whose meta element forbids them.
    """

    def __init__(self, url: str, limits: Limits = LIMITS, obeys: bool = False) -> None:
        self._base = url
        self._limits = limits
        self._tags = StartTags(_NAMES | {"meta"} if obeys else _NAMES, limits.token_chars)
        self._obeys = obeys
        self._forbidden = False
        self._based = False
        # A dict as a set: in document order of the first occurrence.
        self._hrefs: dict[str, None] = {}

    def feed(self, piece: str) -> None:
        """Read the next piece of the text.

        Raises:
            HttpError: "too-large", there are too many links, or a token is too long.
        """
        for tag in self._tags.feed(piece):
            href = tag.attr("href")
            if tag.tag == "meta":
                self._forbidden |= _is_for_us(tag) and forbids(tag.attr("content") or "")
            elif href is not None and not (
                self._obeys and "nofollow" in (tag.attr("rel") or "").lower().split()
            ):
                (self._rebase if tag.tag == "base" else self._add)(href)

    def finish(self) -> tuple[str, ...]:
        """The URLs: distinct, in document order of their first occurrence.

        Malformed URLs and other schemes are left out.
        """
        if self._forbidden:
            return ()
        most = self._limits.url_chars
        found = (canonical(href, self._base) for href in self._hrefs)
        return tuple(dict.fromkeys(url for url in found if url is not None and len(url) <= most))

    def _add(self, href: str) -> None:
        # The "#" stays: without it, white space before it would be at the end, where it does not count.
        href = href[: href.find("#") + 1] or href
        if len(href) <= self._limits.url_chars:
            self._hrefs[href] = None
            if len(self._hrefs) > self._limits.links:
                raise HttpError("too-large", f"more than {self._limits.links} links")

    def _rebase(self, href: str) -> None:
        """Take the first base; malformed, `data:` and `javascript:` ones do not count, and no later one does."""
        if self._based:
            return
        self._based = True
        most = self._limits.url_chars
        base = resolve(href, self._base) if len(href) <= most else None
        if base is not None and len(base) <= most and not base.startswith(("data:", "javascript:")):
            self._base = base


def _is_for_us(meta: Token) -> bool:
    return (meta.attr("name") or "").strip().lower() in ("robots", AGENT)


def links(body: str, url: str, limits: Limits = LIMITS, obeys: bool = False) -> tuple[str, ...]:
    """The links of a whole text; see `LinkReader`."""
    reader = LinkReader(url, limits, obeys)
    reader.feed(body)
    return reader.finish()
