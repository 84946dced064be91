"""Client against server, back to back in memory: a site served and fetched is the site again."""

from __future__ import annotations

import errno
import socket
import ssl
from collections.abc import Callable, Generator
from random import Random

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from impl.crawl.outcome import ERRORS, Failure, Outcome, Page, Redirect
from impl.web.http import HttpError, Receive, Response, Send, get
from impl.web.interpret import failure, outcome
from impl.web.links import links
from impl.web.render import html
from impl.web.server import HANG, Command, Hang, Pause, Reset, serve
from impl.web.site import Broken, Fault, Html, Moved, Raw, Resource, Site
from impl.web.url import split

from .test_web_render import URLS

URL = "http://site.test/a/page"

Cut = Callable[[bytes], list[bytes]]


def whole(data: bytes) -> list[bytes]:
    return [data]


def at_random(seed: int) -> Cut:
    random = Random(seed)

    def cut(data: bytes) -> list[bytes]:
        segments = []
        while data:
            size = random.randint(1, random.choice((3, 40, 4000)))
            segments.append(data[:size])
            data = data[size:]
        return segments

    return cut


def answer(site: Site, request: bytes, cut: Cut = whole) -> tuple[bytes, list[Command]]:
    """All bytes that the server sends on a request and the end of the stream, and its other commands."""
    server = serve(site)
    left = iter([*cut(request), b""])
    sent = b""
    others: list[Command] = []
    received: bytes | None = None
    try:
        while True:
            command = server.send(received)
            received = None
            match command:
                case Send(data):
                    sent += data
                case Receive():
                    received = next(left)
                case Pause():
                    others.append(command)
                case Hang() | Reset():
                    server.close()
                    return sent, [*others, command]
    except StopIteration:
        return sent, others


def fetch(site: Site, url: str, cut: Cut = whole) -> tuple[Outcome, list[Command]]:
    """The outcome of `url`, and what the server did besides sending; a hang counts as a timeout."""
    client: Generator[Send | Receive, bytes | None, Response] = get(url)
    request = next(client)
    assert isinstance(request, Send)
    sent, others = answer(site, request.data, cut)
    if HANG in others:
        return Failure("timeout"), others
    segments = iter([*cut(sent), b""])
    try:
        client.send(None)
        while True:
            segment = next(segments)
            if segment == b"" and others and isinstance(others[-1], Reset):
                return Failure("reset"), others
            client.send(segment)
    except StopIteration as end:
        return outcome(url, end.value), others
    except HttpError as error:
        return failure(error), others


def one(resource: Resource, url: str = URL) -> Outcome:
    """The outcome of a site's only URL."""
    return fetch(Site({url: resource}, (url,)), url)[0]


# Faults.


@pytest.mark.parametrize(
    ("fault", "error", "status"),
    [
        ("status", "status", 404),
        ("reset", "reset", None),
        ("incomplete", "incomplete", None),
        ("silent", "timeout", None),
        ("garbage", "protocol", None),
        ("no-location", "location", 302),
    ],
)
def test_every_fault_is_its_failure(fault: Fault, error: str, status: int | None) -> None:
    found = one(Broken(fault))
    assert isinstance(found, Failure)
    assert (found.error, found.status) == (error, status)


@pytest.mark.parametrize("status", [204, 206, 300, 304, 305, 306, 400, 404, 410, 429, 500, 503, 599])
def test_every_other_status_is_a_failure(status: int) -> None:
    found = one(Broken(status=status))
    assert isinstance(found, Failure)
    assert (found.error, found.status) == ("status", status)


@pytest.mark.parametrize("fault", ["incomplete", "reset"])
def test_half_a_page_holds_a_link_that_a_careless_client_would_follow(fault: Fault) -> None:
    site = Site({URL: Broken(fault)}, (URL,))
    sent, _ = answer(site, b"GET /a/page HTTP/1.1\r\nHost: site.test\r\n\r\n")
    head, _, body = sent.partition(b"\r\n\r\n")
    promised = int(head.partition(b"Content-Length: ")[2].partition(b"\r\n")[0])
    assert 0 < len(body) < promised
    assert links(body.decode(), URL) == (f"{URL}?half",)


@pytest.mark.parametrize("fault", ["refused", "no-such-host"])
def test_a_fault_of_a_host_is_no_affair_of_a_server(fault: Fault) -> None:
    with pytest.raises(ValueError, match="let nobody connect"):
        one(Broken(fault))


