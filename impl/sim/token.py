"""Tokens: a run in one word, short enough to paste, with a check against typing errors.

A token is a prefix for its kind and version, and the base64url of some bytes with their CRC-32.  The maker of a token
defines the bytes; `Packer` and `Unpacker` put numbers (as many bytes as they need, seven bits each, lowest first) and
fixed-size digests into them.
"""

from __future__ import annotations

import base64
import binascii
import string
import zlib

_CRC_BYTES = 4
_ALPHABET = frozenset(string.ascii_letters + string.digits + "-_")
#: Digits to the base 128 that a number may have: 64 bits.
_DIGITS_MAX = 10


class TokenError(ValueError):
    """The token is not one, or was damaged."""


class Packer:
    """Collects the contents of a token."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def number(self, value: int) -> Packer:
        """Add a number of up to 64 bits, >= 0."""
        while value > 127:
            self._bytes.append(value & 127 | 128)
            value >>= 7
        self._bytes.append(value)
        return self

    def raw(self, data: bytes) -> Packer:
        """Add bytes; the reader knows their number."""
        self._bytes += data
        return self

    def token(self, prefix: str) -> str:
        """The finished token."""
        data = bytes(self._bytes)
        whole = data + zlib.crc32(data).to_bytes(_CRC_BYTES, "big")
        return prefix + base64.urlsafe_b64encode(whole).decode().rstrip("=")


class Unpacker:
    """Reads the contents of a token, in the order of their addition."""

    def __init__(self, token: str, prefix: str) -> None:
        """Raises TokenError: the token has another prefix, or is damaged."""
        if not token.startswith(prefix):
            raise TokenError(f"a token begins with {prefix!r}: {token!r}")
        text = token.removeprefix(prefix)
        if not _ALPHABET.issuperset(text):
            raise TokenError(f"the token is damaged: {token!r}")
        try:
            whole = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except (binascii.Error, ValueError):
            raise TokenError(f"the token is damaged: {token!r}") from None
        self._bytes, crc = whole[:-_CRC_BYTES], whole[-_CRC_BYTES:]
        if zlib.crc32(self._bytes).to_bytes(_CRC_BYTES, "big") != crc:
            raise TokenError(f"the token is damaged: {token!r}")
        self._at = 0

    def number(self, most: int) -> int:
        """The next number.

        Raises:
            TokenError: it is greater than `most`.
        """
        value = shift = 0
        byte = 128
        while byte >= 128:
            (byte,) = self.raw(1)
            value |= (byte & 127) << shift
            shift += 7
            if value > most or shift > 7 * _DIGITS_MAX:
                raise TokenError("the token carries a number that is too great")
        return value

    def raw(self, size: int) -> bytes:
        data = self._bytes[self._at : self._at + size]
        if len(data) < size:
            raise TokenError("the token is too short for what it says it carries")
        self._at += size
        return data

    def end(self) -> None:
        """Raises TokenError: the token carries more than was read."""
        if self._at != len(self._bytes):
            raise TokenError("the token is longer than what it says it carries")
