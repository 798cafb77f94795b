"""Every verb of a state, at every kind of node, with arguments that are none: the state stays as it is."""

from __future__ import annotations

import copy
import operator
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np

import sarai
from attack import values, worlds
from attack.trial import BAD_INPUT, Met, OwnError, Trial, shown

Verb = Callable[[Trial, sarai.State], object]


def attack(trial: Trial) -> None:
    """One case: a few verbs on one state."""
    state = worlds.some_state(trial.rng)
    before, copied = worlds.print_of(state), state.clone()
    for _ in range(6):
        verb = trial.rng.choice(VERBS)
        verb(trial, state)
        after = worlds.print_of(state)
        trial.hold(
            after == before and state == copied,
            lambda: f"{named(verb)} changed {shown(before[1])}",
            "nothing",
        )


def named(verb: Verb) -> str:
    """What a verb is called."""
    return verb.__name__


def number(trial: Trial, state: sarai.State) -> Any:
    """An action, a seat, or nearly one."""
    rng = trial.rng
    game = state.get_game()
    near = [*worlds.choices(state)[:3], game.num_actions, game.num_actions - 1, game.max_chance_outcomes]
    return rng.choice([values.numbers(rng), values.anything(rng), rng.choice(near), rng.randrange(-2, 140)])


def apply(trial: Trial, state: sarai.State) -> None:
    """What is legal is played, all else is refused with the error that is due; on a copy."""
    given = number(trial, state)
    legal = worlds.choices(state)
    other = state.clone()
    met = trial.call(other.apply_action, given)
    whole = index_of(given)
    if whole in legal:
        trial.hold(met.error is None, lambda: f"apply_action({shown(given)}): {met.error}", "it is legal")
        trial.hold(other != state, f"apply_action({shown(given)}) did nothing", "a step")
        return
    trial.hold(met.error is not None, lambda: f"apply_action({shown(given)}) among {legal[:9]}", "a refusal")
    trial.hold(
        worlds.print_of(other) == worlds.print_of(state),
        f"apply_action({shown(given)}) changed it",
        "nothing",
    )
    kind = TypeError if whole is None else sarai.IllegalActionError
    raised = isinstance(met.error, (kind, OwnError))
    trial.hold(raised, f"apply_action({shown(given)}): {type(met.error).__name__}", kind.__name__)


def index_of(given: Any) -> int | None:
    """The whole number that something is; None if it is none, as a bool."""
    if isinstance(given, bool | np.bool_):
        return None
    try:
        whole = operator.index(given)
    except BaseException:
        return None
    return None if isinstance(whole, bool) else whole


def by_player(trial: Trial, state: sarai.State) -> None:
    """Verbs that take a seat."""
    verbs: list[Callable[..., Any]] = [
        state.legal_actions,
        state.legal_actions_mask,
        state.observation_tensor,
        state.player_return,
    ]
    verb = trial.rng.choice(verbs)
    given = number(trial, state)
    met = trial.call(verb, given)
    whole = index_of(given)
    seat = whole is not None and 0 <= whole < state.num_players()
    # Whoever is not to act has no legal actions, and neither has a seat that there is not.
    lax = verb in (state.legal_actions, state.legal_actions_mask) and whole is not None
    known = seat or lax or (given is None and verb != state.player_return)
    trial.hold(met.error is not None or known, lambda: f"{verb.__name__}({shown(given)})", "a refusal")
    if isinstance(met.value, np.ndarray):
        met.value.fill(1)
    elif isinstance(met.value, list):
        met.value.clear()


def names(trial: Trial, state: sarai.State) -> None:
    """Names of actions and outcomes, and the way back."""
    rng = trial.rng
    given = number(trial, state)
    met = trial.call(state.action_to_string, given)
    if met.error is None:
        back = trial.call(state.string_to_action, met.value)
        trial.hold(
            back.value == index_of(given) or back.error is not None, f"{met.value!r}: {back}", "the way back"
        )
    trial.call(state.action_to_string, number(trial, state), number(trial, state))
    trial.call(state.outcome_to_string, number(trial, state))
    known = [state.action_to_string(action) for action in state.legal_actions()]
    text = values.text(rng, known) if rng.random() < 0.7 else values.anything(rng)
    met = trial.call(state.string_to_action, text)
    if met.error is None:
        trial.hold(
            met.value in state.legal_actions(), lambda: f"{shown(text)} is {met.value}", "a legal action"
        )
    trial.call(state.string_to_action, number(trial, state), text)


