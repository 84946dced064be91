"""websockets: after a fragmented send was cancelled, the connection is open, and no message can be sent any more."""
