"""Matches of backgammon in Jellyfish's form, .mat, which most programs for backgammon read and write."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sarai._base import arguments, files
from sarai._base.arguments import counted, short
from sarai._core import Game, State
from sarai._game import make
from sarai._records.model import MAX_STEPS

if TYPE_CHECKING:
    # Which imports this module.
    from sarai._records.record import Record

R = TypeVar("R", bound="Record")

_MAX_LINE = 1000
_FIRST = re.compile(r"\s*(\d{1,5})\s+point match\s*")
_GAME = re.compile(r"\s*Game (\d{1,6})\s*")
_PLAYERS_LINE = re.compile(r"\s?(.*?) : (\d{1,5})\s*(\S.*?) : (\d{1,5})\s*")
_ROW = re.compile(r"\s*(\d{1,5})\)")
_CELL = re.compile(
    r"(?<!\S)(?:([1-6])([1-6]):|(Doubles => \d{1,5}|Takes|Drops|Beavers)(?!\S)|Wins (\d{1,5}) points?( and the match)?)"
)
# Where a line has more before it than this, what follows belongs to the second player.
_MIDDLE = 20


class CubeAction(NamedTuple):
    """What a player did with the doubling cube.

    Attributes:
        step: The number of steps of the record before it.
        player: The seat.
        name: "Doubles => 2", "Takes", "Drops" or "Beavers", as in the file.
    """

    step: int
    player: int
    name: str


@dataclass(frozen=True)
class MatchGame:
    """One game of a match.

    Attributes:
        record: Its dice and moves, with the names of the players as labels. A game that ended by a dropped double or a
            resignation is unfinished by the rules.
        score: The score before it, one per seat.
        cube: What happened to the doubling cube, which is outside the rules that Sarai plays.
        winner: The seat that won according to the file; None if it does not say.
        points: What the winner got according to the file; None if it does not say.
        ends_match: Whether the file says that the game decided the match.
        number: Its number in the match.
    """

    record: Record
    score: tuple[int, int] = (0, 0)
    cube: tuple[CubeAction, ...] = ()
    winner: int | None = None
    points: int | None = None
    ends_match: bool = False
    number: int = 1


@dataclass(frozen=True, repr=False)
class Match:
    """A match or session of backgammon: what a .mat file holds, which `sarai.load` reads.

    Attributes:
        games: The games, in order.
        players: The names of both players; the first has seat 0.
        length: The points that win the match; 0 for a session without a goal.
        comments: The lines above the match, such as '; [Event "..."]'.

    >>> import sarai
    >>> from sarai.records import Match
    >>> game = sarai.Record.play("shuanglu(preset=backgammon)", "greedy", seed=1)
    >>> match = Match.from_records([game], players=("Ann", "Bo"))
    >>> match
    Match('Ann', 'Bo', 1 game, no fixed length)
    >>> match.to_text().splitlines()[4]
    '  1) 51: 13/8 8/7                64: 24/18* 24/20 '
    """

    games: tuple[MatchGame, ...]
    players: tuple[str, str]
    length: int = 0
    comments: tuple[str, ...] = ()

    @classmethod
    def from_records(
        cls, records: Sequence[Record], *, players: tuple[str, str] | None = None, length: int = 0
    ) -> Match:
        """A match of games that were played here, without a cube; the score counts gammons and backgammons.

        Args:
            records: Games of backgammon from their usual start.
            players: The names of both; None takes the labels of the first record, with a space for each colon.
            length: The points that win the match; 0 for a session without a goal.

        Raises:
            ValueError: A record is not of backgammon, or begins elsewhere.
        """
        games, score = [], [0, 0]
        for number, record in enumerate(records, 1):
            _check(record)
            points = _points(record.final_state) if record.finished else None
            winner = record.winner if points else None
            games.append(MatchGame(record, (score[0], score[1]), (), winner, points, False, number))
            if points and winner is not None:
                score[winner] += points
        if players is None:
            # Other programs read a name up to its colon.
            first, second = (records[0].agents if records else None) or ("player 0", "player 1")
            players = first.replace(":", " "), second.replace(":", " ")
        return cls(tuple(games), players, length)

    @property
    def records(self) -> list[Record]:
        """The records of the games."""
        return [game.record for game in self.games]

    def to_text(self) -> str:
        """The match as the text of a .mat file, as GNU Backgammon lays it out.

        Raises:
            ValueError: A record is not of backgammon or begins elsewhere, or a name does not fit on a line.
        """
        for name in self.players:
            if not name.isprintable() or " : " in name:
                raise ValueError(f"a .mat file cannot hold the name {short(name)}")
        head = [f"{line}\n" for line in self.comments]
        games = itertools.chain.from_iterable(_game_text(game, self.players) for game in self.games)
        return "".join([*head, f" {self.length} point match\n\n", *games])

    def save(self, path: arguments.StrPath) -> None:
        """Write the match to a .mat file.

        Raises:
            OSError: The file cannot be written; an existing file is left as it was.
            ValueError: As for `to_text`.
        """
        content = self.to_text().encode()
        files.replace(arguments.path(path), lambda file: file.write(content))

    def __repr__(self) -> str:
        length = counted(self.length, "point") if self.length else "no fixed length"
        return (
            f"Match({self.players[0]!r}, {self.players[1]!r}, {counted(len(self.games), 'game')}, {length})"
        )


def looks_like(text: str) -> bool:
    r"""Whether a text begins as a .mat file does: with a remark, or how many points win.

    >>> looks_like('; [Site "x"]'), looks_like("\n 7 point match"), looks_like("sarai record 1")
    (True, True, False)
    """
    return bool(re.match(r"\s*(;|\d{1,5}\s+point match)", text.lstrip("\ufeff")))


def read(text: str, kind: type[Record]) -> Match:
    """Read a match; its records are objects of this class.

    Raises:
        ValueError: It is none, or the rules contradict it; the message names the line and the column.
    """
    return _Reader(text, kind).match()


def one(text: str, kind: type[R]) -> R:
    """The record of a match that is one game and used no cube.

    Raises:
        ValueError: It is another one, or none.
    """
    match = read(text, kind)
    if len(match.games) != 1:
        raise ValueError(
            f"it is a match of {counted(len(match.games), 'game')}; read it with sarai.load, "
            "or one of its games with 'sarai replay FILE --game N'"
        )
    record = match.games[0].record
    assert isinstance(record, kind)
    return record


def write(record: Record) -> str:
    """A record as the text of a .mat file: a session of one game."""
    return Match.from_records([record]).to_text()


class _Reader:
    def __init__(self, text: str, kind: type[Record]) -> None:
        self.kind = kind
        if text.count("\n") > MAX_STEPS:
            raise ValueError(f"line 1, column 1: the file has more than {MAX_STEPS:,} lines")
        self.lines = text.lstrip("\ufeff").split("\n")
        self.at = self.steps = 0
        self.game = make("shuanglu", preset="backgammon")
        self.players: tuple[str, str] | None = None

    def wrong(self, sentence: str, column: int = 0) -> ValueError:
        return ValueError(f"line {self.at}, column {column + 1}: {sentence}")

    def rest(self) -> Iterator[str]:
        """The remaining lines, read one at a time."""
        while self.at < len(self.lines):
            self.at += 1
            line = self.lines[self.at - 1]
            if len(line) > _MAX_LINE:
                raise self.wrong(
                    f"the line has {len(line):,} characters; a .mat file has at most {_MAX_LINE:,}"
                )
            yield line.rstrip("\r").expandtabs()

    def match(self) -> Match:
        comments: list[str] = []
        for line in self.rest():
            first = _FIRST.fullmatch(line)
            if first:
                break
            if line.strip() and not line.lstrip().startswith(";"):
                raise self.wrong("a .mat file begins with '5 point match', after lines that begin with ';'")
            comments.append(line)
        else:
            raise self.wrong("the file has no line such as '5 point match'")
        games = []
        for line in self.rest():
            found = _GAME.fullmatch(line)
            if found:
                games.append(self.one_game(int(found[1])))
            elif line.strip():
                raise self.wrong(f"{short(line.strip())} is not 'Game {len(games) + 1}'", _indent(line))
        if not games or self.players is None:
            raise self.wrong("the match has no game")
        return Match(tuple(games), self.players, int(first[1]), tuple(comments))

    def one_game(self, number: int) -> MatchGame:
        line = next(self.rest(), "")
        names = _PLAYERS_LINE.fullmatch(line)
        if not names:
            raise self.wrong("here is a line such as 'Ann : 0   Bo : 2', the players and their score")
        players = (names[1], names[3])
        if self.players not in (None, players):
            raise self.wrong(f"the players are {short(players)}, but {short(self.players)} before")
        self.players = players
        table = _Table(self, self.game)
        rows = 0
        while self.at < len(self.lines) and table.won is None:
            # The next game is not ours to take.
            if _GAME.fullmatch(self.lines[self.at].rstrip("\r")):
                break
            line = next(self.rest())
            if not line.strip():
                continue
            row = _ROW.match(line)
            if row:
                rows += 1
                if int(row[1]) != rows:
                    raise self.wrong(f"row {int(row[1])} stands where row {rows} is due", _indent(line))
            table.take_line(line, row.end() if row else 0)
        record = table.record()
        winner, points, ends = table.won or (None, None, False)
        return MatchGame(
            record, (int(names[2]), int(names[4])), tuple(table.cube), winner, points, ends, number
        )


class _Table:
    """A game that is being read."""

    def __init__(self, reader: _Reader, game: Game) -> None:
        self.reader = reader
        self.state: State = game.new_initial_state()
        self.steps: list[int] = []
        self.cube: list[CubeAction] = []
        self.won: tuple[int, int, bool] | None = None
        self.unplayed: tuple[int, int] | None = None
        """Where a throw stands of which nothing was played, though something could be: only at the end of a game."""

    def take_line(self, line: str, begin: int) -> None:
        cells = list(_CELL.finditer(line, begin))
        before = line[begin : cells[0].start() if cells else None]
        if before.strip():
            raise self.reader.wrong(
                f"{short(before.strip())} is neither a throw and moves such as '31: 8/5 6/5', nor what happens to the "
                "cube, nor a result",
                begin + _indent(before),
            )
        if not cells:
            raise self.reader.wrong("the row is empty", begin)
        ends = [*(cell.start() for cell in cells[1:]), len(line)]
        for index, (cell, end) in enumerate(zip(cells, ends, strict=True)):
            rest, column = line[cell.end() : end], cell.start()
            if self.won is not None:
                raise self.reader.wrong("the game is over before this", column)
            seat = int(index > 0 or column >= _MIDDLE)
            if cell[4]:
                self.end(int(column >= _MIDDLE), int(cell[4]), bool(cell[5]), column)
            elif cell[3]:
                self.turn_cube(seat, cell[3], column)
            else:
                self.throw(seat, (int(cell[1]), int(cell[2])), rest, column, cell.end() + _indent(rest))
                continue
            if rest.strip():
                raise self.reader.wrong(
                    f"{short(rest.strip())} follows what is complete", cell.end() + _indent(rest)
                )

    def turn_cube(self, seat: int, name: str, column: int) -> None:
        """A double is offered by who is about to throw, and answered by the other player."""
        now, offered = self.state.to_dict(), self.offered()
        if now["phase"] != "roll":
            raise self.reader.wrong(f"{name!r} can only stand between two turns", column)
        if offered is not None and (name.startswith("Doubles") or seat == offered):
            raise self.reader.wrong(f"{name!r} stands where the other player answers a double", column)
        if offered is None and not (name.startswith("Doubles") and seat == now["player"]):
            raise self.reader.wrong(
                f"{name!r} stands where only the player about to throw can double", column
            )
        self.cube.append(CubeAction(len(self.steps), seat, name))

    def offered(self) -> int | None:
        """Who has doubled and has no answer yet."""
        last = self.cube[-1] if self.cube else None
        return last.player if last and last.name.startswith("Doubles") else None

    def throw(self, seat: int, dice: tuple[int, int], moves: str, column: int, place: int) -> None:
        wrong = self.reader.wrong
        if self.unplayed:
            raise ValueError(
                f"line {self.unplayed[0]}, column {self.unplayed[1] + 1}: no move follows these dice, "
                "though one is possible"
            )
        phase = self.state.to_dict()
        dropped = bool(self.cube) and self.cube[-1].name == "Drops"
        if phase["phase"] == "over" or dropped:
            raise wrong("the game is over before this throw", column)
        if self.offered() is not None:
            raise wrong("the double before this throw has no answer", column)
        if phase["player"] not in (None, seat):
            raise wrong(f"it is the turn of the {'second' if seat == 0 else 'first'} player", column)
        high, low = max(dice), min(dice)
        if phase["player"] is None and high == low:
            raise wrong(
                f"a game cannot begin with {high}-{low}: each player throws one die, and the higher begins",
                column,
            )
        # In the opening throw, the die of seat 0 comes first; the higher belongs to the player who begins.
        name = f"{high}-{low}" if phase["player"] is None and seat == 0 else f"{low}-{high}"
        outcomes = {
            self.state.outcome_to_string(outcome): outcome for outcome, _ in self.state.chance_outcomes()
        }
        self.take(outcomes[name])
        text = re.sub(r"(\S+)\(([1-4])\)", lambda found: " ".join([found[1]] * int(found[2])), moves).strip()
        passes = text.lower() in ("cannot move", "no move")
        if self.state.current_player() != seat:
            if text and not passes:
                raise wrong(f"no move is possible with {high}-{low} here", place)
            return
        if passes:
            first = self.state.action_to_string(self.state.legal_actions()[0])
            raise wrong(f"a move is possible with {high}-{low}, such as {first}", place)
        if not text:
            self.unplayed = (self.reader.at, column)
            return
        try:
            actions = self.state.string_to_actions(text)
        except ValueError as error:
            raise wrong(str(error), place) from None
        for action in actions:
            self.take(action)
        if self.state.current_player() == seat:
            legal = self.state.legal_actions()
            raise wrong(
                f"the turn is not complete: {self.state.action_to_string(legal[0])} can still be played",
                place,
            )

    def take(self, step: int) -> None:
        self.reader.steps += 1
        if self.reader.steps > MAX_STEPS:
            raise self.reader.wrong(f"a match holds at most {MAX_STEPS:,} steps, and there are more here")
        self.state.apply_action(step)
        self.steps.append(step)

    def end(self, winner: int, points: int, ends_match: bool, column: int) -> None:
        by_rules = self.state.winner if self.state.is_terminal() else winner
        if winner != by_rules:
            raise self.reader.wrong("the other player has borne off all pieces", column)
        self.won = (winner, points, ends_match)

    def record(self) -> Record:
        return self.reader.kind.from_steps(self.reader.game, self.steps, agents=self.reader.players)


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())


def _check(record: Record) -> None:
    """Refuse what is no game of backgammon from the beginning.

    Raises:
        ValueError: It is none.
    """
    game = record.game
    usual = make("shuanglu", preset="backgammon").rules
    free = ("scoring", "max_turns")
    if game.name != "shuanglu" or any(game.rules[name] != usual[name] for name in usual if name not in free):
        raise ValueError(
            f"a .mat file holds backgammon, and this is a record of {game}; its rules are not those of "
            "sarai.make('shuanglu', preset='backgammon')"
        )
    if record.start is not None:
        raise ValueError(
            "a .mat file holds games from the beginning, and this record begins in another position"
        )


def _points(final: State) -> int | None:
    """What a game without a cube counts: 2 for a gammon, 3 for a backgammon; None for a draw."""
    told = final.to_dict()
    if told["winner"] is None:
        return None
    loser = 1 - told["winner"]
    if told["off"][loser]:
        return 1
    return 3 if told["bar"][loser] or any(told["points"][loser][18:]) else 2


def _game_text(game: MatchGame, players: tuple[str, str]) -> Iterator[str]:
    """A game as GNU Backgammon writes it, piece by piece."""
    _check(game.record)
    left = f"{players[0]} : {game.score[0]}"
    yield f" Game {game.number}\n {left:<31}{players[1]} : {game.score[1]}\n"
    points = game.points or 0
    won = f"Wins {points} point{'s' * (points != 1)}{' and the match' * game.ends_match}"
    cells = list(_cells(game))
    count = cells[0][0] if cells else 0
    yield "  1)" + " " * 29 if count else ""
    rolled = dropped = False
    for index, (_, text) in enumerate(cells):
        right = bool(count & 1)
        rolled = index == len(cells) - 1 and game.winner is not None and _is_unplayed(game.record)
        dropped = text == " Drops" and index == len(cells) - 1
        if dropped and game.winner is not None:
            text += f"\n      {won}" if right else f"{'':23}{won}"
        if rolled:
            yield text if right else f"{count // 2 + 1:3}) {text:<3}"
        else:
            yield f"{text}\n" if right else f"{count // 2 + 1:3}) {text:<27} "
        count += 1
    if game.winner is None:
        return
    if dropped:
        yield "\n" if not count & 1 else "\n\n"
    elif game.record.finished:
        yield f"\n      {won}\n\n" if game.winner == 0 else f"{'':34}{won}\n\n"
    elif game.winner == 0:
        yield f"{chr(10) * ((count & 1) ^ rolled)}      {won}\n\n"
    else:
        near = (count & 1) ^ rolled
        yield f"{'' if not near else ' '}{'' if near else ' ' * (24 if count & 1 else 34)}{won}\n\n"


def _is_unplayed(record: Record) -> bool:
    """Whether a game stops between a throw and the moves that it allows."""
    return record.final_state.current_player() >= 0


def _cells(game: MatchGame) -> Iterator[tuple[int, str]]:
    """The turns and cube actions in order, each with its seat."""
    state = game.record.initial_state
    cube = list(game.cube)
    turn: tuple[int, str, list[str]] | None = None
    for index, step in enumerate([*game.record.steps, None]):
        if turn and (step is None or step.player < 0):
            seat, dice, moves = turn
            # Four moves fill the place of a turn.
            yield seat, f"{dice}: {' '.join(moves)}{' ' * (0 < len(moves) < 4)}"
            turn = None
        while cube and cube[0].step <= index:
            yield cube[0].player, f" {cube.pop(0).name}"
        if step is None:
            return
        state_before = state.to_dict() if step.player < 0 else None
        state.apply_action(step.id)
        if state_before is not None:
            one, other = step.name.split("-")
            first = state_before["player"]
            seat = int(other > one) if first is None else first
            turn = (seat, "".join(sorted((one, other), reverse=True)), [])
        elif turn:
            path = step.name.split("(")[0].replace("bar", "25").replace("off", "0")
            turn[2].append(path)
