"""psycopg-pool: a task that is cancelled as it returns a connection to a null pool takes its place away."""
