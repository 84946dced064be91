"""cashews: a caller of a cached function that is cancelled cancels the others that wait for the same value."""
