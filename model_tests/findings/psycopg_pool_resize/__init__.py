"""psycopg-pool: resize() of a pool that has grown makes more connections than its limit."""
