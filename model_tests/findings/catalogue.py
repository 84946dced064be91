"""All findings, in the order of their names."""

from __future__ import annotations

from typing import Final

from .tables import brokers, caches, clients, databases, groups, limits, loops, queues, servers

_TABLES: Final = (brokers, caches, clients, databases, groups, limits, loops, queues, servers)
FINDINGS: Final = tuple(
    sorted((each for table in _TABLES for each in table.FINDINGS), key=lambda each: each.name)
)
