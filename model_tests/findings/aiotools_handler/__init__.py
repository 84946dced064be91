"""aiotools: PersistentTaskGroup does not call its handler for an error if the result's awaiter was cancelled."""
