"""Queues to put and get: no task is done, joined or shut down."""

LEFT_OUT = {name: ["join", "task_done", "shutdown"] for name in ("Queue", "LifoQueue", "PriorityQueue")}
