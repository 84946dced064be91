"""cashews: a cached iterator gives items of an earlier pass that was not finished."""
