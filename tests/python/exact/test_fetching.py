"""Publishing tables, and fetching them from folders and servers, of which some lie."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

import sarai
from helpers.file_server import FileServer, dying, redirecting, send, serving
from helpers.folders import content, pairs_of_shah
from helpers.places import ROOT
from helpers.refusals import refused
from sarai._base.lock import locked
from sarai._cli import main
from sarai._exact import manifest, solving, sources
from sarai._exact.tables import SHIPPED

FIRST = "shah-3-3.exact"
FEW = sarai.make("shah", pieces=3, opening_removals="none")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tables of the package, with a manifest and a card."""
    folder = tmp_path_factory.mktemp("made") / "published"
    pairs_of_shah(folder)
    sarai.exact.manifest(folder, progress=False)
    return folder


@pytest.fixture
def published(made: Path, tmp_path: Path) -> Path:
    """The same, for a test to change."""
    return shutil.copytree(made, tmp_path / "published")


@pytest.fixture
def server(published: Path) -> Iterator[FileServer]:
    with serving(published) as served:
        yield served


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of a rule book of three stones, with the turns before the moving phase."""
    folder = tmp_path_factory.mktemp("few")
    sarai.exact.solve(FEW, (3, 3), folder, progress=False)
    sarai.exact.solve(FEW, None, folder, placing=True, progress=False)
    sarai.exact.manifest(folder, progress=False)
    return folder


def fetch(source: str | Path, out: Path, game: Any = "shah", **options: Any) -> sarai.exact.Tables:
    return sarai.exact.fetch(game, source, out, progress=False, **options)


def tables(folder: Path) -> dict[str, bytes]:
    """The tables of a folder."""
    return {name: data for name, data in content(folder).items() if name.endswith(".exact")}


def rewrite(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change a manifest."""
    told = json.loads((folder / manifest.FILE).read_text(encoding="utf-8"))
    change(told)
    (folder / manifest.FILE).write_text(json.dumps(told), encoding="utf-8")


def test_a_manifest_has_every_table(published: Path) -> None:
    told = json.loads((published / "manifest.json").read_text(encoding="utf-8"))
    assert (told["format"], told["version"], told["moving"]["game"]) == ("sarai.exact", 1, "shah")
    found = {file["name"]: (file["bytes"], file["sha256"]) for file in told["files"]}
    assert found == {
        name: (len(data), hashlib.sha256(data).hexdigest()) for name, data in tables(published).items()
    }
    before = content(published)
    (published / "shah-5-5.exact.part").write_bytes(b"unfinished")
    made = sarai.exact.manifest(published, progress=False)
    assert before.items() <= content(published).items()
    assert made.bytes == sum(size for size, _ in found.values())
    assert made.placing is None


