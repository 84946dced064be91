"""Pump a client's dialogue without a network."""

from __future__ import annotations

from collections.abc import Iterator

from impl.web.http import RECEIVE, Dialogue, HttpError, Response, Send


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
