"""`sarai compare`: variants of a game, agents or seats beside one another."""

from __future__ import annotations

import shlex
from typing import Any

import click

from sarai._base.arguments import short, suggestion
from sarai._base.progress import shown_in_shell
from sarai._cli import files
from sarai._cli.basics import (
    examples,
    games_option,
    input_errors,
    parse_options,
    playing_options,
    rules_options,
    typed_agents,
)
from sarai._game import make, presets
from sarai._results.comparison import compare, games_needed
from sarai._results.differences import check_scipy


@click.command(
    "compare",
    short_help="Compare variants of a game, agents or seats.",
    help="""Play variants of GAME and print how each differs from the first, or from --reference, with intervals
    and p-values.

    A VARIANT is the name of a preset, or a name of your own, a colon, and what differs: "preset=NAME",
    "agents=A,B,...", "seat=N" or options of the game, separated by spaces; or the whole game, as sarai.make takes
    it; with nothing after the colon, it is the game as given. The page "Comparing variants, agents and seats" of
    the documentation describes the tests.
    """,
    epilog=examples(
        "sarai compare sho basic lhasa --by turns,kills,win_share --games 2000",
        'sarai compare sho basic "four: preset=lhasa players=4" --agents greedy --games 2000',
        'sarai compare sho basic "four: sho(preset=lhasa,players=4)" --agents greedy --games 2000',
        "sarai compare sho basic lhasa --reference lhasa --games 2000",
        "sarai compare shuanglu random: greedy:agents=greedy,random --games 2000 --json",
    ),
)
@click.argument("game")
@click.argument("variants", nargs=-1, metavar="VARIANT...")
@click.option(
    "--by",
    metavar="NAME,...",
    default="turns,win_share",
    show_default=True,
    help="The quantities to compare: turns, decisions, win_share, draw_share, return, or a statistic of the game.",
)
@games_option(10_000, "The number of games of each variant.")
@click.option("--reference", metavar="NAME", help="The variant to compare with. Default: the first.")
@click.option(
    "--agents",
    metavar="A,B,...",
    default="random",
    show_default=True,
    help="The agents of variants that do not name their own: one per seat, or a single one for all seats.",
)
@files.picture_option("Draw the differences")
@rules_options
@playing_options("a table")
def command(
    game: str,
    variants: tuple[str, ...],
    by: str,
    num_games: int,
    agents: str,
    preset: str | None,
    options: tuple[str, ...],
    picture: str | None,
    no_progress: bool,
    as_json: bool,
    **settings: Any,
) -> None:
    """Play, compare, print and draw."""
    files.check_picture(picture)
    rules = parse_options(options)
    try:
        check_scipy()
    except ImportError as error:
        raise click.ClickException(str(error)) from error
    with input_errors():
        entries = {
            name: _entry(game, preset, rules, name, differs)
            for name, differs in _variants(variants, list(presets(game))).items()
        }
        playing = typed_agents(agents)
        total = games_needed(game, entries, num_games, agents=playing)
        with shown_in_shell(game, total, quiet=no_progress) as report:
            compared = compare(
                make(game, preset=preset, rules=rules),
                entries,
                num_games,
                agents=playing,
                by=[name.strip() for name in by.split(",")],
                progress=report,
                **settings,
            )
    files.show(compared, picture, as_json)


def _entry(
    game: str, preset: str | None, rules: dict[str, Any], name: str, differs: dict[str, Any]
) -> dict[str, Any]:
    """What `compare` takes for a variant: its game, and its agents and seat if it has some of its own.

    Raises:
        ValueError: The game does not have these rules.
    """
    own: dict[str, Any] = {key: differs[key] for key in ("agents", "seat") if key in differs}
    others = {key: value for key, value in differs.items() if key not in own}
    if "game" in differs:
        return differs  # compare refuses rules beside it
    preset = others.pop("preset", preset)
    try:
        return {"game": make(game, preset=preset, rules={**rules, **others}), **own}
    except ValueError as error:
        raise ValueError(f"variant {short(name)}: {error}") from error


def _variants(typed: tuple[str, ...], known: list[str]) -> dict[str, dict[str, Any]]:
    """What differs in each variant, by its name.

    Raises:
        click.UsageError: A variant says nothing, or says something twice or in a way that cannot be read.
    """
    found: dict[str, dict[str, Any]] = {}
    for text in typed:
        name, colon, settings = text.partition(":")
        if name in found or not name:
            raise click.UsageError(f"each variant needs its own name, got {text!r}")
        if colon:
            found[name] = _differs(settings)
        elif name in known:
            found[name] = {"preset": name}
        else:
            hint = suggestion(name, known) or f" ({', '.join(known)})"
            raise click.UsageError(
                f"{name!r} is not a preset{hint}: write {name + ':'!r} followed by what differs, "
                "such as preset=NAME, agents=A,B, seat=1 or an option"
            )
    return found


def _differs(settings: str) -> dict[str, Any]:
    """What stands behind the colon.

    Raises:
        click.UsageError: It cannot be read.

    >>> _differs(" preset=lhasa players=4 agents=greedy,random seat=1")
    {'preset': 'lhasa', 'players': 4, 'agents': ['greedy', 'random'], 'seat': 1}
    """
    try:
        words = shlex.split(settings)
    except ValueError as error:
        raise click.UsageError(f"a quotation mark is not closed in {settings!r}") from error
    # A game as make takes it: GAME(preset=NAME,OPTION=VALUE).
    games = [word for word in words if "(" in word.partition("=")[0]]
    given = parse_options((f"game={word}" if word in games else word for word in words), "a variant")
    if isinstance(agents := given.get("agents"), str):
        given["agents"] = typed_agents(agents)
    return given
