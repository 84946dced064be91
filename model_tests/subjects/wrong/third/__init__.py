"""Wrong subjects of the third set, each family by one author."""
