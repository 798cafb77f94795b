"""What can be chosen for a new game: games, presets, options, and agents that play them."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from sarai import _core
from sarai._core import Game
from sarai.game import games, make, presets

_OFFERED = (
    "greedy",
    "random",
    "mcts:200",
    "mcts:2000,evaluator=heuristic",
    "expectimax:1",
    "alphabeta:6",
    "perfect",
)

_HARMLESS = re.compile(
    r"random|greedy|perfect|mcts:[0-9]{1,4}(,evaluator=heuristic)?|expectimax:[12]|alphabeta:[1-8]|net:\w+"
)
"""Agents that take little memory and read no file of whoever names them."""

_TITLE = re.compile("[:,(\\n]| \\(")


def harmless(agent: str) -> None:
    """Refuse agents that whoever asks over a connection may not have: they read files, or take very long.

    Raises:
        ValueError: The agent is none of those that are allowed.

    >>> harmless("mcts:200")
    >>> harmless("net:/etc/passwd")
    Traceback (most recent call last):
    ...
    ValueError: agent 'net:/etc/passwd' cannot play here: choose greedy, random, mcts:N with N up to 9999, ...
    """
    name = agent.removeprefix("net:")
    if not _HARMLESS.fullmatch(agent) or (name != agent and name not in _core.nets_shipped()):
        raise ValueError(
            f"agent {agent[:80]!r} cannot play here: choose greedy, random, mcts:N with N up to 9999, expectimax:1 or "
            "expectimax:2, alphabeta:N with N up to 8, perfect, or net: and the name of a network of the package"
        )


def agents_for(game: Game) -> list[str]:
    """Agents to choose from, each of which plays this game.

    >>> import sarai
    >>> "alphabeta:6" in agents_for(sarai.make("shah")), "alphabeta:6" in agents_for(sarai.make("sho"))
    (True, False)
    """
    nets = [f"net:{name}" for name in _core.nets_shipped()]
    return [agent for agent in (*_OFFERED, *nets) if _plays(game, agent)]


def _plays(game: Game, agent: str) -> bool:
    try:
        _core.check_agents(game, [agent] * game.num_players)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1)
def catalogue() -> list[dict[str, Any]]:
    """What can be chosen, a dict for each game."""
    return [_entry(name) for name in games()]


def _entry(name: str) -> dict[str, Any]:
    described: dict[str, Any] = json.loads(_core.describe_json(name))
    usual = make(name)
    return {
        "name": name,
        "title": _TITLE.split(described["rule_book"], 1)[0].strip(),
        "presets": [
            {"name": preset, "rules": rules, "num_players": make(name, preset=preset).num_players}
            for preset, rules in presets(name).items()
        ],
        "options": [
            {key: option[key] for key in ("name", "default", "takes", "meaning")}
            for option in described["options"]
        ],
        "agents": agents_for(usual),
    }
