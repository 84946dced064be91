"""The report of a failed run: its shortest form, as a table of steps, as the orders that matter, and as data."""
