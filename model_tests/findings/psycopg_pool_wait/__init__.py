"""psycopg-pool: wait() fails with AssertionError if an earlier one was cancelled."""
