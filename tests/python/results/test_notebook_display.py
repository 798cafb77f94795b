"""What notebooks show: pictures where there is a board, tables where there are numbers, all of it safe to show."""

from __future__ import annotations

import copy
import pickle
import re
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.nightly_books import some_books
from helpers.page import Page
from helpers.refusals import refused
from sarai import Record, render
from sarai._records.picture import MOST_PLAYED
from sarai._render import animation, pixels
from sarai._render.captions import captioned, side_by_side
from sarai._render.options import MOST_LEGAL
from sarai._render.svg import Svg
from sarai._tables import notebook
from sarai.render import draw

NS = "{http://www.w3.org/2000/svg}"
two_games = pytest.mark.parametrize("name", ["sho", "shah"])

DRAWN = {"svg", "title", "desc", "g", "circle", "rect", "path", "text", "animate"}


def texts(svg: str) -> list[str]:
    """The texts of a picture, which must be one that is safe to show."""
    root = ET.fromstring(svg)
    assert {element.tag.removeprefix(NS) for element in root.iter()} <= DRAWN
    names = {name for element in root.iter() for name in element.attrib}
    assert not [
        name for name in names if name in ("id", "class", "style") or "href" in name or name[:2] == "on"
    ]
    assert svg.count("http") == 1
    return [element.text or "" for element in root.iter(f"{NS}text")]


def test_no_text_makes_a_page_invalid() -> None:
    label = "\0\x1b\ud800\ufffe<b>"
    for page in (notebook.line(label), notebook.heading(label), notebook.table([label], [[label]], 1)):
        assert page.isprintable()
        assert page.encode()
        Page(page)
    # No record takes half of a surrogate pair.
    given = "<script>alert(1)</script>" + label.replace("\ud800", "")
    record = Record.from_steps("shah", [4], agents=[given, "x" * 1000])
    (line,) = (text for text in texts(record._repr_svg_()) if "alert" in text)
    assert line.startswith("0: <script>alert(1)</script>")
    assert line.endswith("…")
    assert len(line) < 70


class Printer:
    """What of IPython's printer is used."""

    said = ""

    def text(self, content: str) -> None:
        self.said += content


@two_games
def test_pictures_are_text_that_notebooks_show(name: str) -> None:
    view = sarai.make(name).new_initial_state().view()
    for picture in (draw(view), animation.animate([view]), sarai.make(name).new_initial_state()._repr_svg_()):
        assert isinstance(picture, str)
        shown = picture._repr_svg_()  # type: ignore[attr-defined]
        assert type(shown) is str
        assert shown == picture
        assert hash(picture) == hash(shown)
        assert repr(picture) == repr(shown)
        for again in (pickle.loads(pickle.dumps(picture)), copy.copy(picture), copy.deepcopy(picture)):
            assert type(again) is Svg
            assert again == picture
        assert type(picture + "\n") is str
        assert not hasattr(picture, "__dict__")

        printer = Printer()
        picture._repr_pretty_(printer, False)  # type: ignore[union-attr]
        assert printer.said == f"<SVG of {len(picture):,} characters>", "the markup is not kept a second time"


def legal_marks(picture: str) -> dict[str, str]:
    """What is drawn for each legal action of a picture."""
    found = {}
    for group in ET.fromstring(picture).iter(f"{NS}g"):
        title = group.find(f"{NS}title")
        if title is not None and (title.text or "").startswith("legal: "):
            group.remove(title)
            found[(title.text or "").removeprefix("legal: ")] = ET.tostring(group, encoding="unicode")
    return found


@some_books
def test_every_action_of_a_game_can_be_marked(book: tuple[str, str]) -> None:
    record = Record.play(sarai.make(book[0], preset=book[1]), "random", seed=5)
    states = record.states()
    # The ends of games hold what is rare: pieces that leave the board, seats that play for their partners.
    late, unmarked = len(record) - 30, set()
    for at, (before, step, after) in enumerate(zip(states, record.steps, states[1:], strict=False)):
        if step.player < 0 or (at % 14 and at < late):
            continue
        legal = [before.action_to_string(action) for action in before.legal_actions()]
        marked = legal_marks(draw(before.view(), legal=legal))
        assert list(marked) == legal
        # Each has something to see, and no two are the same.
        assert all("<ns0:path" in mark or "<ns0:rect" in mark for mark in marked.values())
        assert len(set(marked.values())) == len(legal)
        plain, latest = draw(after.view()), draw(after.view(), last=(step.player, step.name))
        assert latest.count("<title>player") - plain.count("<title>player") in (0, 1)
        if f"player {step.player} played {step.name}<" not in latest:
            unmarked.add((book[0], re.sub("[0-9]+", "N", step.name)))
    # Those have left the board, or are told beside it.
    assert unmarked <= {("sho", "value N"), ("sho", "decline"), ("tshupu", "N/off")}