def test_what_the_site_does_not_have_is_missing() -> None:
    found = fetch(Site({}, ()), URL)[0]
    assert found == Failure("status", 404, 4, "text/plain; charset=utf-8")


@pytest.mark.parametrize(
    "resource",
    [
        Html((), 7),
        Raw(b"", "text/plain", 7),
        Moved(URL, 302, 7),
        Broken(latency_ms=7),
        Broken("silent", 0, 7),
    ],
)
def test_latency_is_a_pause_before_the_answer(resource: Resource) -> None:
    assert fetch(Site({URL: resource}, ()), URL)[1][0] == Pause(7)


class HostnameError(ssl.SSLCertVerificationError):
    """Whatever else it is."""


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (ssl.SSLError(1, "handshake failure"), "tls"),
        (HostnameError("certificate of another name"), "tls"),
        (socket.gaierror(socket.EAI_NONAME, "unknown"), "no-such-host"),
        (TimeoutError(), "timeout"),
        (ConnectionResetError(), "reset"),
        (BrokenPipeError(), "reset"),
        (ConnectionAbortedError(), "reset"),
        (ConnectionRefusedError(), "refused"),
        (OSError(errno.EHOSTUNREACH, "no route"), "refused"),
        (HttpError("encoding", "why"), "encoding"),
    ],
)
def test_every_error_has_its_word(error: OSError | HttpError, word: str) -> None:
    assert failure(error) == Failure(word)
    assert word in ERRORS


# Documents.


@pytest.mark.parametrize(
    ("content_type", "found"),
    [
        ("text/html", True),
        ("Text/HTML; charset=utf-8", True),
        ("application/xhtml+xml", True),
        ("application/xml", True),
        ("text/plain", False),
        ("image/png", False),
        ("text/htmlx", False),
    ],
)
def test_only_html_has_links(content_type: str, found: bool) -> None:
    body = b"<a href=b>b</a>"
    expected = ("http://site.test/a/b",) if found else ()
    assert one(Raw(body, content_type)) == Page(expected, 200, len(body), content_type)


def test_a_document_without_a_content_type_has_no_links() -> None:
    assert outcome(URL, Response(200, (), b"<a href=b>b</a>")) == Page((), 200, 15, "")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "target", [URL, "http://site.test/a/", "http://other.test/x?y=1&z=2", "https://site.test/"]
)
def test_redirects(status: int, target: str) -> None:
    found = one(Moved(target, status))
    assert isinstance(found, Redirect)
    assert (found.target, found.status) == (target, status)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (b"b", "http://site.test/a/b"),
        (b"/b#there", "http://site.test/b"),
        (b"//other.test", "http://other.test/"),
        (b"", URL),
        (b"\xc3\xa9", "http://site.test/a/%C3%A9"),
        (b"mailto:me@site.test", None),
        (b"http://[bad/", None),
    ],
)
def test_a_location_is_joined_to_the_request(value: bytes, expected: str | None) -> None:
    found = outcome(URL, Response(302, ((b"location", value),), b""))
    assert found == (Redirect(expected) if expected else Failure("location", 302))


def head_of(url: str, accept: str = "gzip, deflate") -> bytes:
    request = f"GET {split(url).target} HTTP/1.1\r\nHost: site.test\r\nAccept-Encoding: {accept}\r\n\r\n"
    return answer(Site({url: Html()}, ()), request.encode())[0].partition(b"\r\n\r\n")[0]


PAGES = [f"http://site.test/{i}" for i in range(60)]


def test_pages_come_in_every_framing() -> None:
    framings = [
        (head[:8], b"Content-Length: " in head, b"Transfer-Encoding: chunked" in head)
        for head in map(head_of, PAGES)
    ]
    length, chunked, end = (b"HTTP/1.1", True, False), (b"HTTP/1.1", False, True), (b"HTTP/1.0", False, False)
    assert set(framings) == {length, chunked, end}


@pytest.mark.parametrize(
    ("accept", "found"),
    [
        ("gzip, deflate", {b"gzip", b"deflate", b""}),
        ("gzip;q=0, DEFLATE;q=0.5, *", {b"deflate", b""}),
        ("identity", {b""}),
    ],
)
def test_pages_come_in_the_codings_that_are_accepted(accept: str, found: set[bytes]) -> None:
    heads = [head_of(url, accept) for url in PAGES]
    assert {head.partition(b"Content-Encoding: ")[2].partition(b"\r\n")[0] for head in heads} == found


