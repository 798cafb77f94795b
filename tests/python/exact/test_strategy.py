"""Strategies: what tables make, and what the rules say of it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

import sarai
from sarai._cli import main

FEW = {"pieces": 3, "opening_removals": "none"}


@pytest.fixture(scope="module", params=[{}, {"placement_captures": True}])
def solved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> sarai.exact.Tables:
    """Three stones each, under several rule books, from the empty board."""
    game = sarai.make("shah", rules={**FEW, **request.param})
    folder = tmp_path_factory.mktemp("tables")
    sarai.exact.solve(game, (3, 3), folder, progress=False)
    return sarai.exact.solve(game, None, folder, placing=True, progress=False)


def written(tables: sarai.exact.Tables, path: Path) -> sarai.exact.Strategy | None:
    """The strategy of tables, or None where nobody can force a win."""
    if tables.value(tables.game.new_initial_state()).value == 0:
        with pytest.raises(ValueError, match="neither side can force a win"):
            sarai.exact.write_strategy(tables, path)
        return None
    return sarai.exact.write_strategy(tables, path)


def test_it_wins_as_the_tables_say(solved: sarai.exact.Tables, tmp_path: Path) -> None:
    path = tmp_path / "shah.strategy"
    strategy = written(solved, path)
    if strategy is None:
        return
    worth = solved.value(solved.game.new_initial_state())
    assert worth.turns is not None
    assert strategy.first == (worth.value == 1)
    # Both sides have a turn a level, and the winner has the last.
    assert len(strategy.levels) == (worth.turns + strategy.first) // 2
    for threads in (1, 2):
        assert sarai.exact.verify_strategy(path, num_threads=threads) == sarai.exact.verify_strategy(path)
    again = tmp_path / "again"
    sarai.exact.write_strategy(solved, again, cache_mb=1, num_threads=1)
    assert again.read_bytes() == path.read_bytes()
    checked = sarai.exact.verify_strategy(path)
    assert (checked.levels, checked.answers) == (strategy.levels, strategy.answers)


def test_rules_written_once_more_agree(tmp_path: Path) -> None:
    script = Path(__file__).parents[3] / "scripts" / "check_strategy.py"
    for pieces, begin in ((3, "first_mill"), (4, "first_player")):
        game = sarai.make("shah", pieces=pieces, begin=begin, opening_removals="none")
        folder = tmp_path / begin
        sarai.exact.solve(game, (pieces, pieces), folder, progress=False)
        tables = sarai.exact.solve(game, None, folder, placing=True, progress=False)
        strategy = sarai.exact.write_strategy(tables, folder / "strategy")
        checked = subprocess.run(
            [sys.executable, script, folder / "strategy"], capture_output=True, text=True, check=True
        )
        proved = f"{strategy.positions:,} positions, {strategy.answers:,} answers"
        assert checked.stdout.splitlines()[-1].endswith(proved)


def parts(data: bytes) -> tuple[dict[str, object], int]:
    """The header of a strategy's file, and where it ends."""
    length = int.from_bytes(data[15:19], "little")
    return json.loads(data[19 : 19 + length]), 19 + length


def signed(data: bytes) -> bytes:
    """The same with the digest that it should have."""
    return data[:-32] + hashlib.sha256(data[:-32]).digest()


