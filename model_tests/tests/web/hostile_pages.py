"""Pages that are meant to hurt a reader, and the cost of each.

    python -m model_tests.tests.web.hostile_pages CHARACTERS NAME...

reads the pages of these names, of about that size, and prints a line for each: name, CPU seconds, and by how many
bytes memory grew at its peak.  The page itself exists before the measurement begins.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Final

from impl.web.http import Response
from impl.web.interpret import outcome
from impl.web.reference import CHECKS

URL: Final = "http://site.test/a/b.html"


def _repeated(unit: str) -> Callable[[int], str]:
    return lambda size: unit * (size // len(unit))


def _opened(opening: str, unit: str, end: str = "") -> Callable[[int], str]:
    return lambda size: opening + unit * (size // len(unit)) + end


def _numbered(form: str, opening: str = "", end: str = "") -> Callable[[int], str]:
    """Many different units: the form with 0, 1, 2 and so on."""
    return lambda size: opening + "".join(map(form.format, range(size // (len(form) + 4)))) + end


def _adopted(size: int) -> str:
    """A thousand open elements that a tree repeats in each paragraph: 48 kB once took 3.2 GB."""
    return "<p>" + "".join(f"<b a{number}>" for number in range(1000)) + "<p>x" * (size // 4)


_HAN: Final = "".join(map(chr, range(0x4E00, 0x4E00 + 700)))

#: From about how many characters a page shall have to its text.
PAGES: Final[dict[str, Callable[[int], str]]] = {
    # depth
    "nested divs": _repeated("<div>"),
    "nested lists": _repeated("<ul><li>"),
    "nested tables": _repeated("<table><tr><td>"),
    "nested links": _repeated("<a href=x>"),
    "nested formatting": _repeated("<b><i><u>"),
    "nested templates": _repeated("<template>"),
    "nested foreign": _repeated("<svg><math>"),
    "nested forms": _repeated("<form><button>"),
    "nested selects": _repeated("<select><option>"),
    "adopted formatting": _adopted,
    "closed wrongly": _repeated("</p></br></a>"),
    "closed in the wrong order": _repeated("<b><p></b></p>"),
    # numbers
    "links": _numbered("<a href=x{}>"),
    "the same link": _repeated("<a href=x>x</a>"),
    "links without value": _repeated("<a href>"),
    "fragments": _numbered("<a href=#{}>"),
    "up and up": _numbered("<a href=../../../../{}>"),
    "bad hosts": _numbered("<a href='http://[{}/'>"),
    "international hosts": _numbered("<a href='http://\xe4\u0431\u4e2d{}/'>"),
    # A character of these takes three bytes.
    "long international hosts": lambda size: _numbered(f"<a href='http://{{}}{_HAN}/'>")(size // 3),
    "links below a long base": lambda size: f"<base href='/{'b' * 2000}/'>" + _numbered("<a href={}>")(size),
    "bases": _numbered("<base href=/{}/>"),
    "anchors": _numbered("<b id={}>"),
    "images": _numbered("<img src={} alt=x>"),
    "candidates": _opened("<img srcset='", "x, ", "'>"),
    "candidates of commas": _opened("<img srcset='", ",", "'>"),
    "descriptors": _opened("<img srcset='x ", "((", "'>"),
    "texts": _opened("<a href=x>", "x<b>"),
    "attributes": _numbered(" a{}=1", "<a", " href=x>"),
    "the same attribute": _opened("<a", " href=x", ">"),
    "different tags": _numbered("<t{}>"),
    "meta elements": _repeated("<meta charset=x>"),
    # length
    "a long name": _opened("<", "a", ">"),
    "a long value": _opened("<a href='", "x", "'>"),
    "a long host": _opened("<a href='http://", "\xe4", "/'>"),
    "a long path": _opened("<a href='", "a/../", "'>"),
    "a long query": _opened("<a href='?", "\U0001f600", "'>"),
    "a long base": _opened("<base href='", "b/", "'><a href=x>"),
    "references": _opened("<a href='", "&amp;", "'>"),
    "references that are none": _repeated("&CounterClockwiseContourIntegra"),
    "a long number": _opened("&#", "9", ";"),
    # without an end
    "a comment without end": _opened("<!--", "x"),
    "a comment of ends": _opened("<!--", "--!"),
    "comments in a comment": _repeated("<!--"),
    "a script without end": _opened("<script>", "<!--<script>"),
    "a title without end": _opened("<title>", "</titl"),
    "a value without end": _opened("<a href='", "<a href=x>"),
    "tags without end": _repeated("<a "),
    "end tags without end": _repeated("</a "),
    "marked sections": _repeated("<!["),
    "character data": _opened("<svg><![CDATA[", "]]"),
    "instructions": _repeated("<?"),
    "doctypes": _repeated("<!DOCTYPE "),
    "plain text": _opened("<plaintext>", "<a href=x>"),
    # odd characters
    "less-than signs": _repeated("<"),
    "nulls": _repeated("<a href=\0>\0"),
    "carriage returns": _repeated("\r"),
    "surrogates and noncharacters": _repeated("<a href='&#xD800;&#xFFFF;&#x110000;\ufffe'>"),
    "combining characters": _opened("<a href='http://", "e\u0301\u0327", "/'>"),
    "controls": _opened("<a href='", "".join(map(chr, range(1, 32))), "'>"),
    "right to left": _repeated("<a href='\u202e\u200f\u061c'>"),
}


def cost(name: str, characters: int) -> tuple[float, int]:
    """Return the CPU seconds and the bytes of memory, at the peak, that reading the page takes (Linux), all checked."""
    body = PAGES[name](characters).encode()
    response = Response(200, ((b"content-type", b"text/html"),), body)
    before = _memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # the peak begins anew (proc(5))
    began = process_time()
    outcome(URL, response, check=CHECKS["all"])
    return process_time() - began, _memory("VmHWM") - before


def _memory(field: str) -> int:
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))


if __name__ == "__main__":
    for page in sys.argv[2:]:
        print(page, *cost(page, int(sys.argv[1])), sep="\t", flush=True)
