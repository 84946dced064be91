"""aiorwlock: a reader waits on after the writer that it waited for has given up."""