def test_the_values_to_choose_from_stand_on_the_pad() -> None:
    record = Record.play("sho(preset=flexible)", "random", seed=5)
    for state in record.states():
        if state.current_player() >= 0 and state.view()["state"]["phase"] == "value":
            legal = [state.action_to_string(action) for action in state.legal_actions()]
            for name, mark in legal_marks(draw(state.view(), legal=legal)).items():
                assert f">{name.removeprefix('value ')}</" in mark
                assert "stroke-dasharray" in mark
            assert len(draw(state.view(), legal=legal)) > len(draw(state.view()))
            break
    else:
        pytest.fail("no value was to be chosen")
    # All the values there can be still have their places.
    every = [f"value {value}" for value in range(1, 65)]
    assert list(legal_marks(draw(state.view(), legal=every))) == every


@pytest.mark.parametrize(("name", "plain"), [("sho", "3/8"), ("tshupu", "3/8"), ("shuanglu", "13/8")])
def test_a_hit_is_not_drawn_as_a_plain_move(name: str, plain: str) -> None:
    record = Record.play(name, "random", seed=5)
    state = next(state for state in record.states() if state.current_player() >= 0)
    marks = legal_marks(draw(state.view(), legal=[f"{plain}*", plain]))
    # It is the same mark with something more in it.
    assert marks[f"{plain}*"].count("M") > marks[plain].count("M")
    assert draw(state.view(), last=(0, f"{plain}*")).replace("*", "") != draw(state.view(), last=(0, plain))


def test_a_piece_that_is_to_be_borne_off_for_the_partner_is_marked() -> None:
    for state in Record.play("tshupu(preset=chaupar_style)", "random", seed=0).states():
        player = state.current_player()
        if player >= 0 and set(state.view()["state"]["pieces"][player]) == {33}:
            legal = [state.action_to_string(action) for action in state.legal_actions()]
            if any(name.endswith("/off") for name in legal):
                assert list(legal_marks(draw(state.view(), legal=legal))) == legal
                return
    pytest.fail("no piece was to be borne off")


@two_games
def test_moves_that_are_none_are_refused(name: str) -> None:
    record = Record.play(name, "random", seed=5)
    state = next(state for state in record.states() if state.current_player() >= 0)
    seats = sarai.make(name).num_players

    def call(**given: Any) -> None:
        draw(state.view(), **given)

    last: list[Any] = [(0, name) for name in ("nonsense", "1/2/3", "x" * 10_000, 4)]
    last += [(seats, "1/2"), (True, "1/2"), (0,), "hand/4"]
    # No throw gives these values.
    values = [["hand/4", f"value {wrong}"] for wrong in (0, 65, 100, "")]
    legal = [["z/9", "z/8"], "d6", ["z/9"] * (MOST_LEGAL + 1), ["hand/100"], ["decline all"], *values]
    refused(call, {"last": last, "legal": legal})
    with pytest.raises(ValueError, match="nobody is to move"):
        draw(record.final_state.view(), legal=["9/0"])


def test_a_record_plays_itself_with_its_last_moves() -> None:
    record = Record.from_steps("shah", [4, 19, 2])
    animated = record.animate(seconds_per_frame=0.5, theme="dark")
    assert type(animated) is Svg
    for player, name in ((0, "d6"), (1, "d2"), (0, "g7")):
        assert animated.count(f"player {player} played {name}<") == 1
    assert record.animate(last=None) == animation.animate(record.states())
    with pytest.raises(TypeError, match="colour"):
        record.animate(colour="red")
    refused(lambda last: animation.animate(record.states(), last=last), {}, {"last": ["d6"]})


def test_a_record_that_is_too_long_to_animate_is_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sarai._records.picture.MOST_FRAMES", 3)
    monkeypatch.setattr(Record, "states", lambda self: pytest.fail("no position is needed to refuse it"))
    with pytest.raises(ValueError, match="at most 3 positions, and this record has 4"):
        Record.from_steps("shah", [4, 19, 2]).animate()


