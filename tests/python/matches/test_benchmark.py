"""The benchmark: its values against other solvers, its figures against expectations, and its files."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sarai
from helpers import scripts
from helpers.refusals import refused
from sarai._benchmark import suite as suites
from sarai._benchmark.suite import BLUNDER, Position, SuiteGame
from sarai._matches.ratings import fit_one
from sarai._tables.estimates import Estimate
from sarai.matches import ScoreCard

SUITE = suites.load("sarai-1")
GAMES = list(SUITE.games.values())
every = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


class Oracle:
    """Plays a best action of each position, of several the last."""

    def __init__(self, *games: SuiteGame) -> None:
        self._best = {
            position.state.key(): max(position.values, key=lambda action: (position.values[action], action))
            for game in games
            for position in game.positions
        }

    def choose_many(self, states: sarai.States, seats: NDArray[np.int8]) -> NDArray[np.int64]:
        return np.array([self._best[state.key()] for state in states])


@cache
def card(agent: str, game: str, seed: int = 1) -> ScoreCard:
    return sarai.benchmark(agent, games=game, num_games=0, seed=seed)


def expected(game: SuiteGame) -> float:
    """What a random agent gives away on average."""
    means = [max(each.values.values()) - np.mean([*each.values.values()]) for each in game.positions]
    return float(np.mean(means))


# --- the positions and their values ---------------------------------------------------------------------------


def test_the_suite_is_small_and_has_every_game() -> None:
    assert {game.game.name for game in GAMES} == {*sarai.games()}
    assert sum(path.stat().st_size for path in suites.FOLDER.iterdir()) < 300_000
    assert {max(game.game.sides) for game in GAMES} == {1}
    assert {game.game.num_players for game in GAMES} == {2, 4}


@every
def test_every_position_has_a_choice_that_matters(game: SuiteGame) -> None:
    assert len(game.positions) >= 200
    assert len({position.state.key() for position in game.positions}) == len(game.positions)
    for position in game.positions:
        assert [*position.values] == position.state.legal_actions()
        assert max(position.values.values()) - min(position.values.values()) >= 0.001
        assert max(map(abs, position.values.values())) <= max(game.game.returns_range)


@pytest.mark.parametrize("name", ["shah", "nine_mens_morris"])
def test_endings_have_the_values_of_the_tables(name: str) -> None:
    game = SUITE.games[name]
    tables = sarai.exact.load(game.game)
    known = [each for each in game.positions if tables.covers(each.state, moves=True)]
    assert len(known) >= 150
    for position in known:
        assert dict(position.values) == {move.action: move.value for move in tables.moves(position.state)}


def searched(position: Position, depth: int) -> int:
    """How many values a search by the rules alone has proved; it has found none that is another."""
    proved = 0
    for move in sarai.analyse(position.state, f"alphabeta:{depth}").moves:
        if move.kind == "exact":
            assert move.value == position.values[move.action], str(position.state)
            proved += 1
    return proved


@pytest.mark.parametrize("name", ["shah", "nine_mens_morris"])
def test_what_a_search_proves_is_what_the_suite_has(name: str) -> None:
    assert sum(searched(position, 4) for position in SUITE.games[name].positions) > 100


def solved(game: SuiteGame, stratum: str, most: int) -> list[Position]:
    """Positions of a stratum from which little can follow."""
    return [each for each in game.positions if each.stratum == stratum][:most]


@pytest.mark.parametrize(
    ("name", "stratum"),
    [
        ("tshupu", "1 piece of two players"),
        ("tshupu", "2 pieces of two players"),
        ("sho", "2 coins against 1, near home"),
        ("shuanglu", "contact, 1 against 1"),
        ("backgammon", "contact, 1 against 1"),
        ("backgammon", "bearing off, 3 pieces"),
    ],
)
def test_a_solver_that_begins_there_finds_the_same(name: str, stratum: str) -> None:
    game = SUITE.games[name]
    positions = solved(game, stratum, 4)
    solution = sarai.exact.solve_small(game.game, states=[each.state for each in positions])
    for position in positions:
        for move in solution.moves(position.state):
            assert move.value == pytest.approx(position.values[move.action], abs=1.1e-6)


def worth(state: sarai.State, player: int, known: dict[bytes, float]) -> float:
    """What a state is worth by looking at all that may follow, by the rules alone."""
    if state.is_terminal():
        return float(state.returns()[player])
    key = state.key()
    if key not in known:
        if state.is_chance_node():
            outcomes = (
                chance * worth(_after(state, outcome), 0, known)
                for outcome, chance in state.chance_outcomes()
            )
            known[key] = sum(outcomes)
        else:
            own = 1 if state.current_player() == 0 else -1
            known[key] = own * max(
                own * worth(state.child(action), 0, known) for action in state.legal_actions()
            )
    return known[key] if player == 0 else -known[key]


def _after(state: sarai.State, outcome: int) -> sarai.State:
    after = state.clone()
    after.apply_action(outcome)
    return after


def test_short_races_have_the_values_of_a_plain_search() -> None:
    # With larger dice than needed allowed, every throw bears something off, so play ends.
    positions = [
        position
        for position in SUITE.games["backgammon"].positions
        if position.stratum == "bearing off, 3 pieces" and sum(_pieces(position.state)) <= 4
    ]
    known: dict[bytes, float] = {}
    counted = 0
    for position in positions[:8]:
        counted += 1
        player = position.state.current_player()
        for action, value in position.values.items():
            found = worth(position.state.child(action), player, known)
            assert found == pytest.approx(value, abs=1e-6)
    assert counted >= 3


def _pieces(state: sarai.State) -> list[int]:
    return [15 - int(part.split("off=")[1].split()[0]) for part in str(state).split(" | ")[1:]]


# --- regrets --------------------------------------------------------------------------------------------------


def test_an_oracle_gives_nothing_away() -> None:
    found = sarai.benchmark(Oracle(*GAMES), games=[game.name for game in GAMES], num_games=0, seed=1)
    for game in GAMES:
        assert (found.regrets(game.name) == 0).all()
        regret, blunders = found.regret(game.name), found.blunders(game.name)
        assert (regret.value, regret.low, blunders.value) == (0, 0, 0)
        assert 0 < regret.high < 0.03


def test_perfect_gives_nothing_away_where_its_tables_reach() -> None:
    found = sarai.benchmark("perfect", games="nine_mens_morris", num_games=4, seed=1)
    score, regrets = found.games["nine_mens_morris"], found.regrets("nine_mens_morris")
    assert np.count_nonzero(~np.isnan(regrets)) == 200 < len(regrets)
    assert found.regret("nine_mens_morris").value == 0
    assert (score.rating, score.against) == (None, {})
    assert np.isnan(found.regret("nine_mens_morris", "5 to 6 stones").value)
    assert "200 of 400" in str(found)
    assert ScoreCard.from_json(found.to_json()) == found


@every
def test_random_gives_away_what_is_expected(game: SuiteGame) -> None:
    found = card("random", game.name).regret(game.name)
    assert found.low < expected(game) < found.high


def test_the_mean_of_many_random_cards_is_the_expectation() -> None:
    game = SUITE.games["tshupu"]
    means = [card("random", game.name, seed).regret(game.name).value for seed in range(40)]
    error = float(np.std(means, ddof=1)) / len(means) ** 0.5
    assert abs(float(np.mean(means)) - expected(game)) < 3 * error


@every
def test_the_interval_holds_the_expectation(game: SuiteGame) -> None:
    rng = np.random.default_rng(1)
    regrets = [np.array([each.regret(action) for action in each.values]) for each in game.positions]
    held = 0
    for _ in range(200):
        drawn = rng.integers(len(regrets), size=len(regrets))
        values = np.array([rng.choice(regrets[place]) for place in drawn])
        interval = Estimate.of_mean(values, game.bounds)
        held += interval.low <= expected(game) <= interval.high
    assert held >= 180


def test_blunders_are_what_gives_much_away() -> None:
    for game in ("shah", "backgammon"):
        found = card("random", game)
        assert found.blunders(game).value == float((found.regrets(game) >= BLUNDER).mean())
    # Without dice that is a win or a draw.
    assert {*card("random", "shah").regrets("shah").tolist()} == {0, 1, 2}


def test_neighbours_of_the_ladder_are_told_apart() -> None:
    four, six = card("alphabeta:4", "shah"), card("alphabeta:6", "shah")
    assert four.difference(six, "shah").low > 0
    assert card("random", "shah").difference(four, "shah").low > 0.1


# --- ratings --------------------------------------------------------------------------------------------------


def test_the_interval_of_a_rating_holds_it() -> None:
    rng = np.random.default_rng(2)
    anchors, held = np.array([0.0, 300.0, 500.0]), 0
    for seed in range(200):
        chances = 1 / (1 + 10 ** ((anchors - 250) / 400))
        shares = (rng.random((50, 2, 3)) < chances).mean(axis=1)
        _, low, high = fit_one(shares, anchors, seed)
        held += low <= 250 <= high
    assert held >= 184


def test_the_rating_of_an_anchor_is_near_its_own() -> None:
    game = SUITE.games["tshupu"]
    found = sarai.benchmark("greedy", games="tshupu", num_games=200, seed=3).games["tshupu"]
    rating = found.rating
    assert rating is not None
    assert rating.low - 30 < game.anchors["greedy"] < rating.high + 30
    assert [*found.against] == [*game.anchors]
    assert all(sum(counts) == 200 for counts in found.against.values())


# --- cards ----------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_card() -> None:
    ask: Callable[..., ScoreCard] = sarai.benchmark
    one, same, other = (
        ask("mcts:5", games=["sho", "tshupu"], num_games=4, seed=seed, num_threads=threads)
        for seed, threads in ((7, 1), (7, 2), (8, 2))
    )
    assert one == same != other
    assert [*one.games] == ["sho", "tshupu"]


def test_a_policy_a_model_and_a_search_are_asked() -> None:
    def first(observations: NDArray[np.int8], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        assert len(observations) == len(masks)
        return masks.argmax(axis=1)

    found = sarai.benchmark(first, games="tshupu", num_games=4, seed=1)
    lowest = [min(position.values) for position in SUITE.games["tshupu"].positions]
    assert [*found.games["tshupu"].actions] == lowest
    assert "first" in found.agent
    command = [sys.executable, "-m", "sarai", "engine", "--agent", "greedy"]
    with sarai.agents.External(command) as greedy:
        other = sarai.benchmark(greedy, games="tshupu", num_games=0, seed=1)
    assert other.games["tshupu"].actions == card("greedy", "tshupu").games["tshupu"].actions
    search = sarai.agents.TreeSearch(lambda observations: np.zeros(len(observations)), 4)
    limited = sarai.benchmark(search, games="tshupu", num_games=0, budget=1000, seed=1)
    assert limited.games["tshupu"].budgets.keys() == {1000.0}


def test_budgets_are_beside_the_card() -> None:
    found = sarai.benchmark("expectimax:1", games="tshupu", num_games=0, budget=[1e6, 5e5], seed=1)
    score = found.games["tshupu"]
    same = card("expectimax:1", "tshupu")
    # With time enough it is the same agent.
    assert score.budgets == dict.fromkeys((1000000.0, 500000.0), same.games["tshupu"].actions)
    assert found.regret("tshupu", budget=1e6) == same.regret("tshupu")
    assert np.isnan(found.regret("tshupu").value)
    assert (score.rating, score.decisions_per_second) == (None, 0)
    assert "1e+06" in str(found)
    assert found.plot() is not None
    assert ScoreCard.from_json(found.to_json()).games["tshupu"].budgets == score.budgets


def test_what_is_refused() -> None:
    refused(
        lambda **given: sarai.benchmark(**{"agent": "greedy", "num_games": 0, **given}),
        {
            "suite": ["sarai-0", ""],
            "games": ["chess", [], ["shah", "shah"]],
            "budget": [0, -1, [1, 1], 1e7, float("nan"), range(1000)],
            "num_games": [1, 3, -1],
            "seed": [-1],
        },
        {"suite": [None], "games": [5], "budget": ["1"], "num_games": [1.5, None], "seed": [0.5]},
    )
    for agent, words in (
        ("gredy", "unknown agent"),
        (lambda observations, masks: masks.argmax(axis=1), "games must name"),
    ):
        with pytest.raises(ValueError, match=words):
            sarai.benchmark(agent)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="alphabeta"):
        sarai.benchmark("alphabeta:2", games="sho")
    with pytest.raises(ValueError, match="budget is for agents"):
        sarai.benchmark(lambda _, masks: masks.argmax(axis=1), games="tshupu", num_games=0, budget=5)
    with pytest.raises(TypeError, match="must be"):
        sarai.benchmark(5, games="shah")  # type: ignore[arg-type]
    with pytest.raises(sarai.IllegalActionError):
        sarai.benchmark(lambda _, masks: masks.argmin(axis=1), games="tshupu", num_games=0)


def test_what_a_card_does_not_have() -> None:
    found, other = card("random", "tshupu"), card("random", "sho")
    refused(found.regret, {"game": ["sho", ""]})
    for given in ({"stratum": "endings"}, {"budget": 5}):
        with pytest.raises(ValueError, match=next(iter(given))):
            found.regret("tshupu", **given)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="game"):
        found.difference(other, "tshupu")
    with pytest.raises(TypeError, match="other"):
        found.difference("random", "tshupu")  # type: ignore[arg-type]


def test_a_card_is_a_table_a_page_and_a_picture(tmp_path: Path) -> None:
    found = sarai.benchmark("greedy", games=["tshupu", "sho"], num_games=4, seed=1)
    text = str(found)
    assert text.startswith("greedy: sarai-1, seed 1")
    assert "1 piece of four players" in text
    assert found._repr_html_().count("<table>") == 2
    assert repr(found) == "ScoreCard('greedy', 'sarai-1', tshupu, sho, seed=1)"
    frame = found.to_pandas()
    assert frame["regret"].tolist() == [found.regret(name).value for name in ("tshupu", "sho")]
    assert [*found.to_pandas("stratum")["stratum"]] == [*found.strata("tshupu"), *found.strata("sho")]
    found.plot(tmp_path / "card.svg")
    assert "points a decision" in (tmp_path / "card.svg").read_text(encoding="utf-8")
    found.save(tmp_path / "card.json")
    assert ScoreCard.load(tmp_path / "card.json") == found


def changed(**games: Any) -> Callable[[dict[str, Any]], None]:
    return lambda told: told["games"]["tshupu"].update(games)


HOSTILE: dict[str, Callable[[dict[str, Any]], object]] = {
    "no game": lambda told: told["games"].update(chess=told["games"]["tshupu"]),
    "too few": lambda told: told["games"]["tshupu"]["actions"].pop(),
    "illegal": lambda told: told["games"]["tshupu"]["actions"].__setitem__(0, 999),
    "bool": lambda told: told["games"]["tshupu"]["actions"].__setitem__(0, True),
    "text": lambda told: told["games"]["tshupu"]["actions"].__setitem__(0, "1"),
    "better": lambda told: told["games"]["tshupu"]["regret"].update(value=0.0),
    "fewer blunders": lambda told: told["games"]["tshupu"]["blunders"].update(low=0.0),
    "rated out of its interval": changed(rating={"value": 9.0, "low": 0.0, "high": 1.0}),
    "rated without end": changed(rating={"value": 1e999, "low": None, "high": None}),
    "no anchors": changed(against={}),
    "more games": changed(against={"random": [1, 1, 1]}),
    "slower than possible": changed(decisions_per_second=-1.0),
    "speed as text": changed(decisions_per_second="1"),
    "no budgets": changed(budgets=None),
    "odd budget": changed(budgets={"soon": {"actions": []}}),
    "no games": lambda told: told.update(games=[]),
    "other digest": lambda told: told.update(digest="0" * 64),
    "other suite": lambda told: told.update(suite="sarai-0"),
    "other version": lambda told: told.update(version=2),
    "other format": lambda told: told.update(format="sarai.arena"),
    "more": lambda told: told.update(more=1),
    "less": lambda told: told.pop("machine"),
    "seed": lambda told: told.update(seed=-1),
    "seconds": lambda told: told.update(seconds=True),
    "agent": lambda told: told.update(agent=["greedy"]),
    "long agent": lambda told: told.update(agent="a" * 5000),
    "half a letter": lambda told: told.update(machine="\udc80"),
}


@cache
def written() -> str:
    return sarai.benchmark("greedy", games="tshupu", num_games=4, seed=1).to_json()


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_card_is_refused(name: str) -> None:
    told = json.loads(written())
    HOSTILE[name](told)
    with pytest.raises(ValueError, match="score card") as caught:
        ScoreCard.from_json(json.dumps(told))
    assert len(str(caught.value)) < 2000


def test_what_is_no_card_is_refused(tmp_path: Path) -> None:
    assert ScoreCard.from_json(written()).to_json() == written()
    for text in (
        "",
        "[]",
        "null",
        "{",
        written() + "x",
        "[" * 100_000,
        written().replace("{", '{"seed": 1, ', 1),
    ):
        with pytest.raises(ValueError, match="score card"):
            ScoreCard.from_json(text)
    with pytest.raises(ValueError, match="characters"):
        ScoreCard.from_json(" " * 2**23)
    with pytest.raises(TypeError, match="text"):
        ScoreCard.from_json(None)  # type: ignore[arg-type]
    path = tmp_path / "card.json"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match=r"card\.json"):
        ScoreCard.load(path)


def test_a_damaged_suite_is_refused(tmp_path: Path) -> None:
    content = (suites.FOLDER / "sarai-1.json.z").read_bytes()
    path = tmp_path / "suite.json.z"
    path.write_bytes(content)
    assert [*suites.read(path, "sarai-1", SUITE.digest).games] == [*SUITE.games]
    other = zlib.compress(zlib.decompress(content).replace(b"1000000", b"-1000000", 1))
    flipped = bytes([*content[:5000], content[5000] ^ 1, *content[5001:]])
    for bad in (flipped, content[:-100], b"", b"{}", other, zlib.compress(bytes(2**25))):
        path.write_bytes(bad)
        with pytest.raises(ValueError, match="is damaged"):
            suites.read(path, "sarai-1", SUITE.digest)


# --- the page -------------------------------------------------------------------------------------------------


def test_the_leaderboard_is_as_the_script_writes_it() -> None:
    script = scripts.load("scripts/leaderboard.py")
    text = script.PAGE.read_text(encoding="utf-8")
    cards = script.read(script.CARDS)
    assert script.written(text, cards) == text
    rows = {found.agent for found in cards if found.suite == "sarai-1"}
    assert all(f"| `{agent}`" in text for agent in rows)
    assert {found.seed for found in cards} == {1}


def test_the_script_chooses_what_matters() -> None:
    script = scripts.load("scripts/benchmark_suite.py")
    game = sarai.make("tshupu")
    stratum = next(iter(script.tshupu(game)))
    chosen = dict(script.chosen(stratum._replace(each=30)))
    assert len(chosen) == 30
    # The suite begins with the same draws.
    of_suite = {str(each.state): each for each in SUITE.games["tshupu"].positions}
    common = [text for text in chosen if text in of_suite]
    assert len(common) >= 25
    for text in common:
        assert [round(value * suites.UNIT) for value in of_suite[text].values.values()] == chosen[text]
