"""The faults of attempts: each is as its name says, to our client in memory, and they strike attempt by attempt."""

from __future__ import annotations

import typing

import pytest

from impl.web.outcome import FetchFailure, Outcome, Page
from impl.web.serving.commands import HANG, RESET, Command, HalfClose
from impl.web.serving.faults import FAULTS, HARMLESS, UNANSWERED, Attempts, served
from impl.web.serving.server import serve
from impl.web.serving.site import AttemptFault, Html, Site, Struck
from impl.web.wire import Send

from ...crawls.attempts import ERRORS
from .test_server import fetch

URL = "http://site.test/a/page"
PAGE = Html(("http://site.test/b",))
REQUEST = b"GET /a/page HTTP/1.1\r\nHost: site.test\r\n\r\n"


def site(*faults: AttemptFault | None) -> Site:
    return Site({URL: PAGE}, (URL,), faults={URL: faults})


def attempt(fault: AttemptFault) -> tuple[Outcome, list[Command]]:
    return fetch(served(site(fault)), URL)


def test_every_fault_is_here() -> None:
    assert set(FAULTS) == set(typing.get_args(AttemptFault))
    assert set(FAULTS) - HARMLESS <= set(ERRORS)


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_each_fault_gives_its_error_or_the_page(fault: AttemptFault) -> None:
    outcome, others = attempt(fault)
    if RESET in others and fault not in HARMLESS:
        assert ERRORS[fault] == "reset"
    elif fault in HARMLESS and fault != "half-close":  # the helper takes every hang for a timeout
        assert isinstance(outcome, Page)
        assert outcome.links == PAGE.links
    else:
        assert outcome == FetchFailure(ERRORS.get(fault, "timeout"))


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_bytes_and_commands_tell_the_faults_apart(fault: AttemptFault) -> None:
    others = attempt(fault)[1]
    assert (RESET in others) == fault.startswith("reset-")
    assert (HANG in others) == (fault.startswith("silent") or fault == "half-close")
    assert any(isinstance(command, HalfClose) for command in others) == (fault == "half-close")


def test_attempts_are_counted_once_and_meet_the_faults_in_order() -> None:
    attempts = Attempts(site("empty", None, "garbage"))
    met = [fetch(attempts.site(), URL)[0] for _ in range(4)]
    errors = [one.error if isinstance(one, FetchFailure) else "page" for one in met]
    assert errors == ["incomplete", "page", "protocol", "page"]
    assert attempts.struck == {"empty": 1, "garbage": 1}
    plain = Site({URL: PAGE}, (URL,))
    assert served(plain) is plain
    once = served(site("empty"))
    assert served(once) is once
    assert once.resources[URL] == Struck("empty", PAGE)
    assert list(once.resources) == [URL]
    assert len(once.resources) == 1


def second_request(fault: AttemptFault) -> Attempts:
    attempts = Attempts(site(fault))
    server = serve(attempts.site())
    next(server)
    for request in (REQUEST.replace(b"page", b"none"), REQUEST):
        received: bytes | None = request
        try:
            while isinstance(server.send(received), Send):
                received = None
        except StopIteration:
            break
    return attempts


@pytest.mark.parametrize("fault", ["empty", "half-head", "garbage"])
def test_the_end_of_a_reused_connection_is_no_attempt(fault: AttemptFault) -> None:
    """RFC 9112, 9.3.1: clients repeat such a request, so the next attempt must meet the same."""
    attempts = second_request(fault)
    assert attempts.struck == ({} if fault in UNANSWERED else {fault: 1})
    fetch(attempts.site(), URL)
    assert attempts.struck == {fault: 1}
