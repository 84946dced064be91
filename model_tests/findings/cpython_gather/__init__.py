"""CPython: gather() keeps its caller as long as a child lives on."""
