"""Right subjects: they obey asyncio's documentation, and differ from CPython's code in what it leaves free.

A judge of implementations must find nothing wrong with them.  `right_subjects()` lists them; each module's docstring
says what it does differently, and which sentence of the documentation leaves that free.
"""

from __future__ import annotations

from .registry import Right, right_subjects

__all__ = ["Right", "right_subjects"]
