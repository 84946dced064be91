"""A task that acquires a lock is cancelled before the answer, or is not; then its object releases it.

Another one should be able to acquire the lock.
"""

import asyncio

from redis.asyncio import Redis
from redis.exceptions import LockError

DELAY = 0.2


async def main(cancels: bool) -> str:
    values: dict[bytes, bytes] = {}

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Know SET key value NX, and the script that releases a lock."""
        try:
            while (head := await reader.readline()).endswith(b"\n"):
                words = []
                for _ in range(int(head[1:])):
                    size = int((await reader.readline())[1:])
                    words.append((await reader.readexactly(size + 2))[:-2])
                if words[0] == b"SET":
                    answer = b"$-1\r\n" if words[1] in values else b"+OK\r\n"
                    values.setdefault(words[1], words[2])
                    await asyncio.sleep(DELAY)
                elif words[0] == b"EVALSHA":
                    answer = b":1\r\n" if values.pop(words[3], None) else b":0\r\n"
                else:
                    answer = b"+OK\r\n"
                writer.write(answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    client = Redis(host="127.0.0.1", port=server.sockets[0].getsockname()[1], protocol=2)
    await client.ping()
    lock, other = client.lock("door"), client.lock("door")
    first = asyncio.create_task(lock.acquire())
    await asyncio.sleep(DELAY / 2)
    if cancels:
        first.cancel()
    await asyncio.wait([first])
    try:
        await lock.release()
    except LockError as error:
        refused = f", and {type(error).__name__} from release()"
    else:
        refused = ""
    shown = "acquired" if await other.acquire(blocking_timeout=0.2) else "locked"
    await client.aclose()
    server.close()
    return shown + refused


def outcome(wrong: bool) -> str:
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("acquire() is not cancelled:", outcome(False))
    print("acquire() is cancelled:", outcome(True))
