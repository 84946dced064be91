"""cashews: a value that a transaction writes never expires if it has less than a second left at the commit."""
