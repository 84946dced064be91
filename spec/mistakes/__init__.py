"""The texts with one known error each, which the check must find."""
