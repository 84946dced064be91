"""The client's side of HTTP: framing, limits, and that segmentation never matters."""

from collections.abc import Iterable, Iterator
from itertools import accumulate, pairwise

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from impl.web.http import LIMITS, RECEIVE, Client, Limits, Response, Send, get
from impl.web.outcome import ERRORS

from ...assurance.fuzz.targets import pumped

URL = "http://site.test/a?b=1"


def fetch(segments: Iterable[bytes], limits: Limits = LIMITS) -> Response | str:
    """Feed the segments and the end of the stream to `get`; return a response, or a kind of error."""
    return pumped(get(URL, limits), iter([segment for segment in segments if segment]))


def got(segments: Iterable[bytes], limits: Limits = LIMITS) -> Response:
    response = fetch(segments, limits)
    assert isinstance(response, Response), response
    return response


def single(stream: bytes) -> list[bytes]:
    return [stream[i : i + 1] for i in range(len(stream))]


def cut_at(stream: bytes, sizes: list[int]) -> list[bytes]:
    """Segments of these sizes, and the rest."""
    ends = [0, *accumulate(sizes)]
    return [stream[begin:end] for begin, end in pairwise([*ends, max(len(stream), ends[-1])])]


OK = b"HTTP/1.1 200 OK\r\n"


def test_the_request() -> None:
    assert next(get(URL)) == Send(
        b"GET /a?b=1 HTTP/1.1\r\nHost: site.test\r\nUser-Agent: loopspec\r\nAccept: */*\r\n"
        b"Accept-Encoding: gzip, deflate\r\nConnection: close\r\n\r\n"
    )
    request = next(get("http://[::1]:8080/"))
    assert isinstance(request, Send)
    assert b"\r\nHost: [::1]:8080\r\n" in request.data
    request = next(Client().get(URL))
    assert isinstance(request, Send)
    assert b"Connection" not in request.data
    assert request.data.startswith(b"GET /a?b=1 HTTP/1.1\r\nHost: site.test\r\n")


