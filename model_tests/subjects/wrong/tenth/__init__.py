"""Wrong subjects written from CPython's documentation, source and issues, without a look at the kit or earlier sets."""
