"""The pytest files; not shipped in the wheel."""
