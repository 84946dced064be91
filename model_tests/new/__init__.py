"""`loopspec new NAME`: the first files of a specification of your own."""
