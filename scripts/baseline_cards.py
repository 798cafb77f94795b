"""Write docs/baselines.md: what the networks that come with the package are, and how strong.

    python scripts/baseline_cards.py RESULTS              # 2,000 games against each opponent: a quarter of an hour
    python scripts/baseline_cards.py RESULTS --games 200  # a quicker look, written beside as RESULTS/baselines.md

    python scripts/baseline_cards.py RESULTS --only shuanglu   # the others stay as they are on the page

RESULTS is a folder: the games of each network are kept there, and not played again.
"""

from __future__ import annotations

import argparse
import re
import textwrap
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import sarai
from sarai._tables.estimates import Estimate
from sarai.matches import Arena

ROOT = Path(__file__).resolve().parent.parent
POSITIONS = 20_000
"""For the speed."""
WON = 2_500
"""Positions of exact tables."""
SLOW = "mcts:1000"
"""An opponent that takes too long for as many games as the others."""
SLOW_SHARE = 5
"""It plays one game in so many."""
DICE = ("random", "greedy", "expectimax:1", "mcts:200", "expectimax:2,net={name}")
NO_DICE = ("random", "greedy", "mcts:200", "alphabeta:4", "alphabeta:5", "alphabeta:6")
RANDOM_PLIES = 6
"""Without dice, so many decisions at the beginning are random, or all games would be alike."""


@dataclass(frozen=True)
class Card:
    """What is said of a network that is not measured."""

    game: str
    about: str
    minutes: float
    """Of one processor of a server, evaluations included."""
    weak: str
    trained: tuple[str, ...] = ()
    """What `sarai train` was told, the first time and each time to go on; nothing if it was taught from tables."""
    preset: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    agent: str = "net:{name}"
    opponents: tuple[str, ...] = DICE
    random_plies: int = 0

    def commands(self, name: str) -> list[str]:
        """What makes it."""
        if not self.trained:
            book = f'"{self.game}(preset={self.preset})"' if self.preset else self.game
            return [f"python scripts/teach_network.py {book} TABLES {name}.safetensors"]
        words = [f"sarai train {self.game}"]
        if self.preset:
            words.append(f"--preset {self.preset}")
        words += [f"--option {option}={value}" for option, value in self.options.items()]
        out = f"{name}.safetensors"
        return [
            " ".join([*words, *([f"--resume {out}"] if number else []), settings, f"--out {out}"])
            for number, settings in enumerate(self.trained)
        ]


CARDS = {
    "backgammon": Card(
        "shuanglu",
        "A network for Shuanglu, preset `backgammon`",
        22,
        'It was trained for games that count one point each: under `scoring="gammon"`, it neither plays for '
        "gammons nor avoids them.",
        ("--hidden 80 --games 300000 --seed 1", "--ahead 2 --rate 0.05 --games 20000 --seed 2"),
        preset="backgammon",
    ),
    "backgammon_gammons": Card(
        "shuanglu",
        "A network for Shuanglu, preset `backgammon`, where gammons count",
        27,
        "Against GNU Backgammon without looking ahead, gammons counted and without the cube, it loses 0.050 ± "
        "0.026 points a game over 10,000 games, where `greedy` loses 1.6; `expectimax:2` with it loses 0.009 ± "
        "0.059 over 2,000 (`scripts/against_gnubg.py`). By the same judge, it gives away 0.0056 points a move that "
        "is not forced, and `greedy` 0.0927 (50 games of each, `scripts/gnubg_errors.py`).",
        ("--hidden 160 --games 500000 --seed 1", "--ahead 2 --rate 0.05 --games 40000 --seed 2"),
        preset="backgammon",
        options={"scoring": "gammon"},
    ),
    "nine_mens_morris": Card(
        "shah",
        "A network for nine men's morris, preset `nine_mens_morris` of Shah",
        4,
        "It has learnt what positions of all phases are worth under perfect play, and is meant for searches: the same "
        "search with the heuristic of the package is weaker even if it looks two turns further and takes longer. Draws "
        "are frequent.",
        preset="nine_mens_morris",
        agent="alphabeta:3,net={name}",
        opponents=("random", "greedy", "mcts:200", "alphabeta:3", "alphabeta:4", "alphabeta:5"),
        random_plies=RANDOM_PLIES,
    ),
    "shah": Card(
        "shah",
        "A network for Shah",
        4,
        "It has learnt what positions of all phases are worth under perfect play, and is meant for searches. With as "
        "much time, alpha-beta with it makes less than half of the mistakes that it makes with the heuristic "
        "([the benchmark](benchmark.md)).",
        agent="alphabeta:4,net={name}",
        opponents=NO_DICE,
        random_plies=RANDOM_PLIES,
    ),
    "sho": Card(
        "sho",
        "A network for Sho with three players",
        18,
        "It has learnt from games of three players who all play like itself; it cannot be used with two or four "
        "players, or in teams.",
        ("--hidden 80 --games 900000 --seed 1", "--ahead 2 --rate 0.05 --games 60000 --seed 2"),
    ),
    "sho_two_players": Card(
        "sho",
        "A network for Sho with two players",
        14,
        "With two players, fewer stacks stand in the way, and dice decide more. After 300,000 games of the first "
        "training, it gained next to nothing, and searching a turn further gains little.",
        ("--hidden 80 --games 900000 --seed 1", "--ahead 2 --rate 0.05 --games 60000 --seed 2"),
        options={"players": 2},
    ),
    "shuanglu": Card(
        "shuanglu",
        "A network for Shuanglu",
        26,
        "It was trained for games that count one point each, and does not account for other scorings.",
        ("--hidden 80 --games 400000 --seed 1", "--ahead 2 --rate 0.05 --games 20000 --seed 2"),
    ),
    "tshupu": Card(
        "tshupu",
        "A network for T'shu-p'u",
        26,
        "It has learnt from teams that both play like itself, and expects its partner to do so.",
        ("--hidden 80 --games 500000 --seed 1", "--ahead 2 --rate 0.05 --games 115000 --seed 2"),
    ),
}

