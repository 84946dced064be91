"""Right subjects: they obey asyncio's documentation, and differ from CPython's code where it leaves a choice.

A judge of implementations must find nothing wrong with them.  `right_subjects()` lists them; each module's docstring
states the difference, and the sentence of the documentation that leaves it free.
"""

from __future__ import annotations

from .registry import Right, right_subjects

__all__ = ["Right", "right_subjects"]