@pytest.mark.parametrize("status", [204, 304])
def test_a_status_without_a_body_has_no_length_either(status: int) -> None:
    sent, _ = answer(
        Site({URL: Broken(status=status)}, ()), b"GET /a/page HTTP/1.1\r\nHost: site.test\r\n\r\n"
    )
    assert sent.startswith(b"HTTP/1.1 %d" % status)
    assert sent.endswith(b"\r\n\r\n")
    assert b"Content-" not in sent


# Requests.


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET /a/page HTTP/1.1\r\nHost: site.test\r\n\r\n", b"200"),
        (b"GET /a/page HTTP/1.1\r\nHost: SITE.test:80\r\n\r\n", b"200"),
        (b"GET /a/page HTTP/1.0\r\nHost: site.test\r\n\r\n", b"200"),
        (b"GET http://site.test/a/page HTTP/1.1\r\nHost: other.test\r\n\r\n", b"200"),
        (b"GET /a/page HTTP/1.1\r\nHost: other.test\r\n\r\n", b"404"),
        (b"GET /A/page HTTP/1.1\r\nHost: site.test\r\n\r\n", b"404"),
        (b"POST /a/page HTTP/1.1\r\nHost: site.test\r\nContent-Length: 1\r\n\r\nx", b"405"),
        (b"GET /a/page HTTP/1.1\r\n\r\n", b"400"),
        (b"GET /a/page HTTP/1.0\r\n\r\n", b"400"),
        (b"GET /a/page HTTP/1.1\r\nHost: [bad\r\n\r\n", b"400"),
        (b"GET /a/page HTTP/1.1\r\nHost: site.test/a/page?\r\n\r\n", b"400"),
        (b"GET * HTTP/1.1\r\nHost: site.test\r\n\r\n", b"400"),
        (b"GET /a/page\r\n\r\n", b"400"),
        (b"GET /a/page HTTP/1.1\r\nHost: si", b"400"),
        (b"\x16\x03\x01", b"400"),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000 + b"\r\n\r\n", b"400"),
    ],
)
def test_requests(request_bytes: bytes, status: bytes) -> None:
    site = Site({URL: Html()}, (URL,))
    for cut in (whole, at_random(1)):
        sent, others = answer(site, request_bytes, cut)
        assert sent.startswith(b"HTTP/1.1 " + status)
        assert others == []


def test_a_client_that_says_nothing_is_told_nothing() -> None:
    assert answer(Site({}, ()), b"") == (b"", [])


def test_405_names_the_methods() -> None:
    sent, _ = answer(Site({}, ()), b"DELETE / HTTP/1.1\r\nHost: site.test\r\n\r\n")
    assert b"\r\nAllow: GET, HEAD\r\n" in sent


@pytest.mark.parametrize(
    "resource", [Html((URL,)), Raw(b"x" * 99, "text/plain"), Moved(URL), Broken("incomplete")]
)
def test_head_is_get_without_the_body(resource: Resource) -> None:
    site = Site({URL: resource}, (URL,))
    by_head, by_get = (
        answer(site, method + b" /a/page HTTP/1.1\r\nHost: site.test\r\n\r\n")[0]
        for method in (b"HEAD", b"GET")
    )
    assert by_head.endswith(b"\r\n\r\n")
    assert by_head == by_get[: by_get.index(b"\r\n\r\n") + 4]


# One connection, several requests.


def requests(*heads: str) -> bytes:
    """Each `heads` is a target, with more header lines after it."""
    return b"".join(
        f"GET {target} HTTP/1.1\r\nHost: site.test\r\n{fields}\r\n".encode()
        for target, _, fields in (head.partition("\n") for head in heads)
    )


STEADY = Raw(b"steady", "text/plain")
ORIGIN = "http://site.test"


def test_a_connection_carries_one_request_after_another_also_before_the_answer() -> None:
    site = Site({f"{ORIGIN}/a": STEADY, f"{ORIGIN}/b": Moved(f"{ORIGIN}/a"), f"{ORIGIN}/c": Broken()}, ())
    for cut in (whole, at_random(2)):
        sent, _ = answer(site, requests("/a", "/b", "/c", "/a"), cut)
        assert [part[:3] for part in sent.split(b"HTTP/1.1 ")] == [b"", b"200", b"302", b"404", b"200"]
        assert b"Connection" not in sent


