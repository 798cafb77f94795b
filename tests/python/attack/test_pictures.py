"""Pictures of what is none: XML that every browser reads, or a refusal."""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sarai
from attack import values
from attack.oracle import SHORT, call, games, lowest, short, states, tries
from attack.values import Strategy, anything, near, numbers, some, texts
from sarai._render import animation
from sarai._render.captions import captioned, side_by_side
from sarai._render.text import COLUMNS, ROWS, board
from sarai.render import draw, picture


def proper(drawn: Any) -> None:
    """A picture is XML, and not too large."""
    assert isinstance(drawn, str)
    assert len(drawn) < 5_000_000
    assert "<script" not in drawn
    expat.ParserCreate().Parse(drawn.encode(), True)


def options(names: list[str]) -> Strategy:
    """What a drawing may be told, some of it wrong."""
    name = st.sampled_from(names or ["d6", "hand/5"]) | near(*names or ["d6", "24/23"]) | anything
    return st.fixed_dictionaries(
        {},
        optional={
            "theme": some("light", "dark", "print") | near("light", "dark", "print"),
            "board_only": some(True, False),
            "arrows": st.lists(name | st.tuples(name, name) | anything, max_size=2) | anything,
            "highlight": st.lists(name, max_size=2) | anything,
            "labels": st.dictionaries(name.filter(lambda one: isinstance(one, str)), texts) | anything,
            "names": st.lists(texts, max_size=3) | anything,
            "moves": st.lists(name, max_size=2) | anything,
            "size": some(300, 10**6, 0.1, 1e300) | numbers,
            "coordinates": some(True, False),
            "last": st.tuples(some(0, 1), name) | st.lists(name, max_size=3) | anything,
            "legal": st.lists(name, max_size=3)
            | name.map(lambda one: [one] * 2000)
            | anything
            | st.just(names),
            "sise": st.just(1),
        },
    )


@tries(200)
@given(data=st.data(), state=states)
def test_boards(data: Any, state: sarai.State) -> None:
    names = [state.action_to_string(action) for action in state.legal_actions()]
    given = data.draw(options(names) | st.just({}))
    view = state.view() if given and data.draw(st.booleans()) else data.draw(values.changed(state.view()))
    drawn = call(draw, view, **given)
    if drawn.error is None:
        proper(drawn.value)
    lines = call(board, view).value
    assert lines is None or len(lines) <= ROWS
    assert all(len(line) <= COLUMNS and line.isprintable() for line in lines or [])


@tries(40)
@given(data=st.data(), name=games, state=states, odd=anything)
def test_animations(data: Any, name: str, state: sarai.State, odd: Any) -> None:
    record = sarai.Record.play(sarai.make(name, rules={**SHORT[name], "max_turns": 12}), seed=1)
    frames: list[Any] = record.states()[: data.draw(st.sampled_from([0, 1, 3, 8]))]
    if frames and data.draw(st.booleans()):
        changes = [odd, state, data.draw(values.changed(frames[0].view()))]
        frames[data.draw(st.integers(0, len(frames) - 1))] = changes[data.draw(st.integers(0, 2))]
    found: dict[str, Any] = {
        "seconds_per_frame": data.draw(some(0.02, 60, 60.1)),
        "last": ([None] * len(frames), [(0, "d6")] * len(frames), [None], odd)[data.draw(st.integers(0, 3))],
        "repeat": odd,
        "theme": odd,
        "size": data.draw(numbers),
        "sise": 1,
    }
    given = {key: found[key] for key in data.draw(st.lists(st.sampled_from(list(found)), max_size=2))}
    drawn = call(animation.animate, odd if given.get("theme") is odd else frames, **given)
    if drawn.error is None:
        proper(drawn.value)


@tries(40)
@given(states, st.lists(texts, max_size=3), st.sampled_from(["light", "dark"]) | near("light"))
def test_captions(state: sarai.State, lines: list[str], theme: Any) -> None:
    shown = picture(state)
    for met in (
        call(captioned, shown, lines, theme),
        call(side_by_side, [shown] * (1 + len(lines)), 2, 600, theme),
    ):
        if met.error is None:
            proper(met.value.written())


def labelled(label: str, name: str) -> Any:
    """Games of a policy that is called so; None if it cannot be."""

    def policy(_: Any, masks: Any) -> Any:
        return lowest(_, masks)

    policy.__qualname__ = label
    return call(sarai.rollout, short(name), policy, 3, keep=[1]).value


labels: Strategy = (
    st.sampled_from(["<script>alert(1)</script>&\0\x1b[31m", "$\\frac$", "a\x07b\0", "$x", "\x0b<&>"]) | texts
)


@tries(15)
@given(labels, games)
def test_labels_from_anywhere(label: str, name: str) -> None:
    result = labelled(label, name)
    if result is not None:
        page = result._repr_html_()
        assert "<script>" not in page
        page.encode()
        str(result.summary()).encode()
        call(result.to_pandas)
        proper(result.records[1]._repr_svg_())


@pytest.mark.filterwarnings("ignore:Glyph .* missing from font")
@tries(3)
@given(label=labels, name=games, odd=some("x.txt", "", "no/x.svg"))
def test_charts(label: str, name: str, odd: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    result = labelled(label, name)
    path = tmp_path_factory.getbasetemp() / "chart.svg"
    if result is not None:
        if call(result.plot, path).error is None:
            proper(path.read_text(encoding="utf-8"))
        call(result.plot, odd, also=(OSError,))
