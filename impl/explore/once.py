"""One run of a search, on a loop that stops when `main` is done."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Protocol

from ..errors import DeadlockError, refusal_in
from ..sim.choices import Choices
from .program import Ended, UserMain


class Explored(Protocol):
    """The methods of a loop that a run of a search calls."""

    #: The tasks that are not done.
    live: dict[Any, None]

    @property
    def refused(self) -> BaseException | None: ...

    def run_until_complete(self, what: Coroutine[Any, Any, Any], /) -> Any: ...  # Any: the program's

    def has_generators(self) -> bool: ...

    def wind_up(self) -> None: ...

    def close(self) -> None: ...


def run_once(loop: Explored, main: UserMain, choices: Choices) -> Ended:
    """Run `main` on the loop, then cancel what it left behind, with plain choices, and close the loop.

    Raises:
        KeyboardInterrupt, SystemExit: the program was interrupted, or has raised it.
    """
    try:
        ended = Ended(loop.run_until_complete(main()))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        ended = Ended(None, error)
    finally:
        choices.finish()
        refused = loop.refused
        try:
            if loop.live or loop.has_generators():
                loop.wind_up()
        except DeadlockError:
            pass  # a task swallows its cancellation and waits on: it is abandoned
        finally:
            loop.close()
    refused = refused or refusal_in(ended.error)
    return ended if refused is None else Ended(None, refused)
