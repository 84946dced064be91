"""Tools for developing loopspec itself: the import graph, the wheel."""
