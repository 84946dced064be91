"""The catalogue of vectors, family by family."""

from __future__ import annotations

from itertools import chain
from typing import Final

from ..vector import Vector
from . import futures

FAMILIES: Final = (futures,)

CATALOGUE: Final[tuple[Vector, ...]] = tuple(chain.from_iterable(family.VECTORS for family in FAMILIES))
