"""The page over HTTP: what it answers, and each thing that it refuses, by real requests to a real server."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator

import pytest

from helpers.web_server import PATIENCE, Site, running
from sarai._web.guard import HEADERS, MOST_BYTES
from sarai._web.hub import Hub
from sarai._web.server import _HANDS, TOKEN

ENDLESS = "alphabeta:8"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running() as found:
        yield found


def listening(site: Site, token: str) -> bytes:
    """The request of a page that waits for changes."""
    return f"GET /api/changes HTTP/1.1\r\nHost: {site.host}\r\n{TOKEN}: {token}\r\n\r\n".encode()


@pytest.mark.parametrize(
    "path",
    ["/", "/board.js", "/board.css", "/editor.js", "/page.js", "/page.css", "/icon.svg", "/favicon.ico"],
)
def test_the_page_and_its_files(site: Site, path: str) -> None:
    status, headers, body = site.ask("GET", path)
    assert status == 200
    assert body
    assert {name: headers[name] for name in HEADERS} == HEADERS
    # Nothing is fetched from elsewhere, and nothing needs what the policy forbids.
    assert set(re.findall(rb"https?://[^\"' )]+", body)) <= {b"http://www.w3.org/2000/svg"}
    if path == "/":
        assert b"<style" not in body
        assert not re.search(rb"<script(?![^>]*src=)|\son\w+=|style=", body)


def test_the_policy_lets_in_nothing_from_elsewhere() -> None:
    policy = dict(part.strip().split(" ", 1) for part in HEADERS["content-security-policy"].split(";"))
    assert policy.pop("default-src") == "'none'"
    assert {word for value in policy.values() for word in value.split()} == {"'none'", "'self'", "data:"}


def test_changes_come_by_themselves(site: Site) -> None:
    token = site.begin()
    site.do(token, {"do": "new", "game": "shah", "seats": ["person", "greedy"], "seed": 1})
    with site.connect() as connection:
        connection.sendall(listening(site, token))
        text = ""
        while "event-stream" not in text or "data: " not in text:
            text += connection.recv(65536).decode()
        site.do(token, {"do": "play", "action": 4})
        while '"length":2' not in text:
            piece = connection.recv(65536).decode()
            assert piece
            text += piece


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1:", "127.0.0.1:1x", "127.0.0.1.evil.example:{port}", "",
     "[::2]:{port}", "localhost:{port}@evil.example", "127.0.0.1:{port} ", "10.0.0.1:{port}", "[::1]:1:1"],
)  # fmt: skip
def test_another_host_is_refused(site: Site, host: str) -> None:
    given = host.format(port=site.port)
    for method, path, body in (("GET", "/", None), ("POST", "/api/session", "{}")):
        sent = {"Host": given, "Content-Type": "application/json"}
        status, headers, answer = site.ask(method, path, body, sent)
        if given.strip() == site.host:  # blanks around a header's value are none of it
            assert status == 200
            continue
        assert status == 421
        assert "address that it has printed" in json.loads(answer)["error"]
        assert headers["content-security-policy"]


def test_localhost_is_this_machine(site: Site) -> None:
    assert site.ask("GET", "/", headers={"Host": f"localhost:{site.port}"})[0] == 200
    assert site.ask("GET", "/", headers={"Host": f"LOCALHOST:{site.port}"})[0] == 200
    # A tunnel or a container has a port of its own.
    for host in ("localhost:9123", "127.0.0.1:1", "[::1]:9123", "localhost"):
        assert site.ask("GET", "/", headers={"Host": host})[0] == 200
        headers = {"Host": host, "Origin": f"http://{host}", "Content-Type": "application/json"}
        assert site.ask("POST", "/api/session", "{}", headers)[0] == 200


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1", "http://localhost:{port}",
     "http://127.0.0.1:{port}.evil.example", ""],
)  # fmt: skip
def test_another_origin_is_refused(site: Site, origin: str) -> None:
    token = site.begin()
    given = {"Origin": origin.format(port=site.port)}
    for path, body in (("/api/session", {}), ("/api/command", {"do": "undo"})):
        status, told = site.post(path, body, given, token)
        assert status == 403
        assert "another site" in told["error"]


def test_the_own_origin_is_not(site: Site) -> None:
    assert site.post("/api/session", {}, {"Origin": f"http://{site.host}"})[0] == 200
    assert site.post("/api/session", {}, {"Sec-Fetch-Site": "same-origin"})[0] == 200


@pytest.mark.parametrize("where", ["cross-site", "same-site", "none"])
def test_what_a_browser_calls_foreign_is_refused(site: Site, where: str) -> None:
    assert site.post("/api/session", {}, {"Sec-Fetch-Site": where})[0] == 403
    # A link to the page may stand anywhere.
    assert site.ask("GET", "/", headers={"Sec-Fetch-Site": where})[0] == 200


def test_no_answer_lets_another_site_read_it(site: Site) -> None:
    for headers in ({}, {"Origin": "http://evil.example"}):
        _, told, _ = site.ask("OPTIONS", "/api/command", headers=headers)
        assert not [name for name in told if name.startswith("access-control")]


def test_without_a_token_nothing_is_done(site: Site) -> None:
    status, told = site.post("/api/command", {"do": "undo"})
    assert status == 401
    assert "open the page" in told["error"]
    assert site.ask("GET", "/api/changes")[0] == 401


def test_tokens_cannot_be_guessed(site: Site) -> None:
    tokens = {site.begin() for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) >= 43 for token in tokens)


def test_one_session_does_not_see_another(site: Site) -> None:
    one, two = site.begin(), site.begin()
    site.do(one, {"do": "new", "game": "shah", "seats": ["person", "person"]})
    site.do(two, {"do": "new", "game": "sho", "seats": ["person"] * 3})
    site.do(one, {"do": "play", "action": 4})
    assert site.do(two, {"do": "undo"})[1]["game"] == "sho"
    assert site.do(one, {"do": "go", "to": 1})[1]["length"] == 1


def test_a_body_without_an_end_is_cut_while_it_is_read(site: Site) -> None:
    piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
    sent = 0
    with site.connect() as connection:
        connection.sendall(
            f"POST /api/session HTTP/1.1\r\nHost: {site.host}\r\nContent-Type: application/json\r\n"
            "Transfer-Encoding: chunked\r\n\r\n".encode()
        )
        try:
            while sent < 100 * 2**20:
                connection.sendall(piece)
                sent += len(piece)
        except (ConnectionError, TimeoutError):
            pass
    # What lies in buffers on the way was taken by nobody.
    assert sent < 20 * MOST_BYTES


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"nonsense", b"\xff\xfe", b'{"do": "undo"', b'{"do": "undo", "do": "new"}', b'{"do": NaN}',
     b"[" * 200_000, b'{"a":' * 100_000, b"\x00", b"1" * 100_000],
)  # fmt: skip
def test_what_is_no_json_is_refused_with_a_sentence(site: Site, body: bytes) -> None:
    token = site.begin()
    status, told = site.post("/api/command", body, token=token)
    assert status in (400, 422)
    assert 10 < len(told["error"]) < 1000
    assert site.do(token, {"do": "catalogue"})[0] == 200


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_forms_of_other_pages_are_refused(site: Site, kind: str) -> None:
    status, told = site.post("/api/command", {"do": "undo"}, {"Content-Type": kind}, site.begin())
    assert status == 415
    assert "application/json" in told["error"]


PATHS = ["/../../etc/passwd", "/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
         "/static/../server.py", "/board.js/", "/board.js%00.html", "/./board.js", "/index.html", "/BOARD.JS", "/api",
         "/api/", "/api/session/", "/\\..\\..\\windows\\win.ini", "/server.py", "/.git/config"]  # fmt: skip
POST = "POST /api/session HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: "
GET = "GET /api/changes HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n" + TOKEN

# What is sent, and what is answered: a status, and words after it.
RAW: list[tuple[str | bytes, str, bytes]] = [
    ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "400 421", b""),
    ("GET / HTTP/1.1\r\nHost: {host}\r\nHost: evil.example\r\nConnection: close\r\n\r\n", "400 421", b""),
    *(
        (f"{GET}: {guess}\r\n\r\n", "410", b"does not know this game")
        for guess in ("a", "../x", "0" * 43, "é", "' OR 1=1", "x" * 5000)
    ),
    (f"{POST}100000000\r\n\r\nX", "413", b"larger than"),
    *((f"{POST}{length}\r\n\r\nX", "400 413", b"") for length in ("-1", "1e3", "x", "9" * 20)),
    *(
        (f"GET {path} HTTP/1.1\r\nHost: {{host}}\r\nConnection: close\r\n\r\n", "404 400", b"")
        for path in PATHS
    ),
    *(
        (f"{method} {path} HTTP/1.1\r\nHost: {{host}}\r\nConnection: close\r\n\r\n", "405 404 400", b"")
        for method in ("PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "CONNECT")
        for path in ("/", "/api/command")
    ),
    ("\r\n\r\n\r\n", "400", b""),
    ("GET\r\n\r\n", "400", b""),
    (b"\x16\x03\x01\x02\x00\x01", "400", b""),
    ("GET / HTTP/x\r\n\r\n", "400", b""),
    (f"GET /{'a' * 100_000} HTTP/1.1\r\n\r\n", "400 431", b""),
]


@pytest.mark.parametrize(("sent", "statuses", "says"), RAW, ids=lambda value: repr(value)[:50])
def test_what_no_page_sends_is_refused(site: Site, sent: str | bytes, statuses: str, says: bytes) -> None:
    data = sent if isinstance(sent, bytes) else sent.replace("{host}", site.host).encode()
    try:
        answer = site.raw(data)
    except ConnectionError:
        assert not says
        return
    # To what is no request at all there may be no answer.
    assert answer or statuses.startswith("400")
    assert not answer or answer.split(b" ", 2)[1].decode() in statuses.split()
    assert says in answer
    assert b"root:" not in answer


def test_illegal_moves_and_moves_of_others_change_nothing(site: Site) -> None:
    token = site.begin()
    _, before = site.do(token, {"do": "new", "game": "shah", "seats": ["person", "person"], "seed": 1})
    for move in ({"action": 135}, {"action": 9999}, {"action": before["moves"][0]["action"], "seat": 1}):
        status, told = site.do(token, {"do": "play", **move})
        assert status == 422
        assert told["error"]
        assert told["position"] == before["position"]
    status, told = site.do(token, {"do": "new", "game": "shah", "seats": [ENDLESS, "person"], "seed": 1})
    assert status == 200
    status, told = site.do(token, {"do": "play", "action": 4, "seat": 0})
    assert status == 422
    assert site.do(token, {"do": "stop"})[0] == 200


def test_agents_that_read_files_are_refused(site: Site) -> None:
    for agent in ("net:/etc/passwd", "perfect:tables=/etc", "mcts:100000"):
        status, told = site.do(site.begin(), {"do": "new", "game": "shah", "seats": ["person", agent]})
        assert status == 422
        assert "cannot play here" in told["error"]


@pytest.mark.parametrize("sessions", [30, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_many_sessions_take_the_room_of_a_few_and_the_oldest_is_told(sessions: int) -> None:
    hub = Hub(most=5, pace=0)
    with running(hub) as site:
        first = site.begin()
        kept = site.begin()
        with site.connect() as connection:
            # Whoever looks at a game keeps it.
            connection.sendall(listening(site, kept))
            assert connection.recv(10)
            for _ in range(20):
                site.begin()
            for _ in range(sessions - 20):
                hub.open()
            assert len(hub) == 5
            assert site.do(kept, {"do": "undo"})[0] == 422
            status, told = site.do(first, {"do": "undo"})
            assert status == 410
            assert "does not know this game" in told["error"]


def test_where_every_session_is_in_use_there_is_no_other() -> None:
    with running(Hub(most=1, pace=0)) as site:
        token = site.begin()
        with site.connect() as connection:
            connection.sendall(listening(site, token))
            assert connection.recv(10)
            status, told = site.post("/api/session", {})
            assert status == 503
            assert told["error"].startswith("1 games are being played on this server")


def test_too_many_pages_of_one_game() -> None:
    with running() as site:
        token = site.begin()
        open_ones: list[socket.socket] = []
        for _ in range(8):
            connection = site.connect()
            connection.sendall(listening(site, token))
            assert b"200" in connection.recv(15)
            open_ones.append(connection)
        assert site.ask("GET", "/api/changes", headers={TOKEN: token})[0] == 503
        for connection in open_ones:
            connection.close()


def test_many_who_ask_at_once_are_served_by_few_threads() -> None:
    # An allocator keeps memory for every thread that has drawn a board.
    def workers() -> set[threading.Thread]:
        return {thread for thread in threading.enumerate() if thread.name.startswith("AnyIO worker")}

    with running() as site:
        others = workers()
        tokens = [site.begin() for _ in range(20)]
        sessions = [site.hub.find(token).session for token in tokens]
        for session in sessions:
            session.lock.acquire()
        try:
            waiting = [
                threading.Thread(target=site.do, args=(token, {"do": "theme", "theme": "dark"}))
                for token in tokens
            ]
            for thread in waiting:
                thread.start()
            while len(workers() - others) < _HANDS:
                assert site.ask("GET", "/")[0] == 200
            # The server has seen some more of them meanwhile.
            for _ in range(20):
                assert site.ask("GET", "/")[0] == 200
            assert len(workers() - others) == _HANDS
        finally:
            for session in sessions:
                session.lock.release()
        for thread in waiting:
            thread.join(PATIENCE)
        assert all(session.snapshot()["theme"] == "dark" for session in sessions)


def test_a_server_with_pages_open_ends() -> None:
    with running() as site:
        token = site.begin()
        connection = site.connect()
        connection.sendall(listening(site, token))
        assert connection.recv(10)
        site.do(token, {"do": "new", "game": "shah", "seats": [ENDLESS, ENDLESS]})
    # The server has ended, and with it the stream.
    while connection.recv(65536):
        pass
    connection.close()


def test_a_server_for_the_network_answers_to_its_names() -> None:
    with running(host="0.0.0.0") as site:
        for name in (
            f"192.0.2.7:{site.port}",
            f"{socket.gethostname()}:{site.port}",
            f"localhost:{site.port}",
        ):
            assert site.ask("GET", "/", headers={"Host": name})[0] == 200
        assert site.ask("GET", "/", headers={"Host": f"evil.example:{site.port}"})[0] == 421
