"""Other programs as agents: our own engine, and programs that fail in every way."""

from __future__ import annotations

import ast
import copy
import gc
import itertools
import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai
from helpers import night
from helpers.places import ROOT
from sarai import agents
from sarai.agents import External, ExternalError

ENGINE = [sys.executable, "-m", "sarai", "engine"]
GAMES = [
    "sho(preset=teams)",
    "shuanglu",
    "sho",
    "shah",
    "shah(preset=nine_mens_morris)",
    "tshupu",
    "shuanglu(preset=backgammon)",
]

HONEST = """
import sys
import sarai
game = sarai.make("shah")
state = None
def say(*words):
    print(*words, flush=True)
def answer():
    say("bestmove", state.action_to_string(state.legal_actions()[0]))
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "ugi":
        say("id name test"); say("ugiok")
    elif word == "isready":
        say("readyok")
    elif word == "position":
        state = game.parse(rest.removeprefix("fen "))
    elif word == "go":
        GO
    elif word == "quit":
        break
"""
"""A program that plays the first legal move of shah, or whatever stands in place of GO."""


def program(go: str = "answer()") -> list[str]:
    return [sys.executable, "-c", HONEST.replace("GO", go)]


def first(observations: Any, masks: Any) -> Any:
    return masks.argmax(1)


def start() -> sarai.State:
    return sarai.make("shah").new_initial_state()


@pytest.mark.parametrize("name", night.after(2, GAMES))
def test_our_two_ends_play_every_game_as_the_agent_itself_does(name: str) -> None:
    with External(ENGINE, options={"Agent": "greedy", "Seed": 1}) as external:
        found = sarai.rollout(name, external, 3, seed=1)
    due = sarai.rollout(name, "greedy", 3, seed=1)
    assert (found.returns == due.returns).all()
    assert (found.lengths == due.lengths).all()
    assert set(found.agents) == {str(external)}


def test_one_program_plays_one_game_after_another() -> None:
    with External([*ENGINE, "--agent", "greedy"]) as external:
        for name in ("shah", "shuanglu", "shah"):
            state = sarai.make(name).sample_states(num_games=1, seed=1)[0]
            assert external.choose(state) == sarai.choose(state, "greedy")


def test_the_words_after_go_limit_a_search() -> None:
    state = sarai.make("shah").sample_states(num_games=1, seed=1)[0]
    with External(ENGINE, options={"Agent": "alphabeta:7"}, go="depth 2") as external:
        assert external.choose(state) == sarai.choose(state, "alphabeta:2")


def test_it_is_an_agent_of_arenas_records_and_environments() -> None:
    with External(program()) as external:
        envs = [
            sarai.SingleAgentVectorEnv("shah", 2, opponents=opponent, seed=1)
            for opponent in (external, first)
        ]
        for env in envs:
            env.reset()
        theirs, due = (env.step(np.array([3, 5])) for env in envs)
        assert (theirs[0]["observation"] == due[0]["observation"]).all()
        found = sarai.arena("shah", {"first": first, "theirs": external}, 4, seed=1, random_plies=4)
        assert found.names == ("first", "theirs")
        assert (found.returns[0] == found.returns[1]).all()
        record = sarai.Record.play("shah", [external, "random"], seed=1)
        assert record.final_state.is_terminal()
        assert external.faults == []


@pytest.mark.parametrize("scoring", ["single", "gammon"])
def test_the_backgammon_interface_carries_whole_turns(scoring: str) -> None:
    game = sarai.make("shuanglu", preset="backgammon", scoring=scoring)
    command = [*ENGINE, "shuanglu", "--preset", "backgammon", "--agent", "greedy"]
    with External(command, "ubgi") as external:
        found = sarai.rollout(game, external, 3, seed=1)
        assert (found.returns == sarai.rollout(game, "greedy", 3, seed=1).returns).all()
        with pytest.raises(ValueError, match="plays shuanglu"):
            external.choose(start())


