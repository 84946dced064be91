"""The server with requests of all kinds: its variations, its errors, and one request after another."""

import pytest

from impl.web.serving.site import Broken, Fault, Html, Moved, Raw, Resource, Site
from impl.web.url import split

from .test_server import URL, answer, at_random, whole

# Variations.


def head_of(url: str, accept: str = "gzip, deflate") -> bytes:
    request = f"GET {split(url).target} HTTP/1.1\r\nHost: site.test\r\nAccept-Encoding: {accept}\r\n\r\n"
    return answer(Site({url: Html()}, ()), request.encode())[0].partition(b"\r\n\r\n")[0]


PAGES = [f"http://site.test/{i}" for i in range(60)]


def test_pages_come_in_every_framing() -> None:
    framings = [
        (head[:8], b"Content-Length: " in head, b"Transfer-Encoding: chunked" in head) for head in map(head_of, PAGES)
    ]
    length, chunked, end = (b"HTTP/1.1", True, False), (b"HTTP/1.1", False, True), (b"HTTP/1.0", False, False)
    assert set(framings) == {length, chunked, end}


@pytest.mark.parametrize(
    ("accept", "found"),
    [
        ("gzip, deflate", {b"gzip", b"deflate", b""}),
        *(("gzip;q=0, DEFLATE;q=0.5, *", {b"deflate", b""}), ("identity", {b""})),
    ],
)
def test_pages_come_in_the_codings_that_are_accepted(accept: str, found: set[bytes]) -> None:
    heads = [head_of(url, accept) for url in PAGES]
    assert {head.partition(b"Content-Encoding: ")[2].partition(b"\r\n")[0] for head in heads} == found


@pytest.mark.parametrize("status", [204, 304])
def test_a_status_without_a_body_has_no_length_either(status: int) -> None:
    sent, _ = answer(Site({URL: Broken(status=status)}, ()), requests("/a/page"))
    assert sent.startswith(b"HTTP/1.1 %d" % status)
    assert sent.endswith(b"\r\n\r\n")
    assert b"Content-" not in sent


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
        *((b"GET /a/page HTTP/1.1\r\n\r\n", b"400"), (b"GET /a/page HTTP/1.0\r\n\r\n", b"400")),
        (b"GET /a/page HTTP/1.1\r\nHost: [bad\r\n\r\n", b"400"),
        (b"GET /a/page HTTP/1.1\r\nHost: site.test/a/page?\r\n\r\n", b"400"),
        *((b"GET * HTTP/1.1\r\nHost: site.test\r\n\r\n", b"400"), (b"GET /a/page\r\n\r\n", b"400")),
        *((b"GET /a/page HTTP/1.1\r\nHost: si", b"400"), (b"\x16\x03\x01", b"400")),
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000 + b"\r\n\r\n", b"400"),
    ],
)
def test_requests(request_bytes: bytes, status: bytes) -> None:
    site = Site({URL: Html()}, (URL,))
    for cut in (whole, at_random(1)):
        sent, others = answer(site, request_bytes, cut)
        assert sent.startswith(b"HTTP/1.1 " + status)
        assert others == []


def test_a_silent_client_gets_nothing_and_405_names_the_methods() -> None:
    assert answer(Site({}, ()), b"") == (b"", [])
    sent, _ = answer(Site({}, ()), b"DELETE / HTTP/1.1\r\nHost: site.test\r\n\r\n")
    assert b"\r\nAllow: GET, HEAD\r\n" in sent


@pytest.mark.parametrize("resource", [Html((URL,)), Raw(bytes(9), "text/plain"), Moved(URL), Broken("incomplete")])
def test_head_is_get_without_the_body(resource: Resource) -> None:
    site = Site({URL: resource}, (URL,))
    by_head, by_get = (
        answer(site, method + b" /a/page HTTP/1.1\r\nHost: site.test\r\n\r\n")[0] for method in (b"HEAD", b"GET")
    )
    assert by_head.endswith(b"\r\n\r\n")
    assert by_head == by_get[: by_get.index(b"\r\n\r\n") + 4]


# One connection, several requests.


def requests(*heads: str) -> bytes:
    """Return requests; each of `heads` is a target, with more header lines after it."""
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
        *(b"GET /a HTTP/1.0\r\nHost: site.test\r\n\r\n", b"DELETE /a HTTP/1.1\r\nHost: site.test\r\n\r\n"),
        *(b"GET /a HTTP/1.1\r\nHost: [\r\n\r\n", b"what?\r\n\r\n"),
    ],
)
def test_a_request_that_ends_its_connection_gets_a_close_header(first: bytes) -> None:
    sent, _ = answer(Site({f"{ORIGIN}/a": STEADY}, ()), first + requests("/a"))
    assert sent.count(b"HTTP/1.1 ") == 1
    assert b"\r\nConnection: close\r\n" in sent


def test_the_body_of_a_request_is_skipped() -> None:
    sent_by = requests("/a\nContent-Length: 5\r\n") + b"GET /" + requests("/a")
    sent, _ = answer(Site({f"{ORIGIN}/a": STEADY}, ()), sent_by)
    assert sent.count(b"HTTP/1.1 200 ") == 2


def test_some_servers_close_after_a_page_and_some_of_them_say_so() -> None:
    """The next request is answered, or not: after a close that was announced, or one that was not."""
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
