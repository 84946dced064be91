"""Functions and classes that combine awaitables: gather, wait, shield, timeout, TaskGroup."""
