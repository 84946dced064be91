"""A small server in a process of its own: values, locks and messages, one command a line.

It is started as a script, with the port, the path of a Unix socket and the files of a certificate; port 0 takes a free
one, and the script prints the one that it has.
"""

import asyncio
import ssl
import sys
from collections import defaultdict


class Store:
    """The state of the server."""

    def __init__(self) -> None:
        self.values: dict[str, int] = defaultdict(int)
        self.locks: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.readers: set[asyncio.StreamWriter] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the commands of one connection; its locks are released when it ends."""
        held: list[asyncio.Lock] = []
        try:
            while line := await reader.readline():
                command, *words = line.decode().split()
                if command == "BYE":
                    break
                answer = await self.answer(command, words, held, writer)
                if answer:
                    writer.write(answer)
                    await writer.drain()
        except OSError:
            pass
        finally:
            self.readers.discard(writer)
            for lock in held:
                lock.release()
            writer.close()

    async def answer(
        self, command: str, words: list[str], held: list[asyncio.Lock], writer: asyncio.StreamWriter
    ) -> bytes:
        """The answer to a command; b"": it has none."""
        match command, words:
            case "SET", [key, value]:
                self.values[key] = int(value)
            case "ADD", [key, value]:
                self.values[key] += int(value)
            case "GET", [key]:
                return f"{self.values[key]}\n".encode()
            case "LOCK", [key, seconds]:
                try:
                    await asyncio.wait_for(self.locks[key].acquire(), float(seconds))
                except TimeoutError:
                    return b"deadlock\n"
                held.append(self.locks[key])
            case "BIG", [size]:
                writer.write(b"x" * (int(size) // 2))
                await asyncio.sleep(0.001)
                return b"x" * (int(size) - int(size) // 2)
            case "READ", []:
                self.readers.add(writer)
            case "TELL", [word]:
                for each in self.readers:
                    each.write(f"{word}\n".encode())
            case "HANG", []:
                return b""
            case "DEAF", []:
                await asyncio.sleep(9)
            case "FLOOD", []:
                while True:
                    writer.write(b"x" * 65536)
                    await writer.drain()
        return b"ok\n"


async def main(port: int, path: str, certificate: str) -> None:
    store, context = Store(), None
    if certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(certificate)
    server = await asyncio.start_server(store.serve, "127.0.0.1", port)
    secret = await asyncio.start_server(store.serve, "127.0.0.1", 0, ssl=context)
    if path:
        await asyncio.start_unix_server(store.serve, path)
    print(*(each.sockets[0].getsockname()[1] for each in (server, secret)), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), *sys.argv[2:]))
