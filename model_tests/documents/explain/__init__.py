"""`loopspec explain`: a rule on one page, the list of rules, or a specification as a document.

    entries   all rules, and the search among them; where the sources name a rule
    page      the parts of a rule's page, their elements, and its lines in a terminal
    runnable  the program of a rule; written.txt has those for rules that no vector shows, and those of the kernel
    program   a test vector as a program of plain asyncio
    output    the output of that program
    command   the command

Nothing is run for a page: all of it is stored, or is in the sources.  The site has the same pages
(`model_tests/documents/site`).
"""
