"""The scenes of runs: their lanes and rows agree with the trace and the report, and the commands write them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

import impl
from impl.bridges.asyncio.run import simulate
from impl.bridges.network import Network
from impl.bridges.trio.run import simulate_trio
from impl.crawl.simulation import KIND, Crawl
from impl.crawl.simulation import simulate as simulate_crawl
from impl.explore import command as explore_command
from impl.explore.report.scenes import scenes_of
from impl.net import Fault, NetworkConditions
from impl.picture import Row, Scene, page, scene_of, svg
from impl.sim.order import ORDERS
from impl.sim.recipe import Recipe
from impl.sim.trace import BytesSent, ConnBytes

from ...commands.cli import main as loopspec
from ...conformance import command as conform
from ...conformance.cases.sources import catalogue
from ...conformance.findings.finding import Finding
from ...conformance.report import Report
from ...dev.pythons import ROOT
from ...examples import races, shop
from ..explore.programs import failure_of
from ..fixtures import Captured, Patch

pytest_plugins = "pytester"

# Any: the yields of an asyncio program to its loop.
Program = Callable[[], Coroutine[Any, Any, None]]


async def wake_window() -> None:
    """A task is cancelled between the wake-up and its run."""
    ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def waiter() -> None:
        await ready

    task = asyncio.create_task(waiter(), name="waiter")
    await asyncio.sleep(0)
    ready.set_result(None)
    task.cancel()
    await asyncio.wait([task])


async def with_trio() -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.sleep, 1)


def states(made: Scene, lane: str) -> list[str]:
    """The states that a lane goes through."""
    number = made.lanes.index(lane)
    return [state for row in made.rows for of, state in row.states if of == number]


def test_a_cancel_in_the_wake_window_is_seen() -> None:
    made = scene_of(simulate(wake_window, trace=True))
    assert made.lanes[:3] == ("loop", "wake_window", "waiter")
    assert states(made, "waiter") == ["ready", "runs", "waits", "woken", "asked", "runs", "thrown", "done"]
    asked = next(row for row in made.rows if row.text == "requests to cancel waiter")
    assert (made.lanes[asked.lane], asked.rule) == ("wake_window", "CANCEL-1")
    thrown = next(row for row in made.rows if row.text == "gets CancelledError thrown in")
    assert made.lanes[thrown.lane] == "waiter"


def test_a_run_of_trio_and_one_of_impl() -> None:
    assert "sleep" in " ".join(scene_of(simulate_trio(with_trio, trace=True)).lanes)

    async def ours() -> None:
        await impl.sleep(1)

    recorder = impl.Recorder()
    impl.Loop(observer=recorder).run(ours())
    made = scene_of(recorder)
    assert states(made, "ours") == ["ready", "runs", "waits", "woken", "runs", "done"]
    assert "fires a timer" in [row.text for row in made.rows]


def test_a_failure_stands_beside_a_run_that_passes() -> None:
    fails, passes = scenes_of(failure_of(shop.main).simple)
    assert (fails.title, passes.title) == ("the run that fails", "a run that passes")
    assert [row.text for row in fails.rows if row.star] == ["begins; waits at line 12"]
    for made in (fails, passes):  # a step of each task is a side of the one pair
        assert sorted(made.lanes[row.lane] for row in made.rows if row.pairs == (1,)) == ["load", "sell"]
    ends = next(row for row in fails.rows if "raises KeyError" in row.fault)
    assert ends.touches == ("reads prices['tea'], line 13",)


def test_a_string_of_the_program_ends_no_script() -> None:
    rows = (Row(0, "</script><script>alert(1)</script>"),)
    text = page([Scene("<b>", ("&",), rows)])
    assert text.count("</script>") == 2
    assert "<title>&lt;b&gt;</title>" in text
    assert data(text)["scenes"][0]["rows"] == [[0, rows[0].text]]


def data(text: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    assert found is not None
    made: dict[str, Any] = json.loads(found[1])
    return made


@pytest.mark.parametrize("scenes", [[], [Scene("none", (), ())]])
def test_a_picture_of_nothing_is_an_error(scenes: list[Scene]) -> None:
    for drawn in (page, svg):
        with pytest.raises(ValueError, match="a picture needs a scene with lanes"):
            drawn(scenes)


def test_the_commands_write_it(tmp_path: Path, capsys: Captured) -> None:
    program = f"{ROOT}/model_tests/examples/shop.py:main"
    assert loopspec(["run", program, "--html", str(tmp_path / "run.html")]) == 0
    assert explore_command.main([program, "--html", str(tmp_path / "found.html")]) == 1
    out, _ = capsys.readouterr()
    assert "--html" not in out
    assert out.splitlines()[-1] == f"wrote {tmp_path / 'found.html'}"
    of_run, found = (data((tmp_path / name).read_text(encoding="utf-8")) for name in ("run.html", "found.html"))
    assert of_run["scenes"][0]["notes"][0] == "the program returned"
    assert "   1  " in of_run["scenes"][0]["program"]
    assert len(found["scenes"]) == 2


def test_a_search_without_a_failure_says_that_nothing_is_drawn(tmp_path: Path, capsys: Captured) -> None:
    program = tmp_path / "right.py"
    program.write_text("async def main() -> None:\n    pass\n", encoding="utf-8")
    drawn = tmp_path / "none.html"
    assert explore_command.main([f"{program}:main", "--runs", "2", "--html", str(drawn)]) == 0
    assert not drawn.exists()
    assert "no run failed, so none is drawn" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "explore"])
def test_a_file_that_cannot_be_written_is_one_line(command: str, tmp_path: Path, capsys: Captured) -> None:
    program = f"{ROOT}/model_tests/examples/shop.py:main"
    assert loopspec([command, program, "--html", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"loopspec {command}: --html: ")


# --- the network ---------------------------------------------------------------------------------------------------


def test_a_crawl_shows_hosts_and_connections_with_bytes_under_way(tmp_path: Path) -> None:
    file = tmp_path / "crawl.html"
    assert loopspec(["simulate", "--pages", "3", "--html", str(file)]) == 0
    made = data(file.read_text(encoding="utf-8"))["scenes"][0]
    assert "host www.example.test" in made["lanes"]
    wires = [n for n, lane in enumerate(made["lanes"]) if " to www.example.test:80" in lane]
    shown = {text for values in fields(made, "values") for lane, text in values if lane in wires}
    assert any(text.startswith("→ ") for text in shown), "a request is under way"
    assert any(text.startswith("← ") for text in shown), "an answer is under way"
    assert "" in shown, "and nothing is, after it has come"


def fields(made: dict[str, Any], name: str) -> Iterator[Any]:
    """That field of each row that has it, of a scene as JSON."""
    names = data(page([Scene("", ("",), ())]))["fields"]
    place = names.index(name)
    return (row[place] for row in made["rows"] if len(row) > place)


def test_bytes_under_way_are_those_sent_and_not_arrived() -> None:
    run = simulate_crawl(Recipe(KIND, Crawl(pages=3), 0), trace=True)
    sent = sum(remark.size for _, remark in run.remarks if isinstance(remark, BytesSent))
    arrived = sum(event.size for event in run.trace if isinstance(event, ConnBytes))
    assert 0 < arrived <= sent
    made = scene_of(run)
    hosts = [n for n, lane in enumerate(made.lanes) if lane.startswith("host ")]
    last = {lane: text for row in made.rows for lane, text in row.values if lane in hosts}
    assert list(last.values()) == ["0 open"]


def test_a_fault_of_the_network_is_marked() -> None:
    async def main() -> None:
        try:
            await asyncio.open_connection("far.test", 80)
        except OSError:
            pass

    network = Network(NetworkConditions(scripted={"far.test": Fault.REFUSED}), hosts=("far.test",))
    made = scene_of(simulate(main, trace=True, network=network))
    struck = [(made.lanes[row.lane], row.fault) for row in made.rows if row.fault]
    assert struck == [("host far.test", "refused")]


@pytest.mark.parametrize("port", [80, 49_152, 60_000])
def test_the_host_of_a_connection_is_the_one_that_was_connected_to(port: int) -> None:
    """Also if its service has a greater port than the system gives to the end that connects."""

    async def main() -> None:
        loop = asyncio.get_running_loop()
        server = await asyncio.start_server(lambda reader, writer: writer.close(), "far.test", port)
        _, writer = await asyncio.open_connection("far.test", port)
        writer.write(b"hello")
        await loop.create_task(asyncio.sleep(1))
        writer.close()
        server.close()

    run = simulate(main, network=Network(hosts=("far.test",)), trace=True)
    made = scene_of(run)
    assert [lane for lane in made.lanes if lane.startswith("host ")] == ["host far.test"]
    (wire,) = [lane for lane in made.lanes if " to " in lane]
    assert re.fullmatch(rf":\d+ to far\.test:{port}", wire)
    assert any((made.lanes.index(wire), "→ 5 B") in row.values for row in made.rows)


# --- choices and lines ---------------------------------------------------------------------------------------------


def test_choices_that_left_first_in_first_out_are_starred() -> None:
    plain, drawn = (scene_of(simulate(races.lost_update, trace=True, order=order, seed=5)) for order in ORDERS)
    assert not any(row.star for row in plain.rows)
    starred = [row for row in drawn.rows if row.star]
    assert starred
    assert {row.text for row in starred} == {"gets the turn"}


def test_a_step_shows_the_line_where_its_task_stops() -> None:
    made = scene_of(simulate(wake_window, trace=True))
    waits = next(row for row in made.rows if row.text.startswith("waits for future") and row.source)
    assert waits.source == "await ready"
    assert waits.where.endswith(f"test_scenes.py:{wake_window.__code__.co_firstlineno + 5}")


def test_remarks_are_no_part_of_the_digest() -> None:
    one, other = (simulate(wake_window, trace=trace) for trace in (True, False))
    assert one.remarks
    assert (one.digest, one.token, other.remarks) == (other.digest, other.token, ())


def test_a_deadlock_marks_what_each_task_waits_for() -> None:
    made = scenes_of(failure_of(races.two_locks, runs=1000).simple)[0]
    assert any("waits for" in note for note in made.notes)
    assert [(made.lanes[row.lane], row.fault) for row in made.rows if row.fault] == [
        ("two_locks", "waits for ever for gather"),
        ("sell", "waits for ever for till, held by refund"),
        ("refund", "waits for ever for stock, held by sell"),
    ]


def test_a_failure_shows_what_woke_what() -> None:
    fails = scenes_of(failure_of(shop.main).simple)[0]
    woken = [
        (fails.lanes[row.lane], fails.lanes[lane])
        for row in fails.rows
        for lane, state in row.states
        if state == "woken"
    ]
    assert woken == [("loop", "main")], "gather's callback"


# --- findings ------------------------------------------------------------------------------------------------------


def test_a_finding_of_the_kit_is_drawn_beside_what_the_rule_demands(
    tmp_path: Path, monkeypatch: Patch, capsys: Captured
) -> None:
    """A subject that runs two tasks in the other order; to play the kit on one takes half a minute."""
    case = next(each for each in catalogue() if each.name == "getters are served oldest first")
    places = [n for n, line in enumerate(case.expected) if line[2] == "await q.get()"][:2]
    seen = list(case.expected)
    seen[places[0]], seen[places[1]] = seen[places[1]], seen[places[0]]
    finding = Finding(case.name, case.program, case.expected, seen, "mine", "QUEUE-3")
    finding = replace(finding, shortest=next(finding.functions()))  # there is no subject to run it on
    monkeypatch.setattr(conform, "run", lambda *_: Report("mine", [], findings=[finding]))
    file = tmp_path / "found.html"
    assert loopspec(["conform", "mine", "--html", str(file)]) == 1
    made = data(file.read_text(encoding="utf-8"))
    does, demands = made["scenes"]
    assert (does["title"], demands["title"]) == ("QUEUE-3: what mine does", "what the rule demands")
    assert "def test_queue_3" in does["program"]
    turned = [[pairs for pairs in fields(each, "pairs") if pairs] for each in (does, demands)]
    assert turned == [[[1], [2]], [[2], [1]]]


def test_the_plugin_draws_a_failing_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import asyncio
        import pytest

        @pytest.mark.explore(runs=50)
        @pytest.mark.parametrize("first", ["a/b", "a b"])
        async def test_order(first):
            seen = []

            async def see(what):
                await asyncio.sleep(0)
                seen.append(what)

            await asyncio.gather(see(1), see(2))
            assert seen == [1, 2]
        """
    )
    ran = pytester.runpytest_inprocess("-p", "no:asyncio", "--explore-pictures", "pictures")
    ran.stdout.fnmatch_lines(["picture: pictures/test_the_plugin_draws_a_failing_test.py_test_order_a_b_-*.html"] * 2)
    drawn = list((pytester.path / "pictures").iterdir())
    assert len(drawn) == 2, "two names that look alike"
    made = data(drawn[0].read_text(encoding="utf-8"))
    assert [scene["title"] for scene in made["scenes"]] == ["the run that fails", "a run that passes"]


@pytest.mark.parametrize("command", [["simulate"], ["check", "queue"], ["conform", "asyncio"]])
def test_a_file_that_cannot_be_one_is_found_before_the_run(
    command: list[str], tmp_path: Path, capsys: Captured
) -> None:
    for option in ("--html", "--svg"):
        assert loopspec([*command, option, str(tmp_path / "none" / "found")]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err == (
            f"loopspec {command[0]}: {option}: there is no directory {tmp_path / 'none'}; make it first\n"
        )
