"""A game that is played at the terminal: the engine's session, which thinks while whoever plays waits."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sarai import _core
from sarai._cli import story
from sarai._core import Game, State
from sarai._exact.exploring import outcome
from sarai._records.record import Record

HUMAN = "human"

_PERSON = "person"
"""How the session calls a human."""

_HINTED = 3
"""How many moves of a search a hint names."""


class Table:
    """One game with its players, humans among them.

    Attributes:
        game: The rules.
        players: Who sits on each seat: `HUMAN`, or an agent's name.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[str],
        seed: int | None,
        steps: Iterable[int] = (),
        start: State | None = None,
    ) -> None:
        """Seat the players at a position, and take the steps of a game that was played here or elsewhere before.

        Raises:
            ValueError: A step is not legal, or somebody cannot sit there.
        """
        self.game = game
        self.players = tuple(players)
        seats = [_PERSON if player == HUMAN else player for player in players]
        self._session = _core.Session(game, start, list(steps), seats, seed=seed)

    @property
    def state(self) -> State:
        """The position, as a copy."""
        return self._session.state

    @property
    def seed(self) -> int:
        """What the dice and the agents' choices come from."""
        return int(self._shown()["seed"])

    @property
    def waits(self) -> bool:
        """Whether a human is to choose; otherwise the game is over or `advance` was not called yet."""
        return bool(self._shown()["mine"])

    @property
    def num_steps(self) -> int:
        """How many steps the game has so far."""
        return int(self._shown()["length"])

    def record(self) -> Record:
        """The game so far."""
        return Record.from_json(self._do("save")["record"])

    def names(self) -> dict[str, int]:
        """The legal actions by their names, in the order of the list that is shown."""
        state = self.state
        return {state.action_to_string(action): action for action in state.legal_actions()}

    def advance(self) -> list[str]:
        """Roll dice and play agents' moves until a human is to choose or the game is over.

        Returns:
            What happened since a human has chosen, a line for each player and turn.
        """
        while (job := self._session.job()) is not None:
            self._session.found(job, work(job))
        steps = self._do("log")["log"]
        news = story.Story(self.players)
        chosen = [place for place, step in enumerate(steps, 1) if self._is_humans(step["seat"])]
        for step in steps[max(chosen, default=0) :]:
            news.tell(step["seat"], step["thrower"], step["name"])
        return news.lines()

    def play(self, action: int) -> None:
        """Play a human's action.

        Raises:
            ValueError: No human is to choose, or the action is not legal; nothing has changed.
        """
        self._do("play", action=action)

    def hints(self) -> list[str]:
        """What is best for certain, or what a search finds, and what "greedy" would play.

        Asking changes nothing, nor any coming dice.

        Raises:
            ValueError: It is no player's turn.
        """
        return [self._hint(), self._hint(agent="greedy")]

    def undo(self) -> bool:
        """Go back to the last decision of a human; False when there is none."""
        if not any(self._is_humans(step["seat"]) for step in self._do("log")["log"]):
            return False
        self._do("undo")
        return True

    def result(self) -> str:
        """What every player has won or lost."""
        return story.result(self.state.returns(), self.players)

    def _hint(self, **agent: str) -> str:
        self._do("analyse", **agent)
        job = self._session.job()
        assert job is not None
        self._session.found(job, work(job))
        shown = self._shown()
        moves = shown["analysis"]
        if shown["analysed_by"] == "perfect":
            told = (f"{move['name']} {_certain(move)}" for move in moves[:_HINTED])
            return f"for certain: {', '.join(told)}"
        hint = f"{shown['analysed_by']} would play {moves[0]['name']}"
        if not moves[0]["visits"]:
            return hint
        return f"{hint} " + ", ".join([f"{moves[0]['value']:+.2f}", *map(_valued, moves[1:_HINTED])])

    def _is_humans(self, seat: int) -> bool:
        return seat >= 0 and self.players[seat] == HUMAN

    def _do(self, command: str, **fields: object) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._session.carry_out(json.dumps({"do": command, **fields})))
        if answer["error"] is not None:
            raise ValueError(answer["error"])
        return answer

    def _shown(self) -> dict[str, Any]:
        shown: dict[str, Any] = json.loads(self._session.snapshot())
        return shown


def work(job: _core.Job) -> str:
    """What comes of a job; whoever plays waits for it.

    Raises:
        KeyboardInterrupt: Ctrl-C.
    """
    return job.work()


def _certain(move: dict[str, Any]) -> str:
    value = move["value"]
    return outcome((value > 0) - (value < 0), move["turns"])


def _valued(move: dict[str, Any]) -> str:
    return f"{move['name']} {move['value']:+.2f}"


def find_moves(state: State, word: str) -> list[int] | str:
    """The actions that were typed: one, as `find_move` finds it, or a turn as people write it.

    >>> import sarai
    >>> state = sarai.make("shuanglu").position(player=0, dice=(6, 2))
    >>> [state.action_to_string(action) for action in find_moves(state, "24/18 13/11")]
    ['24/18', '13/11']
    >>> find_moves(state, "13/8")
    "'13/8': from 13 a piece can go to 11 or 7, not to 8"
    """
    names = {state.action_to_string(action): action for action in state.legal_actions()}
    found = find_move(names, word)
    if not isinstance(found, str):
        return [found]
    try:
        return state.string_to_actions(word)
    except ValueError as error:
        begins = any(name.startswith(word) for name in names)
        return str(error) if "/" in word and not begins and word.isascii() and word.isprintable() else found


def find_move(
    names: dict[str, int], word: str, advice: str = "type 'legal' for the list, 'help' for help"
) -> int | str:
    """The action that was typed: a name, an unambiguous beginning of one, or its number in the list.

    Returns:
        The action, or a sentence that says why it is none.

    >>> find_move({"hand/6": 5, "hand/6*": 7, "6/12": 20}, "6")
    20
    >>> find_move({"hand/6": 5, "6/12": 20}, "hand/6"), find_move({"hand/6": 5, "6/12": 20}, "2")
    (5, 20)
    >>> find_move({"hand/6": 5, "6/12": 20}, "7")
    "'7' is no legal move: type 'legal' for the list, 'help' for help"
    """
    if word in names:
        return names[word]
    # A number that counts in the list means that, though a name may begin with it.
    if word.isascii() and word.isdigit() and len(word) < 5 and 1 <= int(word) <= len(names):
        return list(names.values())[int(word) - 1]
    meant = [name for name in names if name.startswith(word)]
    if len(meant) == 1:
        return names[meant[0]]
    if meant:
        return f"{_quoted(word)} may be {' or '.join(meant[:6])}: type more of it"
    return f"{_quoted(word)} is no legal move: {advice}"


def _quoted(word: str) -> str:
    # Not every output can show every character.
    return ascii(word if len(word) <= 40 else word[:40] + "...")
