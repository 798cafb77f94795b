"""Positions in the notations of other programs: a part of `Game.parse`, `sarai.parse` and `State.to_text`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sarai import _core
from sarai._core import Game, State
from sarai._game import make
from sarai._records import ids

_parse_text = Game.parse


def _parse(self: Game, text: str) -> State:  # noqa: D417  (self is no argument)
    """The state described by a line of text, as written by `str(state)` or `state.to_text(form)`.

    Args:
        text: The line; for shuanglu also a GNU Backgammon ID or an XGID, whose cube and score are left out
            (`sarai.records.match_facts` reads them).

    Raises:
        ValueError: The line is not valid.

    >>> import sarai
    >>> game = sarai.make("shuanglu", preset="backgammon")
    >>> state = game.parse("XGID=-b----E-C---eE---c-e----B-:0:0:1:62:0:0:0:0:10")
    >>> state == game.position(player=0, dice=(6, 2))
    True
    >>> game.parse("4HPwATDgc/ABMA") == game.position(player=0)
    True
    """
    if self.name == _GAME and isinstance(text, str) and ids.looks_like(text):
        return ids.parse(self, text)
    return _parse_text(self, text)


def parse(text: str) -> State:
    """The state that a line of text describes, as written by `str(state)`, of whichever game it is.

    It has the rules of the first preset that has such a position. A GNU Backgammon ID or an XGID is one of backgammon.

    Raises:
        ValueError: No game has it.

    >>> import sarai
    >>> line = str(sarai.make("tshupu").new_initial_state())
    >>> sarai.parse(line).get_game()
    sarai.make('tshupu')
    >>> sarai.parse("4HPwATDgc/ABMA:cAkAAAAAAAAE").get_game()
    sarai.make('shuanglu(preset=backgammon)')
    >>> sarai.make("sho").parse(line)
    Traceback (most recent call last):
    ...
    ValueError: this is a position of tshupu, not of sho
    >>> sarai.parse("e2 e4")
    Traceback (most recent call last):
    ...
    ValueError: this is a position of no game, or of none with the rules of a preset: use Game.parse, which says ...
    """
    if isinstance(text, str) and ids.looks_like(text):
        return ids.parse(make(_GAME, preset="backgammon"), text)
    return _core.parse(text)


def _to_text(self: State, form: str, facts: Mapping[str, Any] | None = None) -> str:  # noqa: D417  (self is no argument)
    """A position of backgammon in the notation of another program, which `Game.parse` reads.

    Args:
        form: "gnubg" for a GNU Backgammon ID (position ID and match ID), or "xgid".
        facts: Cube and score, as `sarai.records.match_facts` returns them; what is left out is as in a game for points
            without a cube. The first player of an XGID has seat 0.

    Raises:
        ValueError: The state is of another game, the game has not begun or is over, a part of the dice has been played,
            or a fact is unknown or out of range.

    >>> import sarai
    >>> state = sarai.make("shuanglu", preset="backgammon").position(player=1, dice=(3, 1))
    >>> state.to_text("gnubg")
    '4HPwATDgc/ABMA:cIkFAAAAAAAE'
    >>> state.to_text("xgid", {"match_length": 5, "score": (2, 4), "crawford": True})
    'XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:2:4:1:5:10'
    """
    return ids.write(self, form, facts)


_GAME = "shuanglu"

Game.parse = _parse  # type: ignore[method-assign]
State.to_text = _to_text  # type: ignore[method-assign]
