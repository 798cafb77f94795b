"""What the moves of a position are worth: an agent is asked, or games are played out, all moves on the same dice."""

from __future__ import annotations

import time

import numpy as np

from sarai import _core
from sarai._agents.analysis import ask, checked_state
from sarai._base import arguments
from sarai._base.progress import ProgressOption, shown
from sarai._core import State
from sarai._game import returns_bounds
from sarai._playout import Run
from sarai._tables.estimates import Estimate
from sarai.agents import Agents, Analysis, MoveAnalysis, label, one_agent_a_seat

PLAYS = ("step", "turn")
"""What a move is: one action, or all of a turn."""


def analyse(
    state: State,
    agent: Agents = "mcts:2000",
    num_games: int | None = None,
    *,
    seed: int | None = None,
    seconds: float | None = None,
    plays: str = "step",
    num_threads: int | None = None,
    progress: ProgressOption = False,
) -> Analysis:
    """Evaluate the moves of a position: by an agent's search, or by playing games out after each.

    Args:
        state: A state in which it is a player's turn.
        agent: The name of an agent that plays inside the engine, or an object of `sarai.agents`. "random" and "greedy"
            do not look ahead; their values are the game's own evaluation after each action (docs/agents.md). With
            `num_games`, the agents that play on, as `sarai.rollout` takes them.
        num_games: Play this many games after each move to their ends, 1 to 100,000,000 divided by the number of moves,
            and take the mean of their returns as its value. Game i has the same dice after every move, so the
            differences between moves have narrower intervals than their values. None asks the agent instead.
        seed: 0 to 2**64 - 1; None draws one from the operating system. `choose` with the same seed plays `best`, unless
            games are played out.
        seconds: Stop a search after this many seconds and return its result so far, which depends on the machine. None
            searches to the end.
        plays: With `num_games`, what a move is: "step", one action, or "turn", all actions up to the end of the turn.
            Turns that end in the same position count once, as `States.afterstates` has them.
        num_threads: With `num_games`, the number of threads; None uses all processors.
        progress: With `num_games`, as `sarai.rollout` takes it.

    Raises:
        ValueError: It is no player's turn, the agent is unknown or cannot play this game, a number is out of range, or
            an argument has no effect without `num_games` or with it.
        TypeError: An argument has the wrong type.
        IllegalActionError: A policy chose an action that is not legal.
        MemoryError: There is no memory for the table of alphabeta.
        KeyboardInterrupt: Ctrl-C.

    >>> import sarai
    >>> state = sarai.make("shuanglu").sample_states(num_games=1, seed=1)[0]
    >>> analysis = sarai.analyse(state, "mcts:200", seed=0)
    >>> analysis.best == sarai.choose(state, "mcts:200", seed=0), analysis.best == analysis.moves[0].action
    (True, True)
    >>> sum(move.visits for move in analysis.moves) == analysis.simulations
    True
    >>> played = sarai.analyse(state, "greedy", 200, seed=1, plays="turn")
    >>> len(played.moves) == len(state.afterstates().states)
    True
    >>> played.moves[1].difference.value <= 0
    True
    >>> sarai.analyse(sarai.make("sho").new_initial_state(), "greedy")
    Traceback (most recent call last):
    ...
    ValueError: no player acts here, so there is nothing to analyse
    """
    if num_games is None:
        if plays != "step" or num_threads is not None or progress is not False:
            raise ValueError(
                "plays, num_threads and progress are for games that are played out: give num_games"
            )
        return ask(state, agent, seed, seconds)
    if seconds is not None:
        raise ValueError("seconds stops a search; games that are played out take num_games alone")
    return _played_out(
        checked_state(state).clone(),
        agent,
        arguments.whole("num_games", num_games),
        arguments.seed(seed),
        arguments.one_of("plays", plays, PLAYS),
        num_threads,
        progress,
    )


def _played_out(
    state: State,
    agents: Agents,
    games: int,
    seed: int,
    plays: str,
    num_threads: int | None,
    progress: ProgressOption,
) -> Analysis:
    player = state.current_player()
    if player < 0:
        raise ValueError("no player acts here, so there is nothing to analyse")
    begun = time.perf_counter()
    game = state.get_game()
    seats = one_agent_a_seat(agents, game.num_players)
    _core.check_agents(game, seats)
    actions, ends = _moves(state, plays)
    allowed = _core.MAX_GAMES // len(actions)
    arguments.between("num_games", games, 1, allowed, f"after each of {len(actions):,} moves ")
    returns = np.empty((len(actions), games, game.num_players), np.float32)
    winner = np.empty((len(actions), games), np.int8)
    with shown(progress, game.name, winner.size) as report:
        for place in range(len(actions)):

            def told(done: int, before: int = place * games) -> None:
                if report is not None:
                    report(before + done)

            # Game i of every move is game i of the seed: it has the same dice.
            run = Run.of(
                ends.state(place),
                seats,
                games,
                seed,
                num_threads=num_threads,
                progress=False if report is None else told,
            )
            columns, _ = run.ask(_core.rollout)
            returns[place], winner[place] = columns["returns"], columns["winner"]
    mine = returns[..., player]
    values = mine.mean(axis=1, dtype=np.float64)
    won = np.count_nonzero(winner == game.sides[player], axis=1)
    over = ends.current_player() == _core.TERMINAL
    # Of equal values, that of a move that ends the game is certain; otherwise the smaller actions come first.
    order = sorted(range(len(values)), key=lambda place: (-values[place], not over[place]))
    best = order[0]
    moves = []
    least, most = returns_bounds(game)
    for place in order:
        value = Estimate.of_mean(mine[place], (least, most))
        names = _names(state, actions[place])
        moves.append(
            MoveAnalysis(
                action=actions[place][0],
                name=" ".join(names),
                value=value.value,
                visits=games,
                probability=float(place == best),
                line=names,
                kind="exact" if over[place] else "judged",
                actions=tuple(actions[place]),
                interval=(value.low, value.high),
                win_share=Estimate.of_share(int(won[place]), games),
                difference=Estimate(0.0, 0.0, 0.0)
                if place == best
                else Estimate.of_mean(
                    mine[place].astype(np.float64) - mine[best], (least - most, most - least)
                ),
            )
        )
    return Analysis(
        agent=", ".join(dict.fromkeys(map(label, seats))),
        state=state,
        player=player,
        value=tuple(returns[best].mean(axis=0, dtype=np.float64).tolist()),
        moves=tuple(moves),
        best=moves[0].action,
        depth=1,
        simulations=mine.size,
        nodes=0,
        seconds=time.perf_counter() - begun,
        seed=seed,
        num_games=games,
        plays=plays,
    )


def _moves(state: State, plays: str) -> tuple[list[list[int]], _core.States]:
    """The actions of each move, and where it leads."""
    game = state.get_game()
    rows = _core.States.of(game, [state])
    if plays == "step":
        found = rows.expand("actions", game.num_actions, 1)
        return [[action] for action in found["action"].tolist()], found["states"]
    found = rows.expand("turns", _core.MAX_GAMES, 1)
    parts = np.split(found["actions"], found["action_offsets"][1:-1])
    return [part.tolist() for part in parts], found["states"]


def _names(state: State, actions: list[int]) -> tuple[str, ...]:
    state, names = state.clone(), []
    for action in actions:
        names.append(state.action_to_string(action))
        state.apply_action(action)
    return tuple(names)
