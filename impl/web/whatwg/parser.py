"""The basic URL parser and the URL serializer.

The standard's state machine reads a code point at a time.  Here each state is a function that splits the remaining
text, in the same order.  "?" and "#" end every part before a query, so these are split off first.

Source: URL standard, 4.4 (URL parsing) and 4.5 (URL serializing).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from . import escapes, host

#: The special schemes, and their default ports.
_PORTS: Final = {"ftp": 21, "file": None, "http": 80, "https": 443, "ws": 80, "wss": 443}

_C0_AND_SPACE: Final = "".join(map(chr, range(0x21)))
_REMOVED: Final = dict.fromkeys(b"\t\n\r")
_SCHEME: Final = re.compile("([A-Za-z][A-Za-z0-9+.-]*):")
_SLASHES: Final = ("/", "\\")
_SLASH: Final = {True: re.compile(r"[/\\]"), False: re.compile("/")}
# A host ends at a ":" outside of brackets.
_HOST: Final = re.compile(r"(?:\[[^\]]*+\]?|[^:\[])*+")
_PORT: Final = re.compile("[0-9]*")
_DOTS: Final = re.compile(r"(?:^|/)(?:\.|%2e){1,2}(?:/|$)", re.IGNORECASE)
_DRIVE: Final = re.compile(r"[A-Za-z][:|]")
_DRIVE_FIRST: Final = re.compile(r"[A-Za-z][:|](?=[/\\]|$)")
_DRIVE_NORMALIZED: Final = re.compile("/[A-Za-z]:(?=/|$)")


# Texts that the parser would not change: http(s) URLs and references to them as most pages have them, without
# dot segments, ports, numbers as hosts, and characters that are escaped.
_DOMAIN: Final = r"(?:[a-z0-9_-]++\.)*+(?![0-9])[a-z0-9_-]++(?=/)"
_NO_DOTS: Final = r"(?!\.|%2[Ee])"
_CHARS: Final = r"\w~!$%&()*+,;=@|\[\].\-"
_PLAIN: Final = re.compile(
    rf"""(?:(?P<absolute>https?://{_DOMAIN}) | (?P<domain>//{_DOMAIN}) | (?P<root>(?=/(?!/)))
        | (?P<folder>{_NO_DOTS}[{_CHARS}']++) | (?P<document>(?=\?)))
        (?:/{_NO_DOTS}[{_CHARS}':]*+)*+
        (?:\?[{_CHARS}:/?]*+)? (?:\#[{_CHARS}:/?']*+)?""",
    re.ASCII | re.VERBOSE,
)


class Url(NamedTuple):
    """A URL record.  A path that is not opaque is "" or begins with "/"; its segments follow a "/" each."""

    scheme: str
    userinfo: str = ""
    host: str | None = None
    port: str = ""
    path: str = ""
    opaque: bool = False
    query: str | None = None
    fragment: str | None = None

    def __str__(self) -> str:
        if self.host is not None:
            authority = f"//{self.userinfo}{self.host}{self.port}"
        else:
            # Else the begin of the path would be read as an authority.
            authority = "/." if not self.opaque and self.path.startswith("//") else ""
        query = "" if self.query is None else f"?{self.query}"
        fragment = "" if self.fragment is None else f"#{self.fragment}"
        return f"{self.scheme}:{authority}{self.path}{query}{fragment}"


class _Base(NamedTuple):
    """A base, and its text up to each place where a plain reference goes on; none unless it is an http(s) URL."""

    url: Url
    places: dict[str, str]


def href(text: str, base: str | None = None) -> str:
    """Return the serialised form of `text`, resolved against `base`: `str(parse(text, parse(base)))`, but faster.

    Raises:
        ValueError: `base` or `text` is no URL, or `text` is a relative reference and `base` is None or opaque.
    """
    known = None if base is None else _base(base)
    plain = _PLAIN.fullmatch(text)
    if plain is not None:
        if plain.lastgroup == "absolute":
            return text
        if known is not None and known.places:
            return known.places[str(plain.lastgroup)] + text
    return str(parse(text, None if known is None else known.url))


@lru_cache(maxsize=64)
def _base(text: str) -> _Base:
    """Most links of a page have one base."""
    url = parse(text)
    if url.scheme not in ("http", "https"):
        return _Base(url, {})
    root = str(url._replace(path="", query=None, fragment=None))
    places = {
        "domain": f"{url.scheme}:",
        "root": root,
        "folder": f"{root}{_parent(url.path, url.scheme)}/",
        "document": f"{root}{url.path}",
    }
    return _Base(url, places)


def parse(text: str, base: Url | None = None) -> Url:
    """Return the record of `text`, resolved against `base`.

    Raises:
        ValueError: as `href`.
    """
    text = text.strip(_C0_AND_SPACE).translate(_REMOVED)
    rest, hash_, fragment = text.partition("#")
    rest, mark, query = rest.partition("?")
    scheme = _SCHEME.match(rest)
    if scheme is not None:
        url = _absolute(scheme[1].lower(), rest[scheme.end() :], base)
    elif base is None:
        raise ValueError(f"relative, without a base: {text!r}")
    elif not base.opaque:
        url = _relative(rest, base)
    elif hash_ and not rest and not mark:
        url = base
    else:
        raise ValueError(f"relative, to a base that has no folders: {text!r}")
    if url.path.endswith(" "):  # it is opaque, and a query or fragment follows
        url = url._replace(path=url.path[:-1] + "%20")
    encode = escapes.special_query if url.scheme in _PORTS else escapes.query
    return url._replace(
        query=encode(query) if mark else url.query, fragment=escapes.fragment(fragment) if hash_ else None
    )


def _absolute(scheme: str, rest: str, base: Url | None) -> Url:
    """The part after a scheme."""
    if scheme in _PORTS:
        if base is not None and base.scheme == scheme:
            return _relative(rest, base)
        return _file(rest) if scheme == "file" else _authority(scheme, rest.lstrip("/\\"))
    if rest.startswith("//"):
        return _authority(scheme, rest[2:])
    if rest.startswith("/"):
        return Url(scheme, path=_appended("", rest[1:], scheme))
    return Url(scheme, path=escapes.control(rest), opaque=True)


def _relative(rest: str, base: Url) -> Url:
    """A reference without a scheme, or with that of the base, which is not opaque."""
    scheme, slash = base.scheme, _SLASH[base.scheme in _PORTS]
    if slash.match(rest):
        if slash.match(rest, 1):
            if scheme == "file":
                return _file(rest)
            return _authority(scheme, rest.lstrip("/\\") if scheme in _PORTS else rest[2:])
        rest, folder = rest[1:], ""
        if scheme == "file" and not _DRIVE_FIRST.match(rest):
            drive = _DRIVE_NORMALIZED.match(base.path)
            folder = drive[0] if drive else ""
    elif rest:
        new_drive = scheme == "file" and _DRIVE_FIRST.match(rest)
        folder = "" if new_drive else _parent(base.path, scheme)
    else:
        return base
    return base._replace(path=_appended(folder, rest, scheme), query=None)


def _authority(scheme: str, rest: str) -> Url:
    """Userinfo, host and port; then the path."""
    special = scheme in _PORTS
    end = _SLASH[special].search(rest)
    authority, path = (rest, "") if end is None else (rest[: end.start()], rest[end.start() :])
    userinfo, at, authority = authority.rpartition("@")
    name = _HOST.match(authority)
    assert name is not None
    port = authority[name.end() :]
    if not name[0] and (at or port):
        raise ValueError(f"no host: {rest!r}")
    return Url(
        scheme,
        _userinfo(userinfo),
        host.parse(name[0], special),
        _port(port, scheme),
        _appended("", path[1:], scheme) if special or path else "",
    )


def _userinfo(text: str) -> str:
    user, _, password = text.partition(":")
    shown = escapes.userinfo(user) + (f":{escapes.userinfo(password)}" if password else "")
    return shown and f"{shown}@"


def _port(text: str, scheme: str) -> str:
    """A port with its ":", or "" for the default port; `text` has the colon, too, unless it is empty."""
    if not _PORT.fullmatch(text, 1):
        raise ValueError(f"no port: {text!r}")
    digits = text[1:].lstrip("0") or text[1:2]
    if not digits:
        return ""
    if int(digits) > 0xFFFF:  # itself a ValueError, if these are thousands of digits
        raise ValueError(f"no port: {text!r}")
    return "" if int(digits) == _PORTS.get(scheme) else f":{digits}"


def _file(rest: str) -> Url:
    """A file URL, without a base or with a host."""
    name, path = "", rest
    if rest.startswith(_SLASHES):
        path = rest[1:]
        if path.startswith(_SLASHES):
            path = path[1:]
            end = _SLASH[True].search(path)
            name = path[: end.start()] if end is not None else path
            if _DRIVE.fullmatch(name):
                name = ""
            else:
                path = path[len(name) + 1 :]
    name = host.parse(name, True) if name else ""
    return Url("file", host="" if name == "localhost" else name, path=_appended("", path, "file"))


def _parent(path: str, scheme: str) -> str:
    """A path without its last segment; a file's drive stays."""
    drive = _DRIVE_NORMALIZED.fullmatch(path) if scheme == "file" else None
    return path if drive else path[: max(path.rfind("/"), 0)]


def _appended(folder: str, text: str, scheme: str) -> str:
    """The path of `folder` and the segments of `text`, dot segments resolved."""
    text = escapes.path(text.replace("\\", "/") if scheme in _PORTS else text)
    if scheme != "file" and not _DOTS.search(text):
        return f"{folder}/{text}"
    path = folder
    segments = text.split("/")
    for place, segment in enumerate(segments, 1):
        dots = segment.lower().replace("%2e", ".")
        if dots in (".", ".."):
            path = _parent(path, scheme) if dots == ".." else path
            if place == len(segments):
                path += "/"
        elif scheme == "file" and not path and _DRIVE.fullmatch(segment):
            path = f"/{segment[0]}:"
        else:
            path += f"/{segment}"
    return path
