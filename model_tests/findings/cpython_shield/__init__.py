"""CPython: an error that a task retrieves is reported after the shield was cancelled."""
