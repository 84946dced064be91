"""asyncpg: close() of a pool closes the connection of a task that waited for one."""
