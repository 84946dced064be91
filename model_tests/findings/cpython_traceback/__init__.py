"""CPython: to format the error of a missing submodule, traceback imports its parent again."""
