"""The document: it is fresh, complete and the same everywhere; its links lead somewhere; its formulas say the text."""

# ruff: noqa: RUF001  (the signs are meant: they are mathematics)

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from spec.commands.target import load
from spec.kit import assurance
from spec.kit.bounded import Fails
from spec.kit.render.brief import brief
from spec.kit.render.document import document
from spec.kit.render.markdown import anchors, prose
from spec.kit.render.source import Untranslatable
from spec.promises import PROMISES
from spec.registry import REGISTRY

from ...dev.pythons import ROOT, SUPPORTED, pythons
from ...documents.explain import command as render
from ..fixtures import Captured, Patch
from ..process import copied, python

EXAMPLE = ROOT / "spec" / "queue" / "README.md"
#: The lines of the example, which somebody reads.
MOST_LINES = 300
TEXTS = {instance.spec.name: instance.spec for instance in REGISTRY}
RULES = {item.rule: item for spec in TEXTS.values() for table in spec.tables() for item in table.values()}
MOST_COLUMNS = 100


@pytest.fixture(scope="module")
def shipped() -> str:
    return document(REGISTRY, ROOT / "spec", PROMISES)


def headings(text: str) -> list[str]:
    return re.findall(r"^#{2,} (.*)$", text, re.M)


def sections(text: str) -> dict[str, str]:
    """Return the text below each heading."""
    parts = re.split(r"^#{2,} (.*)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_example_is_fresh_and_short(capsys: Captured) -> None:
    assert render.main(["queue", "--brief"]) == 0
    made = capsys.readouterr().out
    assert EXAMPLE.read_text(encoding="utf-8") == made, "spec/queue/README.md is stale: run make docs"
    assert len(made.splitlines()) <= MOST_LINES


@pytest.mark.long("all rules are written")
def test_the_brief_form_has_each_rule_and_its_formula(shipped: str) -> None:
    made = brief(REGISTRY)
    items = re.findall(r"^- \*\*([A-Z]+-\d+)\*\* `(\w+)` \(\w", made, re.M)
    assert dict(items) == {rule: item.name for rule, item in RULES.items()}
    assert len(items) == len(RULES)
    blocks = re.findall(r"^```text\n(.*?)^```$", shipped, re.M | re.S)
    known = {" ".join(line.split()) for line in made.replace("`", "\n").splitlines()}
    assert {" ".join(line.split()) for block in blocks for line in block.splitlines()} <= known


def test_the_brief_form_shows_a_part_once() -> None:
    made = brief(REGISTRY)
    assert re.findall(r"^# (\w+)$", made, re.M) == list(TEXTS)
    assert made.count("\ns′ ∈ take(t) ⇔\n") == 1
    assert "\n\n\n" not in made
    item = "`get_returns_while_items_remain` (step property, of QUEUE-24 and QUEUE-11) A get returns"
    assert f"- **QUEUE-38** {item}" in made
    assert "- **QUEUE-4** `get_resume` (action, fair, hidden) A woken getter" in made


@pytest.mark.parametrize(
    "version",
    [
        pytest.param(each, marks=[pytest.mark.long("seconds for each Python")] * (each != SUPPORTED[0]))
        for each in SUPPORTED
    ],
)
def test_every_python_and_hash_seed_writes_the_same(version: str, full: bool) -> None:
    """In the short form a part of the document."""
    names = sorted(TEXTS) if full else ["events"]
    found = next((each for each in pythons() if each.version == version), None)
    if found is None or not found.environment.exists():
        pytest.skip(f"not run: no environment .venv-{version}; `make setup-all` makes it")
    code = "from pathlib import Path; from spec.kit.render.document import document; from spec.registry import REGISTRY"
    code += f"; import sys; from spec.promises import PROMISES; part = [i for i in REGISTRY if i.spec.name in {names}]"
    code += "; sys.stdout.buffer.write(document(part, Path('spec').absolute(), PROMISES).encode())"
    seed = {"PYTHONHASHSEED": version.rpartition(".")[2]}
    command: list[str | Path] = [found.environment, "-c", code]
    ran = subprocess.run(command, cwd=ROOT, env=seed, capture_output=True, check=True)
    part = [instance for instance in REGISTRY if instance.spec.name in names]
    assert ran.stdout.decode() == document(part, ROOT / "spec", PROMISES)


def test_every_rule_has_a_section_and_a_line_in_the_contents(shipped: str) -> None:
    found = [title.partition(": ") for title in headings(shipped) if re.match(r"[A-Z]+-\d+: ", title)]
    assert {rule: name for rule, _, name in found} == {rule: item.name for rule, item in RULES.items()}
    assert len(found) == len(RULES)
    contents = sections(shipped)["Contents"]
    assert sorted(re.findall(r"\[([A-Z]+-\d+)\]", contents)) == sorted(RULES)


def test_every_promise_has_a_row(shipped: str) -> None:
    row = r"^\| ([A-Z]+-\d+) \| .*\. \| of the (names|loop|crawl|kernel) \| .*; \w+ \| \w.+ \|$"
    rows = re.findall(row, sections(shipped)["promises"], re.M)
    assert rows == [(promise.rule, promise.where) for promise in PROMISES]


def test_the_rules_of_a_text_are_in_its_order(shipped: str) -> None:
    shown = [title for title in headings(shipped) if title.startswith("QUEUE-")]
    lines = [re.search(r"queue/specification\.py#L(\d+)", sections(shipped)[title]) for title in shown]
    numbers = [int(line[1]) for line in lines if line]
    assert len(numbers) == len(shown) > 20
    assert numbers == sorted(numbers)


def test_every_link_inside_leads_to_a_heading(shipped: str) -> None:
    known = set(anchors(headings(shipped)))
    asked = re.findall(r"\]\(#([^)]*)\)", shipped)
    assert len(asked) > 100
    assert set(asked) <= known


def test_every_link_to_the_code_leads_to_the_function(shipped: str) -> None:
    files: dict[str, list[str]] = {}
    checked = 0
    for title, body in sections(shipped).items():
        for name, shown, path, line in re.findall(r"\[([\w./]+):(\d+)\]\(([^)#]*)#L(\d+)\)", body):
            lines = files.setdefault(path, (ROOT / "spec" / path).read_text(encoding="utf-8").splitlines())
            assert (path, shown) == (name, line)
            assert lines[int(line) - 1].startswith(f"def {title.rpartition(': ')[2]}(")
            checked += 1
    assert checked > len(RULES)


def test_formulas_fit_into_the_page(shipped: str) -> None:
    blocks = re.findall(r"^```text\n(.*?)^```$", shipped, re.M | re.S)
    assert len(blocks) > len(RULES)
    assert [line for block in blocks for line in block.splitlines() if len(line) > MOST_COLUMNS] == []
    assert [line for line in shipped.splitlines() if line.endswith(" ")] == []


def test_a_rule_has_its_sentence_its_source_and_its_kind(shipped: str) -> None:
    assert sections(shipped)["QUEUE-4: get_resume"].splitlines()[1:] == [
        "A woken getter takes the next item, or waits again when another task was faster, or after a shutdown raises"
        " QueueShutDown.",
        "",
        "```text",
        "get_resume(t ∈ Task) ≜",
        "  ∧ at[t] = GET",
        "  ∧ sig[t] = WOKEN",
        "  ∧ if |buf| > 0 then s′ ∈ take(t)",
        "    else if shut then s′ = idle(t)",
        "    else ∧ sig′ = sig ⊕ {t ↦ WAIT}",
        "         ∧ line′ = behind(t, GET)",
        "```",
        "",
        "*Action, fair, hidden.* Answer: [`item(t)`](#item)."
        " Changes `buf`, `got`, `held[t]`, `at[t]`, `sig` and `line` only."
        " Possible whenever [`woken_get(t)`](#woken_get)."
        " Uses [`take`](#take), [`idle`](#idle) and [`behind`](#behind).\\",
        f"Source: asyncio/queues.py, the loop of `get`; settled. {code('get_resume')}\\",
        f"Assured: {'; '.join(assurance.load()['QUEUE-4'].parts())}.",
        "",
    ]


def code(name: str) -> str:
    lines = (ROOT / "spec" / "queue" / "specification.py").read_text(encoding="utf-8").splitlines()
    (line,) = (number for number, line in enumerate(lines, 1) if line.startswith(f"def {name}("))
    return f"[queue/specification.py:{line}](queue/specification.py#L{line})"


def test_a_property_names_the_known_errors_that_break_it(shipped: str) -> None:
    found = sections(shipped)
    fails = [i for i in REGISTRY if isinstance(i, Fails)]
    for fail in fails:
        error = prose(fail.title.removeprefix(f"{fail.spec.name}: "))
        told = f"{error} ({fail.depth} step{'s' * (fail.depth != 1)})"
        item = fail.spec.properties.get(fail.broken)
        if item is not None:
            assert told in found[f"{item.rule}: {item.name}"].partition("Caught: ")[2]
        else:
            assert told in shipped
    assert len(fails) > 20


def test_what_opts_out_is_shown_as_it_is_written(shipped: str) -> None:
    opaque = {name for spec in TEXTS.values() for name in spec.opaque}
    assert opaque
    for name in opaque:
        assert f"```python\ndef {name}(" in sections(shipped)[name]
        assert "Shown as it is written" in sections(shipped)[name]
        assert '"""' not in sections(shipped)[name]


# A specification with additions.

ADDED = '''

@queue.invariant
def never_more(k: Const, s: Queue) -> bool:
    """NEW-1: Nothing is got that was not sent, as QUEUE-1 says.  [the meaning of get; defined]"""
    return len(s.got) <= len(s.sent)


@queue.action(hidden=True)
def nothing(k: Const, s: Queue, t: Task) -> Iterator[Queue]:
    """NEW-2: Nothing happens."""
    if waits(s, t, At.GET):
        yield s
'''


@pytest.mark.long("the whole document, of a copy")
def test_a_function_that_is_added_to_a_text_is_in_its_document(tmp_path: Path, shipped: str) -> None:
    copied("spec", tmp_path)
    name = "queue/specification.py"
    text = tmp_path / "spec" / "queue" / "specification.py"
    text.write_text(text.read_text(encoding="utf-8") + ADDED, encoding="utf-8")
    made = tmp_path / "spec" / "made.md"
    ran = python("-m", "model_tests.documents.explain.command", "--output", made, cwd=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    before, after = shipped.splitlines(), made.read_text(encoding="utf-8").splitlines()
    end = len(text.read_text(encoding="utf-8").splitlines())
    new = [line for line in after if line not in before]
    assert new[-8:] == [
        "#### NEW-1: never_more",
        "Nothing is got that was not sent, as [QUEUE-1](#queue-1-first_in_first_out) says.",
        "|got| ≤ |sent|",
        f"Source: the meaning of get; defined. [{name}:{end - 9}]({name}#L{end - 9})",
        "#### NEW-2: nothing",
        "Nothing happens.",
        "nothing(t ∈ Task) ≜ waits(t, GET) ∧ s′ = s",
        f"*Action, hidden.* Uses [`waits`](#waits). [{name}:{end - 3}]({name}#L{end - 3})",
    ]
    contents = [line for line in new if line.startswith("- ")]
    assert [re.findall(r"\[NEW-\d\]\(#[^)]*\) \w+", line) for line in contents] == [
        ["[NEW-2](#new-2-nothing) nothing"],
        ["[NEW-1](#new-1-never_more) never_more"],
    ]
    assert [line for line in before if line not in after and not line.startswith("- ")] == []


# The command.

OWN = '''
from collections.abc import Iterator
from spec.kit.core import Spec
from spec.kit.bounded import Holds
from spec.queue import Const, Queue, queue, queue_model

mine = Spec("mine", Queue, extends=queue)

@mine.invariant
def never_more(k: Const, s: Queue) -> bool:
    """MY-1: Nothing is got that was not sent."""
    return {}

SMALL = Holds(mine, "small", lambda: [queue_model(1, 0, 1, spec=mine)])
'''


def own(folder: Path, value: str) -> Path:
    path = folder / "mine.py"
    path.write_text(OWN.replace("{}", value), encoding="utf-8")
    return path


def test_one_text_is_printed(capsys: Captured, monkeypatch: Patch) -> None:
    monkeypatch.chdir(ROOT)
    assert render.main(["crawl_fifo"]) == 0
    out = capsys.readouterr().out
    assert out == document([i for i in REGISTRY if i.spec.name == "crawl_fifo"], ROOT)
    assert "#### FIFO-1: seeded" in out
    assert "CRAWL-1:" not in out
    assert "](spec/crawl/fifo.py#L" in out
    assert "#### page\n" in out  # the crawl's action is a helper here


def test_a_file_of_ones_own_is_written(tmp_path: Path, capsys: Captured) -> None:
    path = own(tmp_path, "len(s.got) <= len(s.sent)")
    assert render.main([str(path), "--output", str(tmp_path / "mine.md")]) == 0
    assert capsys.readouterr() == ("", "")
    text = (tmp_path / "mine.md").read_text(encoding="utf-8")
    body = sections(text)["MY-1: never_more"]
    assert body.startswith("\nNothing is got that was not sent.\n\n```text\n|got| ≤ |sent|\n```\n")
    assert body.endswith("*Invariant.* [mine.py:10](mine.py#L10)\n\n")
    assert "QUEUE-1: first_in_first_out" in sections(text)
    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= set(anchors(headings(text)))


@pytest.mark.parametrize(("arguments", "message"), [
    (["--output", "x.md", "bag"], "there is no specification 'bag'; there are: "),
    (["--long"], "unrecognized arguments: --long\n"),
    (["events", "--output", "{}"], "--output: cannot write {}: Is a directory\n"),
    (["events", "--output", "{}/no/such"], "--output: cannot write {}/no/such: No such file or directory\n"),
    (["{}/mine.py"], "{}/mine.py:12: [s]: a list can change: write a tuple\n"),
])  # fmt: skip
def test_an_error_is_one_line(arguments: list[str], message: str, tmp_path: Path, capsys: Captured) -> None:
    own(tmp_path, "[s] == [s]")
    assert render.main([argument.replace("{}", str(tmp_path)) for argument in arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("loopspec explain: " + message.replace("{}", str(tmp_path)))


def test_a_type_that_stands_for_nothing_is_told_in_one_line(tmp_path: Path, capsys: Captured) -> None:
    path = own(tmp_path, "True")
    path.write_text(path.read_text(encoding="utf-8").replace("s: Queue", "s: 'Nowhere'"), encoding="utf-8")
    assert render.main([str(path)]) == 2
    out, err = capsys.readouterr()
    told = r"never_more: what are its types\? name 'Nowhere' is not defined: name them in its module"
    assert out == ""
    assert re.fullmatch(rf"loopspec explain: {re.escape(str(path))}:\d+: {told}\n", err)


@pytest.mark.long("a second")
def test_an_output_that_cannot_hold_the_signs_is_told_in_one_line() -> None:
    ran = python("-m", "model_tests.documents.explain.command", "events", env={"PYTHONIOENCODING": "ascii"})
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "loopspec explain: the output cannot hold the signs (ascii): use --output\n"


def test_what_is_outside_the_subset_is_not_rendered(tmp_path: Path) -> None:
    instances = [load(own(tmp_path, "s.buf[:2] == ()")).SMALL]
    with pytest.raises(Untranslatable, match=r"mine\.py:12: s\.buf\[:2\]: of a tuple only"):
        document(instances, tmp_path)


def test_prose_has_no_marks_by_accident() -> None:
    assert prose("Crawler.__init__, `a*b`, 2 * 3 < 4, <b>") == "`Crawler.__init__`, `a*b`, 2 \\* 3 < 4, \\<b>"
    assert prose("    x * y  __init__") == "    x * y  __init__"


def test_anchors_are_those_of_code_hosts() -> None:
    titles = ["Notation", "QUEUE-4: get_resume", "queue, and mine", "wake", "wake"]
    assert anchors(titles) == ["notation", "queue-4-get_resume", "queue-and-mine", "wake", "wake-1"]
