"""`sarai exact`: publish tables of exact values, and fetch published ones."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from sarai._base import hub
from sarai._base.arguments import counted
from sarai._base.terminal import is_terminal
from sarai._cli import files
from sarai._cli.basics import (
    Group,
    Interrupted,
    console,
    examples,
    game_options,
    input_errors,
    print_json,
    quiet_option,
    say,
    stones_option,
    typed_stones,
)
from sarai._cli.screen import printable
from sarai._cli.solve import show_tables
from sarai._core import Game
from sarai._exact import manifest
from sarai._exact.fetching import fetch
from sarai._exact.solving import size


@click.group(
    "exact",
    cls=Group,
    short_help="Publish tables of exact values, and fetch them.",
    help="Publish tables of exact values, made by 'sarai solve', and fetch published ones.",
    epilog=examples(
        "sarai exact manifest tables",
        "sarai exact fetch shah --from https://example.org/shah --out tables",
    ),
    invoke_without_command=True,
)
@click.pass_context
def command(context: click.Context) -> None:
    """Print the help where no command is named."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@command.command(
    "manifest",
    short_help="Write the manifest and the card of a folder of tables.",
    help=f"""Write {manifest.FILE} into DIR, a folder of tables, and {hub.FILE}, a dataset card for the
    Hugging Face Hub.

    The manifest has the size and SHA-256 of every table, which 'sarai exact fetch' checks. Upload both with the tables.
    Every table is checked for damage first. The same tables give the same bytes.
    """,
    epilog=examples("sarai exact manifest tables", "sarai exact manifest tables --license cc-by-4.0"),
)
@click.argument("folder", metavar="DIR", callback=files.named)
@click.option("--license", "license_id", metavar="ID", help="The license for the card, as the Hub names it.")
@quiet_option
@click.option("--json", "as_json", is_flag=True, help="Print the manifest instead of a line.")
def _manifest(folder: str, license_id: str | None, no_progress: bool, as_json: bool) -> None:
    with files.writing(folder), input_errors():
        made = manifest.manifest(folder, license_id=license_id, progress=not no_progress)
    if as_json:
        print_json(asdict(made))
        return
    names = " and ".join(printable(str(Path(folder) / name)) for name in (manifest.FILE, hub.FILE))
    console().print(f"{names}: {counted(len(made.files), 'table')}, {made.bytes:,} bytes", soft_wrap=True)


@command.command(
    "fetch",
    short_help="Fetch tables from a folder or an address.",
    help="""Fetch tables of GAME from SOURCE, a folder or an address of the web with a manifest, into a folder.

    Every file must have the size and SHA-256 of the manifest. Files that are there already are checked and kept. If the
    command is stopped, run it again: it continues in the middle of a file, if the server can. --stones fetches only
    the tables that 'sarai solve' makes for these numbers, and --placing also the turns before the moving phase.
    """,
    epilog=examples(
        "sarai exact fetch shah --from https://example.org/shah --out tables",
        "sarai exact fetch shah --from https://example.org/shah --stones 6 --out tables",
    ),
)
@game_options
@files.file_option("--from", "SOURCE", "The folder or the address.", required=True)
@files.file_option("--out", "DIR", "The folder of the tables.", required=True)
@stones_option
@click.option(
    "--placing/--no-placing",
    default=None,
    help="Whether to fetch the turns before the moving phase. Default: yes without --stones.",
)
@quiet_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of lines.")
def _fetch(
    game: Game,
    out: str,
    stones: str | None,
    placing: bool | None,
    no_progress: bool,
    as_json: bool,
    **others: Any,
) -> None:
    try:
        with input_errors():
            tables = fetch(
                game,
                others["from"],
                out,
                stones=None if stones is None else typed_stones(stones),
                placing=placing,
                progress=not no_progress,
                tell=None if no_progress else _tell,
            )
    except OSError as error:
        raise click.ClickException(
            f"cannot write {out}: {error.strerror}; run the same command again to fetch the rest"
            if error.strerror
            else str(error)
        ) from error
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted: run the same command again to fetch the rest") from error
    show_tables(tables, as_json)


def _tell(event: dict[str, Any]) -> None:
    if event["event"] == "planned":
        say(f"{counted(event['files'], 'table')}, {size(event['bytes'])}")
    elif event["event"] == "begun" and not is_terminal(sys.stderr):
        # A terminal shows a bar.
        say(f"fetching {event['file']}: {event['bytes']:,} bytes")
