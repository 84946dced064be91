"""Client against server, back to back in memory: a site served and fetched is the site again."""

from __future__ import annotations

from collections.abc import Callable, Generator
from random import Random

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from impl.web.http import HttpError, Receive, Response, Send, get
from impl.web.interpret import failure, outcome
from impl.web.links import links
from impl.web.outcome import FetchFailure, Outcome, Page, Redirect
from impl.web.serving.commands import HANG, Command, HalfClose, Hang, Pause, Reset
from impl.web.serving.render import html
from impl.web.serving.server import serve
from impl.web.serving.site import Broken, Fault, Html, Moved, Raw, Resource, Site

from .test_render import URLS

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
    """Return all bytes that the server sends for a request and the end of the stream, and its other commands."""
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
                case Pause() | HalfClose():
                    others.append(command)
                case Hang() | Reset():
                    server.close()
                    return sent, [*others, command]
    except StopIteration:
        return sent, others


def fetch(site: Site, url: str, cut: Cut = whole) -> tuple[Outcome, list[Command]]:
    """Return the outcome of `url`, and the server's commands besides sending; a hang counts as a timeout."""
    client: Generator[Send | Receive, bytes | None, Response] = get(url)
    request = next(client)
    assert isinstance(request, Send)
    sent, others = answer(site, request.data, cut)
    if HANG in others:
        return FetchFailure("timeout"), others
    segments = iter([*cut(sent), b""])
    try:
        client.send(None)
        while True:
            segment = next(segments)
            if segment == b"" and others and isinstance(others[-1], Reset):
                return FetchFailure("reset"), others
            client.send(segment)
    except StopIteration as end:
        return outcome(url, end.value), others
    except HttpError as error:
        return failure(error), others


def one(resource: Resource, url: str = URL) -> Outcome:
    return fetch(Site({url: resource}, (url,)), url)[0]


OTHER_STATUSES = (204, 206, 300, 304, 305, 306, 400, 404, 410, 429, 500, 503, 599)


@pytest.mark.parametrize(
    ("broken", "error", "status"),
    [
        *((Broken(status=status), "status", status) for status in OTHER_STATUSES),
        *((Broken("status"), "status", 404), (Broken("reset"), "reset", None)),
        *((Broken("incomplete"), "incomplete", None), (Broken("silent"), "timeout", None)),
        *((Broken("garbage"), "protocol", None), (Broken("no-location"), "location", 302)),
    ],
)
def test_every_fault_and_other_status_is_its_failure(broken: Broken, error: str, status: int | None) -> None:
    found = one(broken)
    assert isinstance(found, FetchFailure)
    assert (found.error, found.status) == (error, status)


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
    with pytest.raises(ValueError, match="must not accept connections"):
        one(Broken(fault))


def test_what_the_site_does_not_have_is_missing() -> None:
    found = fetch(Site({}, ()), URL)[0]
    assert found == FetchFailure("status", 404, 4, "text/plain; charset=utf-8")


@pytest.mark.parametrize(
    "resource",
    [
        *(Html((), 7), Raw(b"", "text/plain", 7), Moved(URL, 302, 7), Broken(latency_ms=7)),
        Broken("silent", 0, 7),
    ],
)
def test_latency_is_a_pause_before_the_answer(resource: Resource) -> None:
    assert fetch(Site({URL: resource}, ()), URL)[1][0] == Pause(7)


@pytest.mark.parametrize(
    ("content_type", "found"),
    [
        *(("text/html", True), ("Text/HTML; charset=utf-8", True), ("application/xhtml+xml", True)),
        *(("application/xml", True), ("text/plain", False), ("image/png", False), ("text/htmlx", False)),
    ],
)
def test_only_html_has_links(content_type: str, found: bool) -> None:
    body = b"<a href=b>b</a>"
    expected = ("http://site.test/a/b",) if found else ()
    assert one(Raw(body, content_type)) == Page(expected, 200, len(body), content_type)


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
    match resource:
        case Html(targets):
            return Page(targets, 200, len(html(url, resource)), "text/html; charset=utf-8")
        case Raw(body, content_type):
            return Page((), 200, len(body), content_type)
        case Moved(target, status):
            return Redirect(target, status)
        case Broken("status", status):
            return FetchFailure("status", status)
        case Broken("no-location"):
            return FetchFailure("location", 302)
        case Broken(fault):
            return FetchFailure({"silent": "timeout", "garbage": "protocol"}.get(fault, fault))
        case _:
            raise AssertionError(f"no resource of a site: {resource}")


def bare(found: Outcome) -> Outcome:
    """Return an outcome without the size and type if it is no page: a site does not define them."""
    match found:
        case Redirect(target, status):
            return Redirect(target, status)
        case FetchFailure(error, status):
            return FetchFailure(error, status)
        case _:
            return found


@given(st.dictionaries(HTTP_URLS, RESOURCES, min_size=1, max_size=4), st.integers(0, 2**32))
def test_a_site_that_is_served_and_fetched_is_the_same(resources: dict[str, Resource], seed: int) -> None:
    site = Site(resources, tuple(resources))
    for url, resource in resources.items():
        found = {bare(fetch(site, url, cut)[0]) for cut in (whole, at_random(seed))}
        assert found == {expected(url, resource)}
        event(type(resource).__name__)
