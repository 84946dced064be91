"""CPython: a shield that is left keeps the task that made it as long as the inner future lives on."""
