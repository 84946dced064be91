"""gmqtt: a client that is disconnected while it reconnects connects all the same."""
