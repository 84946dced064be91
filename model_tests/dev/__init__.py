"""Tools for developing loopspec itself: check steps, environments, the import graph, the wheel."""
