"""Functions that draw random bytes: in a simulated run the bytes come from its seed (sim/entropy.py).

`os.urandom` is replaced, also under its names in other modules: so `uuid.uuid4`, `secrets`, `random.SystemRandom`,
`random.seed()` and `random.Random()` without a seed, and the keys and masks of websockets are the same in equal runs.
`uuid.uuid1` gets a constant node, because the real one is the address of a network card.

`random._urandom` and `uuid._last_timestamp` are private to CPython: tested on 3.11 to 3.15.
"""

from __future__ import annotations

import operator
import os
import random
import ssl
import sys
import uuid
from typing import Any, Final, TypeAlias

from ...sim import entropy
from ..simulation import importing, simulation

#: A module or class, or one of its functions or other values.
Thing: TypeAlias = Any

#: The node of uuid1: a locally administered address (RFC 9562, section 6.10).
_NODE: Final = 0x020000000001

_os_urandom = os.urandom
_ssl_bytes = ssl.RAND_bytes
_seed_method = random.Random.seed
_module_random: Final[random.Random] = random.seed.__self__  # type: ignore[attr-defined]  # it is a bound method
_uuid1 = uuid.uuid1


def _is_real() -> bool:
    """Whether random values come from the system here."""
    return simulation() is None or importing()


def _drawn(size: int) -> bytes:
    number = operator.index(size)
    if number < 0:
        raise ValueError("negative argument not allowed")
    return entropy.draw(number)


def urandom(size: int, /) -> bytes:
    """os.urandom."""
    return _os_urandom(size) if _is_real() else _drawn(size)


def _rand_bytes(n: int, /) -> bytes:
    return _ssl_bytes(n) if _is_real() else _drawn(n)


def _seed_generator(self: random.Random, a: Thing = None, version: int = 2) -> None:
    """random.Random.seed; the names of temporary files are random: those of another process may be there still."""
    if a is None and not _is_real() and not _is_for_files():
        a = int.from_bytes(entropy.draw(32), "big")
    _seed_method(self, a, version)


def _is_for_files() -> bool:
    """Whether the module tempfile makes a generator, two or three calls up."""
    callers = (sys._getframe(2), sys._getframe(3))
    return any(frame.f_globals.get("__name__") == "tempfile" for frame in callers)


def seed(a: Thing = None, version: int = 2) -> None:
    """random.seed."""
    _module_random.seed(a, version)


def uuid1(node: int | None = None, clock_seq: int | None = None) -> uuid.UUID:
    """uuid.uuid1."""
    if not _is_real():
        node = _NODE if node is None else node
        clock_seq = int.from_bytes(entropy.draw(2), "big") >> 2 if clock_seq is None else clock_seq
    return _uuid1(node, clock_seq)


def replacements() -> list[tuple[Thing, str, Thing]]:
    """The (module or class, name, replacement) of each."""
    made: list[tuple[Thing, str, Thing]] = [
        (os, "urandom", urandom),
        (random, "_urandom", urandom),
        (random, "seed", seed),
        (random.Random, "seed", _seed_generator),
        (ssl, "RAND_bytes", _rand_bytes),
        (uuid, "uuid1", uuid1),
        (uuid, "_last_timestamp", None),  # of an earlier run, after which uuid1 would continue
    ]
    if hasattr(os, "getrandom"):  # on Linux
        real = os.getrandom

        def getrandom(size: int, flags: int = 0) -> bytes:
            return real(size, flags) if _is_real() else _drawn(size)

        made.append((os, "getrandom", getrandom))
    return made
