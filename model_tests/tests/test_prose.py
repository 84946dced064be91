"""The prose of docstrings and comments is held under ratios: patterns that a reader has to take apart.

The figures to compare with, in 10,000 words: trio 4 and 5, Hypothesis 5 and 4, h11 5 and 11, pytest 7 and 4.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

import pytest

from ..dev.pythons import ROOT
from .test_walls import sources

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
#: "the state in which it waits", "a task whose body has begun": two sentences, or a shorter one, say the same.
RELATIVE = re.compile(r"\b(?:of|in|to|by) which\b|\bwhose\b", re.IGNORECASE)
#: "keeps what was lost": name the thing.  Left out: questions, also indirect ones ("say what", "what happens").
NOUN = re.compile(
    r"(?<!know )(?<!knows )(?<!say )(?<!says )(?<!tell )(?<!tells )(?<!see )(?<!show )(?<!shows )(?<!asks )"
    r"\bwhat\b(?![^.!?]*\?)(?! (?:if|about|else|happens|to do)\b)",
    re.IGNORECASE,
)
#: In 10,000 words of a package: relatives, "what" as a noun.  They may only fall.
MOST = {"impl": (1.5, 3), "spec": (2.5, 2), "model_tests": (2, 5), "model_tests/tests": (2, 5)}


def prose(source: str) -> Iterator[str]:
    """Yield each docstring, and each block of comments, of a module: blanks are single."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
            yield " ".join(text.split())
    lines = (
        token.string.lstrip("#: ") if token.type == tokenize.COMMENT else ""
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT)
    )
    yield from (" ".join(block.split()) for block in "\n".join(lines).split("\n\n") if block.strip())


def ratios(package: str) -> tuple[float, float]:
    """The relatives, and the nouns "what", in 10,000 words of the prose of a package."""
    tests = f"{ROOT.as_posix()}/model_tests/tests/"
    paths = [path for path in sources(package) if package != "model_tests" or not path.as_posix().startswith(tests)]
    texts = [text for path in paths for text in prose(path.read_text(encoding="utf-8"))]
    words = sum(len(re.findall(r"[A-Za-z][\w'-]*", text)) for text in texts)
    assert words > 10_000, "the prose is not found"
    found = (sum(len(pattern.findall(text)) for text in texts) for pattern in (RELATIVE, NOUN))
    relatives, nouns = (round(count / words * 10_000, 1) for count in found)
    return relatives, nouns


@pytest.mark.parametrize("package", MOST)
def test_the_ratios_only_fall(package: str) -> None:
    relatives, nouns = ratios(package)
    most = MOST[package]
    assert (relatives <= most[0], nouns <= most[1]) == (True, True), f"{relatives}, {nouns} in 10,000 words"
    assert max(most[0] - relatives, most[1] - nouns) < 2, f"lower MOST to {relatives}, {nouns}"


@pytest.mark.parametrize(("text", "relatives", "nouns"), [
    ("the state in which it waits, a task whose body has begun", 2, 0),
    ("it keeps what was lost; what is seen is printed", 0, 2),
    ("What do we do now?  It says what went wrong, and what happens next.", 0, 0),
    ("which of these, and somewhat later", 0, 0),
])  # fmt: skip
def test_the_patterns_count_what_they_should(text: str, relatives: int, nouns: int) -> None:
    assert (len(RELATIVE.findall(text)), len(NOUN.findall(text))) == (relatives, nouns)


def test_docstrings_and_blocks_of_comments_are_prose() -> None:
    source = '"""Of\nthese."""\n# of\n# which\nx = 1  # whose\ny = """by which"""\n'
    assert list(prose(source)) == ["Of these.", "of which", "whose"]
