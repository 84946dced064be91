"""The links of an HTML document, as a browser would follow them."""

from __future__ import annotations

from typing import Final, NamedTuple

from turbohtml import Token, TokenType

from .limits import LIMITS, Limits
from .markup import StartTags
from .notes import Noted, Notes, bounded
from .reference import Check
from .robots import AGENT
from .url import linked, resolve

_LINKS: Final = frozenset(("a", "area"))
_NAMES: Final = _LINKS | {"base"}
_READ: Final = _NAMES | {"meta"}
#: Rules for robots that leave the links of a page out.
_NOFOLLOW: Final = frozenset(("nofollow", "none"))


def forbids(rules: str) -> bool:
    """Whether a list of rules for robots, separated by commas, leaves links out."""
    return not _NOFOLLOW.isdisjoint(rule.strip() for rule in rules.lower().split(","))


class PageFindings(NamedTuple):
    """The findings in a page; `noted` is None where nothing but links is read."""

    links: tuple[str, ...]
    noted: Noted | None


class LinkReader:
    """The canonical http(s) URLs that `a` and `area` elements of an HTML text refer to; the text arrives in pieces.

    The HTML standard's tokenizer recognizes tags: links in comments, scripts and `data-href` do not count,
    unquoted attributes and `&amp;` are read correctly, and broken mark-up is read as in browsers.  Each href is
    resolved against the first `<base href>`, which is itself resolved against `url` (HTML standard, 2.4.3).  Hrefs
    that differ only in their fragment are resolved once.

    Parameters:
        url: the URL of the document.
        limits: an href or URL longer than `url_chars` is no link; more than `links` hrefs are "too-large".
        obeys: whether links with rel=nofollow are left out, and all links of a page with a meta element against them.
        check: the other parts to read; None: nothing.
    """

    def __init__(self, url: str, limits: Limits = LIMITS, obeys: bool = False, check: Check | None = None) -> None:
        self._base = resolve(url) or url
        self._limits = limits
        self._notes = None if check is None else Notes(check, limits)
        names: frozenset[str] | None = _NAMES | {"meta"} if obeys else _NAMES
        if self._notes is not None:
            more = self._notes.names
            names = None if names is None or more is None else names | more
        self._tags = StartTags(names, limits.token_chars)
        self._obeys = obeys
        self._fragments = check is not None and check.fragments
        self._forbidden = False
        self._based = False
        # A dict as a set: in document order of the first occurrence.
        self._hrefs: dict[str, None] = {}

    def feed(self, piece: str) -> None:
        """Read the next piece of the text.

        Raises:
            HttpError: "too-large", there are too many links, or a token is too long.
        """
        tags, notes, hrefs = self._tags, self._notes, self._hrefs
        thorough = notes is not None and notes.thorough
        again = self._fragments
        # A page has very many tokens, and most of its links are repeated: their cost is that of the page.
        for token in tags.feed(piece):
            tag = token.tag
            if (texts := tags.texts) or thorough:
                self._note(token, tag)
            if tag not in _READ or (texts and token.type is not TokenType.START_TAG):
                continue
            if tag == "meta":
                self._forbidden |= self._obeys and _is_for_us(token) and forbids(token.attr("content") or "")
            elif (text := token.attr("href")) is not None:
                # The "#" stays: without it, white space before it would be at the end, where it does not count.
                href = text[: text.find("#") + 1] or text
                if again or href not in hrefs or tag == "base":
                    self._refer(token, tag, text, href)

    def forbid(self) -> None:
        """Leave out all links: the page says so outside of its text."""
        self._forbidden = True

    def finish(self) -> PageFindings:
        """The references of the text: distinct URLs, in document order of their first occurrence.

        Malformed URLs and other schemes are left out.
        """
        if self._forbidden:
            self._hrefs.clear()
        urls = {href: self._resolved(href) for href in self._hrefs}
        links = tuple(dict.fromkeys(url for url in urls.values() if url is not None))
        if self._notes is None:
            return PageFindings(links, None)
        urls.update((source, self._resolved(source)) for source in self._notes.sources)
        return PageFindings(links, self._notes.finish(urls))

    def _note(self, token: Token, tag: str | None) -> None:
        notes, tags = self._notes, self._tags
        assert notes is not None  # else there is nothing to listen for
        if not notes.read(token, tag, tags.above + token.line) and tags.texts:
            tags.listen(False)

    def _refer(self, token: Token, tag: str, text: str, href: str) -> None:
        """Take a `tag` with that text in its href; `href` is the text without its fragment."""
        if self._obeys and "nofollow" in (token.attr("rel") or "").lower().split():
            return
        if tag == "base":
            self._rebase(text)
        elif len(href) <= self._limits.url_chars:
            self._hrefs[href] = None
            bounded(len(self._hrefs), self._limits.links, "links")
            notes = self._notes
            if notes is not None and notes.refer(href, text, token, self._tags.above + token.line):
                self._tags.listen(True)

    def _resolved(self, href: str) -> str | None:
        url = linked(href, self._base)
        return url if url is not None and len(url) <= self._limits.url_chars else None

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
    return reader.finish().links
