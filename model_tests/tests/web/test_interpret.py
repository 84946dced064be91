"""From responses and errors to outcomes."""

import errno
import socket
import ssl

import pytest

from impl.net.wrappers import PrivateAddressError, ProxyDownError
from impl.web.http import HttpError, ProxyError, Response
from impl.web.interpret import failure, outcome
from impl.web.outcome import ERRORS, FetchFailure, Page, Redirect

URL = "http://site.test/a/page"


class HostnameError(ssl.SSLCertVerificationError):
    """Equal to every object."""


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (ssl.SSLError(1, "handshake failure"), "tls"),
        (HostnameError("certificate of another name"), "tls"),
        (socket.gaierror(socket.EAI_NONAME, "unknown"), "no-such-host"),
        *((TimeoutError(), "timeout"), (ConnectionResetError(), "reset"), (BrokenPipeError(), "reset")),
        *((ConnectionAbortedError(), "reset"), (ConnectionRefusedError(), "refused")),
        *((OSError(errno.EHOSTUNREACH, "no route"), "refused"), (PrivateAddressError(), "private")),
        *((ProxyDownError(), "proxy-down"), (HttpError("encoding", "why"), "encoding")),
    ],
)
def test_every_error_has_its_word(error: OSError | HttpError, word: str) -> None:
    assert failure(error) == FetchFailure(word)
    assert word in ERRORS


def test_a_proxy_that_refuses_has_a_status() -> None:
    assert failure(ProxyError(407)) == FetchFailure("proxy", 407)
    assert "proxy" in ERRORS


def test_a_document_without_a_content_type_has_no_links() -> None:
    assert outcome(URL, Response(200, (), b"<a href=b>b</a>")) == Page((), 200, 15, "")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((b"b", "http://site.test/a/b"), (b"/b#there", "http://site.test/b")),
        *((b"//other.test", "http://other.test/"), (b"", URL), (b"\xc3\xa9", "http://site.test/a/%C3%A9")),
        *((b"mailto:me@site.test", None), (b"http://[bad/", None)),
    ],
)
def test_a_location_is_joined_to_the_request(value: bytes, expected: str | None) -> None:
    found = outcome(URL, Response(302, ((b"location", value),), b""))
    assert found == (Redirect(expected) if expected else FetchFailure("location", 302))
