"""One run of a search, on a loop that stops when `main` is done."""

from __future__ import annotations

from typing import Protocol

from ...errors import InternalError, SimulatedInterrupt, refusal_in
from ...sim.choices import Choices
from ...sim.end import Driven, wound_up
from ...sim.outcome import clear_frames
from .program import Ended, UserMain


class Explored(Driven, Protocol):
    """A loop of a search."""

    def has_generators(self) -> bool: ...


def run_once(loop: Explored, main: UserMain, choices: Choices) -> Ended:
    """Run `main` on the loop, then cancel its leftovers, with plain choices, and close the loop.

    Raises:
        InternalError: the loop went wrong.
        KeyboardInterrupt: the program was interrupted, or has raised it: the two cannot be told apart.
    """
    try:
        ended = Ended(loop.run_until_complete(main()))
    except BaseException as error:
        if isinstance(error, InternalError | KeyboardInterrupt) and not isinstance(error, SimulatedInterrupt):
            raise
        ended = Ended(None, error, injected=any(choices.drawn()["faults"]))
    finally:
        choices.finish()
        refused = loop.refused
        try:
            if loop.live or loop.has_generators():
                wound_up(loop)
        finally:
            loop.close()
    clear_frames(ended.error)
    refused = refused or refusal_in(ended.error) or loop.unending
    return ended if refused is None else Ended(None, refused)