@pytest.mark.parametrize(
    "first",
    [
        b"GET /a HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n",
        b"GET /a HTTP/1.0\r\nHost: site.test\r\n\r\n",
        b"DELETE /a HTTP/1.1\r\nHost: site.test\r\n\r\n",
        b"GET /a HTTP/1.1\r\nHost: [\r\n\r\n",
        b"what?\r\n\r\n",
    ],
)
def test_a_request_that_ends_its_connection_is_told_so(first: bytes) -> None:
    sent, _ = answer(Site({f"{ORIGIN}/a": STEADY}, ()), first + requests("/a"))
    assert sent.count(b"HTTP/1.1 ") == 1
    assert b"\r\nConnection: close\r\n" in sent


def test_the_body_of_a_request_is_skipped() -> None:
    sent, _ = answer(
        Site({f"{ORIGIN}/a": STEADY}, ()), requests("/a\nContent-Length: 5\r\n") + b"GET /" + requests("/a")
    )
    assert sent.count(b"HTTP/1.1 200 ") == 2


def test_some_servers_close_after_a_page_and_some_of_them_say_so() -> None:
    """The next request is answered, or not because it was told, or not because nothing was."""
    site = Site({url: Html() for url in PAGES} | {f"{ORIGIN}/a": STEADY}, ())
    ends = set()
    for url in PAGES:
        sent, _ = answer(site, requests(split(url).target, "/a"))
        ends.add((sent.startswith(b"HTTP/1.0"), b"\r\nConnection: close" in sent, sent.endswith(b"steady")))
    assert ends == {(False, False, True), (False, True, False), (False, False, False), (True, False, False)}


@pytest.mark.parametrize("fault", ["garbage", "incomplete", "silent", "reset"])
def test_a_fault_ends_the_connection(fault: Fault) -> None:
    site = Site({f"{ORIGIN}/bad": Broken(fault), f"{ORIGIN}/a": STEADY}, ())
    sent, _ = answer(site, requests("/a", "/bad", "/a"))
    assert sent.count(b"steady") == 1


# Whole sites.

HTTP_URLS = URLS.filter(lambda url: url.startswith("http:"))
LINKED = st.lists(URLS, max_size=6, unique=True).map(tuple)
FAULTS: st.SearchStrategy[Fault] = st.sampled_from(
    ["status", "reset", "incomplete", "silent", "garbage", "no-location"]
)
RESOURCES: st.SearchStrategy[Resource] = st.one_of(
    st.builds(Html, LINKED),
    st.builds(Raw, st.binary(max_size=99), st.just("application/octet-stream")),
    st.builds(Moved, URLS, st.sampled_from((301, 302, 303, 307, 308))),
    st.builds(Broken, FAULTS, st.sampled_from((400, 404, 500, 503))),
)


def expected(url: str, resource: Resource) -> Outcome:
    """What the site says, without HTML and HTTP; sizes and types of pages only."""
    match resource:
        case Html(targets):
            return Page(targets, 200, len(html(url, resource)), "text/html; charset=utf-8")
        case Raw(body, content_type):
            return Page((), 200, len(body), content_type)
        case Moved(target, status):
            return Redirect(target, status)
        case Broken("status", status):
            return Failure("status", status)
        case Broken("no-location"):
            return Failure("location", 302)
        case Broken(fault):
            return Failure({"silent": "timeout", "garbage": "protocol"}.get(fault, fault))


def bare(found: Outcome) -> Outcome:
    """Without the size and type of what is no page: a site does not say them."""
    match found:
        case Redirect(target, status):
            return Redirect(target, status)
        case Failure(error, status):
            return Failure(error, status)
        case _:
            return found


@given(st.dictionaries(HTTP_URLS, RESOURCES, min_size=1, max_size=4), st.integers(0, 2**32))
def test_a_site_that_is_served_and_fetched_is_the_site_again(
    resources: dict[str, Resource], seed: int
) -> None:
    site = Site(resources, tuple(resources))
    for url, resource in resources.items():
        found = {bare(fetch(site, url, cut)[0]) for cut in (whole, at_random(seed))}
        assert found == {expected(url, resource)}
        event(type(resource).__name__)
