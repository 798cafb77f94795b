"""Pictures of what is none: valid XML, or a refusal."""

from __future__ import annotations

import random
from functools import cache
from typing import Any
from xml.parsers import expat

import sarai
from attack import values, worlds
from attack.calls import SHORT
from attack.positions import changed
from attack.scratch import folder
from attack.trial import Trial, shown
from sarai.render import animation, draw, picture
from sarai.render.captions import captioned, side_by_side
from sarai.render.text import COLUMNS, ROWS, board

LARGEST = 5_000_000
"""Characters of the largest picture."""


def attack(trial: Trial) -> None:
    """One case."""
    kinds = (boards, boards, boards, texts, animations, animations, captions, records, charts)
    trial.rng.choice(kinds)(trial)


def proper(trial: Trial, picture: Any, what: str) -> None:
    """A picture must be XML that every browser reads, and not too large."""
    trial.hold(
        isinstance(picture, str) and len(picture) < LARGEST, f"{what}: {len(picture):,} characters", "fewer"
    )
    trial.hold("<script" not in picture and "\0" not in picture, f"{what}: a script", "none")
    try:
        expat.ParserCreate().Parse(picture.encode(), True)
    except (expat.ExpatError, UnicodeEncodeError) as error:
        trial.hold(False, f"{what}: no XML: {error}", "XML")


def options(rng: random.Random, state: sarai.State) -> dict[str, Any]:
    """What a drawing may be told, some of it wrong."""
    names = [state.action_to_string(action) for action in state.legal_actions()]
    some = names or ["d6", "hand/5", "24/23"]
    name = rng.choice([rng.choice(some), values.text(rng, some), values.anything(rng)])
    found: dict[str, Any] = {
        "theme": rng.choice([values.anything(rng), values.text(rng, ["light", "dark"]), "dark"]),
        "size": rng.choice([values.anything(rng), values.numbers(rng), 300, 10**6, 0.1, 1e300]),
        "coordinates": rng.choice([True, False, values.anything(rng)]),
        "last": rng.choice(
            [
                (0, name),
                [1, name],
                (values.numbers(rng), name),
                (0,),
                name,
                values.anything(rng),
                (0, name, 1),
                None,
            ]
        ),
        "legal": rng.choice(
            [names, [*names, name], [name] * 3, [name] * 2000, values.anything(rng), tuple(names)]
        ),
        values.text(rng, ["theme", "size"]): 1,
    }
    return {key: found[key] for key in rng.sample(list(found), rng.choice([0, 1, 1, 2, 5]))}


def boards(trial: Trial) -> None:
    """A position drawn, with wrong views and wrong options."""
    rng = trial.rng
    state = worlds.some_state(rng)
    for _ in range(3):
        view: Any = state.view()
        given = options(rng, state) if rng.random() < 0.6 else {}
        if not given or rng.random() < 0.3:
            view = values.anything(rng) if rng.random() < 0.1 else changed(rng, view)
        met = trial.call(draw, view, **given)
        if met.error is None:
            proper(trial, met.value, f"draw({shown(view)}, {shown(given)})")


def texts(trial: Trial) -> None:
    """A position as text."""
    rng = trial.rng
    state = worlds.some_state(rng)
    for _ in range(3):
        view: Any = values.anything(rng) if rng.random() < 0.1 else changed(rng, state.view())
        met = trial.call(board, view)
        if met.error is None:
            lines = met.value
            fits = len(lines) <= ROWS and all(len(line) <= COLUMNS and line.isprintable() for line in lines)
            trial.hold(
                fits, lambda: f"board({shown(view)}): {shown(max(lines, key=len))}", "80 columns, 24 rows"
            )


def animations(trial: Trial) -> None:
    """Games as one picture."""
    rng = trial.rng
    game = rng.choice(worlds.GAMES)
    record = short_record(game, rng.randrange(2))
    states: list[Any] = record.states()[: rng.choice([0, 1, 3, 8])]
    if states and rng.random() < 0.5:
        place = rng.randrange(len(states))
        states[place] = rng.choice(
            [values.anything(rng), changed(rng, states[place].view()), worlds.some_state(rng)]
        )
    found: dict[str, Any] = {
        "seconds_per_frame": rng.choice([values.anything(rng), values.numbers(rng), 0.02, 60, 60.1]),
        "repeat": rng.choice([values.anything(rng), True]),
        "theme": values.anything(rng),
        "last": rng.choice([values.anything(rng), [None] * len(states), [(0, "d6")] * len(states), [None]]),
        "size": values.numbers(rng),
        values.text(rng, ["size"]): 1,
    }
    given = {key: found[key] for key in rng.sample(list(found), rng.choice([0, 1, 1, 2]))}
    frames = rng.choice([states, tuple(states), iter(states), values.anything(rng)])
    met = trial.call(animation.animate, frames, **given)
    if met.error is None:
        proper(trial, met.value, f"animate({len(states)} states, {shown(given)})")


@cache
def short_record(game: str, seed: int) -> sarai.Record:
    """A game that is soon over."""
    return sarai.Record.play(game, seed=seed, rules={**SHORT[game], "max_turns": 12})


def captions(trial: Trial) -> None:
    """Lines under a picture, and pictures beside each other."""
    rng = trial.rng
    shown = picture(worlds.some_state(rng))
    lines = [values.text(rng) for _ in range(rng.randrange(4))]
    met = trial.call(captioned, shown, lines, rng.choice(["light", "dark", values.text(rng, ["light"])]))
    if met.error is None:
        proper(trial, met.value.written(), f"captioned({lines!r:.200})")
    met = trial.call(side_by_side, [shown] * rng.randrange(1, 4), 2, 600, values.text(rng))
    if met.error is None:
        proper(trial, met.value.written(), "side_by_side")


def records(trial: Trial) -> None:
    """Records with labels from anywhere, as a notebook shows them."""
    rng = trial.rng
    record = short_record(rng.choice(worlds.GAMES), 0)
    steps = [step.id for step in record.steps][: rng.choice([0, 4, 1000])]
    labels = [values.text(rng)[:1000] for _ in record.get_game().sides]
    met = trial.call(sarai.Record.from_steps, record.get_game(), steps, agents=labels)
    if met.error is None:
        proper(trial, trial.call(met.value._repr_svg_).value, f"a record of {shown(labels)}")
        repr(met.value).encode("utf-8", "backslashreplace")


def charts(trial: Trial) -> None:
    """A rollout's figure, with labels from anywhere; few, for each takes as long as a hundred of the others."""
    rng = trial.rng
    if rng.random() < 0.85:
        return
    game = rng.choice(worlds.GAMES)

    def policy(_: Any, masks: Any) -> Any:
        return masks.argmax(axis=1)

    policy.__qualname__ = rng.choice([values.text(rng), "$\\frac$", "a\x07b\x1b[31m\0", "$x", "\x0b<&>"])
    met = trial.call(sarai.rollout, game, 3, policy, rules=SHORT[game], num_threads=1)
    if met.error is not None:
        return
    path = folder() / "chart.svg"
    drawn = trial.call(met.value.plot, path)
    if drawn.error is None:
        proper(trial, path.read_text(encoding="utf-8"), f"the figure of {shown(policy.__qualname__)}")
    trial.call(
        met.value.plot,
        rng.choice([values.text(rng), "x.txt", 3, folder() / "no" / "x.svg", b"x.svg"]),
        also=(OSError,),
    )
