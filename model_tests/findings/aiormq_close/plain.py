"""A task declares a queue; then the broker, or the program, closes the connection.  The task should get an error."""

import asyncio
import logging

import aiormq
import pamqp.frame
from aiormq.exceptions import AMQPError
from pamqp import commands


async def main(closes: bool) -> str:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readexactly(8)
            properties = {"capabilities": {"publisher_confirms": True}}
            start = commands.Connection.Start(server_properties=properties, mechanisms="PLAIN")
            writer.write(pamqp.frame.marshal(start, 0))
            while True:
                head = await reader.readexactly(7)
                rest = await reader.readexactly(int.from_bytes(head[3:], "big") + 1)
                _, channel, frame = pamqp.frame.unmarshal(head + rest)
                match frame:
                    case commands.Connection.StartOk():
                        answer = commands.Connection.Tune(channel_max=9, frame_max=131072, heartbeat=0)
                    case commands.Connection.Open():
                        answer = commands.Connection.OpenOk()
                    case commands.Channel.Open():
                        answer = commands.Channel.OpenOk()
                    case commands.Confirm.Select():
                        answer = commands.Confirm.SelectOk()
                    case commands.Connection.Close():
                        answer = commands.Connection.CloseOk()
                    case commands.Queue.Declare():
                        await asyncio.sleep(0.2)
                        if not closes:
                            break
                        continue
                    case _:
                        continue
                writer.write(pamqp.frame.marshal(answer, channel))
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    connection = await aiormq.connect(f"amqp://guest:guest@127.0.0.1:{port}/?heartbeat=0")
    channel = await connection.channel()

    async def declare() -> str:
        try:
            await channel.queue_declare("jobs")
        except (AMQPError, OSError):
            return "an error of the connection"
        except asyncio.CancelledError:
            return "CancelledError, though the task was not cancelled"
        return "declared"

    call = asyncio.create_task(declare())
    await asyncio.sleep(0.1)
    if closes:
        await connection.close()
    shown = await call
    await connection.close()
    server.close()
    return shown


def outcome(wrong: bool) -> str:
    logging.disable()
    return asyncio.run(main(wrong))


if __name__ == "__main__":
    print("the broker closes:", outcome(False))
    print("the program closes:", outcome(True))