@pytest.mark.parametrize(
    ("stream", "status", "body"),
    [
        (OK + b"Content-Length: 5\r\n\r\nhello", 200, b"hello"),
        (OK + b"Content-Length: 5\r\n\r\nhello, and more, unrequested", 200, b"hello"),
        (OK + b"Content-Length: 0\r\n\r\n", 200, b""),
        (OK + b"\r\nuntil the end", 200, b"until the end"),
        (OK + b"\r\n", 200, b""),
        (b"HTTP/1.0 200 OK\r\n\r\nold", 200, b"old"),
        (
            OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;ext=1\r\nllo\r\n0\r\nT: x\r\n\r\n",
            200,
            b"hello",
        ),
        (b"HTTP/1.1 404 \r\nContent-Length: 2\r\n\r\nno", 404, b"no"),
        (b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", 304, b""),
        (
            b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\nLink: x\r\n\r\n" + OK + b"Content-Length: 1\r\n\r\nx",
            200,
            b"x",
        ),
        (b"HTTP/1.1 200\nContent-Length: 2\n\nlf", 200, b"lf"),
    ],
)
def test_responses(stream: bytes, status: int, body: bytes) -> None:
    response = got([stream])
    assert (response.status, response.body) == (status, body)
    assert fetch(single(stream)) == response


@pytest.mark.parametrize(
    ("stream", "kind"),
    [
        *((b"", "incomplete"), (b"HTT", "incomplete"), (OK, "incomplete")),
        (OK + b"Content-Length: 5\r\n\r\nhell", "incomplete"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n", "incomplete"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "incomplete"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n", "incomplete"),
        *((b"HTTP/1.1 100 Continue\r\n\r\n", "incomplete"), (b"HTTP/2 200\r\n\r\n", "protocol")),
        *((b"ICY 200 OK\r\n\r\n", "protocol"), (b"220 mail.test ESMTP\r\n", "protocol")),
        *((b"\x16\x03\x01", "protocol"), (b"\r\n" + OK + b"\r\n", "protocol")),
        *((OK + b"no colon\r\n\r\n", "protocol"), (OK + b"A : b\r\n\r\n", "protocol")),
        (OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx", "protocol"),
        (OK + b"Content-Length: -1\r\n\r\n", "protocol"),
        (OK + b"Transfer-Encoding: gzip\r\n\r\n", "protocol"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n", "protocol"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\nabc", "protocol"),
        (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", "protocol"),
    ],
)
def test_errors(stream: bytes, kind: str) -> None:
    assert kind in ERRORS
    assert fetch([stream]) == kind
    assert fetch(single(stream)) == kind


def block(size: int) -> bytes:
    """Return a header block of exactly `size` bytes, for a body of one byte."""
    head = OK + b"Content-Length: 1\r\nX: "
    return head + b"x" * (size - len(head) - 4) + b"\r\n\r\n"


def cut(stream: bytes, size: int) -> Iterator[bytes]:
    return (stream[i : i + size] for i in range(0, len(stream), size))


@pytest.mark.parametrize("size", [1, 7, 1024, 16383, 16384, 16385, 100_000])
def test_the_limit_of_the_header_block_is_exact_in_every_segmentation(size: int) -> None:
    assert len(got(cut(block(16384) + b"x", size)).body) == 1
    assert fetch(cut(block(16385) + b"x", size)) == "too-large"
    # h11 alone accepts the second in one piece, and refuses it in pieces of 1 KiB.
    assert fetch(cut(block(40_000) + b"x", size)) == "too-large"


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_the_limits_of_the_body_are_exact_in_every_segmentation(size: int) -> None:
    limits = Limits(header_bytes=100, body_bytes=10)
    for framing, end in (
        (b"Content-Length: %d\r\n\r\n%b", b""),
        (b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n", b"0\r\n\r\n"),
    ):
        assert got(cut(OK + framing % (10, b"x" * 10) + end, size), limits).body == b"x" * 10
        assert fetch(cut(OK + framing % (11, b"x" * 11) + end, size), limits) == "too-large"
    assert got(cut(OK + b"\r\n" + b"x" * 10, size), limits).body == b"x" * 10
    assert fetch(cut(OK + b"\r\n" + b"x" * 11, size), limits) == "too-large"


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_framing_and_informational_responses_are_limited(size: int) -> None:
    limits = Limits(header_bytes=100, body_bytes=20, framing_bytes=20)
    chunked = OK + b"Transfer-Encoding: chunked\r\n\r\n"
    assert fetch(cut(chunked + b"1;" + b"x" * 200 + b"\r\n", size), limits) == "too-large"
    assert fetch(cut(chunked + b"0\r\nX: " + b"x" * 200 + b"\r\n\r\n", size), limits) == "too-large"
    assert fetch(cut(chunked + b"1\r\nx\r\n" * 10, size), limits) == "too-large"
    assert fetch(cut(b"HTTP/1.1 100 Continue\r\n\r\n" * 9, size), limits) == "too-large"


def test_headers_are_read_as_they_are_sent() -> None:
    response = got([OK + b"X-A: 1\r\nx-a: 2\r\nL: \xc3\xa9\r\nM: \xe9\r\nContent-Length: 0\r\n\r\n"])
    assert response.header(b"x-a") == "1"
    assert response.header(b"l") == response.header(b"m") == "\N{LATIN SMALL LETTER E WITH ACUTE}"
    assert response.header(b"none") is None


HEADS = st.sampled_from(
    [
        *(OK, b"HTTP/1.1 200\n", b"HTTP/1.0 200 OK\r\n", b"HTTP/1.1 204 No Content\r\n"),
        *(b"HTTP/1.1 999 x\r\n", b"HTTP/1.1 099 x\r\n", b"HTTP/1.1 100 Continue\r\n\r\n" + OK),
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 P\r\nA: b\r\n\r\n" + OK,
        b"\n",
        b"SSH-2.0-x\r\n",
    ]
)
FIELDS = st.sampled_from(
    [b"A: b\r\n", b"A:\n", b" folded\r\n", b"A : b\r\n", b"X: " + b"x" * 40 + b"\r\n", b"\xff\r\n"]
)
BODIES = st.sampled_from(
    [
        *(b"\r\nto the end of the stream", b"\n\r\n\n", b"Content-Length: 7\r\n\r\n7 bytes"),
        *(b"Content-Length: 7\r\n\r\n7 bytes and more", b"Content-Length: 70\r\n\r\n" + b"x" * 70),
        b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n10;e=f\r\n0123456789abcdef\r\n0\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n" + b"1\r\nb\r\n" * 12 + b"0\r\nT: x\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n1;" + b"x" * 90 + b"\r\na\r\n0\r\n" + b"T: " + b"y" * 90 + b"\r\n\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        *(b"Transfer-Encoding: chunked\r\n\r\n3\r\nabcde\r\n", b"Transfer-Encoding: chunked\r\n\r\nz\r\n"),
    ]
)


@st.composite
def streams(draw: st.DrawFn) -> bytes:
    """Streams that are responses, or nearly: valid, over a limit, damaged by a few bytes, cut short."""
    stream = draw(HEADS) + b"".join(draw(st.lists(FIELDS, max_size=3))) + draw(BODIES)
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(stream)))
        stream = stream[:at] + draw(st.binary(max_size=3)) + stream[at + draw(st.integers(0, 3)) :]
    return stream[: draw(st.integers(0, len(stream)))] if draw(st.booleans()) else stream


LIMITED = st.builds(Limits, st.integers(1, 200), st.integers(0, 100))


@given(streams(), st.one_of(st.just(LIMITS), LIMITED), st.lists(st.integers(1, 60), max_size=20))
@example(block(200) + b"x", Limits(199, 10), [199])
@example(b"HTTPX", Limits(2, 10), [])
def test_the_outcome_does_not_depend_on_segmentation(stream: bytes, limits: Limits, sizes: list[int]) -> None:
    whole = fetch([stream], limits)
    assert fetch(single(stream), limits) == whole
    assert fetch(cut_at(stream, sizes), limits) == whole


# One connection, several requests.


def converse(exchanges: Iterable[Iterable[bytes]], limits: Limits = LIMITS) -> list[Response | str]:
    """Feed the segments after each request to one connection while it is reusable; return the results.

    A segment without a request ends the connection: in one segment with the response the client would see it.
    """
    client = Client(limits)
    found: list[Response | str] = []
    for segments in exchanges:
        left = iter([segment for segment in segments if segment])
        found.append(pumped(client.get(URL), left))
        if not client.reusable or next(left, b""):
            break
    return found


def test_a_connection_knows_whether_it_carries_another_request() -> None:
    client = Client()
    assert client.reusable
    dialogue = client.get(URL)
    next(dialogue)
    assert not client.reusable
    assert not client.answered
    assert dialogue.send(None) is RECEIVE
    assert dialogue.send(b"H") is RECEIVE
    assert client.answered
    with pytest.raises(RuntimeError, match="carries no other request"):
        next(client.get(URL))
    with pytest.raises(StopIteration):
        dialogue.send(b"TTP/1.1 204 \r\n\r\n")
    assert client.reusable
    dialogue = client.get(URL)
    next(dialogue)
    assert not client.answered
    dialogue.close()
    assert not client.reusable


SHORT = OK + b"Content-Length: 1\r\n\r\n"


@pytest.mark.parametrize(
    "last",
    [
        b"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx",
        OK + b"Connection: close\r\nContent-Length: 1\r\n\r\nx",
        OK + b"connection: X, Close\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        *(OK + b"\r\nx", SHORT + b"xx", SHORT + b"x" + SHORT + b"x"),
    ],
)
def test_a_response_that_ends_its_connection(last: bytes) -> None:
    found = converse([[SHORT, b"x"], [last], [SHORT, b"x"]])
    assert [response.body for response in found if isinstance(response, Response)] == [b"x", b"x"]


def test_each_response_of_a_connection_is_judged_alone() -> None:
    limits = Limits(100, 10)
    full = block(100) + b"x"
    assert len(converse([[full]] * 5, limits)) == 5
    assert converse([[full], [full], [block(101) + b"x"]], limits)[2:] == ["too-large"]
    tens = OK + b"Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n"
    assert len(converse([[tens]] * 5, limits)) == 5
    assert converse([[SHORT, b"x"], [b"220 mail"]])[1] == "protocol"


@given(
    st.lists(streams(), min_size=2, max_size=4),
    st.one_of(st.just(LIMITS), LIMITED),
    st.lists(st.integers(1, 60), max_size=20),
)
@example([SHORT + b"x", SHORT + b"x"], LIMITS, [])
def test_nor_do_those_of_a_connection(exchanges: list[bytes], limits: Limits, sizes: list[int]) -> None:
    whole = converse([[stream] for stream in exchanges], limits)
    assert converse(map(single, exchanges), limits) == whole
    assert converse([cut_at(stream, sizes) for stream in exchanges], limits) == whole
    event(f"{len(whole)} exchanges")


def test_a_large_body_in_one_segment_is_read_in_linear_time() -> None:
    """Passing on 16 KiB at a time must not copy the rest each time: 20 MB would be 12 GB of copying."""
    size = 20_000_000
    assert len(got([OK + b"Content-Length: %d\r\n\r\n" % size + bytes(size)]).body) == size
