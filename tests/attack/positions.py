"""Positions: texts, dicts and JSON of real ones, changed a little or a lot."""

from __future__ import annotations

import copy
import json
import math
import random
import re
from typing import Any

import numpy as np

import sarai
from attack import values, worlds
from attack.trial import OwnError, Trial

_SMALL = (0, 1, 2, 3, 5, 6, 9, 12, 15, 24, 63, 64, 65, 127, 128, 255, 256, 65535, 65536, -1)


def attack(trial: Trial) -> None:
    """One case: five changes of one position."""
    state = worlds.some_state(trial.rng)
    way = trial.rng.choice((as_text, as_dict, as_dict, as_json))
    for _ in range(5):
        way(trial, state)


def as_text(trial: Trial, state: sarai.State) -> None:
    """The line that `str` gives."""
    rng, game = trial.rng, state.get_game()
    given = values.anything(rng) if rng.random() < 0.05 else changed_text(rng, str(state))
    met = trial.call(game.parse, given)
    if met.error is None:
        trial.same(loosely(str(met.value)), loosely(given), "what parse made of a text")
        lives(trial, met.value)


def loosely(text: str) -> list[str]:
    """The words of a text; parse does not mind how many blanks or leading zeros there are, nor the order of stacks."""
    return sorted(re.sub(r"\b0+(?=\d)", "", text.replace("|", " | ")).split())


def as_dict(trial: Trial, state: sarai.State) -> None:
    """The dict that `to_dict` gives."""
    rng, game = trial.rng, state.get_game()
    given = values.anything(rng) if rng.random() < 0.05 else changed(rng, state.to_dict())
    met = trial.call(game.state_from_dict, given)
    if met.error is None:
        one, other = json.dumps(met.value.to_dict()), json.dumps(given, default=_plain)
        trial.same(json.loads(one), json.loads(other), "what state_from_dict made of a dict")
        lives(trial, met.value)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value.__index__()


def as_json(trial: Trial, state: sarai.State) -> None:
    """The JSON that `to_json` gives."""
    rng, game = trial.rng, state.get_game()
    if rng.random() < 0.5:
        try:
            given: Any = json.dumps(changed(rng, state.to_dict()))
        except (TypeError, ValueError, RecursionError, OwnError):
            given = values.text(rng)
    else:
        given = values.anything(rng) if rng.random() < 0.1 else changed_text(rng, state.to_json())
    met = trial.call(game.state_from_json, given)
    if met.error is None:
        trial.same(json.loads(met.value.to_json()), json.loads(given), "what state_from_json made of a text")
        lives(trial, met.value)


def lives(trial: Trial, state: sarai.State) -> None:
    """A position that was taken can be written, read, shown and played on."""
    game = state.get_game()
    same = [
        game.parse(str(state)),
        game.state_from_dict(state.to_dict()),
        game.state_from_json(state.to_json()),
    ]
    trial.hold(all(each == state for each in same), f"{state} written and read", "the same position")
    parts = game.observation_spec
    for _ in range(12):
        seen = [state.observation_tensor(player) for player in range(game.num_players)]
        for cells in seen:
            fits = all(
                part["low"] <= cells[place] <= part["high"]
                for part in parts
                for place in range(part["start"], part["stop"])
            )
            trial.hold(fits, f"{state}: an observation out of its range", "what observation_spec says")
        state.view()
        going = worlds.choices(state)
        trial.hold(bool(going) != state.is_terminal(), f"{state}: {going[:5]}", "a choice, or the end")
        if not going:
            break
        state.apply_action(trial.rng.choice(going))


def changed_text(rng: random.Random, text: str) -> str:
    """A text with a few places changed."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        place = rng.randrange(len(text) + 1)
        words = text.split(" ")
        at = rng.randrange(len(words))
        kind = rng.randrange(9)
        if kind == 0:
            text = text[:place] + text[place + 1 :]
        elif kind == 1:
            text = text[:place] + rng.choice('0129-=|:,.#xa"{}[] \n\0é٣１') + text[place:]
        elif kind == 2:
            text = text[:place] + rng.choice("0123456789-") + text[place + 1 :]
        elif kind == 3:
            text = text[:place]
        elif kind == 4:
            words[at : at + 1] = rng.choice([[], [words[at]] * 2, [values.text(rng)], [rng.choice(words)]])
            text = " ".join(words)
        elif kind == 5:
            other = rng.randrange(len(words))
            words[at], words[other] = words[other], words[at]
            text = " ".join(words)
        elif kind == 6:
            name, equals, _ = words[at].partition("=")
            wrong = rng.choice(
                [*map(str, _SMALL), "-", "true", "", "9" * 50, "1.0", "1e3", "+1", "01", "0x1"]
            )
            words[at] = f"{name}{equals}{wrong}"
            text = " ".join(words)
        elif kind == 7:
            text = rng.choice([text + text, text + " ", "\t" + text, text.replace(" ", "  "), text.upper()])
        else:
            digits = [index for index, letter in enumerate(text) if letter.isdigit()]
            if digits:
                index = rng.choice(digits)
                text = text[:index] + str(rng.choice(_SMALL)) + text[index + 1 :]
    return text


def changed(rng: random.Random, data: Any) -> Any:
    """A copy of plain data with a few places changed."""
    data = copy.deepcopy(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        holder = data
        # What was put in by an earlier change is left alone.
        while type(holder) in (dict, list) and holder:
            keys: list[Any] = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            key = rng.choice(keys)
            if isinstance(holder[key], dict | list) and holder[key] and rng.random() < 0.8:
                holder = holder[key]
                continue
            _change(rng, holder, key)
            break
    return data


def _float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _change(rng: random.Random, holder: Any, key: Any) -> None:
    value = holder[key]
    kind = rng.randrange(7)
    if kind == 0:
        holder[key] = values.anything(rng)
    elif kind == 1:
        del holder[key]
    elif kind == 2 and isinstance(holder, dict):
        holder[values.text(rng, [str(key)])] = holder.pop(key) if rng.random() < 0.5 else value
    elif kind == 2:
        holder.insert(key, value)
    elif isinstance(value, bool) or value is None:
        holder[key] = rng.choice([0, 1, None, True, False, "true", rng.choice(_SMALL)])
    elif isinstance(value, int):
        holder[key] = rng.choice(
            [value + 1, value - 1, rng.choice(_SMALL), _float(value), str(value), -value, True, None]
        )
    elif isinstance(value, str):
        holder[key] = rng.choice(
            [values.near(rng, value or "x"), None, 0, "".join(rng.sample(value, len(value)))]
        )
    elif type(value) is list:
        holder[key] = rng.choice(
            [[*value, rng.choice(_SMALL)], value[:-1], value * 100, None, tuple(value), {}]
        )
    elif type(value) is dict:
        holder[key] = rng.choice(
            [None, [], list(value), {**value, str(rng.choice(_SMALL)): rng.choice(_SMALL)}]
        )
