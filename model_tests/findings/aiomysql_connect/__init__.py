"""aiomysql: a task that waits in acquire() when the pool is closed connects, and leaves a connection open."""
