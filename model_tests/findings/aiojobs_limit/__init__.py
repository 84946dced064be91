"""aiojobs: close() of a pending job starts another one beyond the limit."""