def without(trial: Trial, state: sarai.State) -> None:
    """Verbs that take nothing take nothing, and what they return is nobody's but the caller's."""
    rng = trial.rng
    verbs: list[Callable[..., Any]] = [
        *(state.current_player, state.is_chance_node, state.is_terminal, state.chance_outcomes),
        state.returns,
        *(state.rewards, state.to_dict, state.to_json, state.view, state.clone, state.get_game),
        state._repr_svg_,
    ]
    verb = rng.choice(verbs)
    met = trial.call(verb, values.anything(rng))
    trial.hold(met.error is not None, f"{verb.__name__} with an argument", "a refusal")
    for value in (verb(), state.view(), state.to_dict()):
        spoil(value)


def spoil(value: Any) -> None:
    """Overwrite everything in it that can be overwritten."""
    if isinstance(value, dict):
        for each in value.values():
            spoil(each)
        value.clear()
    elif isinstance(value, list):
        for each in value:
            spoil(each)
        value[:] = [values.NUMBERS]
    elif isinstance(value, np.ndarray):
        value.fill(77)


def copies(trial: Trial, state: sarai.State) -> None:
    """Copies are equal and go their own way; what is no state is not equal."""
    made = [state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    going = worlds.choices(state)
    for each in made:
        trial.hold(each == state and hash(each) == hash(state), "a copy that differs", "an equal one")
        if going:
            each.apply_action(trial.rng.choice(going))
    other = values.anything(trial.rng)
    met = trial.call(lambda one, two: one == two, state, other)
    if not isinstance(other, np.ndarray | np.generic):
        trial.hold(met.error is not None or met.value is False, f"equals {type(other).__name__}", "False")
    trial.call(lambda one, two: one < two, state, other)
    rebuild, arguments = state.__reduce__()
    wrong = list(arguments)
    wrong[trial.rng.randrange(len(wrong))] = values.anything(trial.rng)
    trial.call(rebuild, *wrong)


def search(trial: Trial, state: sarai.State) -> None:
    """Agents and counting, asked of one state."""
    rng = trial.rng
    agents = ["random", "greedy", "mcts:3"]
    agent = rng.choice([rng.choice(agents), values.text(rng, agents), values.anything(rng)])
    seed = rng.choice([{}, {"seed": values.numbers(rng)}, {"seed": values.anything(rng)}])
    met = trial.call(sarai.choose, state, agent, **seed)
    if met.error is None:
        trial.hold(met.value in state.legal_actions(), lambda: f"choose: {met.value}", "a legal action")
        judged(trial, "choose", seed.get("seed", 0), 0, 2**64 - 1, met, none=True)
    trial.call(sarai.choose, values.anything(rng), "random")
    depth = rng.choice([values.numbers(rng), values.anything(rng), 1, 2])
    met = trial.call(sarai.perft, state, depth)
    judged(trial, "perft", depth, 0, 100, met)
    trial.call(sarai.perft, values.anything(rng), 1)


def judged(trial: Trial, what: str, given: Any, low: int, high: int, met: Met, *, none: bool = False) -> None:
    """What was taken must be a whole number in its range."""
    whole = index_of(given)
    proper = (none and given is None) or (whole is not None and low <= whole <= high)
    trial.hold(met.error is not None or proper, lambda: f"{what} took {shown(given)}", f"{low} to {high}")
    if isinstance(met.error, BAD_INPUT) and whole is None and not (none and given is None):
        trial.hold(
            isinstance(met.error, TypeError),
            f"{what}({shown(given)}): {type(met.error).__name__}",
            "TypeError",
        )


VERBS: tuple[Verb, ...] = (apply, apply, by_player, names, without, copies, search)
