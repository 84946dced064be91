"""Hosts of URLs: domains, IPv4 and IPv6 addresses, and the opaque hosts of schemes that are not special.

Source: URL standard, 3.5 (host parsing) and 3.6 (host serializing).
"""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address
from typing import Final
from urllib.parse import unquote_to_bytes

from . import escapes
from .domain import to_ascii

_FORBIDDEN_HOST: Final = re.compile(r"[\0\t\n\r #/:<>?@\[\\\]^|]")
_FORBIDDEN_DOMAIN: Final = re.compile(r"[\0-\x20#%/:<>?@\[\\\]^|\x7f]")

_DIGITS: Final = re.compile("[0-9]+")
_HEX: Final = re.compile("0x([0-9a-f]*)")
_OCTAL: Final = re.compile("0([0-7]+)")

_IPV6: Final = re.compile("[0-9A-Fa-f:.]+")
_ZEROS: Final = re.compile(r"\b0(?::0)+\b")


def parse(text: str, special: bool) -> str:
    """Return the serialised form of a host.

    special: the scheme of its URL is special, so the host is a domain or an address.

    Raises:
        ValueError: it is no host.
    """
    if text.startswith("["):
        return _ipv6(text)
    if not special:
        if _FORBIDDEN_HOST.search(text):
            raise ValueError(f"a character that no host holds: {text!r}")
        return escapes.control(text)
    if "%" in text:
        text = unquote_to_bytes(text).decode(errors="replace")
    domain = to_ascii(text)
    if not domain or _FORBIDDEN_DOMAIN.search(domain):
        raise ValueError(f"no domain: {text!r}")
    labels = domain.removesuffix(".").split(".")
    if _DIGITS.fullmatch(labels[-1]) or _HEX.fullmatch(labels[-1]):
        return _ipv4(labels)
    return domain


def _ipv4(labels: list[str]) -> str:
    """The address that one to four numbers mean; the last one fills the bytes that are left."""
    *high, low = map(_number, labels)
    if len(high) > 3 or max(high, default=0) > 255 or low >= 256 ** (4 - len(high)):
        raise ValueError(f"no IPv4 address: {'.'.join(labels)}")
    return str(IPv4Address(low + sum(byte << 8 * (3 - place) for place, byte in enumerate(high))))


def _number(label: str) -> int:
    if found := _HEX.fullmatch(label):
        return int(found[1] or "0", 16)
    if found := _OCTAL.fullmatch(label):
        return int(found[1], 8)
    # A number of more digits than `int` takes is none of an address, and a ValueError.
    if not _DIGITS.fullmatch(label) or (label[0] == "0" and label != "0"):
        raise ValueError(f"no number of an IPv4 address: {label!r}")
    return int(label)


def _ipv6(text: str) -> str:
    """The address in brackets; its first longest run of zeros is "::"."""
    if not text.endswith("]") or not _IPV6.fullmatch(text, 1, len(text) - 1):
        raise ValueError(f"no IPv6 address: {text!r}")
    number = int(IPv6Address(text[1:-1]))
    pieces = ":".join(f"{number >> shift & 0xFFFF:x}" for shift in range(112, -1, -16))
    run = max(_ZEROS.finditer(pieces), key=lambda run: len(run[0]), default=None)
    if run is None:
        return f"[{pieces}]"
    return f"[{pieces[: run.start()].rstrip(':')}::{pieces[run.end() :].lstrip(':')}]"
