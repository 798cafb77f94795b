"""A record as a picture: a game that plays itself, or where it ended, with a caption."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sarai._base.arguments import counted, flag
from sarai._base.progress import ProgressOption, shown
from sarai._core import State
from sarai._records.model import RecordedGame
from sarai._render import animation, pixels
from sarai._render import page as pages
from sarai._render.animation import MOST_FRAMES
from sarai._render.captions import captioned
from sarai._render.options import Last
from sarai._render.svg import Picture, Svg
from sarai.render import picture

MOST_PLAYED = 120
"""In a notebook a record with fewer steps plays itself. A longer one would take seconds and half a megabyte each time
that it is shown, so it shows its last board."""


def animate(record: RecordedGame, by_turn: bool = False, **options: Any) -> Svg:
    """The whole game, as `Record.animate` describes it."""
    return _animated(record, by_turn, options).written()


def gif(record: RecordedGame, by_turn: bool, progress: ProgressOption, options: Mapping[str, Any]) -> bytes:
    """The whole game, as `Record.gif` describes it."""
    places = places_of(record, by_turn)
    last = last_moves(record)
    chosen = {"last": [last[i] for i in places], **options}
    with shown(progress, f"{record.game}: drawing", len(places), "pictures") as report:

        def counted() -> Iterator[State]:
            for drawn, state in enumerate(_states(record, places)):
                if report is not None:
                    report(drawn)
                yield state

        content = pixels.gif(counted(), **chosen)
        if report is not None:
            report(len(places))
    return content


def page(record: RecordedGame, by_turn: bool, options: Mapping[str, Any]) -> str:
    """The whole game, as `Record.page` describes it."""
    return page_of(record, places_of(record, by_turn), options)


def page_of(record: RecordedGame, places: Sequence[int], options: Mapping[str, Any]) -> str:
    """The positions at these places as a page, each with the steps that led to it."""
    last = last_moves(record)
    title, *notes = caption(record)
    chosen = {
        "title": title,
        "notes": notes,
        "labels": moves_before(record, places),
        "last": [last[i] for i in places],
    }
    return pages.page(_states(record, places), **{**chosen, **options})


def moves_before(record: RecordedGame, places: Sequence[int]) -> list[str]:
    """For each place the steps since the one before it, what was drawn in brackets."""
    told: list[str] = []
    first = max(places[0] - 1, 0) if places else 0
    for before, place in itertools.pairwise([first, *places]):
        words: list[str] = []
        player = None
        for step in record.steps[before:place]:
            if step.player < 0:
                words.append(f"[{step.name}]")
            elif step.player == player:
                words[-1] += f", {step.name}"
            else:
                words.append(f"player {step.player}: {step.name}")
            player = step.player
        told.append("; ".join(words).replace("]; ", "] ") if place else "The beginning")
    return told


def _animated(record: RecordedGame, by_turn: bool, options: Mapping[str, Any]) -> Picture:
    places = places_of(record, by_turn)
    last = last_moves(record)
    return animation.animated(_states(record, places), **{"last": [last[i] for i in places], **options})


def places_of(record: RecordedGame, by_turn: bool) -> Sequence[int]:
    """The places of the positions that are shown.

    Raises:
        ValueError: There are too many.
        TypeError: `by_turn` is no bool.
    """
    places = list(_turns(record)) if flag("by_turn", by_turn) else range(len(record) + 1)
    if len(places) > MOST_FRAMES:
        raise ValueError(
            f"an animation has at most {MOST_FRAMES:,} positions, and this record has {len(places):,}: "
            f"animate a part of states(){'' if by_turn else ', or give by_turn=True'}"
        )
    return places


def _turns(record: RecordedGame) -> Iterator[int]:
    """The place of the first position of every turn, and of the last position, whose turn may not have passed."""
    state = record.initial_state
    turns = state.turns_passed()
    yield 0
    for place, step in enumerate(record.steps, 1):
        state.apply_action(step.id)
        if state.turns_passed() != turns or place == len(record):
            turns = state.turns_passed()
            yield place


def _states(record: RecordedGame, places: Sequence[int]) -> Iterator[State]:
    """The positions at these places, which ascend; one state walks through them all."""
    state, reached = record.initial_state, 0
    for place in places:
        for step in record.steps[reached:place]:
            state.apply_action(step.id)
        reached = place
        yield state


def shown_in_notebook(record: RecordedGame) -> Svg:
    """What a notebook shows: a short game played from the start, of a long one the end; and what game it is."""
    if len(record) < MOST_PLAYED:
        board = _animated(record, False, {})
    else:
        board = picture(record.final_state, last=last_moves(record)[-1])
    return captioned(board, caption(record)).written()


def last_moves(record: RecordedGame) -> list[Last | None]:
    """For each state the latest action before it; chance outcomes show themselves."""
    latest: list[Last | None] = [None]
    for step in record.steps:
        latest.append(latest[-1] if step.player < 0 else (step.player, step.name))
    return latest


def caption(record: RecordedGame) -> list[str]:
    """The game and its result, and where it comes from if that is known."""
    if record.returns is None:
        result = "unfinished"
    elif record.winner == -1:
        result = "a draw"
    else:
        seats = [str(seat) for seat, side in enumerate(record.game.sides) if side == record.winner]
        result = f"won by player{'s' if len(seats) > 1 else ''} {' and '.join(seats)}"
    turns = record.final_state.turns_passed()
    first = f"{record.game}: {counted(len(record), 'step')}, {counted(turns, 'turn')}, {result}"
    numbers = (("seed", record.seed), ("game", record.number))
    origin = [f"{name} {value}" for name, value in numbers if value is not None]
    agents = [f"{seat}: {agent}" for seat, agent in enumerate(record.agents or ())]
    second = "; ".join(", ".join(part) for part in (origin, agents) if part)
    return [first, second] if second else [first]
