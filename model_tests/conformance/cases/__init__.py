"""The programs that the kit plays: the catalogue, the enumeration, random ones, and other ways to run them."""
