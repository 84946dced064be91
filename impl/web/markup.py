"""HTML as a stream of start tags: no tree is built, so time and memory are linear in the text, whatever it holds.

The tokenizer is that of the HTML standard (13.2.5; turbohtml): it recognizes tags, attributes, and
the text of a comment, a script, a style, a textarea or a title.  A tree would add the places of elements, which
a crawler does not need; building one takes time quadratic in the depth of a page, and more than its size in
memory.  Two elements need no tree: a `template` holds no elements of the document, and a `noscript` does, because
there is no script here.  The one thing lost is the context of foreign content: within `svg` and `math` a `<title>` may
hold elements.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from turbohtml import Token, Tokenizer, TokenType

from .wire import HttpError

#: A text is read in pieces of this length; a program may look at its clock after each.
PIECE: Final = 1 << 16

#: The elements with content that counts in another way (see above).
_BOUNDS: Final = frozenset(("noscript", "template"))


class StartTags:
    """The start tags with one of some names, of a text that arrives in pieces.

    Parameters:
        names: of elements, in lower case, without those of `_BOUNDS`; None: of all.
        most: the longest single token, in characters: a tag, a comment, a text or a script.

    While `texts` is true (`listen`), the texts between the tags and the end tags with these names are yielded, too.
    """

    def __init__(self, names: frozenset[str] | None, most: int) -> None:
        self._tokenizer = Tokenizer()
        self._names = names
        #: The names of the tokens to look at; None is that of a text.
        self._wanted: set[str | None] = {*_BOUNDS, *(names or ())}
        self.texts = False
        self._templates = 0
        self._noscript: Tokenizer | None = None
        #: The lines before the text of that noscript; None: it has not begun.
        self._above: int | None = None
        #: The lines above the text of the token that was yielded last: a noscript counts its own lines from 1.
        self.above = 0
        self._most = most
        self._pending = 0

    def listen(self, on: bool) -> None:
        """Set `texts`, from the next token on."""
        self.texts = on
        if on or self._noscript is not None:
            self._wanted.add(None)
        else:
            self._wanted.discard(None)

    def feed(self, piece: str) -> Iterator[Token]:
        """The tokens that `piece` completes; a tag at the end of the text that is not closed is none.

        Raises:
            HttpError: "too-large", a token is too long; its end may be followed by up to a piece of text.
        """
        self._pending += len(piece)
        token = None
        # The name decides first: a page has very many tokens, and few of them matter.
        wanted, every = self._wanted, self._names is None
        start, text = TokenType.START_TAG, TokenType.TEXT
        for token in self._tokenizer.feed(piece):
            tag = token.tag
            if tag not in wanted and not (every and tag):
                continue
            if tag is None:
                if self._templates or token.type is not text:
                    continue
                if self._noscript is None:
                    yield token
                else:
                    yield from self._within(token, self._noscript)
            elif tag in _BOUNDS:
                if every and not self._templates and token.type is start:
                    yield token
                self._bound(tag, token.type is start)
            elif not self._templates and (self.texts or token.type is start):
                yield token
        if token is not None:
            self._pending = 0
        if self._pending > self._most:
            raise HttpError("too-large", f"a tag, comment or text of more than {self._most} characters")

    def _bound(self, tag: str, begins: bool) -> None:
        """A template or a noscript begins or ends."""
        if tag == "template":
            self._templates = max(0, self._templates + (1 if begins else -1))
        else:
            self._noscript, self._above = Tokenizer() if begins else None, None
            self.listen(self.texts)

    def _within(self, text: Token, noscript: Tokenizer) -> Iterator[Token]:
        """The start tags in the text of a noscript."""
        if self._above is None:
            self._above = text.line - 1
        self.above, names = self._above, self._names
        for token in noscript.feed(text.data or ""):
            if token.type is TokenType.START_TAG and (names is None or token.tag in names):
                yield token
        self.above = 0