PAGE = """\
# Baseline networks

Sarai comes with these networks: {names}.
They are small, {bytes} together, and were trained on one processor: by `sarai train`, or by `scripts/teach_network.py`
from exact values, for which TABLES is a folder with all tables of the game ([Exact play](exact.md)).
Use them as opponents for training, as evaluators for searches, and as a baseline for networks of your own.
`scripts/baseline_cards.py` writes this page.

```python
>>> import sarai
>>> sarai.nets.load("shuanglu")
<Net for shuanglu: 265 inputs (expert), 80 sigmoid, 1 sigmoid, 1 identity; outputs 'viewer'>
>>> r = sarai.rollout("shuanglu", ["net:shuanglu", "greedy"], 100, seed=1)
>>> bool(r.returns[:, 0].mean() > 0.5)
True

```

`net:NAME` plays by a network alone; `expectimax:2,net=NAME`, `mcts:N,net=NAME` and, without dice,
`alphabeta:4,net=NAME` search with it ([Networks](networks.md)). On the command line:
`sarai arena shuanglu net:shuanglu greedy --games 400`.

The figures are mean returns over {games:,} games against each opponent, over {slow:,} against `mcts:1000`, with 95%
intervals. The network takes every seat equally often, with the same dice in each seat; in games without dice, the first
{plies} decisions are random. Elo ratings come from these games alone; their mean is 0, without `mcts:1000`. The
strength of a network depends on its opponents: measure it against your own with [`sarai.arena`](arena.md). With dice,
the last opponent is the network itself, searching one turn further: its gain is what the network alone overlooks.

{cards}"""

CARD = """\
## {name}

{about}, made by

    {commands}

{makes}, in about {minutes:g} minutes of one processor.
{size:.0f} KB; SHA-256 {digest}…

| `{agent}` against | mean return | won | Elo of the opponent |{more_head}
| --- | --- | --- | --- |{more_line}
{rows}
| itself | | | {elo} |{own_ms}

{weak}
{curve}
"""


def arena(name: str, card: Card, opponents: Sequence[str], games: int, path: Path) -> Arena:
    """The games of a network against each opponent, played once."""
    if path.exists():
        found = sarai.load(path)
        assert isinstance(found, Arena)
        return found
    names = {"net": card.agent.format(name=name), **{opponent: opponent for opponent in opponents}}
    found = sarai.arena(
        sarai.make(card.game, preset=card.preset, rules=card.options),
        names,
        games,
        seed=7,
        schedule="gauntlet",
        random_plies=card.random_plies,
        progress=True,
    )
    found.save(path)
    return found


def interval(found: Estimate) -> str:
    """A number with half of its interval; only the number where games are too much alike."""
    if np.isnan(found.low):
        return f"{found.value:+.3f}"
    return f"{found.value:+.3f} ± {(found.high - found.low) / 2:.3f}"


def in_words(milliseconds: float) -> str:
    """A time, in milliseconds."""
    return f"{milliseconds:.2g}" if milliseconds >= 0.001 else "<0.001"


def speed(name: str) -> str:
    """How many positions it judges a second on this machine, in thousands."""
    net = sarai.nets.load(name)
    observations = net.game.sample_states(num_games=POSITIONS, seed=1).observation_tensor()
    seconds = []
    for _ in range(5):
        begun = time.process_time()
        net(observations)
        seconds.append(time.process_time() - begun)
    return f"It evaluates {POSITIONS / min(seconds) / 1e6:.1f} million positions a second and processor."