def test_a_whole_turn_may_be_the_answer() -> None:
    # The second move of the turn is asked for nowhere, so the program has no answer to it.
    go = 'say("bestmove", "24/18 13/11") if "dice=6,2" in rest_of else None'
    source = HONEST.replace('sarai.make("shah")', 'sarai.make("shuanglu(preset=backgammon)")')
    source = source.replace("GO", go).replace("state = game.parse(", "rest_of = rest; state = game.parse(")
    state = sarai.make("shuanglu", preset="backgammon").position(dice=(6, 2))
    with External([sys.executable, "-c", source]) as external:
        for name in ("24/18", "13/11"):
            action = external.choose(state)
            assert state.action_to_string(action) == name
            state.apply_action(action)


FAULTS = {
    "nonsense": ('say("bestmove", "mate")', "expected a legal move in the position .*'mate'"),
    "nothing": ('say("bestmove")', "expected a legal move"),
    "an illegal move": ('say("bestmove", "a1-a4")', "expected a legal move"),
    "a refusal": ('say("sorry", "no idea")', "expected a line 'bestmove', got 'sorry no idea'"),
    "death": ("sys.exit(3)", "exit status 3"),
    "a complaint": ('sys.exit("out of ideas")', "exit status 1; its stderr ends with 'out of ideas'"),
    "a crash": ("1 / 0", "ZeroDivisionError"),
    "no end of a line": ('say("x" * 10**6)', "a line of 65,536 bytes or more"),
    "closed pipes": (
        "import os, time; os.close(0); os.close(1); os.close(2); time.sleep(600)",
        "the end of its output",
    ),
    "no text": (
        "sys.stdout.buffer.write(bytes(range(128, 256)) + b'\\n'); say('bestmove x')",
        "expected a legal move",
    ),
}


@pytest.mark.parametrize("fault", night.after(6, [*FAULTS]))
def test_a_fault_names_the_command_and_what_was_expected(fault: str) -> None:
    go, message = FAULTS[fault]
    external = External(program(go))
    with pytest.raises(ExternalError, match=f"(?s){message}") as told:
        external.choose(start())
    assert sys.executable in str(told.value)
    with pytest.raises(ExternalError, match=f"(?s){message}"):
        sarai.rollout("shah", [external, "random"], 2, seed=1)
    assert_ended(external)


def assert_ended(external: External) -> None:
    assert external._talk is None


@pytest.mark.parametrize(
    "source",
    [
        "import time; time.sleep(600)",
        "while True: print('info x')",
        "while True: print('x', end='')",
        "input()",
    ],
)
def test_silence_and_noise_end_with_the_timeout(source: str) -> None:
    with (
        External([sys.executable, "-c", source], timeout=0.5) as external,
        pytest.raises(ExternalError, match="expected a line 'ugiok'"),
    ):
        external.choose(start())
    assert_ended(external)


def test_a_flooded_stderr_and_repeated_answers_do_no_harm() -> None:
    go = 'print("x" * 10**6, file=sys.stderr); answer(); say("bestmove mate"); say("info", "x" * 100)'
    with External(program(go)) as external:
        found = sarai.rollout("shah", [external, "random"], 1, seed=1)
    assert (found.returns == sarai.rollout("shah", [first, "random"], 1, seed=1).returns).all()


def test_a_program_that_is_not_there() -> None:
    for command in (["no-such-program"], [str(ROOT)]):
        with pytest.raises(ExternalError, match="expected a program that can be started"):
            sarai.arena("shah", {"a": External(command), "b": "random"}, 2)


@pytest.mark.skipif(os.name == "nt", reason="sessions and signals")
def test_whoever_keeps_the_pipes_open_keeps_nobody_waiting(tmp_path: Path) -> None:
    # A grandchild in a session of its own outlives its parent, with the same pipes.
    file = tmp_path / "pid"
    source = (
        "import subprocess, sys; "
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], start_new_session=True); "
        f"open({str(file)!r}, 'w').write(str(child.pid))"
    )
    try:
        with (
            External([sys.executable, "-c", source], timeout=5) as external,
            pytest.raises(ExternalError, match="ugiok"),
        ):
            external.choose(start())
        assert_ended(external)
    finally:
        if file.exists():
            os.kill(int(file.read_text()), 9)


