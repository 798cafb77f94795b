"""`sarai show`: a position as a board."""

from __future__ import annotations

import click

from sarai._cli import files, screen
from sarai._cli.basics import examples, game_options, print_json, word_option
from sarai._cli.position import read_position
from sarai._core import Game
from sarai._render.svg import THEMES
from sarai.render import draw


@click.command(
    "show",
    short_help="Show a position as a text board, or draw it.",
    help="""Show a position of GAME: the start, or the one that you give.

    TEXT is a position in the form printed below each board, and FILE is a file that contains one. A position
    depends on the rules, so give its --preset and --option values.
    """,
    epilog=examples(
        "sarai show shuanglu",
        "sarai show sho --preset lhasa --out start.svg",
    ),
)
@game_options
@click.argument("position", required=False, metavar="[TEXT|FILE]")
@files.file_option(
    "--out",
    "FILE",
    "Write a drawing to this file, as .svg, or as .png or .pdf (need sarai[render]), instead of printing a board.",
)
@word_option("--theme", tuple(THEMES), "The theme of the drawing.")
@click.option("--no-color", is_flag=True, help="Do not use colour, even in a terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a board.")
def command(
    game: Game,
    position: str | None,
    out: str | None,
    theme: str,
    no_color: bool,
    as_json: bool,
) -> None:
    """Print the position, or draw it."""
    state = read_position(game, position)
    if out is not None:
        files.save(draw(state, theme=theme), out)
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
