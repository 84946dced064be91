"""HTML as a stream of start tags: no tree is built, so time and memory are linear in the text, whatever it holds.

The tokenizer is that of the HTML standard (13.2.5; turbohtml): it decides what is a tag, what is an attribute, and
what is the text of a comment, a script, a style, a textarea or a title.  A tree would add what a crawler does not
need, where an element stands; building one takes time quadratic in the depth of a page, and more than its size in
memory.  The one thing lost is the context of foreign content: within `svg` and `math` a `<title>` may hold elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turbohtml import Token, Tokenizer, TokenType

from .wire import HttpError

#: The length of the pieces in which a text is read; a program may look at its clock after each.
PIECE: Final = 1 << 16


class StartTags:
    """The start tags with one of some names, of a text that arrives in pieces.

    Parameters:
        names: of elements, in lower case.
        most: the longest single token, in characters: a tag, a comment, a text or a script.
    """

    def __init__(self, names: frozenset[str], most: int) -> None:
        self._tokenizer = Tokenizer()
        self._names = names
        self._most = most
        self._pending = 0

    def feed(self, piece: str) -> Iterator[Token]:
        """The start tags that `piece` completes; a tag at the end of the text that is not closed is none.

        Raises:
            HttpError: "too-large", a token is too long; its end may be followed by up to a piece of text.
        """
        self._pending += len(piece)
        token = None
        names, start = self._names, TokenType.START_TAG  # local, because pages have very many tokens
        for token in self._tokenizer.feed(piece):
            if token.type is start and token.tag in names:
                yield token
        if token is not None:
            self._pending = 0
        if self._pending > self._most:
            raise HttpError("too-large", f"a tag, comment or text of more than {self._most} characters")
