"""PostgreSQL by asyncpg, and Redis by redis-py: their races are found, and the mended programs survive."""

import asyncio
import re
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from impl.explore import explore

from ...programs.tables import texts
from ..process import python
from .databases import postgres, redis

pytestmark = pytest.mark.filterwarnings("ignore:(loop is|unclosed)", "ignore:Exception ignored")

# Any in this file: the objects of libraries without types here.
Program = Callable[[], Coroutine[Any, Any, Any]]
RUNS = 200
AGAIN = 10


@pytest.fixture(scope="module")
def pg() -> Iterator[int]:
    pytest.importorskip("asyncpg", reason="asyncpg is in the extra `outside`")
    with postgres() as port:
        yield port


@pytest.fixture(scope="module")
def rd() -> Iterator[int]:
    pytest.importorskip("redis", reason="redis is in the extra `outside`")
    with redis() as port:
        yield port


def finds(program: Program, outside: str, outcome: str) -> str:
    """Explore a program that has a race; its run fails again each time.  Returns the report."""
    found = explore(program, outside=outside)
    assert found.failure is not None, found.reason
    assert re.match(outcome, found.failure.outcome), found.failure.outcome
    assert found.failure.repeats == f"again in {AGAIN} of {AGAIN} runs"
    token = found.failure.simple.token
    for _ in range(AGAIN):
        again = explore(program, outside=outside, token=token)
        assert [re.match(outcome, each) is not None for each in again.outcomes] == [True]
    return found.report()


def survives(program: Program, outside: str) -> None:
    """Explore a program that has none."""
    found = explore(program, outside=outside, runs=RUNS)
    assert (found.runs, found.failures) == (RUNS, 0), found.report()


def accounts(port: int, order: tuple[str, str], update: str, later: float = 0.0) -> Program:
    """Two tasks, each with a transaction that updates two rows; one may be later, unless the network is slow."""

    async def main() -> int:
        import asyncpg

        where = {"host": "127.0.0.1", "port": port, "user": "postgres", "database": "postgres", "ssl": False}
        first, second = await asyncpg.connect(**where), await asyncpg.connect(**where)
        await first.execute(
            "drop table if exists account; create table account (name text primary key, money int);"
            "insert into account values ('a', 100), ('b', 100)"
        )

        async def pay(client: Any, names: str) -> None:
            await asyncio.sleep(later * (client is second))
            async with client.transaction():
                for name in names:
                    if update:
                        await client.execute(update, name)
                    else:
                        money = await client.fetchval("select money from account where name = $1", name)
                        await client.execute("update account set money = $2 where name = $1", name, money - 1)

        try:
            await asyncio.gather(*map(pay, (first, second), order))
            total: int = await first.fetchval("select sum(money) from account")
        finally:
            await first.close()
            await second.close()
        assert total == 196, total
        return total

    return main


ATOMIC = "update account set money = money - 1 where name = $1"


def test_postgres_a_lost_update(pg: int) -> None:
    said = finds(accounts(pg, ("ab", "ab"), "", 0.15), f"127.0.0.1:{pg}", "AssertionError: 19[78]")
    assert re.search(rf"  127\.0\.0\.1:{pg}: pay \d asks it \(line \d+\) before pay \d asks it \(line \d+\)", said)
    survives(accounts(pg, ("ab", "ab"), ATOMIC, 0.15), f"127.0.0.1:{pg}")


def test_postgres_a_deadlock_of_two_row_locks(pg: int) -> None:
    said = finds(accounts(pg, ("ab", "ba"), ATOMIC), f"127.0.0.1:{pg}", "DeadlockDetectedError: deadlock detected")
    assert re.search(rf"127\.0\.0\.1:{pg}\.request\(\)", said)
    survives(accounts(pg, ("ab", "ab"), ATOMIC), f"127.0.0.1:{pg}")


def stock(port: int, command: str) -> Program:
    async def main() -> None:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff

        where = {"host": "127.0.0.1", "port": port, "retry": Retry(NoBackoff(), 0)}
        client, other = Redis(**where), Redis(**where)
        await asyncio.gather(client.set("left", 1), other.ping())

        async def take(client: Any) -> None:
            await asyncio.sleep(0.01 * (client is other))
            if command:
                await client.eval(command, 1, "left")
            elif int(await client.get("left")) > 0:
                await client.decr("left")

        try:
            await asyncio.gather(take(client), take(other))
            left = int(await client.get("left"))
        finally:
            await client.aclose()
            await other.aclose()
        assert left >= 0, left

    return main


def test_redis_a_lost_update(rd: int) -> None:
    said = finds(stock(rd, ""), f"127.0.0.1:{rd}", "AssertionError: -1")
    assert re.search(rf"  127\.0\.0\.1:{rd}: take \d asks it \(line \d+\) before take \d asks it \(line \d+\)", said)
    script = "if tonumber(redis.call('get', KEYS[1])) > 0 then redis.call('decr', KEYS[1]) end"
    survives(stock(rd, script), f"127.0.0.1:{rd}")


def test_a_project_with_an_engine_for_the_session(pg: int, tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy", reason="SQLAlchemy is in the extra `outside`")
    [project] = texts(Path(__file__).with_name("project.txt")).values()
    (tmp_path / "test_seats.py").write_text(project.replace("PORT", str(pg)), encoding="utf-8")
    table = f"[tool.loopspec.explore]\noutside = ['127.0.0.1:{pg}']\nruns = 60\n"
    (tmp_path / "pyproject.toml").write_text(table, encoding="utf-8")
    found = python("-m", "pytest", "--explore", "-p", "no:cacheprovider", cwd=tmp_path)
    assert "explored 2 tests: passes 1, timing 1" in found.stdout, found.stdout + found.stderr
    assert "again in 10 of 10 runs" in found.stdout
