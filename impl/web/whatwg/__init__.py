"""The parser of the WHATWG URL standard, as far as a crawl needs it: the serialised form of a URL of any scheme.

It is pure Python, because no parser in C or C++ has wheels for each Python that is supported.
"""
