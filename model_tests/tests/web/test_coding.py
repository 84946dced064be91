"""Content codings: which are decoded, which are refused, and the limit of decoded bytes."""

import gzip
import tracemalloc
import zlib
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from impl.web.coding import Content, codings
from impl.web.http import LIMITS, HttpError, Limits, Response

from .test_http import OK, fetch, got, single

NOISE = Random(1).randbytes(9000)  # no coding makes it smaller: several blocks of coded bytes
ZEROS = bytes(300_000)  # several blocks of decoded bytes


def gzipped(data: bytes) -> bytes:
    """Compress without the time of day: test names contain these bytes, and must be the same in every process."""
    return gzip.compress(data, mtime=0)


def raw(data: bytes) -> bytes:
    deflate = zlib.compressobj(wbits=-15)
    return deflate.compress(data) + deflate.flush()


def response(coding: str, body: bytes, status: bytes = b"200") -> bytes:
    return b"HTTP/1.1 %b\r\nContent-Encoding: %b\r\nContent-Length: %d\r\n\r\n%b" % (
        status,
        coding.encode(),
        len(body),
        body,
    )


def kind(coding: str, body: bytes, limits: Limits = LIMITS) -> str | None:
    found = fetch([response(coding, body)], limits)
    return None if isinstance(found, Response) else found


@pytest.mark.parametrize("content", [b"", b"x", b"hello " * 9, NOISE, ZEROS], ids=len)
@pytest.mark.parametrize(
    ("coding", "coder"),
    [
        *(("gzip", gzipped), ("x-gzip", gzipped), ("GZIP", gzipped), ("deflate", zlib.compress)),
        *(("deflate", raw), ("deflate", lambda data: zlib.compress(data, 0))),
        *(("deflate", lambda data: zlib.compress(data, 9, 9)), ("identity", bytes), ("", bytes)),
        ("identity, gzip , ", gzipped),
        ("deflate, gzip", lambda data: gzipped(zlib.compress(data))),
        ("gzip, deflate", lambda data: raw(gzipped(data))),
        ("gzip\r\nContent-Encoding: gzip", lambda data: gzipped(gzipped(data))),
    ],
)
def test_codings_that_are_undone(coding: str, coder: Callable[[bytes], bytes], content: bytes) -> None:
    assert got([response(coding, coder(content))]).body == content


@pytest.mark.parametrize("tail", [b"", b"\0", b"\0" * 700, b"\x1f", b"\x1f\x8c padding", b"no member"])
def test_a_gzip_file_is_one_member_or_several_and_padding(tail: bytes) -> None:
    members = gzipped(b"one, ") + gzipped(b"") + gzipped(NOISE) + tail
    assert got([response("gzip", members)]).body == b"one, " + NOISE


def test_what_follows_deflate_is_padding() -> None:
    for coder in (zlib.compress, raw):
        assert got([response("deflate", coder(b"one") + gzipped(b"two"))]).body == b"one"


@pytest.mark.parametrize("coding", ["gzip", "deflate", "deflate, gzip", "gzip, gzip, gzip, gzip, gzip"])
def test_an_empty_body_is_the_coding_of_nothing(coding: str) -> None:
    assert got([response(coding, b"")]).body == b""


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "gzip, br", "*", "gzip;q=1", "gzip, " * 6])
def test_other_codings_and_too_many_are_refused(coding: str) -> None:
    assert kind(coding, gzipped(b"x")) == "encoding"


@pytest.mark.parametrize("status", [b"301", b"404", b"500"])
def test_only_the_body_of_a_200_is_decoded(status: bytes) -> None:
    assert got([response("br", b"what is this", status)]).status == int(status)
    assert got([response("gzip", b"what is this", status)]).body == b"what is this"


@pytest.mark.parametrize(
    ("coding", "body"),
    [
        *(("gzip", b"not gzip at all"), ("gzip", zlib.compress(b"x")), ("deflate", gzipped(b"x"))),
        *(("deflate", b"\x78\x9c but no deflate"), ("gzip", gzipped(b"x")[:-8] + b"\0\0\0\0\1\0\0\0")),
        *(("gzip", gzipped(b"x")[:-4] + b"\2\0\0\0"), ("deflate", zlib.compress(b"x")[:-1] + b"\0")),
        *(("gzip", gzipped(b"x") + b"\x1f\x8b but no member"), ("deflate, gzip", gzipped(b"not deflate"))),
    ],
)
def test_what_is_not_of_its_coding_is_refused(coding: str, body: bytes) -> None:
    assert kind(coding, body) == "encoding"


@pytest.mark.parametrize(
    ("coding", "coder"),
    [
        *(("gzip", gzipped), ("deflate", zlib.compress), ("deflate", raw)),
        ("deflate, gzip", lambda data: gzipped(zlib.compress(data))),
    ],
)
def test_a_body_that_stops_anywhere_is_incomplete(coding: str, coder: Callable[[bytes], bytes]) -> None:
    whole = coder(b"hello, hello")
    assert {kind(coding, whole[:size]) for size in range(1, len(whole))} == {"incomplete"}
    # The same where only the end of the connection ends the body.
    head = OK + b"Content-Encoding: %b\r\n\r\n" % coding.encode()
    assert fetch([head + whole[:-1]]) == "incomplete"
    assert got([head + whole]).body == b"hello, hello"


