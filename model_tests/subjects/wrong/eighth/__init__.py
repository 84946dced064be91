"""Wrong implementations of an eighth set, one module for each family."""
