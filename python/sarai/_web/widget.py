"""`widget`: a game in a notebook, played by clicks, looked through with arrow keys, and followed from Python."""

from __future__ import annotations

import asyncio
import re
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from sarai._agents.policies import spread
from sarai._base.extras import needed

with needed("sarai.widget", "widget", "anywidget"):
    import anywidget
    import traitlets

import numpy as np

from sarai import _core
from sarai._base.arguments import counted, is_number, short, whole
from sarai._core import Game, State
from sarai._game import as_game
from sarai._records.record import Record
from sarai._web.choosers import Chooser, named
from sarai._web.session import PERSON, Session, persons_of
from sarai.agents import Agent, Agents

_PACE = 0.4
"""Seconds between two steps that are not a person's."""

_LONGEST_ID = 64

_IMPORT = re.compile(r'^import .+ from "\./(.+)";\n', re.MULTILINE)
"""The lines in whose place the modules stand: each of what they import comes before them."""

_OPPONENT = "mcts:200"


def _script() -> str:
    """One module that holds all: a notebook can load nothing from beside it."""
    folder = files("sarai._web") / "static"
    names = ("board.js", "editor.js", "widget.js")
    modules = {name: (folder / name).read_text(encoding="utf-8") for name in names}
    imported = {name for module in modules.values() for name in _IMPORT.findall(module)}
    if imported != {*names[:-1]}:
        raise RuntimeError(f"widget.js needs {sorted(imported)}, and is put together with {names[:-1]}")
    return "".join(_IMPORT.sub("", module) for module in modules.values())


def _looks() -> str:
    folder = files("sarai._web") / "static"
    return "".join((folder / name).read_text(encoding="utf-8") for name in ("board.css", "widget.css"))


