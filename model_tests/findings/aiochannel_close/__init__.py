"""aiochannel: close() raises InvalidStateError when it is called again after a putter waited."""
