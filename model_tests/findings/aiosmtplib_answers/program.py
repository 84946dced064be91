"""A connection to a mail server is asked in turn; a question is given up.  The next one must not get its answer.

loopspec explore aiosmtplib_answers/program.py:main --cancel ask
"""

import asyncio

import aiosmtplib


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 localhost\r\n")
    try:
        while line := await reader.readline():
            word = line.split()[0].decode()
            await asyncio.sleep(0.1 if word == "VRFY" else 0)
            writer.write(f"250 {word}\r\n".encode())
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def ask(smtp: aiosmtplib.SMTP) -> None:
    await smtp.vrfy("someone")


async def main() -> None:
    server = await asyncio.start_server(serve, "localhost", 8025)
    async with aiosmtplib.SMTP(hostname="localhost", port=8025, use_tls=False, start_tls=False) as smtp:
        await smtp.ehlo()
        await asyncio.gather(asyncio.create_task(ask(smtp)), return_exceptions=True)
        try:
            answer = (await smtp.expn("everyone")).message
        except aiosmtplib.SMTPServerDisconnected:
            answer = "EXPN"  # it is closed, and says so
        await asyncio.sleep(1)
    server.close()
    assert answer == "EXPN", f"the answer to EXPN is that to {answer}"
