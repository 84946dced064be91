"""Wrong subjects of the fifth set, each family by one author."""
