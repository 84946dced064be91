"""`make site`: a site of all that is written, as HTML that needs no server.

    documents   which document of the checkout is which page; the specification, a page for each chapter
    links       links between documents, as links between pages; and a link for each rule that a text names
    sources     source files as pages, with an anchor for each line
    rules       a page for each rule: the output of `loopspec explain`; the lists of all rules, one by topic
    names       rules by name of asyncio
    pythons     rules by CPython: the results of `make matrix`
    api         the public names, from their docstrings
    build       all of them together, and the generator
    crawl       the crawl of the site that finds broken links

No page is stored twice: each is a document of the checkout, or is made from the sources.  The Markdown files of this
folder are documents that are there for the site: the entrances and the guides.  `model_tests/dev/tutorial.py` runs
their blocks.
"""
