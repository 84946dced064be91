"""aiomysql: a connection that is released closed, or in a transaction, wakes no task that waits for one."""
