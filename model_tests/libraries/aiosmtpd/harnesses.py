"""Harnesses of aiosmtpd."""

import asyncio
from typing import Any

from aiosmtpd.smtp import SMTP

from ..fakes.patience import ends
from ..harness import harness_of

PORT = 8025
OK = b"250 OK\r\n"


class Mailbox:
    """The handler of a server: it keeps all messages."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802  (aiosmtpd's)
        await asyncio.sleep(0.01)
        self.messages.append(envelope.content)
        return "250 OK"


async def send(number: int, begin: float = 0) -> bytes:
    """Send a message, and return the server's answer; b"" if it closes the connection, as it does in time."""
    await asyncio.sleep(begin)
    reader, writer = await asyncio.open_connection("localhost", PORT)
    try:
        codes = [await reader.readline()]
        for line in ("HELO me", "MAIL FROM:<a@b.c>", "RCPT TO:<d@e.f>", "DATA", f"{number}\r\n.", "QUIT"):
            writer.write(line.encode() + b"\r\n")
            codes.append(await reader.readline())
        assert await reader.read() == b"", "the server does not close after QUIT"
        return codes[-2]
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def send_last() -> bytes:
    return await send(9)


@harness_of("aiosmtpd", cancel="send", slow=True)
async def aiosmtpd_sessions() -> tuple[list[bool], int]:
    """Each message of a session is delivered or refused, a disconnecting client does not affect the others."""
    mailbox = Mailbox()

    def session() -> SMTP:
        return SMTP(mailbox, hostname="localhost", timeout=30, loop=asyncio.get_running_loop())

    server = await asyncio.get_running_loop().create_server(session, "localhost", PORT)
    clients = [asyncio.create_task(send(number, 0.02 * number)) for number in range(3)]
    for client in clients:
        assert await ends(client), "a client waits for an answer"
    last = asyncio.create_task(send_last())
    assert await ends(last), "the next client waits for an answer"
    assert last.result() in (OK, b""), f"{last.result()!r}"
    results = await asyncio.gather(*clients, return_exceptions=True)
    said = [number for number, result in enumerate(results) if result == OK]
    kept = [int(message) for message in mailbox.messages]
    assert len(kept) == len(dict.fromkeys(kept)), f"a message is delivered twice: {kept}"
    assert all(number in kept for number in said), f"said {said}, kept {kept}"
    for result in results:
        assert result in (OK, b"") or isinstance(result, asyncio.CancelledError), f"{result!r}"
    server.close()
    await server.wait_closed()
    await asyncio.sleep(40)  # a session without a client ends by its timeout at the latest
    return [result == OK for result in results], len(kept)