def test_a_member_that_stops_is_incomplete() -> None:
    member = gzipped(b"x")
    assert {kind("gzip", member + member[:size]) for size in range(2, len(member))} == {"incomplete"}


@pytest.mark.parametrize(("coding", "coder"), [("gzip", gzipped), ("deflate", raw)])
@pytest.mark.parametrize("size", [100, 65536, 65537, 200_000])
def test_the_limit_of_the_content_is_exact(coding: str, coder: Callable[[bytes], bytes], size: int) -> None:
    limits = Limits(body_bytes=size)
    assert kind(coding, coder(bytes(size)), limits) is None
    assert kind(coding, coder(bytes(size + 1)), limits) == "too-large"


def test_each_coding_of_a_list_is_limited() -> None:
    inner = zlib.compress(NOISE)
    limits = Limits(body_bytes=len(inner))
    assert kind("deflate, gzip", gzipped(inner), limits) == "too-large"  # the size as sent
    squeezed = gzipped(raw(bytes(50_000)) + bytes(50_000))  # the padding is not decoded, but counts
    assert len(squeezed) < 10_000
    assert kind("deflate, gzip", squeezed, Limits(body_bytes=50_001)) == "too-large"


def decoded(applied: tuple[str, ...], body: bytes, limit: int) -> bytes:
    content = Content(applied, limit)
    content.feed(body)
    return content.finish()


def bomb(wraps: int) -> tuple[tuple[str, ...], bytes]:
    body = bytes(100_000_000)
    for _ in range(wraps):
        body = gzipped(body)
    return ("gzip",) * wraps, body


@pytest.mark.parametrize("wraps", [1, 2])
def test_of_a_bomb_no_more_is_decoded_than_the_limit_and_a_block(wraps: int) -> None:
    limit = 1_000_000
    applied, body = bomb(wraps)
    tracemalloc.start()
    try:
        with pytest.raises(HttpError, match="too-large"):
            decoded(applied, body, limit)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * limit


@pytest.mark.parametrize("declared", [11, 10**18])
def test_a_declared_length_over_the_limit_is_refused_at_the_header(declared: int) -> None:
    """`fetch` sends no body: a client that waited for it would find the end of the stream, and report "incomplete"."""
    head = OK + b"Content-Length: %d\r\n\r\n" % declared
    assert fetch([head], Limits(body_bytes=10)) == "too-large"
    assert fetch([head], Limits(body_bytes=declared)) == "incomplete"


def test_a_length_that_does_not_count_is_not_refused() -> None:
    limits = Limits(body_bytes=10)
    assert got([b"HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n"], limits).body == b""
    chunked = b"Transfer-Encoding: chunked\r\nContent-Length: 99\r\n\r\n1\r\nx\r\n0\r\n\r\n"
    assert got([OK + chunked], limits).body == b"x"


def test_the_names_of_codings() -> None:
    assert codings(" Gzip,identity,, x-gzip ") == ("gzip", "x-gzip")


CODED = st.sampled_from(
    [
        ("gzip", gzipped(NOISE)),
        ("gzip", gzipped(b"a") + gzipped(NOISE) + gzipped(ZEROS) + b"\x1f"),
        *(("deflate", raw(NOISE + ZEROS)), ("deflate", zlib.compress(b"a"))),
        ("deflate, gzip", gzipped(zlib.compress(NOISE[:5000]))),
    ]
)


def test_which_of_two_errors_comes_first_does_not_depend_on_segmentation() -> None:
    """A checksum is wrong, and the byte before it exceeds the limit; zlib alone reports one or the other."""
    stream = response("deflate", zlib.compress(NOISE[:500] * 2)[:-4] + bytes(4))
    limits = Limits(body_bytes=999)
    assert fetch([stream], limits) == fetch(single(stream), limits)
    # A body that is not gzip exceeds the limit before as much has arrived as is decoded at once.
    stream = OK + b"Content-Encoding: gzip\r\n\r\n" + bytes(5000)
    limits = Limits(body_bytes=4000)
    assert fetch([stream], limits) == fetch(single(stream), limits) == "too-large"


@given(
    CODED,
    st.sampled_from([10**6, 309_001, 300_000, 9000, 8999, 5000, 1]),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=1),
    st.booleans(),
    st.lists(st.integers(1, 5000), max_size=20),
)
@example(("gzip", gzipped(NOISE)), 4000, [(0.5, 0)], True, [1] * 20)
def test_the_content_does_not_depend_on_segmentation(
    coded: tuple[str, bytes], limit: int, damage: list[tuple[float, int]], framed: bool, sizes: list[int]
) -> None:
    coding, body = coded
    for where, byte in damage:
        at = int(where * (len(body) - 1))
        body = body[:at] + bytes([byte]) + body[at + 1 :]
    framing = b"Content-Length: %d\r\n" % len(body) if framed else b""
    stream = OK + b"Content-Encoding: %b\r\n%b\r\n" % (coding.encode(), framing) + body
    whole = fetch([stream], Limits(body_bytes=limit))
    segments = []
    for size in sizes:
        segments.append(stream[:size])
        stream = stream[size:]
    assert fetch([*segments, stream], Limits(body_bytes=limit)) == whole
    event(whole if isinstance(whole, str) else "whole")
