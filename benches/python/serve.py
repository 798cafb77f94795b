"""How quickly `sarai serve` answers while many games are played at once, and whether its memory stays flat.

Every game is a page of its own: one connection on which changes come, one for commands, a random move some time after
it has become a person's turn, and a greedy opponent. A new game follows the one that is over.

    .venv/bin/python benches/python/serve.py                  # a minute of 200 games
    .venv/bin/python benches/python/serve.py --minutes 20     # and whether the memory stays flat
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import sarai

SESSIONS = 200
THINKING = 4.0
"""Seconds that a person thinks about a move, on average."""

MINUTES = 1.0


class Page:
    """One game as a page plays it."""

    def __init__(self, port: int, number: int, thinking: float) -> None:
        self.port, self.number, self.thinking = port, number, thinking
        self.random = random.Random(number)
        self.times: list[float] = []
        self.errors: list[str] = []
        self.games = 0
        self.shown: dict[str, Any] = {}
        self.changed = asyncio.Event()

    def head(self, method: str, path: str, more: str = "") -> bytes:
        token = f"sarai-session: {self.token}\r\n" if self.token else ""
        return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n{token}{more}\r\n".encode()

    async def post(self, path: str, body: Any) -> dict[str, Any]:
        data = json.dumps(body).encode()
        self.writer.write(
            self.head("POST", path, f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n")
            + data
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.split("content-length: ")[1].split("\r\n")[0])
        answer: dict[str, Any] = json.loads(await self.reader.readexactly(length))
        if answer.get("error"):
            self.errors.append(answer["error"])
        return answer

    def see(self, snapshot: dict[str, Any]) -> None:
        if snapshot["version"] >= self.shown.get("version", 0):
            self.shown = snapshot
            self.changed.set()

    async def listen(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**24)
        try:
            writer.write(self.head("GET", "/api/changes"))
            while True:
                line = await reader.readline()
                if line.startswith(b"data: "):
                    self.see(json.loads(line[6:]))
        finally:
            writer.close()

    async def begin(self) -> None:
        self.games += 1
        names = sarai.games()
        game = names[(self.number + self.games) % len(names)]
        self.see(await self.post("/api/command", {"do": "new", "game": game, "seed": self.games}))

    async def play(self, end: float) -> None:
        self.token = ""
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=2**24)
        self.token = (await self.post("/api/session", {}))["token"]
        listening = asyncio.create_task(self.listen())
        try:
            # Not all in the same moment.
            await asyncio.sleep(self.random.uniform(0, self.thinking))
            await self.begin()
            while time.monotonic() < end:
                shown = self.shown
                if shown["over"]:
                    await self.begin()
                elif shown["mine"]:
                    await asyncio.sleep(self.random.uniform(0, 2 * self.thinking))
                    move = self.random.choice(shown["moves"])
                    begun = time.perf_counter()
                    answer = await self.post("/api/command", {"do": "play", "action": move["action"]})
                    self.times.append(time.perf_counter() - begun)
                    self.see(answer)
                else:
                    self.changed.clear()
                    await self.changed.wait()
        finally:
            listening.cancel()
            self.writer.close()


def resident(process: int) -> float:
    """The memory of a process in MB; not a number where the system does not tell."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return float("nan")
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


async def load(port: int, process: int, sessions: int, minutes: float, thinking: float) -> list[Page]:
    """Play; a line about the memory ten times."""
    pages = [Page(port, number, thinking) for number in range(sessions)]
    end = time.monotonic() + 60 * minutes
    games = asyncio.gather(*(page.play(end) for page in pages))
    for part in range(10):
        await asyncio.sleep(6 * minutes)
        moves = sum(len(page.times) for page in pages)
        print(
            f"after {6 * minutes * (part + 1):5.0f} s: {moves:7,} moves, {resident(process):6.1f} MB",
            flush=True,
        )
    await asyncio.wait_for(games, 120)
    return pages


def main() -> int:
    """Start a server, play, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--thinking", type=float, default=THINKING)
    arguments = parser.parse_args()
    command = [sys.executable, "-u", "-m", "sarai", "serve", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        port = int(server.stdout.readline().split(":")[2].split("/")[0])
        try:
            pages = asyncio.run(
                load(port, server.pid, arguments.sessions, arguments.minutes, arguments.thinking)
            )
        finally:
            server.send_signal(signal.SIGINT)
    times = sorted(1000 * taken for page in pages for taken in page.times)
    errors = [error for page in pages for error in page.errors]
    print(
        f"{arguments.sessions} games at once, {len(times):,} moves, {sum(page.games for page in pages)} games"
    )
    if len(times) > 1:
        cuts = statistics.quantiles(times, n=100)
        print(f"a move: p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms, longest {times[-1]:.1f} ms")
    print(f"errors: {len(errors)}", *sorted(set(errors))[:5], sep="\n")
    return min(len(errors), 1)


if __name__ == "__main__":
    sys.exit(main())
