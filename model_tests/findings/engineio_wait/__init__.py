"""python-engineio: to give up wait() ends the connection's reader."""
