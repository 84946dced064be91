"""stamina: a retry with a hook takes a cancel of its caller for an error, and goes on."""
