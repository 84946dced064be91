"""Wrong subjects of the sixth set, each family by one author."""
