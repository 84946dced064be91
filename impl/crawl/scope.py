"""The scope of a crawl: the URLs that belong to the sites of its roots.

The scope is a pure predicate on canonical URLs.  It is applied to links, redirect targets and roots alike, so no
redirect leads out of scope.  It compares hosts; schemes and ports do not count, as in the chapter's crawler.  *Strict*
allows a host that equals a root's apart from a leading "www.".  *Lenient* allows a host that shares its registered
domain with a root: one registered label and the public suffix below which it was registered (publicsuffix.org; the
package `publicsuffixlist` contains the list).  The original used the last two labels, so all of "co.uk" was one site.
A suffix without a rule in the list is one label (the list's rule "*"), so the last two labels are used there.  An IP
address, a host of a single label and a public suffix itself have no registered domain: each equals only itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from ..web.url import host, split

# IPv4 in canonical form; an IPv6 address has no dots, so it is a single label.
_NUMERIC = re.compile(r"[\d.]+")


class Scope:
    """The sites of `roots`, without the URLs that match `exclude`; with `include`, without those that match neither it
    nor are roots.
    """

    def __init__(
        self,
        roots: tuple[str, ...],
        exclude: str | None = None,
        strict: bool = True,
        include: str | None = None,
    ) -> None:
        """`roots`: canonical URLs; `exclude`, `include`: regular expressions, searched in the whole URL.

        Raises:
            ValueError: one of them is not a regular expression, or a root is not canonical.
        """
        self._exclude = _pattern("exclude", exclude)
        self._include = _pattern("include", include)
        self._roots = frozenset(roots)
        self._family = _modulo_www if strict else _registered()
        self._families = frozenset(self._family(split(root).host) for root in roots)

    def allows(self, url: str) -> bool:
        """Whether `url` is in scope.

        Raises:
            ValueError: `url` has no host.
        """
        if self._family(host(url)) not in self._families:
            return False
        if self._exclude is not None and self._exclude.search(url) is not None:
            return False
        return self._include is None or url in self._roots or self._include.search(url) is not None


def _pattern(name: str, text: str | None) -> re.Pattern[str] | None:
    try:
        return None if text is None else re.compile(text)
    except re.error as error:
        raise ValueError(f"{name} is not a regular expression: {text!r}: {error}") from None


def _modulo_www(host: str) -> str:
    return host.removeprefix("www.")


@cache
def _registered() -> Callable[[str], str]:
    """Return the function from a host to its registered domain; loading the list takes some 50 ms, once."""
    from publicsuffixlist import PublicSuffixList  # here, because only a lenient scope needs it

    registered = PublicSuffixList().privatesuffix

    def family(host: str) -> str:
        host = host.removesuffix(".")  # RFC 1034, 3.1: the dot of an absolute name does not count
        return host if _NUMERIC.fullmatch(host) else registered(host) or host

    return family
