"""aiometer: run_any() waits for all calls before it returns the first result."""