def test_a_card_says_what_the_tables_are(published: Path, few: Path) -> None:
    card = (published / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\n# Choose a license")
    assert "| 3 | 3 | 2,691,920 | 1,442,044 | 635,752 | 614,124 | 39 |" in card
    for data in (*tables(published).values(), (published / "manifest.json").read_bytes()):
        assert hashlib.sha256(data).hexdigest() in card
    assert "turns before" not in card
    # It is not written over what a person may have edited.
    (published / "README.md").write_text("mine", encoding="utf-8")
    before = content(published)
    with pytest.raises(ValueError, match=r"README\.md exists"):
        sarai.exact.manifest(published, license_id="cc-by-4.0", progress=False)
    assert content(published) == before
    (published / "README.md").unlink()
    sarai.exact.manifest(published, license_id="cc-by-4.0", progress=False)
    assert (published / "README.md").read_text(encoding="utf-8").startswith("---\nlicense: cc-by-4.0\n")
    card = (few / "README.md").read_text(encoding="utf-8")
    assert "`pieces=3`" in card
    assert "| 0 | 0 | 0 | 1 | 0 | 1 | 0 | 0 |" in card
    title = json.loads(next(line for line in citation() if line.startswith("title:")).removeprefix("title:"))
    assert f"title = {{{title}}}," in card


def citation() -> list[str]:
    return (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()


def test_what_is_no_folder_of_tables_gets_no_manifest(published: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (published / "manifest.json").unlink()
    for folder, problem in ((tmp_path / "empty", "has no tables"), (tmp_path / "nowhere", "no folder")):
        with pytest.raises(ValueError, match=problem):
            sarai.exact.manifest(folder)
    shutil.copy(published / FIRST, published / "shah-2-3.exact")
    with pytest.raises(ValueError, match=r"shah-2-3\.exact is no table"):
        sarai.exact.manifest(published, progress=False)
    (published / "shah-2-3.exact").unlink()
    shutil.copy(published / FIRST, published / "shah-5-5.exact")
    with pytest.raises(ValueError, match=r"shah-5-5\.exact is no sound table"):
        sarai.exact.manifest(published, progress=False)
    (published / "shah-5-5.exact").unlink()
    damaged = bytearray((published / FIRST).read_bytes())
    damaged[-1] ^= 1
    (published / FIRST).write_bytes(damaged)
    with pytest.raises(ValueError, match="has been changed"):
        sarai.exact.manifest(published, progress=False)
    assert not (published / "manifest.json").exists()


@pytest.mark.parametrize("remote", [True, False], ids=["server", "folder"])
def test_what_is_fetched_is_what_was_published(server: FileServer, tmp_path: Path, remote: bool) -> None:
    source, out = (server.address if remote else server.folder), tmp_path / "out"
    events: list[dict[str, Any]] = []
    counted: list[int] = []
    part = sarai.exact.fetch("shah", source, out, stones=(3, 4), progress=counted.append, tell=events.append)
    assert [row[:2] for row in part.summary()] == [(3, 3), (3, 4), (4, 3)]
    assert [event["event"] for event in events] == ["planned", *["begun", "done"] * 3]
    assert counted == sorted(counted)
    assert counted[-1] == events[0]["bytes"] == sum(map(len, tables(out).values()))
    events.clear()
    whole = fetch(source, out, tell=events.append)
    assert [event["event"] for event in events] == ["planned", *["found"] * 3, "begun", "done"]
    assert content(out) == {".lock": b"", **tables(server.folder)}
    assert whole.value(whole.longest_win((4, 4))).turns == 71
    # Once more, of which nothing is fetched.
    server.asked.clear()
    fetch(source, out)
    assert server.asked == [("manifest.json", None)] * remote


def test_the_turns_before_the_moving_phase(few: Path, tmp_path: Path) -> None:
    found = fetch(few, tmp_path / "all", FEW)
    assert tables(tmp_path / "all") == tables(few)
    assert found.covers(FEW.new_initial_state())
    fetch(few, tmp_path / "moving", FEW, placing=False)
    fetch(few, tmp_path / "stones", FEW, stones=(3, 3))
    assert tables(tmp_path / "moving").keys() == tables(tmp_path / "stones").keys() == {FIRST}
    fetch(few, tmp_path / "stones", FEW, stones=(3, 3), placing=True)
    assert tables(tmp_path / "stones") == tables(few)
    # Their values depend on more rules than those of the moving phase.
    with pytest.raises(ValueError, match=r"turns before .* 'opening_removals=none', not both"):
        fetch(few, tmp_path / "other")
    fetch(few, tmp_path / "other", placing=False)
    assert tables(tmp_path / "other").keys() == {FIRST}
    with pytest.raises(ValueError, match="lacks 3 tables of these stones, the first for 3 against 4"):
        fetch(few, tmp_path / "other", stones=(4, 4))


@pytest.mark.parametrize("ranges", [True, False])
def test_a_connection_that_breaks_off(server: FileServer, tmp_path: Path, ranges: bool) -> None:
    out = tmp_path / "out"
    server.ranges = ranges
    server.answers["shah-4-4.exact"] = dying(700_000)
    with pytest.raises(OSError, match=r"broke off.*repeat"):
        fetch(server.address, out)
    # Whole files are in place, and what is not whole has another name.
    assert tables(out).keys() == tables(server.folder).keys() - {"shah-4-4.exact"}
    (part,) = out.glob(".*.part")
    assert part.read_bytes() == (server.folder / "shah-4-4.exact").read_bytes()[:700_000]
    server.answers.clear()
    server.asked.clear()
    fetch(server.address, out)
    assert server.asked == [("manifest.json", None), ("shah-4-4.exact", "bytes=700000-")]
    assert content(out) == {".lock": b"", **tables(server.folder)}


@pytest.mark.parametrize("left", ["changed", "too long", "whole", "other range", "refused"])
def test_a_part_of_a_file(server: FileServer, tmp_path: Path, left: str) -> None:
    out = tmp_path / "out"
    server.answers[FIRST] = dying(50_000)
    with pytest.raises(OSError, match="broke off"):
        fetch(server.address, out, stones=(3, 3))
    server.answers.clear()
    (part,) = out.glob(".*.part")
    if left == "changed":
        part.write_bytes(bytes(50_000))
    elif left == "too long":
        part.write_bytes(bytes(100_000))
    elif left == "whole":
        shutil.copy(server.folder / FIRST, part)

    def answer(handler: BaseHTTPRequestHandler, data: bytes) -> None:
        if handler.headers["Range"] is None:
            send(handler, data)
        elif left == "refused":
            handler.send_error(416)
        else:
            handler.send_response(206)
            handler.send_header("Content-Range", f"bytes 0-{len(data) - 1}/{len(data)}")
            handler.end_headers()
            handler.wfile.write(data)

    if left in ("other range", "refused"):
        server.answers[FIRST] = answer
    fetch(server.address, out, stones=(3, 3))
    assert content(out) == {".lock": b"", FIRST: (server.folder / FIRST).read_bytes()}


def test_a_fetch_that_is_killed(server: FileServer, tmp_path: Path) -> None:
    out = tmp_path / "out"

    def kill(handler: BaseHTTPRequestHandler, data: bytes) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data[:600_000])
        handler.wfile.flush()
        running.kill()
        running.wait()

    server.answers["shah-4-4.exact"] = kill
    words = ["exact", "fetch", "shah", "--from", server.address, "--out", os.fspath(out), "--no-progress"]
    running = subprocess.Popen([sys.executable, "-m", "sarai", *words])
    assert running.wait(60) != 0
    assert tables(out).keys() == tables(server.folder).keys() - {"shah-4-4.exact"}
    server.answers.clear()
    assert main(words) == 0
    assert content(out) == {".lock": b"", **tables(server.folder)}


def too_much(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(data + b"more")


def other_bytes(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    send(handler, data[:-1] + b"x")


def other_length(handler: BaseHTTPRequestHandler, data: bytes) -> None:
    send(handler, data + b"more")


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (too_much, "size and SHA-256"),
        (other_bytes, "size and SHA-256"),
        (other_length, "has 67,558 bytes, and its manifest says 67,554"),
    ],
)
def test_a_server_that_sends_something_else(
    server: FileServer, tmp_path: Path, answer: Callable[..., None], problem: str
) -> None:
    out = tmp_path / "out"
    fetch(server.address, out)
    (out / FIRST).unlink()
    before = content(out)
    server.answers[FIRST] = answer
    with pytest.raises(ValueError, match=problem):
        fetch(server.address, out)
    assert content(out) == before


def test_a_table_under_the_name_of_another(published: Path, tmp_path: Path) -> None:
    shutil.copy(published / "shah-3-4.exact", published / FIRST)
    data = (published / FIRST).read_bytes()

    def change(told: dict[str, Any]) -> None:
        told["files"][0] |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}

    rewrite(published, change)
    with pytest.raises(ValueError, match="is another table"):
        fetch(published, tmp_path / "out")
    (published / FIRST).write_bytes(bytes(len(data)))
    data = bytes(len(data))
    rewrite(published, change)
    with pytest.raises(ValueError, match="is another table"):
        fetch(published, tmp_path / "out")
    assert content(tmp_path / "out") == {".lock": b""}


def test_a_file_that_is_there_already_stays(published: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    shutil.copytree(SHIPPED / "nine_mens_morris", out)
    before = content(out)
    with pytest.raises(ValueError, match=r"shah-3-3\.exact is another file"):
        fetch(published, out)
    assert content(out) == {".lock": b"", **before}
    shutil.rmtree(out)
    fetch(published, out)
    damaged = bytearray((out / FIRST).read_bytes())
    damaged[-1] ^= 1
    (out / FIRST).write_bytes(damaged)
    with pytest.raises(ValueError, match=r"shah-3-3\.exact is another file"):
        fetch(published, out)
    assert (out / FIRST).read_bytes() == damaged


@pytest.mark.parametrize(
    ("place", "value", "problem"),
    [
        ("format", "sarai.dataset", "does not say that it is one"),
        ("version", 2, "version 2"),
        ("version", True, "version True"),
        ("moving", None, "which game and rules"),
        ("moving", {"game": "shah", "numbering": 1, "rules": {"flying": False}}, "which game and rules"),
        ("moving", {"game": "sho", "numbering": 1, "rules": {}}, "tables are called like sho"),
        ("files", {}, "no list"),
        ("files", [], "no tables of the moving phase"),
        ("files", [7], "file 0 is not described"),
        *(
            ("name", name, "tables are called like shah-4-3.exact")
            for name in (
                *("../shah-3-3.exact", "/tmp/shah-3-3.exact", "a/shah-3-3.exact", "..\\shah-3-3.exact"),
                *("shah-3-3.exact\0", "shah-3-3.exact\n", "Shah-3-3.exact", "shah-03-3.exact", "README.md"),
                *("sho-3-3.exact", "shah-3-3.exact.part", ".lock", "", "shah-٣-3.exact", "shah-3-3-3.exact"),
                *("x" * 100_000, None, 7, "shah-9999-3.exact"),
            )
        ),
        ("name", "shah-4-4.exact", "names a file twice"),
        ("name", "shah-turn-0-0-0.exact", "turns before the moving phase"),
        *(("bytes", size, "a table has 1 to") for size in (-1, 0, 2**63, 10**400, 1.5, "67554", True, None)),
        *(("sha256", digest, "no valid SHA-256") for digest in ("", "f" * 63, "F" * 64, "f" * 64 + "\n", 7)),
        ("more", 1, "not described"),
    ],
)
def test_a_manifest_that_lies(
    published: Path, tmp_path: Path, place: str, value: object, problem: str
) -> None:
    def change(told: dict[str, Any]) -> None:
        (told if place in told else told["files"][0])[place] = value

    rewrite(published, change)
    with pytest.raises(ValueError, match=problem) as refusal:
        fetch(published, tmp_path / "out")
    assert len(str(refusal.value)) < 1000
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (b"<html>", "no manifest"),
        (b"", "no manifest"),
        (b"\xff", "no manifest"),
        (b"[" * 500_000, "nested too deeply|no manifest"),
        (b'{"format": "sarai.exact", "format": "sarai.exact"}', "same key twice"),
        (b'{"format": NaN}', "not a JSON number"),
        (b'{"version": ' + b"9" * 10_000 + b"}", "no manifest"),
        (b" " * 2_000_000, "more than 1,048,576 bytes"),
        (b"[]", "does not say"),
    ],
)
def test_what_is_no_manifest(server: FileServer, tmp_path: Path, text: bytes, problem: str) -> None:
    (server.folder / "manifest.json").write_bytes(text)
    for source in (server.address, server.folder):
        with pytest.raises(ValueError, match=problem):
            fetch(source, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_another_game_or_other_rules(server: FileServer, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'sho'"):
        fetch(server.address, tmp_path / "out", "sho")
    assert server.asked == []
    for game in ("shah(preset=nine_mens_morris)", "shah(blocked=loses)"):
        with pytest.raises(ValueError, match="are of other rules: 'blocked=opponent_opens', not loses"):
            fetch(server.address, tmp_path / "out", game)

    def change(told: dict[str, Any]) -> None:
        told["moving"]["numbering"] = 9

    rewrite(server.folder, change)
    with pytest.raises(ValueError, match="numbering 9"):
        fetch(server.address, tmp_path / "out")
    assert {name for name, _ in server.asked} == {"manifest.json"}
    assert not (tmp_path / "out").exists()


def test_redirects(server: FileServer, tmp_path: Path) -> None:
    with serving(server.folder) as other:
        for name in ("manifest.json", *tables(server.folder)):
            other.answers[name] = redirecting(
                f"{server.address}/{name}?signed=1".replace(f"{name}?", f"{name}#")
            )
        fetch(other.address, tmp_path / "out")
        assert tables(tmp_path / "out") == tables(server.folder)
    secret = tmp_path / "secret"
    secret.write_text("{}", encoding="utf-8")
    for to in (secret.as_uri(), "ftp://127.0.0.1/x", "data:application/json,{}", "http://[", "gopher://x"):
        server.answers["manifest.json"] = redirecting(to)
        with pytest.raises(OSError, match="redirects to"):
            fetch(server.address, tmp_path / "new")
    server.answers["manifest.json"] = redirecting("manifest.json")
    with pytest.raises(OSError, match="more than 5 times"):
        fetch(server.address, tmp_path / "new")
    with pytest.raises(OSError, match="not allowed"):
        sources._redirected("https://a/m", "https://a/m", "http://a/m")
    assert not (tmp_path / "new").exists()


def test_servers_that_do_not_answer(
    server: FileServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raw(data: bytes) -> Callable[..., None]:
        return lambda handler, _: handler.wfile.write(data)

    def fail(status: int) -> Callable[..., None]:
        return lambda handler, _: handler.send_error(status)

    def wait(handler: BaseHTTPRequestHandler, _: bytes) -> None:
        handler.rfile.read(1)  # until the client has left

    monkeypatch.setattr(sources, "TIMEOUT", 0.2)
    for answer, problem in (
        (fail(404), "404, Not Found; give"),
        (fail(503), "503.*try again later"),
        (fail(204), "204"),
        (fail(206), "206"),
        (raw(b"\x1b]0;x\x07nonsense\r\n\r\n"), "cannot reach"),
        (raw(b""), "cannot reach"),
        (raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), "broke off"),
        (wait, "cannot reach.*timed out"),
    ):
        server.answers["manifest.json"] = answer
        with pytest.raises(OSError, match=problem):
            fetch(server.address, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with pytest.raises(OSError, match=r"manifest\.json"):
        fetch(tmp_path / "nowhere", tmp_path / "out")
    (tmp_path / "manifest.json").mkdir()
    with pytest.raises(OSError, match="no regular file"):
        fetch(tmp_path, tmp_path / "out")


def test_arguments(published: Path, tmp_path: Path) -> None:
    def call(**given: Any) -> object:
        return sarai.exact.fetch(**{"game": "shah", "source": published, "out": tmp_path / "out", **given})

    addresses = (
        *(
            "file:///etc",
            "ftp://x/y",
            "HTTP://",
            "http://",
            "http://a:b@c/d",
            "https://c/d?x",
            "https://c/d#x",
        ),
        *("https://c/\n", "https://c/ d", "https://ü/d", "http://[", "x" * 5000 + "://y"),
    )
    refused(
        call,
        {"source": addresses, "stones": [(0, 3), (300, 3)], "placing": [True]},
        {"stones": [3, (3,), "33"], "placing": [1], "tell": [7], "progress": [7]},
    )
    for wrong in (None, 7):
        for name in ("source", "out"):
            with pytest.raises(TypeError, match="a path must be"):
                call(**{name: wrong})
        with pytest.raises(TypeError, match="a path must be"):
            sarai.exact.manifest(wrong)  # type: ignore[arg-type]
    for identifier in ("", "a b", "x: y", "mit\n", "x" * 100):
        with pytest.raises(ValueError, match="license_id"):
            sarai.exact.manifest(published, license_id=identifier, progress=False)


def test_the_disk_and_the_lock(published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with locked(os.fspath(out)), pytest.raises(ValueError, match="another run"):
        fetch(published, out)
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(solving.shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
    with pytest.raises(OSError, match=r"this takes 1\.7 MB on the disk, and 1\.0 MB are free"):
        fetch(published, out)
    assert content(out) == {".lock": b""}
    # What is there needs no room.
    fetch(published, out, stones=(3, 4))
    monkeypatch.setattr(solving.shutil, "disk_usage", lambda _: usage._replace(free=1_200_000))
    fetch(published, out)


def test_the_commands(
    published: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["exact", "manifest", os.fspath(published), "--no-progress"]) == 0
    assert "4 tables, 1,710,338 bytes" in capsys.readouterr().out
    assert main(["exact", "manifest", os.fspath(published), "--no-progress", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["files"]) == 4
    words = ["exact", "fetch", "shah", "--from", os.fspath(published), "--out", os.fspath(out)]
    assert main([*words, "--stones", "3", "--json"]) == 0
    said = capsys.readouterr()
    assert len(json.loads(said.out)["tables"]) == 1
    assert said.err.splitlines() == ["1 table, 0.1 MB", "fetching shah-3-3.exact: 67,554 bytes"]
    assert main([*words, "--no-progress"]) == 0
    said = capsys.readouterr()
    assert "51,482,970" in said.out
    assert said.err == ""

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    for wrong, status, problem in (
        (["exact", "fetsh"], 2, "did you mean 'fetch'"),
        (["exact", "fetch", "shah", "--out", "x"], 2, "--from"),
        ([*words, "--stones", "x"], 2, "--stones takes"),
        ([*words, "--placing"], 2, "leave out placing"),
        ([*words[:4], os.fspath(tmp_path / "no"), *words[5:]], 1, "cannot read"),
        ([*words[:6], os.fspath(published / FIRST / "x")], 1, "cannot write"),
        (["exact", "manifest", os.fspath(tmp_path / "no")], 2, "no folder"),
    ):
        assert main(wrong) == status
        assert problem in capsys.readouterr().err
    monkeypatch.setattr("sarai._cli.exact.fetch", interrupt)
    assert main(words) == 130
    assert "run the same command again" in capsys.readouterr().err
    assert main(["exact"]) == 0
    assert "manifest" in capsys.readouterr().out
