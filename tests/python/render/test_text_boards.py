"""Text boards of every game: they fit a terminal, introduce the game, and refuse what is no view.

Whether every piece is where it should be, drawings.txt of the game knows.
"""

from __future__ import annotations

import pytest

import sarai
from helpers.boards import fitting, states
from sarai._render.text import COLUMNS, board, introduction, piece_letters, text_games
from sarai.render import drawn_games

PRESETS = [
    pytest.param(game, preset, marks=[pytest.mark.nightly] if place > 1 else [])
    for game in sarai.games()
    for place, preset in enumerate(sarai.presets(game))
]


def test_every_game_has_a_text_board() -> None:
    assert text_games() == sorted(sarai.games())
    # It is no drawing of its own.
    assert drawn_games() == sorted(sarai.games())
    for game in sarai.games():
        assert len(set(piece_letters(game))) >= sarai.make(game).num_players


@pytest.mark.parametrize("name", sarai.games())
def test_an_introduction_fits_and_its_moves_are_those_of_the_game(name: str) -> None:
    aim, moves = lines = introduction(name)
    assert aim.startswith("Aim: ")
    assert moves.startswith("Moves: ")
    for line in lines:
        assert len(line) <= COLUMNS, f"{len(line)} columns: {line}"
        assert line.isascii()
        assert line.endswith("."), line
    named: set[str] = set()
    for state in states(sarai.make(name), games=4):
        named.update(state.action_to_string(action) for action in state.legal_actions())
    # Whatever has a digit is written as a move is; a name may go on behind a space.
    written = {word.rstrip(".,;:") for word in moves.split() if any(map(str.isdigit, word))}
    assert written
    assert written <= {move.split()[0] for move in named}
    # A mark after a name is explained.
    for mark in {move[-1] for move in named if move[-1] in "*+"}:
        assert f"{mark} after it" in moves or f", {mark} " in moves


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_boards_fit_and_change_nothing(name: str, preset: str) -> None:
    for state in states(sarai.make(name, preset=preset), games=1, every=7):
        before = state.to_json()
        fitting(state)
        assert state.to_json() == before


@pytest.mark.parametrize("name", sarai.games())
def test_a_broken_view_is_refused(name: str) -> None:
    view = sarai.make(name).new_initial_state().view()
    for broken in ({**view, "state": {}}, {**view, "num_players": 99}, {**view, "game": None}):
        with pytest.raises(ValueError, match=r"view|game|state"):
            board(broken)
    with pytest.raises(ValueError, match="no text board for the game 'chess': there are text boards for"):
        piece_letters("chess")