def test_another_turn_is_found_out(tmp_path: Path) -> None:
    game = sarai.make("shah", rules=FEW)
    folder = tmp_path / "tables"
    sarai.exact.solve(game, (3, 3), folder, progress=False)
    tables = sarai.exact.solve(game, None, folder, placing=True, progress=False)
    path = tmp_path / "shah.strategy"
    strategy = sarai.exact.write_strategy(tables, path)
    data = path.read_bytes()
    _, body = parts(data)
    blocks, at = [], body
    while at < len(data) - 32:
        stored = int.from_bytes(data[at + 4 : at + 8], "little")
        blocks.append(bytearray(zlib.decompress(data[at + 8 : at + 8 + stored], -15)))
        at += 8 + stored
    assert len(blocks) == len(strategy.levels)

    def file_of(blocks: list[bytearray]) -> bytes:
        packed = bytearray(data[:body])
        for block in blocks:
            deflate = zlib.compressobj(9, wbits=-15)
            stored = deflate.compress(block) + deflate.flush()
            packed += len(block).to_bytes(4, "little") + len(stored).to_bytes(4, "little") + stored
        return signed(bytes(packed) + bytes(32))

    changed = tmp_path / "changed"
    changed.write_bytes(file_of(blocks))
    assert sarai.exact.verify_strategy(changed).levels == strategy.levels
    # A turn that is not the one of the tables leads elsewhere: to other positions, or to no win.
    dice = random.Random(1)
    refused = 0
    for _ in range(60):
        level = dice.randrange(len(blocks))
        place = dice.randrange(len(blocks[level]))
        kept = blocks[level][place]
        blocks[level][place] = (kept + 1 + dice.randrange(20)) % 24
        changed.write_bytes(file_of(blocks))
        blocks[level][place] = kept
        with contextlib.suppress(ValueError):
            # Another way to win, or one that a symmetry makes the same.
            assert sarai.exact.verify_strategy(changed).levels == strategy.levels
            continue
        with pytest.raises(ValueError, match="the strategy does not win"):
            sarai.exact.verify_strategy(changed)
        refused += 1
    assert refused > 40
    # A turn too few, and one too many.
    for wrong in (blocks[:-1], [*blocks, bytearray(b"\0")], [*blocks[:-1], blocks[-1] + b"\0"]):
        changed.write_bytes(file_of(list(wrong)))
        with pytest.raises(ValueError, match="the strategy does not win: its turns do not fit"):
            sarai.exact.verify_strategy(changed)


def test_what_is_no_strategy_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = sarai.make("shah", rules=FEW)
    folder = tmp_path / "tables"
    tables = sarai.exact.solve(game, (3, 3), folder, progress=False)
    path = tmp_path / "shah.strategy"
    with pytest.raises(ValueError, match="needs the tables of the turns before the moving phase"):
        sarai.exact.write_strategy(tables, path)
    assert main(["solve", "shah", "--option", "pieces=3", "--option", "opening_removals=none", "--placing", "--out",
                 str(folder), "--no-progress"]) == 0  # fmt: skip
    words = [
        "solve",
        "shah",
        "--option",
        "pieces=3",
        "--option",
        "opening_removals=none",
        "--out",
        str(folder),
    ]
    assert main([*words, "--strategy", str(path)]) == 0
    assert "The second player wins shah" in capsys.readouterr().out
    assert main(["verify-strategy", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["positions"] == sum(found["levels"])
    data = path.read_bytes()
    header, body = parts(data)
    wrong = tmp_path / "wrong"

    def of(header: dict[str, object]) -> bytes:
        text = json.dumps(header).encode()
        return signed(data[:15] + len(text).to_bytes(4, "little") + text + data[body:])

    fingerprint = header["of"]
    assert isinstance(fingerprint, dict)
    rules = fingerprint["rules"]
    cases = [
        (b"", "does not begin like one"),
        (data[:-1], "it has been changed"),
        (bytes(byte ^ (at == body + 9) for at, byte in enumerate(data)), "it has been changed"),
        (signed(data[:15] + b"\xff\xff\xff\xff" + data[19:]), "its header is too long"),
        (of({**header, "format": 2}), "another version"),
        (of({**header, "levels": [1 << 62] * 3}), "does not win: level 0 has"),
        (of({**header, "levels": []}), "its turns do not fit"),
        (of({**header, "first": True}), "does not win"),
        (of({**header, "of": {**fingerprint, "game": "chess"}}), "is of no game with such rules"),
        (
            of({**header, "of": {**fingerprint, "rules": {**rules, "pieces": "99"}}}),
            "is of no game with such rules",
        ),
        (of({**header, "of": {**fingerprint, "rules": {**rules, "begin": "first_player"}}}), "does not win"),
    ]
    for content, message in cases:
        wrong.write_bytes(content)
        with pytest.raises(ValueError, match=message):
            sarai.exact.verify_strategy(wrong)
    assert main(["verify-strategy", str(wrong)]) != 0
    with pytest.raises(ValueError, match="cannot be read"):
        sarai.exact.verify_strategy(tmp_path / "none")
    with pytest.raises(TypeError, match=r"tables must be sarai\.exact\.Tables"):
        sarai.exact.write_strategy("tables", path)  # type: ignore[arg-type]