class Widget(anywidget.AnyWidget):
    """A game on a board in a notebook; `sarai.widget` makes one.

    Attributes:
        state: The position that is shown, a `sarai.State`; `observe(callback, names="state")` follows it.
        record: The game so far, a `sarai.Record`, which can be observed in the same way.
    """

    _esm = _script()
    _css = _looks()

    state = traitlets.Instance(State, read_only=True)
    record = traitlets.Instance(Record, read_only=True)
    # What a notebook that was saved shows without a kernel, and under which name it finds it.
    _still = traitlets.Unicode().tag(sync=True)
    _words = traitlets.Unicode().tag(sync=True)
    _key = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        begin: State | Record,
        seats: Sequence[str],
        *,
        own: Mapping[str, Chooser],
        adviser: str | None,
        seed: int | None,
        pace: float,
    ) -> None:
        """Hold a game; `sarai.widget` says more about who plays."""
        # The thread in which agents think must not touch what a notebook's own cells look at.
        try:
            self._loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            self._loop = None
        self._session = Session(
            begin,
            seats,
            seed=seed,
            pace=pace,
            guarded=True,
            own=own,
            adviser=adviser,
            on_change=self._tell,
        )
        if isinstance(begin, Record) and begin.finished:
            # A game that is over is looked at from its beginning.
            self._session.do({"do": "go", "to": 0})
        with self._session.lock:
            super().__init__()
            self._key = self.model_id or ""
            self.on_msg(self._hear)
            self._follow(*self._seen())

    def close(self) -> None:
        """Take the board away and call off whoever thinks; `state` and `record` stay as they are."""
        session = self.__dict__.get("_session")
        if session is not None:
            session.close()
        super().close()

    def set_state(self, sync_data: object) -> None:
        """Refuse what a page would set: it sends commands, and everything else here is Python's."""
        self._say(f"a page sets nothing here, it sends commands; {short(sync_data)} was not set")

    def __repr__(self) -> str:
        """What the board shows, in words."""
        shown = self._session.snapshot()
        return (
            f"<sarai.widget of {shown['game']}: {shown['headline']}, step {shown['at']} of {shown['length']}>"
        )

    def _repr_mimebundle_(self, **_asked: object) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The board, and beside it a picture and words for whatever shows no widgets."""
        bundle = super()._repr_mimebundle_()
        if bundle is None:
            return None
        data, metadata = bundle
        shown = self._session.snapshot()
        words = f"{shown['headline']}. {shown['description']}\n{shown['position']}"
        return {**data, "text/plain": words, "image/svg+xml": shown["svg"]}, metadata

    # From a page.

    def _hear(self, _widget: object, content: object, buffers: Sequence[object]) -> None:
        """Carry out a command, and answer it under its number. What it changes, `_tell` has sent before."""
        number = content.get("id") if isinstance(content, Mapping) else None
        if (
            not isinstance(content, Mapping)
            or {*content} != {"id", "command"}
            or not isinstance(number, str)
            or len(number) > _LONGEST_ID
            or buffers
        ):
            self._say(
                f"a message is an object with 'id', text of at most {_LONGEST_ID} characters, and 'command', "
                f"and no data beside it, not {short(content)}"
            )
            return
        try:
            answer = self._session.do(content["command"])
        except Exception as error:
            self.send({"id": number, "answer": {"error": f"{type(error).__name__}: {error}"}})
            raise
        if "svg" in answer:
            answer = {"error": answer["error"], "version": answer["version"]}
        self.send({"id": number, "answer": answer})

    def _say(self, sentence: str) -> None:
        """Show a sentence on every page that shows this board."""
        self.send({"trouble": sentence})

    # To the page, and to whoever observes.

    def _tell(self) -> None:
        """After a change, in whatever thread it came about."""
        session: Session | None = self.__dict__.get("_session")
        if session is None:
            # It is just being made.
            return
        with session.lock:
            if "_key" not in self._trait_values:
                return
            # Messages may be sent from any thread; a page need not wait until a cell that runs has ended.
            self.send({"shown": self._session.snapshot()})
            seen = self._seen()
            if self._loop is None:
                self._follow(*seen)
                return
            try:
                self._loop.call_soon_threadsafe(self._follow, *seen)
            except RuntimeError:
                # The loop has ended, and so has the kernel.
                self._session.close()

    def _seen(self) -> tuple[State, Record, str, str]:
        shown = self._session.snapshot()
        return (
            self._session.state,
            self._session.record,
            shown["svg"],
            f"{shown['headline']}. {shown['description']}",
        )

    def _follow(self, state: State, record: Record, still: str, words: str) -> None:
        """Let the traits follow, and show what goes wrong in whoever observes them."""
        with self.hold_sync():
            self._still, self._words = still, words
        self._let("state", state)
        self._let("record", record)

    def _let(self, name: str, value: object) -> None:
        try:
            self.set_trait(name, value)
        except Exception as error:
            self._say(f"a callback that observes {name!r} has failed: {type(error).__name__}: {error}")
            _show_traceback()


def _show_traceback() -> None:
    """Show the exception that is being handled, where the user looks."""
    get_ipython: Callable[[], Any] = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)
    shell = get_ipython()
    if shell is None:
        traceback.print_exc()
    else:
        shell.showtraceback()


def widget(
    begin: State | Record | Game | str,
    against: Agents = None,
    seat: int | Sequence[int] | None = None,
    *,
    seed: int | None = None,
    pace: float = _PACE,
) -> Widget:
    """A board to play on in a notebook.

    Play by clicking, dragging or keys, with buttons for undo, hints and analysis; the arrow keys step through the game.
    It needs `pip install "sarai[widget]"`, and works in JupyterLab, Notebook 7, VS Code, Colab and marimo.

    Args:
        begin: A game or its name; a state to play on from; or a record to step through and play on from.
        against: The players of the other seats: an agent's name, a policy, an object with `choose_many`, or a list with
            one of them for each of these seats. None is "mcts:200"; with a record, the agents that the record names, if
            they can play.
        seat: The seat of the person, or a list of several; an empty one watches. None is 0; with a record, those that
            no agent had.
        seed: The seed of the dice and of the engine's agents. None continues with the record's dice, and draws a seed
            if there is no record or it has none.
        pace: Seconds between two steps that are not a person's.

    Returns:
        The widget, whose `state` and `record` follow the play.

    Raises:
        ModuleNotFoundError: anywidget is not installed.
        ValueError: A game, an option or a seat does not exist, or an agent cannot play this game.
        TypeError: An argument is of another kind.

    >>> import sarai
    >>> board = sarai.widget("sho(preset=lhasa)", against="greedy", seed=1)
    >>> moves = []
    >>> board.observe(lambda change: moves.append(change.new), names="state")
    >>> board.state.num_players(), board.record.agents
    (3, ('human', 'greedy', 'greedy'))
    >>> board.unobserve_all("state")
    >>> sarai.widget("shah", seat=2)
    Traceback (most recent call last):
    ...
    ValueError: seat got 2; this game has the seats 0 to 1
    """
    start: State | Record
    if isinstance(begin, State):
        start, game = begin, begin.get_game()
    elif isinstance(begin, Record):
        start, game = begin, begin.game
    elif isinstance(begin, Game | str):
        game = as_game(begin)
        start = game.new_initial_state()
    else:
        raise TypeError(
            f"begin must be a state, a record, a game or its name, not {type(begin).__name__}: "
            f'sarai.widget("{_core.games()[0]}")'
        )
    if not is_number(pace) or not 0 <= pace <= 60:
        raise ValueError(f"pace got {short(pace)}; it takes seconds from 0 to 60")
    names, own = _seated(game, start if isinstance(start, Record) else None, against, seat)
    adviser = next(
        (name for name in names if name not in own and name not in (PERSON, "random", "greedy")), None
    )
    return Widget(start, names, own=own, adviser=adviser, seed=seed, pace=float(pace))


def _seated(
    game: Game, record: Record | None, against: Agents, seat: int | Sequence[int] | None
) -> tuple[list[str], dict[str, Chooser]]:
    """Who has each seat, and who of them is no name of the engine."""
    if record is not None and against is None and seat is None:
        return [name if _plays(game, name) else PERSON for name in persons_of(record)], {}
    persons = _persons(game, 0 if seat is None else seat)
    others = [each for each in range(game.num_players) if each not in persons]
    agents = spread("against", _OPPONENT if against is None else against, len(others))
    if len(agents) != len(others):
        raise ValueError(
            f"against has {counted(len(agents), 'agent')} for the {counted(len(others), 'seat')} without a person: "
            "give one for each of them, or a single one for all"
        )
    found, own = named(agents)
    engine: list[Agent] = [name for name in found if name not in own]
    # Refused here, with the engine's own words, and not when the turn comes.
    for name in engine:
        _core.check_agents(game, [name] * game.num_players)
    names = iter(found)
    return [PERSON if each in persons else next(names) for each in range(game.num_players)], own


def _plays(game: Game, name: str) -> bool:
    try:
        _core.check_agents(game, [name] * game.num_players)
    except ValueError:
        return False
    return True


def _persons(game: Game, seat: int | Sequence[int]) -> set[int]:
    given: object = seat.tolist() if isinstance(seat, np.ndarray) else seat
    listed = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    seats = {whole("seat", each, "a seat's number or a list of them") for each in listed}
    for each in seats:
        if not 0 <= each < game.num_players:
            raise ValueError(f"seat got {short(each)}; this game has the seats 0 to {game.num_players - 1}")
    return seats
