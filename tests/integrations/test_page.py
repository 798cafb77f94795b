"""The page of a game in a browser: its buttons, its keys, and that it needs no network."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import browsing, expect, violations

import sarai

if TYPE_CHECKING:
    from playwright.sync_api import Page

RECORD = sarai.Record.from_steps("shah", [4, 19, 2, 7, 11])


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """The page of `RECORD` in Chromium, which is allowed to ask for nothing but this file."""
    path = tmp_path_factory.mktemp("page") / "game.html"
    RECORD.page(path, seconds_per_frame=0.2)
    with browsing() as browser:
        page: Page = browser.new_page()
        asked: list[str] = []
        said: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        # Time passes there only where a test says so.
        page.clock.install(time=0)
        page.goto(Path(path).as_uri())
        page.clock.pause_at(3600)
        yield page
        assert asked == [Path(path).as_uri()]
        assert said == []


def at(page: Page, place: int) -> None:
    """Look that this position is shown: in words, on the slider, and on the board."""
    expect(page.locator("#count")).to_have_text(f"{place} of 5")
    names = ["The beginning", *(f"player {step.player}: {step.name}" for step in RECORD.steps)]
    expect(page.locator("#label")).to_have_text(names[place])
    expect(page.locator("#place")).to_have_value(str(place))
    # The headline of each position stands in the SVG, and only that of this one is visible.
    state = RECORD.states()[place]
    turn = page.locator("#board svg text", has_text=f"turn {state.turns_passed()}").filter(visible=True)
    expect(turn).to_have_count(1)


@pytest.mark.nightly
def test_it_stands_still_until_it_is_asked(shown: Page) -> None:
    at(shown, 0)
    assert shown.get_by_role("button", name="Back").is_disabled()


def test_buttons_and_keys_step(shown: Page) -> None:
    for _ in range(2):
        shown.get_by_role("button", name="Forward").click()
    at(shown, 2)
    shown.keyboard.press("ArrowLeft")
    at(shown, 1)
    shown.keyboard.press("End")
    at(shown, 5)
    assert shown.get_by_role("button", name="Forward").is_disabled()
    shown.keyboard.press("ArrowRight")
    at(shown, 5)
    shown.get_by_role("button", name="First position").click()
    at(shown, 0)
    shown.get_by_label("Position", exact=True).fill("3")
    at(shown, 3)


@pytest.mark.nightly
def test_it_plays_to_the_end_and_again(shown: Page) -> None:
    shown.keyboard.press("Home")
    shown.locator("#speed").select_option("4")
    shown.locator("body").click(position={"x": 2, "y": 2})
    shown.keyboard.press(" ")
    for place in range(5):
        at(shown, place)
        expect(shown.locator("#play")).to_have_text("Pause")
        shown.clock.run_for(50)
    at(shown, 5)
    expect(shown.locator("#play")).to_have_text("Play")
    shown.locator("#speed").select_option("0.5")
    shown.locator("#play").click()
    shown.clock.run_for(399)
    at(shown, 0)
    shown.clock.run_for(1)
    at(shown, 1)
    expect(shown.locator("#play")).to_have_text("Pause")
    shown.locator("#play").click()
    expect(shown.locator("#play")).to_have_text("Play")
    shown.clock.run_for(10_000)
    at(shown, 1)


@pytest.mark.nightly
def test_without_scripts_it_plays_by_itself(shown: Page, tmp_path: Path) -> None:
    assert shown.context.browser is not None
    context = shown.context.browser.new_context(java_script_enabled=False)
    page = context.new_page()
    RECORD.page(tmp_path / "game.html", seconds_per_frame=0.02)
    page.goto((tmp_path / "game.html").as_uri())
    expect(page.locator("#controls")).to_be_hidden()
    expect(
        page.locator("#board svg text", has_text=f"turn {RECORD.final_state.turns_passed()}").filter(
            visible=True
        )
    ).to_have_count(1)
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(theme: str, shown: Page, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    RECORD.analyse("alphabeta:2", seed=0).page(path, theme=theme)
    browser = shown.context.browser
    assert browser is not None
    page = browser.new_page()
    page.goto(path.as_uri())
    assert violations(page) == []
