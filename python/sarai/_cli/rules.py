"""`sarai rules`: the rules of a game, numbered as everywhere, and its options."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.markdown import Markdown

from sarai import _core
from sarai._cli.basics import (
    console,
    examples,
    input_errors,
    parse_options,
    print_json,
    rules_options,
    text_table,
)
from sarai._game import make, show_value


@click.command(
    "rules",
    short_help="Show the rules of a game, its options, presets and statistics.",
    help="""Show the rules of GAME with their sources, its options, presets and statistics.

    With --preset or --option, the resulting value of each option is shown beside its default.
    """,
    epilog=examples(
        "sarai rules sho",
        "sarai rules sho --preset lhasa --option coins=7",
    ),
)
@click.argument("game")
@rules_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text and tables.")
def command(game: str, preset: str | None, options: tuple[str, ...], as_json: bool) -> None:
    """Print the rule book and the tables."""
    chosen = parse_options(options)
    with input_errors():
        described = json.loads(_core.describe_json(game))
        rules = make(game, preset=preset, rules=chosen).rules
    if as_json:
        print_json({"game": game, "preset": preset, "rules": rules, **described})
        return
    out = console()
    out.print(Markdown(_book(described["rule_book"])))
    out.print()
    out.print(Markdown("# Options"))
    out.print()
    out.print(_options_table(described["options"], rules, changed=preset is not None or bool(chosen)))
    for title in ("presets", "statistics"):
        rows = [(entry["name"], entry["meaning"]) for entry in described[title]]
        if rows:
            out.print()
            out.print(text_table((title, "meaning"), rows))


def _book(text: str) -> str:
    """A rule book as Markdown for a terminal: its table of rules, which has long cells, as paragraphs."""
    lines, in_rules = [], False
    for line in text.splitlines():
        cells = line.strip("| ").split(" | ") if line.startswith("| ") else []
        if cells == ["rule", "what it says", "source"]:
            in_rules = True
        elif len(cells) == 3 and in_rules:
            number, rule, source = cells
            lines += [f"**{number}** {rule} [source: {source}]", ""]
        elif not (in_rules and line.startswith("|--")):
            in_rules = False
            lines.append(line)
    return "\n".join(lines)


def _options_table(options: list[dict[str, Any]], rules: dict[str, Any], changed: bool) -> Any:
    header = ("option", *(("value",) if changed else ()), "default", "takes", "meaning")
    rows = []
    for option in options:
        value = (show_value(rules[option["name"]]),) if changed else ()
        rows.append(
            (option["name"], *value, show_value(option["default"]), option["takes"], option["meaning"])
        )
    return text_table(header, rows, fixed=len(header) - 2)
