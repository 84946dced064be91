"""Wrong subjects of the fourth set, each family by one author."""
