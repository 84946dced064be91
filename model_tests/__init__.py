"""DOES it hold: the checking.  May import both `spec` and `impl`; nothing imports it but its own tests."""
