"""aiodataloader: a reader that is cancelled takes the others of its key with it, and the key stays cancelled."""
