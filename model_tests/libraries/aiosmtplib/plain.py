"""A command is given up by asyncio.timeout; then another is sent.  It should get its own answer, or an error."""

import asyncio

import aiosmtplib


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"220 localhost\r\n")
    while line := await reader.readline():
        word = line.split()[0].decode()
        await asyncio.sleep(0.3 if word == "VRFY" else 0)
        writer.write(f"250 {word}\r\n".encode())
        await writer.drain()
    writer.close()


async def main(late: bool) -> str:
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    smtp = aiosmtplib.SMTP(hostname="127.0.0.1", port=port, use_tls=False, start_tls=False)
    await smtp.connect()
    await smtp.ehlo()
    try:
        async with asyncio.timeout(0.1 if late else 2):
            await smtp.vrfy("someone")
    except TimeoutError:
        pass
    try:
        shown = (await smtp.expn("everyone", timeout=2)).message
    except aiosmtplib.SMTPException as error:
        shown = type(error).__name__
    smtp.close()
    server.close()
    return f"the answer to {shown}"


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("VRFY is answered in time:", outcome(False))
    print("VRFY is given up:", outcome(True))
