"""aiomysql: a task that is cancelled as it releases its connection wakes no task that waits for one."""
