"""janus: a package, so that the conformance kit can import its primitives, whose bases are elsewhere."""
