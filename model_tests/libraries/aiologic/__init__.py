"""aiologic: a package, so that the conformance kit can import its primitives, which have bases elsewhere."""
