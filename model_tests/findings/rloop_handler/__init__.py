"""rloop: an exception handler is called without the loop."""