@two_games
def test_a_notebook_shows_a_record_and_what_game_it_is(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sarai._records.picture.MOST_PLAYED", 9)
    whole = Record.play(name, ["greedy", *["random"] * (sarai.make(name).num_players - 1)], seed=3)
    begun = Record.from_steps(name, [step.id for step in whole.steps[:8]])
    for record, plays in ((begun, True), (whole, False)):
        shown = record._repr_svg_()
        assert (" positions. " in shown) == plays
        assert ("<animate " in shown) == plays
        said = texts(shown)
        assert any(text.startswith(f"{name}: {len(record):,} steps, ") for text in said)
        # As high as its ratio says, and drawn without complaint.
        image = pixels.rgb(shown, width=64, background="#ff0000")
        assert image.shape[1] == 64
        # The caption lies on the ground of the picture: nothing of what is behind shows through beside it.
        assert not (image[-8:, 60] == (255, 0, 0)).all(axis=1).any()
    assert "unfinished" in begun._repr_svg_()
    assert whole.winner is not None
    assert "won by player" in whole._repr_svg_()
    assert "seed 3, game 0; 0: greedy, 1: random" in whole._repr_svg_()
    assert len(whole._repr_svg_()) < 400_000


@pytest.mark.parametrize("name", ["sho", "shuanglu"])
def test_a_roll_leaves_the_last_move_marked(name: str) -> None:
    whole = Record.play(name, "greedy", seed=3)
    after = next(i for i in range(MOST_PLAYED, len(whole)) if whole.steps[i].player < 0)
    last = next(step for step in reversed(whole.steps[:after]) if step.player >= 0)
    shown = Record.from_steps(name, [step.id for step in whole.steps[: after + 1]])._repr_svg_()
    assert f"player {last.player} played {last.name}</title>" in shown


def test_pictures_side_by_side_keep_their_places() -> None:
    view = sarai.make("shah").new_initial_state().view()
    shown = render.picture(view)
    board = shown.written()
    both = side_by_side([shown, shown, shown], 2, 640, "three <boards>").written()
    root = ET.fromstring(both)
    assert root.findtext(f"{NS}title") == "three <boards>"
    inner = root.findall(f"{NS}svg")
    places = [(float(each.get("x", "")), float(each.get("y", ""))) for each in inner]
    assert places == [(0, 0), (612, 0), (0, 800)]
    for count, rows in ((1, 1), (2, 1), (3, 2), (5, 3)):
        assert side_by_side([shown] * count, 2, 640, "boards").height == rows * (shown.height + 12) - 12
    # The first shows what it shows alone.
    alone, together = pixels.rgb(board, width=300), pixels.rgb(both, width=606)
    assert np.mean(np.abs(alone[:380, :290].astype(int) - together[:380, :290])) < 4
    assert ">a &lt; b</text>" in captioned(shown, ["a < b"]).written()


@two_games
def test_an_environment_shows_its_boards_once_a_game_is_under_way(name: str) -> None:
    environments: list[Any] = [
        sarai.SelfPlayVectorEnv(name, 6, seed=1),
        sarai.SingleAgentVectorEnv(name, 1, seed=1),
        sarai.SingleAgentEnv(name),
        sarai.aec_env(name),
    ]
    for env in environments:
        assert env._repr_svg_() is None
        (said,) = Page(env._repr_html_()).said
        assert said.endswith("no game is under way; begin with reset().")
        assert name in said
        env.reset(seed=3)
        assert env._repr_html_() is None
        shown = env._repr_svg_()
        lanes = [text for text in texts(shown) if text.startswith("lane ")]
        many = getattr(env, "num_envs", 1) > 1
        assert lanes == ([f"lane {lane}" for lane in range(4)] if many else [])
        assert shown.count("<svg") == (1 + 4 if many else 1)
        assert any(name in text for text in texts(shown))
        # A picture of where it stands: looking changes nothing, and a step changes the picture.
        assert env._repr_svg_() == shown
        again = pickle.loads(pickle.dumps(env))
        assert again._repr_svg_() == shown
        if hasattr(env, "sample_legal"):
            env.step(env.sample_legal())
        else:
            env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
        assert env._repr_svg_() != shown


@two_games
def test_a_record_by_turn_has_a_picture_for_each(name: str) -> None:
    record = Record.play(sarai.make(name, rules={"max_turns": 12}), "greedy", seed=2)
    states = record.states()
    begins = [i for i in range(1, len(states)) if states[i].turns_passed() > states[i - 1].turns_passed()]
    frames = sorted({0, *begins, len(record)})
    assert f"{len(frames)} positions." in record.animate(by_turn=True)
    assert record.animate(by_turn=np.True_) == record.animate(by_turn=True)  # type: ignore[arg-type]
    assert record.animate(by_turn=True, last=None) == animation.animate([states[i] for i in frames])
    assert len(frames) < len(states) or name == "shah"
    with pytest.raises(TypeError, match="by_turn must be True or False"):
        record.animate(by_turn=1)  # type: ignore[arg-type]
