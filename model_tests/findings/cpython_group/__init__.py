"""CPython: after TaskGroup.cancel() a cancel from outside costs the error of the body."""
