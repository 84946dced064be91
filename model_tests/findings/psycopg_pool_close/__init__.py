"""psycopg-pool: a connection that was returned to a pool with a reset function stays open if the pool is closed."""
