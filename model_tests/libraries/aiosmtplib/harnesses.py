"""Harnesses of aiosmtplib."""

import asyncio

import aiosmtplib

from ..harness import harness_of

PORT = 8025
WORDS = ("one", "two", "three")


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 localhost\r\n")
    try:
        while line := await reader.readline():
            await asyncio.sleep(0.02)
            writer.write(b"250 " + line.split()[-1] + b"\r\n")
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def verify(smtp: aiosmtplib.SMTP, word: str) -> str:
    try:
        answer: str = (await smtp.vrfy(word)).message
    except (aiosmtplib.SMTPServerDisconnected, aiosmtplib.SMTPTimeoutError) as error:
        return type(error).__name__
    assert answer == word, f"the answer to {word} is that to {answer}"
    return answer


@harness_of(
    "aiosmtplib",
    cancel="verify",
    finds={"AssertionError: the answer to * is that to *": "aiosmtplib_answers"},
    allowed={"SMTP*TimeoutError: *": "the time-out of the library, which expires early: it closes the connection"},
)
async def aiosmtplib_commands() -> list[object]:
    """Each command gets its own answer or an error, though another is cancelled."""
    server = await asyncio.start_server(serve, "localhost", PORT)
    smtp = aiosmtplib.SMTP(hostname="localhost", port=PORT, timeout=5, use_tls=False, start_tls=False)
    try:
        await smtp.connect()
        await smtp.ehlo()
        tasks = [asyncio.create_task(verify(smtp, word)) for word in WORDS]
        results = await asyncio.gather(*tasks, return_exceptions=True)
        await verify(smtp, "last")
    finally:
        smtp.close()
        await asyncio.sleep(1)
        server.close()
    for result in results:
        if isinstance(result, AssertionError):
            raise result
        assert isinstance(result, str | asyncio.CancelledError), f"a command: {result!r}"
    return [str(result) for result in results]
