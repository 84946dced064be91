"""`loopspec explain`: a rule on one page, the list of rules, or a specification as a document.

    entries   all rules, and the search among them
    page      the parts of a rule's page
    blocks    the elements of a part, and its lines in a terminal
    runnable  the program of a rule
    program   a test vector as a program of plain asyncio
    printed   the output of that program
    written   programs for the pages of rules that no vector shows, those of the kernel among them
    places    where the sources name a rule
    command   the command

Nothing is run for a page: all of it is stored, or is in the sources.  The site has the same pages
(`model_tests/documents/site`).
"""
