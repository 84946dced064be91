"""The implementation under test: how it is loaded, its surface, and the profiles that it may have."""
