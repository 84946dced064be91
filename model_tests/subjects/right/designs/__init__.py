"""Right implementations of other designs, each written from the documentation alone."""
