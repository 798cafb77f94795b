"""`sarai agents`: who can play."""

from __future__ import annotations

import inspect
from typing import Any

import click

from sarai._agents.engine import CLASSES
from sarai._cli.basics import console, examples, print_json, text_table


@click.command(
    "agents",
    help="List the agents of the engine, with their parameters.",
    short_help="List the agents of the engine.",
    epilog=examples(
        "sarai agents",
    ),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")
def command(as_json: bool) -> None:
    """Print them."""
    found: list[dict[str, Any]] = []
    for kind in CLASSES:
        name, parameters = kind.example, dict[str, Any]()
        if name is None:
            agent = kind()  # type: ignore[call-arg]  # the other kinds have defaults
            name, parameters = str(agent), agent.parameters
        idea = inspect.getdoc(kind) or ""
        found.append({"name": name, "parameters": parameters, "idea": idea.split(". ")[0] + "."})
    if as_json:
        print_json({"agents": found})
        return
    rows: list[tuple[str, str, str]] = []
    for told in found:
        values = ", ".join(
            f"{name}={'/'.join(map(str, value)) if isinstance(value, tuple) else value}"
            for name, value in told["parameters"].items()
        )
        rows.append((told["name"], values or "-", told["idea"]))
    console().print(text_table(("name", "parameters", "what it does"), rows))
