"""`sarai.train`: what it learns, that it learns the same each time, and what it refuses."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.nightly_books import some_books
from helpers.refusals import refused
from nets.test_nets import arrays, some
from nets.test_policy import policy, with_values
from sarai import _cli as cli
from sarai import agents
from sarai._training import run
from sarai.training import CurvePoint


def trained(game: str | sarai.Game, games: int, **options: Any) -> sarai.nets.Net:
    return sarai.train(game, num_games=games, evaluations=0, progress=False, **options).net


GOLDEN = {
    "sho": "5fb0594f91deabd0",
    "shah": "7cc7acc43b77158d",
    "tshupu": "99909706cd9ab638",
    "shuanglu": "60740dea3e5c52b6",
}
"""SHA-256 of the weights and biases after 20 games."""

AHEAD = {"sho": "f8f2bc781ae6e716", "shuanglu": "d4793c56c99be860", "tshupu": "499d1e4413c7de2a"}
"""The same after 3 games with looking over all throws."""


def digest(net: sarai.nets.Net) -> str:
    found = hashlib.sha256()
    for layer in net.layers:
        found.update(layer.weights.tobytes() + layer.bias.tobytes())
    return found.hexdigest()[:16]


@pytest.mark.parametrize("name", GOLDEN)
def test_weights_are_those_of_every_machine(name: str) -> None:
    net = trained(name, 20, hidden=9, seed=1)
    assert digest(net) == GOLDEN[name]
    assert net == trained(sarai.make(name), 20, hidden=9, seed=1)
    assert net != trained(name, 20, hidden=9, seed=6)
    assert net != trained(name, 20, hidden=9, seed=1, rate=0.01)
    assert net.training is not None
    assert (net.training["games"], net.training["seed"]) == (20, 1)
    assert net.training["decisions"] >= 20


def test_looking_ahead_teaches_the_same_on_every_machine() -> None:
    net = trained("shah", 6, hidden=9, seed=1, ahead=2, tables=True)
    assert digest(net) == "a4ed238ac1fe5a15"
    assert net.training is not None
    assert (net.training["ahead"], net.training["tables"]) == (2, True)
    assert trained("shah", 2, resume=trained("shah", 4, hidden=9, seed=1, ahead=2, tables=True)) == net
    plain = trained("shah", 6, hidden=9, seed=1)
    assert digest(plain) not in (digest(net), digest(trained("shah", 6, hidden=9, seed=1, ahead=2)))
    assert plain == trained("shah", 6, hidden=9, seed=1, ahead=1, tables=False)


@pytest.mark.parametrize("name", AHEAD)
def test_looking_over_all_throws_teaches_something_else(name: str) -> None:
    net = trained(name, 3, hidden=5, seed=1, ahead=2)
    assert digest(net) == AHEAD[name]
    assert trained(name, 1, resume=trained(name, 2, hidden=5, seed=1, ahead=2)) == net
    assert net != trained(name, 3, hidden=5, seed=1)
    # Settings begin a new training with the weights that there are.
    again = trained(name, 2, resume=net, ahead=1, seed=1)
    assert again.training is not None
    assert (again.training["games"], again.training.get("ahead", 1)) == (2, 1)
    assert trained(name, 0, resume=net, rate=0.5).layers[0].weights.tolist() == net.layers[0].weights.tolist()


@pytest.mark.nightly
def test_a_network_that_looked_ahead_judges_better_in_a_search() -> None:
    game = sarai.make("shah", pieces=4, opening_removals="none")
    learnt, fresh = (trained(game, n, hidden=10, seed=2, ahead=2) for n in (600, 0))
    players = {"learnt": agents.AlphaBeta(2, learnt), "fresh": agents.AlphaBeta(2, fresh)}
    found = sarai.arena(game, players, 200, random_plies=4, seed=0)
    assert found.pairing("learnt", "fresh").mean_returns[0].low > 0.1


@some_books
def test_training_that_was_resumed_is_as_if_it_had_not_stopped(book: tuple[str, str], tmp_path: Path) -> None:
    game = sarai.make(book[0], preset=book[1])
    path = tmp_path / "net.safetensors"
    first = sarai.train(game, num_games=7, hidden=8, seed=3, evaluations=0, out=path).net
    assert sarai.nets.load(path) == first
    # However often it looks on the way.
    rest = sarai.train(game, num_games=5, resume=path, evaluations=5, evaluation_games=0).net
    assert rest == trained(game, 12, hidden=8, seed=3)
    assert rest == trained(game, 5, resume=first)


@some_books
def test_any_network_of_the_game_can_learn(book: tuple[str, str]) -> None:
    game = sarai.make(book[0], preset=book[1])
    two = len(set(game.sides)) == 2
    for encoding, values in (("scaled", 1 if two else game.num_players), ("raw", game.num_players)):
        made = some(game, [6, values], encoding)
        net = trained(game, 12, resume=made, seed=3, rate=0.02)
        assert net.training is not None
        assert (net.training["games"], net.training["seed"]) == (12, 3)
        assert (net.encoding, net.outputs) == (made.encoding, made.outputs)
        assert [layer.activation for layer in net.layers] == [layer.activation for layer in made.layers]
        for old, new in zip(made.layers, net.layers, strict=True):
            assert old.weights.shape == new.weights.shape
            assert not np.array_equal(old.weights, new.weights)
            assert np.abs(old.weights - new.weights).max() < 1
        # The training goes on as if it had not stopped.
        assert net == trained(game, 5, resume=trained(game, 7, resume=made, seed=3, rate=0.02))
        fresh = trained(game, 0, resume=made)
        assert [layer.weights.tolist() for layer in fresh.layers] == [
            layer.weights.tolist() for layer in made.layers
        ]


def test_a_network_that_was_made_learns_to_win() -> None:
    game = sarai.make("shuanglu", preset="backgammon")
    units = [10, 1]
    made = sarai.nets.make(arrays(239, units), game=game, activations=["sigmoid", "tanh"])
    net = trained(game, 600, resume=made, seed=2)
    found = sarai.arena(game, {"learnt": agents.Network(net), "made": agents.Network(made)}, 100, seed=1)
    assert found.pairing("learnt", "made").win_shares[0].low > 0.75


def test_training_begins_anew_under_other_rules_or_from_other_weights() -> None:
    net = trained("shuanglu", 5, hidden=4, seed=1)
    other = trained("shuanglu(preset=backgammon)", 2, resume=net, seed=7)
    assert other.training is not None
    assert (other.training["games"], other.training["seed"]) == (2, 7)
    assert other.game == sarai.make("shuanglu", preset="backgammon")
    # Its layers as arrays, as another library would give them back, still add up probabilities.
    given = [array for layer in net.layers for array in layer[:2]]
    names = [layer.activation for layer in net.layers]
    again = trained(
        "shuanglu",
        0,
        resume=sarai.nets.make(given, game="shuanglu", encoding=net.encoding, activations=names),
    )
    assert [layer.weights.tolist() for layer in again.layers] == [
        layer.weights.tolist() for layer in net.layers
    ]


def test_a_network_of_other_layers_is_refused() -> None:
    game = sarai.make("shuanglu")
    deep = some(game, [6, 6, 1])
    flat = some(game, [1])
    positive = sarai.nets.make(arrays(239, [6, 1]), game=game, activations=["relu", "sigmoid"])
    for net, words in (
        (policy(game), "it has logits"),
        (with_values(game), "it has logits"),
        (policy(game, hidden=None), "it has logits"),
        (deep, "one hidden layer"),
        (flat, "one hidden layer"),
        (positive, "cannot be negative"),
    ):
        with pytest.raises(ValueError, match=words):
            trained(game, 1, resume=net)


def test_a_network_that_has_learnt_beats_one_that_has_not() -> None:
    game = sarai.make("shuanglu", preset="backgammon")
    net = trained(game, 500, hidden=10, seed=2)
    for opponent in ("random", agents.Network(trained(game, 0, hidden=10, seed=9))):
        found = sarai.arena(game, {"learnt": agents.Network(net), "other": opponent}, 100, seed=1)
        # The mean of games that were all won has no interval.
        assert found.pairing("learnt", "other").win_shares[0].low > 0.75


def test_three_sides_learn_too() -> None:
    net = trained("sho", 300, hidden=12, seed=1)
    assert net.outputs == "seats"
    players = {"learnt": agents.Network(net), "random": "random"}
    found = sarai.arena("sho", players, 150, seed=1, schedule="gauntlet")
    assert found.pairing("learnt", "random").mean_returns[0].low > 0


def test_the_curve_is_what_an_arena_says(tmp_path: Path) -> None:
    points: list[CurvePoint] = []
    counts: list[int] = []
    path, picture = tmp_path / "net.safetensors", tmp_path / "curve.svg"
    found = sarai.train(
        "tshupu",
        num_games=40,
        hidden=8,
        seed=1,
        out=path,
        evaluations=2,
        evaluation_games=20,
        plot=picture,
        progress=counts.append,
        report=points.append,
    )
    assert tuple(points) == found.curve
    assert [point.num_games for point in points] == [20, 40]
    assert counts[-1] == found.num_games == 40
    players = {"network": agents.Network(found.net), "greedy": "greedy"}
    again = sarai.arena("tshupu", players, 20, seed=2**64 - 2, schedule="gauntlet")
    assert again.pairings == (points[-1].score,)
    assert picture.read_text().startswith("<?xml")
    assert "40 games in" in str(found)
    assert sarai.nets.load(path) == found.net
    with pytest.raises(ValueError, match="there is no curve to draw"):
        sarai.train("tshupu", num_games=0, evaluations=0).plot()


def test_the_curve_has_the_baseline_where_there_is_one() -> None:
    found = sarai.train("shuanglu", num_games=4, hidden=4, seed=0, evaluations=1, evaluation_games=20)
    (point,) = found.curve
    assert point.baseline is not None
    assert point.baseline.names == ("network", "net:shuanglu")
    assert point.baseline.mean_returns[0].value < 0
    assert "against greedy (" in str(point)
    assert "against net:shuanglu (" in str(point)
    other = sarai.train("shuanglu(scoring=gammon)", num_games=4, hidden=4, evaluations=1, evaluation_games=20)
    assert other.curve[0].baseline is None


def test_nothing_is_evaluated_twice() -> None:
    told: list[object] = []
    # An evaluation takes longer than the time until the next one is due.
    found = sarai.train("shuanglu", minutes=0.01, evaluations=1000, evaluation_games=2, report=told.append)
    games = [point.num_games for point in found.curve]
    assert len(games) == len(set(games)) == len(told)


def test_time_is_a_limit() -> None:
    found = sarai.train("shuanglu", minutes=0.005, evaluations=0)
    assert found.net.training is not None
    assert found.net.training["games"] == found.num_games
    assert sarai.train("shuanglu", minutes=5, num_games=3, evaluations=0).num_games == 3
    assert sarai.train("shuanglu", minutes=0, evaluations=0).num_games == 0


def test_an_interrupt_keeps_what_was_learnt(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"

    def stop(done: int) -> None:
        if done >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sarai.train("shuanglu", minutes=60, num_games=10_000_000, hidden=8, out=path, progress=stop)
    net = sarai.nets.load(path)
    assert net.training is not None
    games, seed = net.training["games"], net.training["seed"]
    assert games >= 10
    assert net == trained("shuanglu", games, hidden=8, seed=seed)


def test_what_cannot_be_trained_is_refused(tmp_path: Path) -> None:
    own = trained("shuanglu", 1, hidden=2)

    def call(**given: Any) -> None:
        sarai.train(**{"game": "shuanglu", "num_games": 1, "progress": False, **given})

    values = {
        "num_games": [10**9], "minutes": [-1, float("nan")], "hidden": [0, 1025], "seed": [-1], "lambda_": [1.5],
        "rate": [0, float("nan")], "epsilon": [-0.1], "ahead": [7], "tables": [True], "evaluations": [-1],
        "plot": ["curve.txt"], "resume": ["no/such/file"],
    }  # fmt: skip
    types = {"num_games": [1.5], "minutes": ["1"], "ahead": [1.5], "rate": ["1"], "report": [5]}
    refused(call, values, types)
    for options, words in (
        ({"resume": own, "hidden": 3}, "resume takes hidden from the network"),
        ({"resume": trained("sho", 1), "game": "sho", "ahead": 3}, "which has dice, it takes 1 or 2"),
        ({"resume": trained("sho", 1), "game": "sho(players=2)"}, "players"),
        ({"resume": trained("shah", 1)}, "is made for shah"),
    ):
        with pytest.raises(ValueError, match=words):
            call(**options)
    for options, words in (({"resume": 7}, "a path"), ({"report": 5, "evaluations": 0}, "report must be")):
        with pytest.raises(TypeError, match=words):
            call(**options)
    with pytest.raises(ValueError, match="no exact tables of"):
        sarai.train("shah(blocked=loses)", num_games=1, tables=True)
    for name in ("out", "plot"):
        with pytest.raises(FileNotFoundError):
            sarai.train("shuanglu", num_games=1, **{name: tmp_path / "no" / "curve.svg"})


def test_a_point_says_where_there_is_no_interval() -> None:
    (score,) = sarai.arena("shah", {"network": "greedy", "greedy": "greedy"}, 10, seed=0).pairings
    assert str(CurvePoint(5, 1.0, score)) == (
        "5 games in 1 s: +0.000 a game against greedy (games too alike for an interval)"
    )


def test_a_file_is_not_replaced_before_something_is_learnt(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    good = sarai.train("shuanglu", num_games=3, hidden=4, evaluations=0, out=path).net

    def stop(point: CurvePoint) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        sarai.train(
            "shuanglu", num_games=3, hidden=2, evaluation_games=2, out=path, report=stop, progress=False
        )
    assert sarai.nets.load(path) == good


def test_a_report_that_fails_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"

    def stop(point: CurvePoint) -> None:
        if point.num_games == 6:
            raise OSError("nobody reads this any more")

    with pytest.raises(OSError, match="nobody reads"):
        sarai.train(
            "shuanglu", num_games=9, evaluations=3, evaluation_games=2, out=path, report=stop, progress=False
        )
    assert sarai.nets.load(path).training["games"] == 6


def test_the_command_line_trains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, better = str(tmp_path / "net"), str(tmp_path / "better")
    words = ["train", "sho", "--option", "players=2", "--games", "6", "--hidden", "4", "--seed", "2"]
    assert cli.main([*words, "--out", path, "--evaluations", "1"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("6 games in")
    assert told[1] == f"wrote {path}"
    resumed = ["train", "sho", "--option", "players=2", "--games", "4", "--resume", path, "--out", better]
    assert cli.main([*resumed, "--evaluations", "0", "--no-progress"]) == 0
    assert sarai.nets.load(better) == trained("sho(players=2)", 10, hidden=4, seed=2)
    assert cli.main(["analyse", "shah", "--agent", f"net:{path}"]) == 2
    for words, status, error in [
        (["--out", path], 2, "give --games or --minutes"),
        (["--games", "1"], 2, "Missing option '--out'"),
        (["--minutes", "nan", "--out", path], 2, "minutes got nan"),
        (["--minutes", "inf", "--out", path], 2, "minutes got inf"),
        (["--games", "-1", "--out", path], 2, "num_games got -1"),
        (["--games", "1", "--out", path, "--plot", str(tmp_path / "no" / "curve.svg")], 1, "curve.svg"),
        (["--games", "1", "--out", str(tmp_path / "no" / "net")], 1, "cannot write"),
        (["--games", "1", "--out", path, "--resume", "nothing"], 2, "cannot read the network 'nothing'"),
    ]:
        capsys.readouterr()
        assert cli.main(["train", "sho", *words, "--no-progress"]) == status
        assert error in capsys.readouterr().err
    for words, count in [(["--games", "0"], "0 of 0 games (100%)"), (["--minutes", "0"], "0 of 0 seconds")]:
        assert cli.main(["train", "sho", *words, "--out", path, "--evaluations", "0"]) == 0
        assert count in capsys.readouterr().err


def test_minutes_have_sixty_seconds() -> None:
    assert run.bounds(7, None) == (7, None)
    assert run.bounds(None, 2) == (sarai._core.MAX_GAMES, 120.0)


def test_what_is_evaluated_and_on_which_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, int]] = []
    real = run.arena

    def arena(game: Any, players: Any, *given: Any, **how: Any) -> Any:
        told.append((str(players["network"]).partition(",")[0].partition(":sha")[0], how["seed"]))
        return real(game, players, *given, **how)

    monkeypatch.setattr(run, "arena", arena)
    for ahead, seed in ((1, 0), (2, 7)):
        sarai.train(
            "shah",
            num_games=1,
            hidden=2,
            ahead=ahead,
            seed=seed,
            evaluations=1,
            evaluation_games=2,
            progress=False,
        )
    assert told == [("net", 2**64 - 1), ("alphabeta:2", 2**64 - 8)]
