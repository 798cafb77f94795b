"""`sarai serve`: a page of this machine on which games are played."""

from __future__ import annotations

import sys
import webbrowser
from contextlib import suppress
from threading import Thread

import click

from sarai._cli import files
from sarai._cli.basics import IntRange, examples, say
from sarai._cli.screen import printable

_HERE = "127.0.0.1"


@click.command(
    "serve",
    short_help="Play in the browser, on a page served by this machine.",
    help="""Open a page to play every game on, against agents or between people at one screen.

    This machine serves the page, to itself alone, until Ctrl-C. Needs pip install "sarai[serve]".
    """,
    epilog=examples(
        "sarai serve",
        "sarai serve --port 8000 --no-browser",
    ),
)
@click.option(
    "--port",
    type=IntRange(0, 65535),
    default=0,
    help="The port of the page. Default: a free one, which is printed.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in a browser.")
@click.option(
    "--host",
    default=_HERE,
    callback=files.named,
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen on. With any other than the default, others on the network can play too.",
)
@click.option(
    "--allowed-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Another name by which browsers reach the page, as behind a proxy. Can be given several times.",
)
def command(port: int, no_browser: bool, host: str, allowed_hosts: tuple[str, ...]) -> None:
    """Serve the page."""
    try:
        from sarai._web.server import serve
    except ImportError as error:
        raise click.ClickException(
            f'the page needs more packages: pip install "sarai[serve]" ({error})'
        ) from error
    if host != _HERE:
        say(
            f"warning: with --host {printable(host, sys.stderr)}, anyone who reaches this machine over the network can "
            "open the page and run agents here; nothing is encrypted"
        )

    listens = False

    def ready(address: str) -> None:
        nonlocal listens
        listens = True
        click.echo(f"Play at {address} (Ctrl-C ends the server)")
        if not no_browser:
            # What a browser has to say is nobody's concern here, and it may take its time.
            Thread(target=_open, args=(address,), daemon=True).start()

    try:
        serve(host, port, allowed_hosts=allowed_hosts, ready=ready)
    except OSError as error:
        if listens:
            # It is the address that could not be printed.
            raise
        where = f"{host}:{port}" if port else host
        raise click.ClickException(
            f"cannot listen on {where}: {error.strerror or error}; give another --port, or leave it out for a free one"
        ) from error
    except KeyboardInterrupt:
        # The way this command ends.
        click.echo("\nThe server has ended.")


def _open(address: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(address)
