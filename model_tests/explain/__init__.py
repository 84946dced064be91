"""`loopspec explain RULE`: a rule on one page.

    entries   all rules, and the search among them
    page      the parts of a rule's page
    blocks    what a part is made of, and its lines in a terminal
    program   a test vector as plain asyncio
    places    where the sources name a rule
    command   the command

Nothing is run for a page: all of it is stored, or is in the sources.  The site has the same pages (`model_tests/site`).
"""
