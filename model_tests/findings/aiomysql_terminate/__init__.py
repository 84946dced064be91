"""aiomysql: terminate() leaves the tasks that wait for a connection waiting."""
