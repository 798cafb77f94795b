"""`sarai.Record`: a game with its forms as JSON, as text and as a picture."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from sarai._base import arguments, files
from sarai._base.arguments import one_of
from sarai._base.progress import ProgressOption
from sarai._core import Game
from sarai._game import as_game
from sarai._records import forms, match, morris, picture
from sarai._records.forms import MAX_BYTES
from sarai._records.model import RecordedGame, Step
from sarai._render.svg import Svg
from sarai._states import States

if TYPE_CHECKING:
    # In `typing` from Python 3.11 on.
    from typing_extensions import Self

    from sarai._results.record_analysis import RecordAnalysis

_PIECE = 2**20
"""Bytes that are read of a file at a time."""

_ENDINGS = {".txt": "sarai", ".mat": "mat", ".pgn": "pgn"}


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Record(RecordedGame):
    """A game with every chance outcome and action in order, made by `from_steps`, `play`, or from a file.

    The game is always replayed by the rules, so a record holds only legal games. Step i, counted from 0, leads from
    `states()[i]` to `states()[i + 1]`. Records are immutable, and two are equal if they have the same contents.

    Attributes:
        game: The game, with its rules.
        steps: Every step in order.
        seed: The seed of the rollout that the game comes from, if any.
        number: The number of the game in that rollout.
        agents: One label per seat, if known.
        returns: The final score of each seat; None while the game is unfinished.
        winner: The side that won, -1 for a draw; None while the game is unfinished.

    Examples:
        >>> import sarai
        >>> record = sarai.Record.from_steps(sarai.make("shah"), [4, 19, 2])
        >>> record
        Record('shah', 3 steps, unfinished)
        >>> record.names
        ['d6', 'd2', 'g7']
        >>> sarai.Record.from_json(record.to_json()) == record
        True

        >>> sarai.Record.from_steps(sarai.make("shah"), [4, 19, 4])
        Traceback (most recent call last):
        ...
        sarai.IllegalActionError: step 2: action 4 is not legal here; the legal ones are ...
    """

    def animate(self, *, by_turn: bool = False, **options: Any) -> Svg:
        """The whole game as one animated SVG for browsers and notebooks, with the last move marked.

        Args:
            by_turn: Whether to show one picture per turn, before its first step, instead of one per step.
            **options: Options of `sarai.render.animate`, such as `seconds_per_frame`, `theme`, `repeat` and
                `size`.

        Raises:
            ValueError: There are more than 5,000 pictures, or an option is out of range.
            TypeError: The option does not exist.

        >>> import sarai
        >>> record = sarai.Record.from_steps("shah", [4, 19, 2])
        >>> record.animate(seconds_per_frame=0.5).count("<svg")
        1
        >>> record.animate(seconds_per_frame=0)
        Traceback (most recent call last):
        ...
        ValueError: seconds_per_frame must be a number from 0.02 to 60, got 0
        """
        return picture.animate(self, by_turn, **options)

    def gif(
        self,
        path: arguments.StrPath,
        *,
        by_turn: bool = False,
        progress: ProgressOption = True,
        **options: Any,
    ) -> None:
        """Write the whole game as an animated GIF, with the last move marked; it needs `pip install "sarai[render]"`.

        Args:
            path: The file; replaced when the GIF is complete.
            by_turn: As `animate` takes it.
            progress: As `sarai.rollout` takes it; a callable is called with the number of pictures that are drawn.
            **options: Options of `sarai.render.pixels.gif`, such as `seconds_per_frame`, `width` and `theme`.

        Raises:
            ValueError: There are more than 2,000 pictures, or an option is out of range.
            TypeError: The option does not exist.
            ImportError: The extra packages are not installed; the message names them.
            OSError: The file cannot be written.

        >>> import sarai
        >>> record = sarai.Record.from_steps("shah", [4, 19, 2])
        >>> record.gif("game.gif", width=7)
        Traceback (most recent call last):
        ...
        ValueError: width must be an integer of pixels from 16 to 8192, got 7
        """
        files.check_writable(Path(arguments.path(path)), new_folder=False)
        content = picture.gif(self, by_turn, progress, options)
        files.replace(path, lambda file: file.write(content))

    def page(self, path: arguments.StrPath, *, by_turn: bool = False, **options: Any) -> None:
        """Write the whole game as an HTML page that plays, stops and steps through it.

        The page has buttons, a slider and keys (space, arrows, Home, End), shows each move in words, and needs no
        network.

        Args:
            path: The file; replaced when the page is complete.
            by_turn: As `animate` takes it.
            **options: Options of `sarai.render.page`, such as `seconds_per_frame`, `theme` and `title`.

        Raises:
            ValueError: There are more than 5,000 positions, or an option is out of range.
            TypeError: The option does not exist.
            OSError: The file cannot be written.

        >>> import sarai
        >>> record = sarai.Record.from_steps("shah", [4, 19, 2])
        >>> record.page("game.html", theme="blue")
        Traceback (most recent call last):
        ...
        ValueError: theme must be 'light', 'dark' or 'print', got 'blue'
        """
        content = picture.page(self, by_turn, options).encode()
        files.replace(path, lambda file: file.write(content))

    if TYPE_CHECKING:
        # `sarai.results`, which stands on this module, defines it.
        def analyse(
            self,
            agent: str | None = None,
            *,
            luck: str | None = "expectimax:1",
            seed: int | None = None,
            thresholds: Sequence[float] | None = None,
            num_threads: int | None = None,
            progress: ProgressOption = False,
        ) -> RecordAnalysis: ...

    def observations(self, viewer: int | None = None) -> NDArray[np.int8]:
        """The observation at each decision, int8 (D, L), as `State.observation_tensor` returns it.

        Row i belongs to the i-th of `decisions`.

        Args:
            viewer: The seat that sees the position; None for the one that decides.

        Raises:
            ValueError: There is no such seat.

        >>> import sarai
        >>> record = sarai.Record.play("sho", seed=1)
        >>> record.observations().shape == (len(record.decisions), 287)
        True
        >>> record.observations(viewer=3)
        Traceback (most recent call last):
        ...
        ValueError: viewer got 3; it takes 0 to 2
        """
        before = [state for state, step in zip(self.states(), self.steps, strict=False) if step.player >= 0]
        states = States.from_states(before) if before else States(self.game, 0)
        return states.observation_tensor(viewer)

    @property
    def decisions(self) -> list[Step]:
        """The steps that a player chose, in order.

        >>> import sarai
        >>> [step.id for step in sarai.Record.from_steps("shah", [4, 19, 2]).decisions]
        [4, 19, 2]
        """
        return [step for step in self.steps if step.player >= 0]

    def to_json(self) -> str:
        """The record as JSON text in one line, as docs/records.md describes it."""
        return forms.write(self, "json")

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a record that `to_json` wrote.

        Raises:
            ValueError: The text is not a record, or contradicts the rules; the message then names the step.

        >>> Record.from_json('{"format": "sarai.record", "version": 2}')
        Traceback (most recent call last):
        ...
        ValueError: the record has format version 2, but this version of Sarai reads 1: ...
        """
        return forms.read(text, "json", cls)

    def to_text(self, form: str = "sarai") -> str:
        """The record as readable text, which `from_text` reads back.

        Args:
            form: "sarai"; "mat" for a game of backgammon as Jellyfish and GNU Backgammon write it; "pgn" for a game of
                morris as Sanmill does. docs/formats.md describes them.

        Raises:
            ValueError: The record is not one that the form has.

        >>> import sarai
        >>> print(sarai.Record.from_steps("sho", [4, 0, 8]).to_text())
        sarai record 1
        game: sho
        result: unfinished
        <BLANKLINE>
        1. [1-5] 0: hand/6
        2. [2-4]
        <BLANKLINE>
        """
        one_of("form", form, ("sarai", "mat", "pgn"))
        if form == "sarai":
            return forms.write(self, "text")
        return match.write(self) if form == "mat" else morris.write(self)

    @classmethod
    def from_text(cls, text: str, *, game: str | Game | None = None) -> Self:
        r"""Read a record that `to_text` wrote in one of its forms, or that was written by hand.

        Args:
            text: The record; moves may be written as people write them, such as "8/5(2)" or "24/18/14".
            game: The game of a text in the notation of morris, if its tags do not name it; None is nine men's morris.

        Raises:
            ValueError: The text is not a valid record; the message names the line, and the step if there is one.

        >>> Record.from_text("sarai record 1\ngame: shah\nresult: unfinished\n\n1. 0: d6\n2. 1: d6\n")
        Traceback (most recent call last):
        ...
        ValueError: line 6, step 1: 'd6' is not the name of a legal action; the legal ones are ...
        >>> Record.from_text("1. d6 d2 2. f4 b4", game="shah").names
        ['d6', 'd2', 'f4', 'b4']
        """
        if isinstance(text, str) and len(text) <= MAX_BYTES:
            if morris.looks_like(text):
                return morris.read(text, cls, None if game is None else as_game(game))
            if game is not None:
                raise ValueError("game got a value, but this text has its own: leave it out")
            if match.looks_like(text):
                return match.one(text, cls)
        return forms.read(text, "text", cls)

    def save(self, path: arguments.StrPath) -> None:
        """Write the record to exactly this path: as text if it ends in ".txt", ".mat" or ".pgn", otherwise as JSON.

        Raises:
            OSError: The file cannot be written; an existing file is left as it was.
            TypeError: The path is neither a str nor a path object.
            ValueError: As for `to_text`.
        """
        path = arguments.path(path)
        form = _ENDINGS.get(Path(path).suffix.lower())
        text = self.to_text(form) if form else self.to_json() + "\n"
        files.replace(path, lambda file: file.write(text.encode()))

    @classmethod
    def load(cls, path: arguments.StrPath) -> Self:
        """Read a file that `save` wrote, in any of its formats, whatever its name.

        Raises:
            OSError: The file cannot be read; if it does not exist, this is a FileNotFoundError.
            TypeError: The path is neither a str nor a path object.
            ValueError: The file is larger than 64 MiB, or does not hold a valid record.

        >>> Record.load("no_such_record.json")
        Traceback (most recent call last):
        ...
        FileNotFoundError: [Errno 2] No such file or directory: 'no_such_record.json'
        """
        path = arguments.path(path)
        with open(path, "rb") as file:
            try:
                return cls._read(file)
            except ValueError as error:
                # An IllegalActionError stays one.
                raise type(error)(f"{path!r} is not a valid record: {error}") from error

    @classmethod
    def _read(cls, file: BinaryIO) -> Self:
        """What `save` wrote."""
        text = cls._text_of(file)
        return cls.from_json(text) if text.lstrip().startswith("{") else cls.from_text(text)

    @staticmethod
    def _text_of(file: BinaryIO) -> str:
        """The text of a file of records."""
        # Piece by piece: at once, room would be made for the largest file.
        pieces = itertools.islice(iter(lambda: file.read(_PIECE), b""), MAX_BYTES // _PIECE + 1)
        data = b"".join(pieces)
        if len(data) > MAX_BYTES:
            raise ValueError(f"it is larger than {MAX_BYTES:,} bytes")
        if data.startswith(b"PK"):
            raise ValueError("it is an archive of arrays; read it with sarai.load")
        try:
            # Some editors begin a file with a mark of its byte order.
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(f"it is not UTF-8 text ({error.reason} at byte {error.start})") from None

    def _repr_svg_(self) -> str:
        """What notebooks show: a short game played from the start, of a long one the end; and what game it is."""
        return picture.shown_in_notebook(self)
