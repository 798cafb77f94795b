"""A record cut into scenes: positions in which somebody is to choose, with what has led to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sarai._cli.story import Story
from sarai._core import CHANCE, State
from sarai._records.record import Record


class Scene(NamedTuple):
    """One position to look at.

    Attributes:
        number: How many steps lead to it from the beginning of the game.
        news: What happened since the scene before, in lines.
        state: The position. It is the next scene's too, and changes when that one is taken.
    """

    number: int
    news: list[str]
    state: State


def states(record: Record) -> Iterator[State]:
    """Every position from the start on, as `Record.states`, but one object that changes: a long game fits in no list.

    >>> import sarai
    >>> record = sarai.Record.from_steps("shah", [4, 19])
    >>> [str(state) for state in states(record)] == [str(state) for state in record.states()]
    True
    """
    state = record.initial_state
    yield state
    for step in record.steps:
        state.apply_action(step.id)
        yield state


def is_scene(record: Record, number: int) -> bool:
    """Whether the position after so many steps is one to stop at: dice that lie there are shown with their choice."""
    return number in (0, len(record)) or record.steps[number].player != CHANCE


def scenes(record: Record, first: int, last: int) -> Iterator[Scene]:
    """The scenes from one position to another; the two are scenes whatever they are.

    Args:
        record: The game.
        first: 0 to the number of steps.
        last: Likewise, not before `first`.

    >>> import sarai
    >>> record = sarai.Record.from_steps("sho", [4, 0, 8])
    >>> [(scene.number, scene.news) for scene in scenes(record, 0, 3)]
    [(0, []), (1, ['player 0: throws 1-5']), (3, ['player 0: plays hand/6', 'player 1: throws 2-4'])]
    >>> [scene.number for scene in scenes(record, 2, 2)]
    [2]
    """
    story = Story(record.agents)
    for number, state in enumerate(states(record)):
        if number in (first, last) or is_scene(record, number):
            if number >= first:
                yield Scene(number, story.lines(), state)
            story = Story(record.agents)
        if number == last:
            return
        story.add(state, record.steps[number].id)
