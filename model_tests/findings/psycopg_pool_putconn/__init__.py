"""psycopg-pool: putconn() swallows the cancel of its caller."""
