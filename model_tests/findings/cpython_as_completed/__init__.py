"""CPython: as_completed() that is left early keeps its caller as long as a future that it was given lives on."""
