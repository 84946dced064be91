"""aiodataloader: the readers of a batch wait forever if the function that loads it ends with CancelledError."""
