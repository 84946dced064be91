"""CPython: the exception handler is not called if a task reports an error of its own."""
