"""Send many random games of every game and preset through record, save, load and replay; every position must return.

    python scripts/check_records.py --games 10000

The games are those of `sarai.rollout` with random agents. Each is played again by its ids on a `State`, is saved and
loaded as JSON and as text, and both must replay to the same position after every step and to the rollout's result.
Prints a line for each rule book; the exit status is 1 when a game differs, which is named with its seed.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import sarai
from sarai._results.kept import MAX_KEPT

FORMS = ("json", "txt")


class Share(NamedTuple):
    """Games of one rule book that one process checks: `games` of them from number `first` on."""

    game: str
    preset: str
    seed: int
    first: int
    games: int


def positions(game: sarai.Game, record: sarai.Record) -> list[sarai.State]:
    """The positions of a game, walked by its ids without the record's own replay."""
    state = game.new_initial_state()
    walked = [state.clone()]
    for step in record.steps:
        legal = (
            [outcome for outcome, _ in state.chance_outcomes()]
            if state.is_chance_node()
            else state.legal_actions()
        )
        if step.id not in legal:
            raise ValueError(f"step {len(walked) - 1} has {step.id}, legal are {legal}")
        state.apply_action(step.id)
        walked.append(state.clone())
    return walked


def check(share: Share) -> tuple[int, int]:
    """Check a share.

    Returns:
        How many games it had, and how many positions.

    Raises:
        ValueError: A game differs.
    """
    game = sarai.make(share.game, preset=share.preset)
    rollout = sarai.rollout(
        game,
        num_games=share.games,
        seed=share.seed,
        first_game=share.first,
        num_threads=1,
        keep=range(share.games),
        progress=False,
    )
    seen = 0
    row = 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            for row, record in rollout.records.items():
                walked = positions(game, record)
                seen += len(walked)
                end = walked[-1]
                if not end.is_terminal() or tuple(end.returns()) != tuple(rollout.returns[row].tolist()):
                    raise ValueError("it ends otherwise than in the rollout")
                for form in FORMS:
                    path = Path(folder, f"game.{form}")
                    record.save(path)
                    loaded = sarai.Record.load(path)
                    if loaded != record or loaded.states() != walked:
                        raise ValueError(f"it is another game once saved as .{form}")
    except ValueError as error:
        which = f"{share.game}, preset {share.preset}, seed {share.seed}, game {share.first + row}"
        raise ValueError(f"{which}: {error}") from error
    return rollout.num_games, seen


def main(arguments: list[str] | None = None) -> int:
    """Check every rule book; 0 when all went well."""
    parser = argparse.ArgumentParser(description="Send random games through record, save, load and replay.")
    parser.add_argument("--games", type=int, default=10_000, help="of each game and preset")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    if options.games < 1 or options.processes < 1:
        parser.error("--games and --processes take at least 1")
    books = [(game, preset) for game in sarai.games() for preset in sarai.presets(game)]
    with ProcessPoolExecutor(options.processes) as pool:
        for game, preset in books:
            # A process takes up to so many games at a time as a rollout keeps.
            size = max(1, min(MAX_KEPT, -(-options.games // options.processes)))
            shares = [
                Share(game, preset, options.seed, first, min(size, options.games - first))
                for first in range(0, options.games, size)
            ]
            try:
                done = list(pool.map(check, shares))
            except ValueError as error:
                print(f"error: {error}", file=sys.stderr)
                return 1
            games, seen = map(sum, zip(*done, strict=True))
            print(
                f"{game} {preset}: {games:,} games, {seen:,} positions, as {' and '.join(FORMS)}", flush=True
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
