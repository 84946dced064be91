"""Subjects: right implementations of asyncio's names, for the conformance kit."""
