"""The links of an HTML document, as a browser would follow them.

Theory of operation.  A real HTML5 parser (Lexbor) decides what an element is: so links in comments, scripts
and `data-href` are none, unquoted attributes and `&amp;` are read right, and broken mark-up means what
browsers make of it.  The URL parser then resolves each href against the base URL: the first `<base href>`,
itself seen from the document's URL (HTML standard, 2.4.3).  Hrefs that differ only in their fragment are
resolved once.
"""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from .url import canonical, resolve


def links(body: str, base: str) -> tuple[str, ...]:
    """The canonical http(s) URLs that `a` and `area` elements of an HTML text refer to.

    Distinct, in document order of their first occurrence.  `base` is the URL of the document; what is
    malformed or of another scheme is left out.
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
