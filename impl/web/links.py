"""The links of an HTML document, as a browser would follow them."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from .url import canonical, resolve


def links(body: str, base: str) -> tuple[str, ...]:
    """The canonical http(s) URLs that `a` and `area` elements of an HTML text refer to.

    A real HTML5 parser (Lexbor) decides what an element is: links in comments, scripts and `data-href` do not count,
    unquoted attributes and `&amp;` are read correctly, and broken mark-up is repaired as in browsers.  Each href is
    resolved against the first `<base href>`, which is itself resolved against `base` (HTML standard, 2.4.3).  Hrefs
    that differ only in their fragment are resolved once.

    The URLs are distinct, in document order of their first occurrence.  `base` is the URL of the document.  Malformed
    URLs and other schemes are left out.
    """
    document = LexborHTMLParser(body)
    base = _base(document, base)
    # An empty href is a link to the document itself; the parser gives None for it when it has no "=".
    hrefs = (node.attributes.get("href") or "" for node in document.css("a[href], area[href]"))
    # The "#" stays: without it, white space before it would be at the end, where it does not count.
    distinct = dict.fromkeys(href[: href.find("#") + 1] or href for href in hrefs)
    return tuple(dict.fromkeys(url for href in distinct if (url := canonical(href, base)) is not None))


def _base(document: LexborHTMLParser, url: str) -> str:
    """The document base URL: malformed, `data:` and `javascript:` ones do not count."""
    element = document.css_first("base[href]")
    if element is None:
        return url
    base = resolve(element.attributes.get("href") or "", url)
    return url if base is None or base.startswith(("data:", "javascript:")) else base
