"""rloop: SystemExit in the main coroutine is never raised."""
