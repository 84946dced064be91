"""One command for a rule: what is generated from it is written, and what is to be written by hand is listed."""
