"""The future of a gather, and the outcomes of its children."""

from asyncio import CancelledError, Future
from typing import Any


class GatherFuture(Future[list[Any]]):
    """The future of a gather; its cancel goes to the children."""

    def __init__(self, children: list[Future[Any]]) -> None:
        super().__init__(loop=children[0].get_loop())
        self.children, self.asked = children, False

    def cancel(self, msg: Any = None) -> bool:
        if self.done():
            return False
        asked = [child.cancel(msg) for child in self.children]
        self.asked |= any(asked)
        return any(asked)


def outcome(child: Any, raised: bool) -> Any:
    """Return the result, or the error, also of a child that was cancelled: as it is raised, or as a result."""
    if child.cancelled() and not raised:
        return CancelledError(child._cancel_message or "")
    try:
        return child.result()
    except BaseException as error:
        return error
