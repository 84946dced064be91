"""Decode the bytes of a document to its text.

The order is that of the HTML standard ("determining the character encoding"): a byte-order mark, then the charset of
the Content-Type, then a `<meta>` within the first 1024 bytes.  The last resort here is UTF-8, not a guess by locale.
Labels have the meanings of the Encoding standard: on the web, "latin1" is windows-1252 and "gb2312" is GBK.  The table
below is ours: Python's aliases differ from the web's, change with the version, and include codecs that are not
charsets ("rot13", "idna", "unicode_escape").
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator
from typing import Final

from .markup import PIECE, StartTags

#: The number of bytes that are searched for a `<meta>` (HTML standard, 13.2.3.2).
PRESCAN: Final = 1024

_META: Final = frozenset(("meta",))

_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"))

# Python's codec, and the labels of the Encoding standard (4.2) that mean it; ISO 8859 labels are added below.
_NAMES: Final = {
    "utf-8": "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
    "utf-16-le": "utf-16 utf-16le ucs-2 unicode iso-10646-ucs-2 csunicode unicodefeff",
    "utf-16-be": "utf-16be unicodefffe",
    "cp1252": "windows-1252 cp1252 x-cp1252 ascii us-ascii ansi_x3.4-1968 latin1 l1 iso-8859-1 iso8859-1"
    " iso88591 iso_8859-1 iso_8859-1:1987 iso-ir-100 cp819 ibm819 csisolatin1",
    "cp1254": "windows-1254 cp1254 x-cp1254 latin5 l5 iso-8859-9 iso8859-9 iso88599 iso_8859-9"
    " iso_8859-9:1989 iso-ir-148 csisolatin5",
    "cp874": "windows-874 dos-874 tis-620 iso-8859-11 iso8859-11 iso885911",
    "cp1250": "windows-1250 cp1250 x-cp1250",
    "cp1251": "windows-1251 cp1251 x-cp1251",
    "cp1253": "windows-1253 cp1253 x-cp1253",
    "cp1255": "windows-1255 cp1255 x-cp1255",
    "cp1256": "windows-1256 cp1256 x-cp1256",
    "cp1257": "windows-1257 cp1257 x-cp1257",
    "cp1258": "windows-1258 cp1258 x-cp1258",
    "cp866": "ibm866 866 cp866 csibm866",
    "iso8859-2": "latin2 l2 iso_8859-2:1987 iso-ir-101 csisolatin2",
    "iso8859-3": "latin3 l3 iso_8859-3:1988 iso-ir-109 csisolatin3",
    "iso8859-4": "latin4 l4 iso_8859-4:1988 iso-ir-110 csisolatin4",
    "iso8859-5": "cyrillic iso_8859-5:1988 iso-ir-144 csisolatincyrillic",
    "iso8859-6": "arabic ecma-114 asmo-708 iso-8859-6-e iso-8859-6-i iso_8859-6:1987 iso-ir-127 csisolatinarabic",
    "iso8859-7": "greek greek8 ecma-118 elot_928 sun_eu_greek iso_8859-7:1987 iso-ir-126 csisolatingreek",
    "iso8859-8": "hebrew visual logical iso-8859-8-e iso-8859-8-i iso_8859-8:1988 iso-ir-138 csisolatinhebrew",
    "iso8859-10": "latin6 l6 iso-ir-157 csisolatin6",
    "iso8859-13": "",
    "iso8859-14": "",
    "iso8859-15": "l9 csisolatin9",
    "iso8859-16": "",
    "koi8-r": "koi8-r koi koi8 koi8_r cskoi8r",
    "koi8-u": "koi8-u koi8-ru",
    "mac-roman": "macintosh mac x-mac-roman csmacintosh",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gbk": "gbk gb2312 gb_2312 gb_2312-80 chinese csgb2312 csiso58gb231280 iso-ir-58 x-gbk",
    "gb18030": "gb18030",
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc_jp": "euc-jp x-euc-jp cseucpkdfmtjapanese",
    "iso2022_jp": "iso-2022-jp csiso2022jp",
    "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis",
    "cp949": "euc-kr korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 iso-ir-149 windows-949 cseuckr"
    " csksc56011987",
}


def _labels() -> dict[str, str]:
    """The codec of each label."""
    codecs = {label: codec for codec, labels in _NAMES.items() for label in labels.split()}
    for codec in _NAMES:
        if codec.startswith("iso8859-"):
            part = codec.removeprefix("iso8859-")
            codecs |= {f"{form}{part}": codec for form in ("iso-8859-", "iso8859-", "iso8859", "iso_8859-")}
    return codecs


_CODECS: Final = _labels()

_CHARSET: Final = re.compile(r"charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s;\"']+))", re.IGNORECASE)


def decoded(body: bytes, content_type: str) -> Iterator[str]:
    """The text of a document, in pieces; invalid bytes become U+FFFD and never raise an error.

    A text in one piece can take four times the memory of its bytes.  `content_type` is the value of the Content-Type
    header ("" for none).  An unknown charset counts as none.
    """
    start, codec = next(
        ((len(mark), codec) for mark, codec in _MARKS if body.startswith(mark)),
        (0, _codec(_charset(content_type)) or _prescanned(body[:PRESCAN]) or "utf-8"),
    )
    decoder = getincrementaldecoder(codec)("replace")
    rest = memoryview(body)[start:]
    for i in range(0, len(rest), PIECE):
        yield decoder.decode(rest[i : i + PIECE], i + PIECE >= len(rest))


def media_type(content_type: str) -> str:
    """Type and subtype of a Content-Type, in lower case, without parameters; "" for none."""
    return content_type.partition(";")[0].strip().lower()


def _codec(label: str) -> str | None:
    """Python's name for the encoding of a label; None for an unknown label."""
    return _CODECS.get(label.strip().lower())


def _charset(content: str) -> str:
    """The charset that a Content-Type, as a header or in a `<meta>`, names; "" for none."""
    found = _CHARSET.search(content)
    return next(filter(None, found.groups()), "") if found else ""


def _prescanned(head: bytes) -> str | None:
    """Return the encoding that the first `<meta>` in `head` with a known label declares.

    A `<meta>` is readable only in an encoding like ASCII, so a declared UTF-16 means UTF-8.
    """
    if b"charset" not in head.lower():
        return None
    for tag in StartTags(_META, PRESCAN).feed(head.decode("latin-1")):
        label = tag.attr("charset")
        if not label and (tag.attr("http-equiv") or "").lower() == "content-type":
            label = _charset(tag.attr("content") or "")
        codec = _codec(label or "")
        if codec is not None:
            return "utf-8" if codec.startswith("utf-16") else codec
    return None