@pytest.fixture
def pids(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that were started."""
    found: list[int] = []
    begin = subprocess.Popen.__init__

    def noted(self: Any, *words: Any, **options: Any) -> None:
        begin(self, *words, **options)
        found.append(self.pid)

    monkeypatch.setattr(subprocess.Popen, "__init__", noted)
    return found


def is_there(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("how", ["closed", "forgotten", "failed", "deaf"])
def test_a_program_is_always_reaped(how: str, pids: list[int]) -> None:
    go = {"failed": "sys.exit(1)", "deaf": "answer(); import time; time.sleep(600)"}.get(how, "answer()")
    external: External | None = External(program(go))
    assert external is not None
    with suppress(ExternalError):
        external.choose(start())
    if how == "forgotten":
        external = None
        gc.collect()
    elif how != "failed":
        external.close()
        external.close()
    (pid,) = pids
    # What has not been waited for would still be there.
    assert not is_there(pid)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_program_ends_with_python() -> None:
    source = (
        "import sarai\nfrom sarai.agents import External\n"
        f"external = External({program()!r})\n"
        'external.choose(sarai.make("shah").new_initial_state())\n'
        "print(external._talk._program._process.pid)"
    )
    said = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True)
    assert not is_there(int(said.stdout))
    assert said.stderr == ""


def test_an_arena_outlives_faults() -> None:
    # It fails at every tenth turn of the first player.
    external = External(program('sys.exit(1) if " turn=20 " in str(state) else answer()'))
    with external, pytest.warns(RuntimeWarning, match="exit status 1.*a random move is played$"):
        found = sarai.arena("shah", {"theirs": external, "luck": "random"}, 6, seed=1)
    assert found.num_games == 6
    assert 1 <= len(external.faults) <= 6
    assert all("expected a line 'bestmove'" in fault for fault in external.faults)


def test_an_arena_gives_a_program_up_that_always_fails(pids: list[int]) -> None:
    external = External(program('say("bestmove mate")'))
    with external, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = sarai.arena("shah", {"theirs": external, "luck": "random"}, 4, seed=1)
    assert found.num_games == 4
    assert len(external.faults) == len(told) == 10
    assert ["not asked again" in str(one.message) for one in told] == [False] * 9 + [True]
    assert len(pids) == 10


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        (["", ""], {}, ValueError),
        ([[]], {}, ValueError),
        ([["a\0b"]], {}, ValueError),
        (["'"], {}, ValueError),
        ([7], {}, TypeError),
        ([[7]], {}, TypeError),
        ([b"a"], {}, TypeError),
        (["a", "uci"], {}, ValueError),
        (["a", 7], {}, TypeError),
        (["a", "gnubg"], {"options": {"noise": 1}}, ValueError),
        (["a", "ubgi"], {"options": {"Agent": 1}}, ValueError),
        (["a"], {"options": {"Agent": "greedy\nquit"}}, ValueError),
        (["a"], {"go": "\n"}, ValueError),
        (["a"], {"go": None}, TypeError),
        (["a"], {"options": 7}, TypeError),
        (["a"], {"options": {"Agent": ["greedy"]}}, TypeError),
        ([itertools.repeat("a")], {}, ValueError),
        (["a", "gnubg"], {"go": "depth 2"}, ValueError),
        (["a"], {"timeout": 0}, ValueError),
        (["a"], {"timeout": float("nan")}, ValueError),
        (["a"], {"timeout": "1"}, TypeError),
    ],
)
def test_wrong_arguments_are_refused_before_anything_starts(
    arguments: list[Any], options: dict[str, Any], error: type[Exception], pids: list[int]
) -> None:
    with pytest.raises(error):
        External(*arguments, **options)
    assert pids == []


def test_options_that_the_program_does_not_list() -> None:
    for command, known in ((ENGINE, "Game, Agent, Seed"), (program(), "none")):
        with (
            External(command, options={"Hash": 1}) as external,
            pytest.raises(ValueError, match=f"options has 'Hash'.*{known}"),
        ):
            external.choose(start())


NAMES = [
    "external",
    "External",
    "external:touch {}",
    "external:touch",
    "sarai:touch {}",
    "gnubg",
    "engine:touch {}",
]


@pytest.fixture
def nothing_starts() -> Iterator[None]:
    """Let nothing start a process."""
    started: list[Any] = []
    sys.addaudithook(
        lambda event, given: started.append(given) if event in _STARTS and is_on else None  # type: ignore[func-returns-value]
    )
    is_on = True
    yield
    is_on = False
    assert started == []


_STARTS = {
    "subprocess.Popen",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "os.fork",
    "os.startfile",
}


@pytest.mark.usefixtures("nothing_starts")
def test_no_name_leads_to_a_program(tmp_path: Path) -> None:
    from sarai import _core

    for name in [name.format(tmp_path / "made") for name in NAMES]:
        refused: list[Any] = [
            lambda name=name: agents.parse(name),
            lambda name=name: agents.EngineAgent(name),
            lambda name=name: agents.Epsilon(name, 0.1),
            lambda name=name: agents.Mixture({name: 1, "random": 1}),
            lambda name=name: sarai.rollout("shah", name, 1),
            lambda name=name: sarai.choose(start(), name),
            lambda name=name: sarai.arena("shah", [name, "random"], 2),
            lambda name=name: sarai.Record.play("shah", name),
            lambda name=name: _core.Session(sarai.make("shah"), seats=["human", name]),
            lambda name=name: sarai.SingleAgentVectorEnv("shah", 1, opponents=agents.Pool([name])),
            lambda name=name: sarai.SingleAgentVectorEnv(
                "shah",
                1,
                opponents=agents.Pool.from_json({"members": [name], "weights": [1], "names": [name]}),
            ),
        ]
        for call in refused:
            with pytest.raises(ValueError, match=r"agent|seat|human"):
                call()
    assert not (tmp_path / "made").exists()


def test_no_file_of_ours_leads_to_a_program(tmp_path: Path, pids: list[int]) -> None:
    with External([sys.executable, "-c", HONEST.replace("GO", "answer()"), "secret"]) as external:
        result = sarai.rollout("shah", [external, "random"], 2, seed=1)
        arena = sarai.arena("shah", [external, "random"], 2, seed=1, keep=[0])
        record = sarai.Record.play("shah", [external, "random"], seed=1)
        for duplicate in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match="cannot be pickled"):
                duplicate(external)
        with pytest.raises(TypeError, match="cannot be pickled"):
            pickle.dumps(agents.Pool([external]))
    started = len(pids)
    texts = [record.to_json(), repr(result), repr(arena), pickle.dumps(result).decode("latin-1")]
    result.save(tmp_path / "rollout.npz")
    arena.save(tmp_path / "arena.npz")
    texts += [file.read_bytes().decode("latin-1") for file in tmp_path.iterdir()]
    assert not any("secret" in text or "import sys" in text for text in texts)
    assert pickle.loads(pickle.dumps(result)) == result
    assert sarai.load(tmp_path / "rollout.npz") == result
    again = sarai.Record.from_json(record.to_json())
    assert str(external) in again.agents
    with pytest.raises(ValueError, match="unknown agent"):
        sarai.rollout("shah", list(again.agents), 1)
    assert len(pids) == started


def test_only_one_module_starts_programs() -> None:
    starting = {"subprocess", "pty", "pexpect"}
    calls = {
        "system",
        "popen",
        "posix_spawn",
        "posix_spawnp",
        "execv",
        "execvp",
        "execve",
        "startfile",
        "fork",
    }
    found = set()
    for path in (ROOT / "python/sarai").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import) and starting & {name.name for name in node.names}:
                found.add(path.name)
            if isinstance(node, ast.ImportFrom) and node.module in starting:
                found.add(path.name)
            if isinstance(node, ast.Attribute) and node.attr in calls:
                found.add(path.name)
    # The other one quotes a word for a shell.
    assert found == {"external.py", "hints.py"}
    # And only its class is a way there, which nothing in the package makes.
    makers = [
        path.name
        for path in (ROOT / "python/sarai").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "External"
    ]
    assert makers == []
