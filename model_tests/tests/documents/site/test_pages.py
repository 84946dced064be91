"""The pages of the site: they say something of each rule and name, and each link has its page.

The site itself is made, and crawled, in the long form, and by `make site-check`, which `.ci/run` runs.
"""

import inspect
import posixpath
import re
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from ....documents.explain.entries import entries
from ....documents.site import __main__ as command
from ....documents.site import api, names, rules
from ....documents.site.build import SiteError, build, write
from ....documents.site.crawl import crawl
from ....documents.site.documents import pages
from ....documents.site.links import TOKEN, Links, NoSuchFile
from ....documents.site.pythons import NOT_PLAYED, columns
from ...fixtures import Captured, Patch

LINK = re.compile(r"\]\(([^\s()]+)\)")


@pytest.fixture(scope="module")
def docs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages as Markdown."""
    if not request.config.getoption("--full"):
        pytest.skip("`make site-check` builds and crawls the site: --full")
    folder = tmp_path_factory.mktemp("docs")
    write(folder, [], {"aiojobs_close": "$ a command\n"})
    return folder


def links_of(folder: Path) -> Mapping[str, list[str]]:
    """Return the links of each page, outside of code."""
    found = {}
    for path in sorted(folder.rglob("*.md")):
        text = re.sub(r"^```.*?^```$|`[^`\n]+`", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
        found[path.relative_to(folder).as_posix()] = LINK.findall(text)
    return found


def test_each_link_has_its_page(docs: Path) -> None:
    found = links_of(docs)
    assert sum(map(len, found.values())) > 5_000
    broken = [
        (page, link)
        for page, links in found.items()
        for link in links
        if not re.match(r"https?:", link)
        and not (docs / posixpath.dirname(page) / (link.partition("#")[0] or posixpath.basename(page))).is_file()
    ]
    assert broken == []


def test_each_rule_has_a_page_that_the_lists_link_to(docs: Path) -> None:
    for rule in entries():
        assert (docs / "rules" / f"{rule}.md").is_file()
    for page in ("rules/index.md", "topics.md"):
        linked = {link.rpartition("/")[2].removesuffix(".md") for link in links_of(docs)[page]}
        assert entries().keys() - linked == set(), page


def test_a_line_of_source_is_where_the_page_says(docs: Path) -> None:
    text = (docs / "rules" / "QUEUE-5.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"Stated: \[spec/queue/specification\.py:\d+\]\(\S+#L(\d+)\)", text)
    source = (docs / "source/spec/queue/specification.py.html").read_text(encoding="utf-8")
    after = source.partition(f'<span id="L{line}">')[2]
    assert "QUEUE-5: " in "\n".join(after.splitlines()[:3])


def test_a_finding_has_its_report_and_no_front_matter(docs: Path) -> None:
    text = (docs / "findings" / "aiojobs_close.md").read_text(encoding="utf-8")
    assert text.startswith("# Job.close()")
    assert text.endswith("```text\n$ a command\n```\n")


def test_the_pages_of_cpythons_say_that_nothing_was_played(docs: Path) -> None:
    assert NOT_PLAYED in (docs / "pythons.md").read_text(encoding="utf-8")


# --- the pages -----------------------------------------------------------------------------------------------------


def test_every_word_of_a_topic_is_in_a_rule() -> None:
    """Else it only looks as if the topic were wider."""
    known = entries().values()
    words = {word for words in rules.TOPICS.values() for word in words.split()}
    assert {word for word in words if not any(rules.is_about(entry, word) for entry in known)} == set()


def test_every_rule_has_a_topic() -> None:
    found = {rule: rules.topics(entry) for rule, entry in entries().items()}
    assert [rule for rule, of in found.items() if not of] == []
    assert {topic for of in found.values() for topic in of} == rules.TOPICS.keys()


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("gather", "GATHER-1"),
        ("wait", "WAIT-1"),
        ("Queue.get", "QUEUE-11"),
        ("Queue.task_done", "QUEUE-14"),
        ("Lock.release", "LOCK-9"),
        ("Task.uncancel", "QUEUE-33"),
        ("Future.add_done_callback", "FUT-2"),
    ],
)
def test_the_index_has_the_rules_of_a_name(name: str, rule: str) -> None:
    assert name in [each for _, each in names.names()]
    assert rule in [entry.id for entry in names.about(name)]


def test_a_name_of_which_no_rule_speaks_says_so(docs: Path) -> None:
    text = (docs / "names.md").read_text(encoding="utf-8")
    parts = dict(part.split("\n", 1) for part in re.split(r"^### ", text, flags=re.MULTILINE)[1:])
    assert list(parts) == [name for _, name in names.names()]
    silent = [name for name, part in parts.items() if "No rule speaks of it." in part]
    assert silent == [name for name in parts if not names.about(name)]
    assert 0 < len(silent) < len(parts) / 2
    assert "wait" not in silent


@pytest.mark.parametrize("name", api.MODULES)
def test_every_public_name_has_its_docstring(name: str, docs: Path) -> None:
    text = (docs / "api" / f"{name}.md").read_text(encoding="utf-8")
    parts = dict(part.split("\n", 1) for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:])
    module = import_module(name)
    assert list(parts) == module.__all__
    for public, linked in parts.items():
        part = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", linked)
        thing = getattr(module, public)
        first = (inspect.getdoc(thing) or "").partition(".")[0].split()
        callable_ = inspect.isclass(thing) or inspect.isroutine(thing)
        assert first or not callable_, public
        assert " ".join(first[:3]) in " ".join(part.replace("\\", "").split()) if callable_ else "A value: " in part


@pytest.mark.parametrize("name", api.MODULES)
def test_every_public_method_has_its_docstring(name: str) -> None:
    module = import_module(name)
    classes = [thing for public in module.__all__ if inspect.isclass(thing := getattr(module, public))]
    bare = [function.__qualname__ for of in classes for _, function in api.methods(of) if not inspect.getdoc(function)]
    assert bare == []


# --- links ---------------------------------------------------------------------------------------------------------


def links() -> Links:
    return Links(pages(), ["QUEUE-5"], ["topics.md"], {"a/b.md#part": "b/part.md"})


@pytest.mark.parametrize(
    ("text", "document", "expected"),
    [
        ("[x](spec/README.md#read-one)", "README.md", "[x](tutorial.md#read-one)"),
        ("[x](../README.md)", "spec/README.md", "[x](index.md)"),
        ("[x](../impl/loop.py)", "spec/README.md", "[x](source/impl/loop.py.html)"),
        ("[x](#here)", "spec/README.md", "[x](#here)"),
        ("[x](#part)", "a/b.md", "[x](b/part.md#part)"),
        ("[x](/topics.md)", "", "[x](topics.md)"),
        ("[x](https://a.test/)", "README.md", "[x](https://a.test/)"),
        ("see QUEUE-5.", "README.md", "see [QUEUE-5](rules/QUEUE-5.md)."),
        ("see TEA-9.", "README.md", "see TEA-9."),
        ("`QUEUE-5`", "README.md", "`QUEUE-5`"),
        ("```text\nQUEUE-5\n```", "README.md", "```text\nQUEUE-5\n```"),
        ("# QUEUE-5", "README.md", "# QUEUE-5"),
        ("impl/loop.py:3", "", "[impl/loop.py:3](source/impl/loop.py.html#L3)"),
        (
            "![x](model_tests/dev/architecture.svg)",
            "README.md",
            "![x](source/model_tests/dev/architecture.svg)",
        ),
    ],
)
def test_links(text: str, document: str, expected: str) -> None:
    assert links().markdown(text, "index.md", document) == expected


def test_a_link_to_no_file_is_an_error() -> None:
    with pytest.raises(NoSuchFile, match=r"README\.md links to no/file\.md, and there is no no/file\.md"):
        links().markdown("[x](no/file.md)", "index.md", "README.md")


def test_the_tokens_of_a_link_may_have_code() -> None:
    (found,) = TOKEN.finditer("[`QUEUE-5`, and more](x.md)")
    assert (found["shown"], found["target"]) == ("[`QUEUE-5`, and more]", "x.md")


# --- the site ------------------------------------------------------------------------------------------------------


@pytest.mark.long("make site-check, and the long form, make the site and crawl it")
def test_the_site_has_no_broken_link(tmp_path: Path) -> None:
    """Half a minute of one processor, so only in the long form; the crawl notices the planted errors."""
    if not find_spec("mkdocs"):
        pytest.skip("mkdocs is not installed: the extra `site` has it")
    build(tmp_path, columns(), {})
    status, printed = crawl(tmp_path)
    assert (status, "no link leads to" in printed) == (0, False), printed
    page = tmp_path / "race.html"
    page.write_text(page.read_text("utf-8").replace('href="programs.html"', 'href="programs.html#not-there"'), "utf-8")
    (tmp_path / "alone.html").write_text("<p>No link leads here.</p>", encoding="utf-8")
    status, printed = crawl(tmp_path)
    assert status == 1
    assert "programs.html#not-there" in printed
    assert "no link leads to alone.html\n" in printed


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work", encoding="utf-8")
    with pytest.raises(SiteError, match="holds no site: its contents would be lost"):
        build(tmp_path, [], {})
    assert (tmp_path / "thesis.txt").is_file()


def test_without_the_generator_there_is_one_line(monkeypatch: Patch, capsys: Captured) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    assert command.main([]) == 2
    assert capsys.readouterr().err == (
        "make site: needs mkdocs, which is not installed: pip install 'loopspec[site]'\n"
    )


def test_an_installed_package_is_no_checkout(monkeypatch: Patch, capsys: Captured, tmp_path: Path) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: name)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    assert command.main([]) == 2
    assert "the site is made in a checkout" in capsys.readouterr().err
