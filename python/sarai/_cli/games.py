"""`sarai games`: what can be played."""

from __future__ import annotations

import json

import click

from sarai import _core
from sarai._cli.basics import console, examples, print_json, text_table
from sarai._game import games, make


@click.command(
    "games",
    help="List the games and their presets.",
    epilog=examples(
        "sarai games",
    ),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def command(as_json: bool) -> None:
    """Print them."""
    found = []
    for name in games():
        described = json.loads(_core.describe_json(name))
        found.append(
            {
                "name": name,
                "num_players": make(name).num_players,
                "num_actions": described["num_actions"],
                "presets": [preset["name"] for preset in described["presets"]],
            }
        )
    if as_json:
        print_json({"games": found})
        return
    rows = [
        (game["name"], str(game["num_players"]), str(game["num_actions"]), ", ".join(game["presets"]))
        for game in found
    ]
    console().print(text_table(("game", "seats", "actions", "presets"), rows, fixed=3))
