"""httpx: a client that renews its token when a request is refused, sometimes once for each request instead of once."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest


class Service:
    """Accepts the newest token only."""

    def __init__(self) -> None:
        self.renewed = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request = (await reader.readuntil(b"\r\n\r\n")).decode()
        if request.startswith("POST /token"):
            self.renewed += 1
        known = f"token: {self.renewed}" in request.lower() and self.renewed
        status = "200 OK" if known or request.startswith("POST") else "401 Unauthorized"
        text = str(self.renewed)
        writer.write(f"HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode())
        await writer.drain()
        writer.close()


class Client:
    """Sends its token with each request."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.token = "0"

    async def get(self, path: str) -> int:
        answer = await self.http.get(path, headers={"token": self.token})
        if answer.status_code == 401:
            self.token = (await self.http.post("/token")).text  # another request may have renewed it meanwhile
            answer = await self.http.get(path, headers={"token": self.token})
        return answer.status_code


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    service = Service()
    async with await asyncio.start_server(service.serve, "localhost", 8082):
        yield service


@pytest.fixture
async def client(service: Service) -> AsyncIterator[Client]:
    async with httpx.AsyncClient(base_url="http://localhost:8082", verify=False) as http:
        yield Client(http)


@pytest.mark.explore
async def test_the_token_is_renewed_once(client: Client, service: Service) -> None:
    async def later() -> int:
        await asyncio.sleep(0.03)  # the second click
        return await client.get("/cart")

    assert list(await asyncio.gather(client.get("/profile"), later())) == [200, 200]
    assert service.renewed == 1
