"""Percent-encode sets: which code points of a part of a URL are escaped.

Source: URL standard, 1.3.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final


def _encoder(also: str = "") -> Callable[[str], str]:
    """Return a function that escapes the C0 control percent-encode set, and the ASCII characters `also`."""
    inside = re.compile(f"[^ -~]|[{re.escape(also)}]" if also else "[^ -~]")

    def encode(text: str) -> str:
        """Escape `text` as UTF-8.

        Raises:
            UnicodeEncodeError: it holds a lone surrogate.
        """
        return inside.sub(_escape, text)

    return encode


def _escape(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


_QUERY: Final = ' "#<>'
_PATH: Final = _QUERY + "?^`{}"

control: Final = _encoder()
fragment: Final = _encoder(' "<>`')
query: Final = _encoder(_QUERY)
special_query: Final = _encoder(_QUERY + "'")
path: Final = _encoder(_PATH)
userinfo: Final = _encoder(_PATH + "/:;=@[\\]|")
