"""`sarai show`: a position as a board."""

from __future__ import annotations

from typing import Any

import click

from sarai._cli import files, screen
from sarai._cli.basics import examples, game_options, input_errors, print_json
from sarai._cli.drawing import drawing_options, option_names
from sarai._cli.position import read_position
from sarai._core import Game
from sarai.render import draw


@click.command(
    "show",
    short_help="Show a position as a text board, or draw it.",
    help="""Show a position of GAME: the start, or the one that you give.

    TEXT is a position in the form printed below each board, and FILE is a file that contains one. A position
    depends on the rules, so give its --preset and --option values.

    The options from --theme to --names are for the drawing that --out writes; sarai.render.draw describes them.
    """,
    epilog=examples(
        "sarai show shuanglu",
        "sarai show sho --preset lhasa --out start.svg",
        "sarai show shah --out start.png --board-only --arrow d6:d5:red --highlight a7=green --label g1=?",
        "sarai show shuanglu --out opening.pdf --orientation 1 --names Ada,Bo --move 4-1 --move 24/20",
    ),
)
@game_options
@click.argument("position", required=False, metavar="[TEXT|FILE]")
@files.file_option(
    "--out",
    "FILE",
    "Write a drawing to this file, as .svg, or as .png or .pdf (need sarai[render]), instead of printing a board.",
)
@drawing_options
@click.option("--no-color", is_flag=True, help="Do not use colour, even in a terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a board.")
def command(
    game: Game,
    position: str | None,
    out: str | None,
    drawing: dict[str, Any],
    no_color: bool,
    as_json: bool,
) -> None:
    """Print the position, or draw it."""
    state = read_position(game, position)
    if out is None and drawing:
        raise click.UsageError(f"{option_names(drawing)[0]} is for a drawing: add --out FILE.svg")
    if out is not None:
        with input_errors():
            picture = draw(state, **drawing)
        files.save(picture, out)
    if as_json:
        legal = [] if state.current_player() < 0 else state.legal_actions()
        print_json(
            {
                "position": str(state),
                "current_player": state.current_player(),
                "legal_actions": [state.action_to_string(action) for action in legal],
                "view": state.view(),
            }
        )
    elif out is not None:
        click.echo(f"wrote {screen.printable(out)}")
    else:
        console = screen.make_console(no_color)
        console.print(screen.board(state))
        console.print(f"\n{state}")
