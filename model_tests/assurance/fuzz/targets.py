"""The targets of the fuzzer, each with a check that raises an exception for an input that breaks its claim.

A check returns the outcome of the input, in a word.  Its report counts these: a fuzzer that reaches only one of them
tests nothing.  The dialogue of a client is pumped without a network.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from itertools import accumulate, pairwise
from math import inf
from typing import Final
from unicodedata import bidirectional, ucd_3_2_0
from urllib.parse import unquote

from impl.crawl.frontier import Frontier
from impl.crawl.record import Record, record
from impl.crawl.results.journal import Journal, JournalError, decode, head, line, must_agree, replay
from impl.crawl.scope import Scope
from impl.net.wrappers import is_local
from impl.web import http, interpret, links, robots, url
from impl.web.charset import decoded
from impl.web.http import RECEIVE, Dialogue, HttpError, Response, Send
from impl.web.limits import Limits
from impl.web.outcome import ERRORS, FetchFailure, Outcome, Page, Redirect
from impl.web.reference import CHECKS
from impl.web.whatwg.parser import parse

from . import corpora
from .mutate import Choose, cut

#: Small, so that inputs reach them.
LIMITS: Final = Limits(header_bytes=1024, body_bytes=2048, framing_bytes=64, links=8, url_chars=200)

_URL: Final = corpora.URL
_CHECKS: Final = (None, *CHECKS.values())
_TYPES: Final = (
    "",
    "text/html; charset=utf-8",
    "text/html; charset=gb18030",
    "text/html;charset=iso-2022-jp",
)
_PATHS: Final = ("/", "/a/b?c", "/%E3%83%84", "/x.gif", "/" + "a" * 200)


@dataclass(frozen=True, slots=True)
class Target:
    """A reader of foreign input: `check(data, choose)` reads an input, and draws how."""

    name: str
    corpus: Sequence[bytes]
    tokens: Sequence[bytes]
    check: Callable[[bytes, Choose], str]
    #: The library that the check imports, if it is one that not every Python has.
    needs: str | None = None

    def missing(self) -> str:
        """Say that the library is missing, or return ""."""
        if self.needs is None or find_spec(self.needs) is not None:
            return ""
        return f"{self.needs} is not installed"


def _response(data: bytes, choose: Choose) -> str:
    """A response, an error of `ERRORS`, whatever the segments; and its record is one of a journal."""

    def answer(segments: Iterable[bytes]) -> http.Response | str:
        return pumped(http.Client(LIMITS).get(_URL), iter(segments))

    whole = answer([data] if data else [])
    for segments in (cut(choose, data), *([_single(data)] * (choose(8) == 0))):
        found = answer(segments)
        assert found == whole, f"{found} of the segments {segments}, {whole} of one"
    if isinstance(whole, str):
        outcome: Outcome = FetchFailure(whole)
    else:
        outcome = interpret.outcome(_URL, whole, LIMITS, bool(choose(2)), _CHECKS[choose(len(_CHECKS))])
    _plain(outcome)
    row = record(_URL, outcome, 3, 1)
    assert decode([head({}), line(row)]).rows == [row.bare()]
    return row.error or row.outcome


def _single(data: bytes) -> list[bytes]:
    return [data[i : i + 1] for i in range(len(data))]


def _plain(outcome: Outcome) -> None:
    """The parts of an outcome are as its class says."""
    match outcome:
        case Page(found):
            assert len(set(found)) == len(found) <= LIMITS.links
            assert all(url.canonical(link) == link and len(link) <= LIMITS.url_chars for link in found)
        case Redirect(target):
            assert url.canonical(target) == target
            assert len(target) <= LIMITS.url_chars
        case FetchFailure(error):
            assert error in ERRORS
            assert outcome.retry_after_s is None or 0 <= outcome.retry_after_s < inf


def _html(data: bytes, choose: Choose) -> str:
    """The links of a page, and all else that is checked, however the text is cut."""
    text = "".join(decoded(data, _TYPES[choose(len(_TYPES))]))
    obeys, check = bool(choose(2)), _CHECKS[choose(len(_CHECKS))]

    def read(pieces: Iterable[str]) -> links.PageFindings | str:
        reader = links.LinkReader(_URL, LIMITS, obeys, check)
        try:
            for piece in pieces:
                reader.feed(piece)
            return reader.finish()
        except http.HttpError as error:
            return error.kind

    whole = read([text])
    # A text is cut between characters, by cutting a text of one byte for each.
    sizes = [len(part) for part in cut(choose, bytes(len(text)))]
    places = accumulate(sizes, initial=0)
    found = read(text[start:end] for start, end in pairwise(places))
    assert found == whole, f"{found} of the pieces {sizes}, {whole} of one"
    if isinstance(whole, str):
        assert whole == "too-large"
        return whole
    _plain(Page(whole.links))
    return "links" if whole.links else "none"


def _url(data: bytes, choose: Choose) -> str:
    """A canonical URL is its own canonical URL, can be requested, and has a place in every scope."""
    text = _text(data, choose)
    base = corpora.BASES[choose(len(corpora.BASES))]
    found = url.canonical(text, base)
    assert url.resolve(text, base) == _parsed(text, base), "the short way leads to another URL"
    url.resolve(url.with_scheme(text))
    if found is None:
        return "none"
    assert url.canonical(found) == found == url.canonical(found, base)
    address = url.split(found)
    assert found == f"{address.scheme}://{address.authority}{address.target}"
    assert "#" not in found
    assert all("!" <= char <= "~" for char in found), "it could not be part of a request"
    assert 0 < address.port < 65536
    assert Scope((found,), strict=bool(choose(2))).allows(found)
    return "local" if is_local(address.host) else "other"


def _text(data: bytes, choose: Choose) -> str:
    return data.decode(*(("utf-8", "replace"), ("utf-8", "surrogateescape"), ("latin-1",))[choose(3)])


def _parsed(text: str, base: str | None) -> str | None:
    """The form of a URL, without the short way for plain ones."""
    try:
        return str(parse(text, None if base is None else parse(base)))
    except ValueError:
        return None


def _ada(data: bytes, choose: Choose) -> str:
    """Our parser and ada make the same of a text: a URL, or nothing."""
    import ada_url

    text, base = _text(data, choose), corpora.BASES[choose(len(corpora.BASES))]
    found = _parsed(text, base)
    try:
        theirs = ada_url.normalize_url(text) if base is None else ada_url.join_url(base, text)
    except ValueError:
        theirs = None
    if found == theirs:
        return "none" if found is None else "url"
    differs = _differs(text, found, theirs)
    assert differs, f"{found} here, {theirs} by ada; base {base}"
    return differs


def _differs(text: str, found: str | None, theirs: str | None) -> str:
    """Why ada 4.0.0 may take another view of a host, or ""; the standard's text was asked of each.

    Its tables of marks and directions are older than Unicode 14; Unicode 3.2, which Python has, is safe ground.  It
    accepts a right-to-left domain although another label breaks the Bidi rule (ada-url/idna, 91), a joiner after a
    joiner, Punycode that RFC 3492 does not have, and longer domains than idna.
    """
    text = unquote(text)
    host = re.search("//(?:[^/@]*@)?([^/?#:]*)", found or theirs or "")
    labels = host[1].split(".") if host is not None else []
    codes = [label.encode()[4:] for label in labels if label.startswith("xn--")]
    decoded = [code.decode("punycode") for code in codes]
    chars = "".join(decoded)
    if any(ucd_3_2_0.category(char) == "Cn" for char in text + chars):
        return "new"
    if found is not None or theirs is None:
        return ""
    if any(bidirectional(char) in ("R", "AL", "AN") for char in chars):
        return "bidi"
    if re.search("[\u200c\u200d]{2}", chars):
        return "joiners"
    if codes != [label.encode("punycode") for label in decoded]:
        return "punycode"
    return "long" if max(map(len, re.split(r"[/\\?#@]", text))) > 1024 else ""


def _robots(data: bytes, choose: Choose) -> str:
    """Rules for every URL, and a finite delay; a comment at the end changes nothing."""
    rules, longer = (robots.robots(200, body) for body in (data, data + b"\n# the end\n"))
    answers = [rules.allows(f"http://site.test{path}") for path in _PATHS]
    assert answers == [longer.allows(f"http://site.test{path}") for path in _PATHS]
    assert rules.allows("http://site.test/robots.txt")
    assert 0.0 <= rules.delay_s < inf
    assert rules.delay_s == longer.delay_s
    return "all" if all(answers) else "some" if any(answers) else "nothing"


def _journal(data: bytes, choose: Choose) -> str:
    """A journal that is written and replayed again, in any order; or an error of one plain line."""
    try:
        found = decode(BytesIO(data))
        assert found.whole + found.torn == len(data)
        if found.settings is not None:
            again = decode([head(found.settings), *map(line, found.rows)])
            assert again == Journal(found.settings, found.rows, again.whole, 0)
            must_agree(found.settings, found.settings)
            must_agree(found.settings, {"roots": [_URL]})
    except JournalError as error:
        _one_plain_line(str(error))
        if "of another crawl" not in str(error):
            return "none"
    results = [_replayed(rows) for rows in (found.rows, found.rows[::-1])]
    assert results[0] == results[1]
    return "incomplete" if results[0] is None else "whole" if found.rows else "empty"


def _replayed(rows: list[Record]) -> list[tuple[str, int]] | None:
    frontier = Frontier(3)
    frontier.offer(_URL, 3)
    try:
        replay(frontier, rows)
    except JournalError as error:
        _one_plain_line(str(error))
        return None  # which of several records the error names depends on their order
    return sorted(frontier.best.items())


def _one_plain_line(text: str) -> None:
    assert text.isprintable(), f"an error is one line, without control characters: {text!r}"
    assert len(text) < 1000, "an error is short"


TARGETS: Final = (
    Target("responses", corpora.RESPONSES, corpora.HTTP_TOKENS + corpora.HTML_TOKENS, _response),
    Target("html", corpora.PAGES, corpora.HTML_TOKENS + corpora.URL_TOKENS, _html),
    Target("urls", corpora.URLS, corpora.URL_TOKENS, _url),
    Target("ada", corpora.URLS, corpora.URL_TOKENS, _ada, needs="ada_url"),
    Target("robots", corpora.ROBOTS, corpora.ROBOTS_TOKENS, _robots),
    Target("journals", corpora.JOURNALS, corpora.JOURNAL_TOKENS, _journal),
)


def pumped(dialogue: Dialogue, left: Iterator[bytes]) -> Response | str:
    """Feed a dialogue as much as it wants, then the end of the stream; return a response, or a kind of error.

    `left`: segments, none of them empty.
    """
    assert isinstance(next(dialogue), Send)
    answer: bytes | None = None
    try:
        while dialogue.send(answer) is RECEIVE:
            assert answer != b"", "asked for more after the end of the stream"
            answer = next(left, b"")
        raise AssertionError("one request needs one Send")
    except StopIteration as end:
        response: Response = end.value
        return response
    except HttpError as error:
        return error.kind
    finally:
        dialogue.close()
