"""Implementations of asyncio's names that are put to the test: wrong ones as texts, by primitive and kind of defect.

The head of a text is its name, the rules that it breaks, and its cause; its last comment has the sentence of CPython's
documentation or source that it breaks.  `parts` has right code that several of them change in one thing.
`model_tests/mutants/caught.json` says which checker sees each of them.
"""