def endings(card: Card, name: str) -> str:
    """How a search does from positions with few stones that are known to be won, against perfect play."""
    net = sarai.nets.load(name)
    tables = sarai.exact.load(net.game, None)
    assert isinstance(tables, sarai.exact.Tables)
    states = tables.sample_states(2 * WON, seed=5)
    states = states[tables.values(states)[0] == 1][:WON]
    agent = card.agent.format(name=name)
    told = []
    for each in (agent, agent.partition(",")[0], f"{agent},tables"):
        returns = states.rollout([each, "perfect"], 1, seed=1).returns
        lost, drawn = (np.mean(np.sign(returns[:, 0, 0]) == sign) for sign in (-1, 0))
        told.append(f"`{each}` loses {lost:.1%} and draws {drawn:.1%}")
    return (
        f"Of {len(states):,} certainly won positions with at most four stones a side, against `perfect`, "
        f"{'; '.join(told)}."
    )


def written(name: str, card: Card, games: int, folder: Path) -> str:
    """A card."""
    net = sarai.nets.load(name)
    training, commands = net.training, card.commands(name)
    assert (training is None) == (not card.trained)
    if training is not None:
        last = f"--games {training['games']} --seed {training['seed']} "
        assert last in commands[-1], f"{name} was not made by {commands[-1]}"
    opponents = [opponent.format(name=name) for opponent in card.opponents]
    found = arena(name, card, opponents, games, folder / f"{name}-{games}.npz")
    slow = arena(name, card, [SLOW], games // SLOW_SHARE, folder / f"{name}-slow-{games}.npz")
    rows = []
    # Searches are compared at equal time.
    timed = card.agent != "net:{name}"
    own = found.ratings["net"]

    def row(contest: Arena, opponent: str, rating: tuple[float, float, float]) -> str:
        pairing = next(each for each in contest.pairings if opponent in each.names)
        at = pairing.names.index("net")
        value, low, high = rating
        milliseconds = contest.milliseconds[contest.names.index(opponent)]
        return (
            f"| `{opponent}` | {interval(pairing.mean_returns[at])} | {pairing.wins[at] / pairing.games:.1%} "
            f"| {value:+.0f} ({low:+.0f} to {high:+.0f}) |"
            + (f" {in_words(milliseconds)} |" if timed else "")
        )

    for opponent in opponents:
        rating = found.ratings[opponent]
        rows.append(row(found, opponent, (rating.value, rating.low, rating.high)))
        if opponent == "mcts:200":
            # Two ratings whose mean is 0: it is twice its own away from the network's.
            rating = slow.ratings[SLOW]
            away = (own.value + 2 * rating.value, own.value + 2 * rating.low, own.value + 2 * rating.high)
            rows.append(row(slow, SLOW, away))
    milliseconds = dict(zip(found.names, found.milliseconds, strict=True))
    path = ROOT / "python" / "sarai" / "_nets" / "data" / f"{name}.safetensors"
    return CARD.format(
        name=name,
        about=card.about,
        agent=card.agent.format(name=name),
        more_head=" ms a decision |" if timed else "",
        more_line=" --- |" if timed else "",
        own_ms=f" {in_words(milliseconds['net'])} |" if timed else "",
        commands="\n    ".join(commands),
        curve=f"\n![The learning curve of {name}{', of the last training' if len(commands) > 1 else ''}]"
        f"(baselines/{name}.svg)\n"
        if card.trained
        else "",
        makes="with PyTorch"
        if not card.trained
        else f"which make{'s' if len(commands) == 1 else ''} the same file on every machine",
        minutes=card.minutes,
        size=path.stat().st_size / 1000,
        digest=net.digest[:16],
        rows="\n".join(rows),
        elo=f"{own.value:+.0f} ({own.low:+.0f} to {own.high:+.0f})",
        weak=textwrap.fill(
            " ".join([speed(name), card.weak, *([endings(card, name)] if timed else [])]), 116
        ),
    )


def main() -> None:
    """Play, and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", type=Path)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--only", nargs="+", choices=sorted(CARDS), default=sorted(CARDS))
    given = parser.parse_args()
    given.results.mkdir(parents=True, exist_ok=True)
    assert sarai.nets.baselines() == sorted(CARDS)
    old = re.split(
        r"^(?=## )", (ROOT / "docs" / "baselines.md").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    known = {text.split("\n", 1)[0].removeprefix("## "): text.rstrip() + "\n\n" for text in old[1:]}
    cards = [
        written(name, card, given.games, given.results) if name in given.only else known[name]
        for name, card in CARDS.items()
    ]
    data = ROOT / "python" / "sarai" / "_nets" / "data"
    page = PAGE.format(
        names=", ".join(f"`{name}`" for name in CARDS),
        bytes=f"{sum(path.stat().st_size for path in data.iterdir()) / 1000:,.0f} KB",
        games=given.games,
        slow=given.games // SLOW_SHARE,
        plies=RANDOM_PLIES,
        cards="".join(cards).rstrip() + "\n",
    )
    place = ROOT / "docs" if given.games >= 2000 else given.results
    (place / "baselines.md").write_text(page, encoding="utf-8")
    print(place / "baselines.md")


if __name__ == "__main__":
    main()
