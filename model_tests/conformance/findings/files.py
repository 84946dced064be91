"""The report as files: JSON, JUnit's XML, and a script for each finding."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree import ElementTree

from impl.commands.outputs import write_script

from ...programs.script import comments
from .finding import Finding
from .sentence import sentence
from .verdicts import RuleVerdict


def as_json(
    subject: str,
    verdicts: Sequence[RuleVerdict],
    found: Sequence[Finding],
    notes: Sequence[str],
    unfinished: str,
    digest: str,
) -> str:
    """Return the report as JSON."""
    made = {
        "subject": subject,
        "rules": [
            {
                "rule": verdict.rule,
                "standing": verdict.standing,
                "sentence": verdict.sentence,
                "state": verdict.state.value,
                "why": verdict.why,
                "programs": verdict.cases,
            }
            for verdict in verdicts
        ],
        "findings": [
            {
                "rule": finding.rule,
                "also": finding.also,
                "because": finding.because,
                "kind": finding.kind,
                "sentence": sentence(finding),
                "program": finding.program,
                "function": finding.function(),
                "expected": finding.expected,
                "seen": finding.seen,
            }
            for finding in found
        ],
        "notes": list(notes),
        "unfinished": unfinished,
        "digest": digest,
    }
    return json.dumps(made, indent=1) + "\n"


def as_junit(subject: str, results: Mapping[str, tuple[str, str]]) -> str:
    """Return the report as JUnit's XML, a test case for each name of `results`.

    A result is "failure" or "skipped" and a text that begins with the line of the message; or "", if it has passed.
    """
    suite = ElementTree.Element("testsuite", name=f"loopspec conform {subject}")
    for name, (kind, text) in results.items():
        case = ElementTree.SubElement(suite, "testcase", classname=subject, name=name)
        if kind:
            made = ElementTree.SubElement(case, kind, message=text.partition("\n")[0])
            made.text = text if kind == "failure" else None
    failures, skipped = (len(suite.findall(f"testcase/{kind}")) for kind in ("failure", "skipped"))
    suite.attrib.update(tests=str(len(suite)), failures=str(failures), errors="0", skipped=str(skipped))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def write_programs(folder: Path, found: Sequence[Finding]) -> list[Path]:
    """Write the function of each finding, or its script, to a file of this folder; return the files.

    Raises:
        OSError: one cannot be written, or is a Python file that loopspec has not written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for number, finding in enumerate(found, 1):
        files.append(folder / f"{number}_{finding.rule.lower().replace('-', '_')}.py")
        write_script(files[-1], finding.text())
    return files


def shown(finding: Finding, sentence_of_rule: str, code: bool = True) -> list[str]:
    """Return the lines of a finding in the report, without its `code` if that is not asked for."""
    first = sentence(finding)
    lines = [f"{first}: {finding.rule}", f"({finding.rule}: {sentence_of_rule})"]
    if finding.also:
        lines.append(f"also: {', '.join(finding.also)}")
    if finding.because:
        lines.append(f"because of {finding.rule}, in asyncio's own code: {', '.join(finding.because)}")
    seen = comments(finding.expected, finding.seen).rstrip().splitlines()
    if not code:
        return [*lines, *seen]
    if finding.function() is None:
        lines.append("no short function shows it: the script does")
        seen = []  # the script has them
    return [*lines, "", *finding.text().rstrip().splitlines(), *seen]
