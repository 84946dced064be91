"""The documents that are made from the rules: explanations, orders, the site."""
