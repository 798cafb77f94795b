"""The page of `sarai serve` in a real browser, by clicks and by keyboard."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import BY_KEYS, PATIENCE, Running, Table, browsing, by_clicks, expect, violations

import sarai


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as found:
        yield found


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    running = Running()
    yield running
    assert running.end() == 0


@pytest.fixture
def context(browser: Any) -> Iterator[Any]:
    made = browser.new_context(viewport={"width": 1280, "height": 900})
    yield made
    made.close()


@pytest.fixture
def trouble() -> list[str]:
    return []


@pytest.fixture
def table(context: Any, server: Running, trouble: list[str]) -> Iterator[Table]:
    yield opened(context, server, trouble)
    # Nothing was refused by the policy of the page, nothing was fetched from elsewhere, and no script failed.
    assert trouble == []


def opened(context: Any, server: Running, trouble: list[str]) -> Table:
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda said: trouble.append(said.text) if _is_trouble(said) else None)
    page.on(
        "request",
        lambda asked: None if asked.url.startswith((server.address, "blob:")) else trouble.append(asked.url),
    )
    page.goto(server.address)
    expect(page.locator(".sarai-point").first).to_be_visible()
    return Table(page)


def _is_trouble(said: Any) -> bool:
    # A browser also tells of answers with another status than 200, and a refused move is one.
    return said.type in ("error", "warning") and "the server responded with a status of 422" not in said.text


def test_a_seed_of_64_bits_stays_as_it_is(table: Table) -> None:
    # The page also saves the game that it began with, whenever it gets to it.
    with table.page.expect_response(
        lambda told: (told.request.post_data_json or {}).get("do") == "new"
    ) as told:
        table.begin("shah", seed=2**64 - 1)
    assert told.value.json()["seed"] == str(2**64 - 1)


def test_where_the_browser_stores_nothing_the_page_plays_and_says_so(context: Any, server: Running) -> None:
    context.add_init_script(
        "for (const name of ['sessionStorage', 'localStorage'])"
        " Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError'); } });"
    )
    trouble: list[str] = []
    table = opened(context, server, trouble)
    expect(table.page.locator("#connection")).to_contain_text("stores nothing")
    table.play()
    assert trouble == []


@by_clicks
def test_a_whole_game_by_clicks(table: Table, game: str, options: dict[str, Any]) -> None:
    table.begin(game, **options)
    moves = 0
    while not table.is_over:
        table.play()
        moves += 1
    assert moves > 3
    expect(table.status).to_contain_text("The game is")
    at, length = table.steps
    assert at == length > moves


@pytest.mark.nightly
@pytest.mark.parametrize("game", sarai.games())
def test_a_whole_game_by_keyboard_alone(table: Table, game: str) -> None:
    table.begin_by_keyboard(game, **BY_KEYS[game])
    moves = 0
    while not table.is_over:
        table.play_by_keyboard()
        moves += 1
    assert moves > 3
    expect(table.status).to_contain_text("The game is")


@pytest.mark.nightly
def test_arrows_lead_from_place_to_place_and_escape_lets_go(table: Table) -> None:
    table.begin("shah")
    while not table.page.locator(".is-source").count() or table.steps[1] < 8:
        table.play()
    table.tab_to(".is-source")
    here = table.page.locator(".sarai-point:focus").get_attribute("aria-label")
    moved = False
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        table.page.keyboard.press(key)
        moved = moved or table.page.locator(".sarai-point:focus").get_attribute("aria-label") != here
    assert moved
    # Arrows on the board step through nothing.
    assert table.steps[0] == table.steps[1]
    table.tab_to(".is-source")
    table.page.keyboard.press("Enter")
    if table.page.locator(".is-chosen").count():
        table.page.keyboard.press("Escape")
        expect(table.page.locator(".is-chosen")).to_have_count(0)


@pytest.mark.nightly
def test_the_focus_stays_where_it_was_when_the_board_changes(table: Table) -> None:
    table.begin("shah")
    table.tab_to(".is-source")
    before = table.count.inner_text()
    name = table.page.locator(".sarai-point:focus").get_attribute("aria-label").split(",")[0]
    table.page.keyboard.press("Enter")
    table.settle(before)
    focused = table.page.locator(".sarai-point:focus")
    expect(focused).to_have_count(1)
    assert focused.get_attribute("aria-label").split(",")[0] == name


@pytest.mark.nightly
def test_a_piece_is_dragged(table: Table) -> None:
    table.begin("shuanglu")
    before = table.count.inner_text()
    table.page.locator(".is-source").first.click()
    target = table.page.locator(".is-target").first.bounding_box()
    source = table.page.locator(".is-chosen").bounding_box()
    table.page.keyboard.press("Escape")
    mouse = table.page.mouse
    mouse.move(source["x"] + source["width"] / 2, source["y"] + source["height"] / 2)
    mouse.down()
    # To nowhere: nothing is moved.
    mouse.move(5, 5, steps=5)
    mouse.up()
    expect(table.status).to_have_text("Nothing was moved.")
    assert table.count.inner_text() == before
    mouse.move(source["x"] + source["width"] / 2, source["y"] + source["height"] / 2)
    mouse.down()
    mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=5)
    mouse.up()
    table.settle(before)


@pytest.mark.nightly
def test_an_illegal_click_is_a_word_and_no_change(table: Table) -> None:
    table.begin("shah")
    table.play()
    before = table.count.inner_text()
    taken = table.page.locator(".sarai-point:not(.is-source)").first
    if not taken.count():
        pytest.skip("every place may be chosen here")
    taken.click()
    expect(table.status).to_have_text(re.compile("No move begins at"))
    expect(table.status).to_have_class(re.compile("is-wrong"))
    table.page.locator(".sarai-picture").click(position={"x": 3, "y": 3})
    expect(table.status).to_have_text("There is nothing to choose there.")
    assert table.count.inner_text() == before


@pytest.mark.nightly
def test_undo_and_hint_and_analysis(table: Table) -> None:
    table.begin("shuanglu")
    start = table.count.inner_text()
    table.play()
    table.page.get_by_role("button", name="Undo").click()
    expect(table.count).to_have_text(start)
    table.page.get_by_role("button", name="Hint").click()
    expect(table.page.locator("p.sarai-hint")).to_contain_text("Hint: ")
    expect(table.page.locator(".is-hint").first).to_be_visible()
    table.page.get_by_role("button", name="Analyse").click()
    rows = table.page.locator(".sarai-found tbody tr")
    expect(rows.first).to_be_visible()
    assert rows.count() > 1


@pytest.mark.nightly
def test_a_record_is_saved_loaded_and_stepped_through(table: Table, tmp_path: Path) -> None:
    table.begin("shah")
    while not table.is_over:
        table.play()
    table.page.get_by_text("Record", exact=True).click()
    with table.page.expect_download() as downloaded:
        table.page.get_by_role("button", name="Save to a file").click()
    file = tmp_path / "game.json"
    downloaded.value.save_as(file)
    record = sarai.Record.load(file)
    assert record.finished
    assert record.agents == ("human", "greedy")
    table.page.get_by_label("Load a file").set_input_files(file)
    expect(table.count).to_have_text(f"0 / {len(record)}")
    table.page.locator(".sarai-new > summary").focus()
    for place in (1, 2, 3):
        table.page.keyboard.press("ArrowRight")
        expect(table.count).to_have_text(f"{place} / {len(record)}")
        expect(table.status).to_contain_text(record.names[place - 1])
    table.page.keyboard.press("ArrowLeft")
    expect(table.count).to_have_text(f"2 / {len(record)}")
    table.page.keyboard.press("End")
    expect(table.count).to_have_text(f"{len(record)} / {len(record)}")
    table.page.keyboard.press("Home")
    expect(table.count).to_have_text(f"0 / {len(record)}")
    table.page.get_by_label("Record as text").fill("nonsense")
    table.page.get_by_role("button", name="Load this text").click()
    expect(table.status).to_have_class(re.compile("is-wrong"))
    expect(table.count).to_have_text(f"0 / {len(record)}")


@pytest.mark.nightly
def test_a_position_goes_out_and_in(table: Table) -> None:
    table.begin("sho")
    table.play()
    table.page.get_by_text("Position", exact=True).click()
    text = table.page.get_by_label("Position as text")
    shown = text.input_value()
    table.play()
    text.fill(shown)
    table.page.get_by_role("button", name="Set up this position").click()
    expect(table.count).to_have_text(re.compile("^0 / "))
    assert text.input_value() == shown


def test_a_position_is_set_up_by_clicks_and_played(table: Table) -> None:
    page = table.page
    table.begin("shah")
    page.get_by_text("Position", exact=True).click()
    page.get_by_role("button", name="Edit the board").click()
    editor = page.locator(".sarai-editor")
    news = editor.get_by_role("status")
    expect(news).to_have_text("This position can be played.")
    editor.get_by_role("button", name="Empty the board").click()
    place = {
        name: page.locator(f".sarai-point[aria-label^='{name},']")
        for name in ("a7", "d7", "b6", "b4", "d6", "f6", "d2")
    }
    for colour, names in (("White", ("a7", "d7", "b6")), ("Black", ("b4", "d6", "f6", "d2"))):
        editor.get_by_role("button", name=colour).click()
        for name in names:
            place[name].click()
            expect(place[name]).to_have_attribute("aria-label", re.compile(f"a stone of {colour.lower()}"))
    # By keyboard as well.
    editor.get_by_role("button", name="Remove").click()
    place["d2"].focus()
    page.keyboard.press("Enter")
    expect(place["d2"]).to_have_attribute("aria-label", re.compile("empty"))
    editor.get_by_label("Whose turn").select_option(label="white")
    expect(news).to_have_text("This position can be played.")
    editor.get_by_text("More").click()
    editor.get_by_label("Beginner").fill("7")
    editor.get_by_label("Beginner").blur()
    expect(news).to_have_text("Not a position yet: beginner got 7; it takes 0 to 1.")
    editor.get_by_label("Beginner").fill("")
    editor.get_by_label("Beginner").blur()
    expect(news).to_have_text("This position can be played.")
    assert violations(page) == []
    editor.get_by_role("button", name="Play from here").click()
    expect(page.get_by_label("Position as text")).to_have_value(re.compile(r"^slide player=0 board=00\.011"))
    expect(editor.get_by_role("button", name="Edit the board")).to_be_visible()
    table.wait()


def test_the_rules_are_in_reach(table: Table) -> None:
    page = table.page
    table.begin("shah")
    table.play()
    count = table.count.inner_text()
    page.get_by_role("button", name="Rules", exact=True).click()
    drawer = page.get_by_role("dialog")
    expect(drawer).to_contain_text("How to play Shah in two minutes")
    assert violations(page) == []
    drawer.get_by_text("The rule book").click()
    expect(drawer).to_contain_text("R13")
    # Arrows scroll here, and step through nothing.
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    assert table.count.inner_text() == count


@pytest.mark.nightly
def test_a_game_that_is_over_is_played_again_by_the_same_players(table: Table) -> None:
    table.begin("shah", max_turns=16)
    while not table.is_over:
        table.play()
    page = table.page
    page.get_by_role("button", name="Play again").click()
    expect(table.count).to_have_text("0 / 0")
    expect(page.get_by_role("button", name="Play again")).to_be_hidden()
    expect(page.locator(".sarai-players")).to_contain_text("Black: medium greedy")
    table.play()


@pytest.mark.nightly
def test_captures_have_a_mark_of_their_own(table: Table) -> None:
    page = table.page
    table.begin("shah")
    page.get_by_text("Position", exact=True).click()
    page.get_by_label("Position as text").fill(
        "remove player=0 board=000.1.11..1..1...11.0.0. hand=0,0 beginner=0 opening_removals=0 extra=false lifted=- "
        "no_capture=0 turn=40 winner=-"
    )
    page.get_by_role("button", name="Set up this position").click()
    taken = page.locator(".is-capture")
    expect(taken).to_have_count(7)
    expect(taken.first).to_have_attribute("aria-label", re.compile("capture here"))


@pytest.mark.nightly
@pytest.mark.parametrize("game", sarai.games())
def test_what_is_touched_is_as_large_as_a_finger(browser: Any, server: Running, game: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    table = opened(context, server, [])
    table.begin(game)
    for _ in range(3):
        table.play()
    boxes = [
        control.bounding_box()
        for control in table.page.locator("button:not(.sarai-point), select, summary").all()
    ]
    assert all(box["height"] >= 44 for box in boxes if box)
    boxes = [point.bounding_box() for point in table.page.locator(".is-source").all()]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    for box, middle in zip(boxes, middles, strict=True):
        nearest = min((math.dist(middle, other) for other in middles if other != middle), default=44)
        assert box["width"] >= min(44, nearest) - 0.5
    context.close()


@pytest.mark.nightly
def test_a_reload_shows_the_same_game(table: Table) -> None:
    table.begin("tshupu")
    table.play()
    count = table.count.inner_text()
    log = table.page.locator(".sarai-log li").all_inner_texts()
    table.page.reload()
    expect(table.count).to_have_text(count)
    assert table.page.locator(".sarai-log li").all_inner_texts() == log
    table.play()


@pytest.mark.nightly
def test_two_tabs_are_two_games(table: Table, context: Any, server: Running, trouble: list[str]) -> None:
    other = opened(context, server, trouble)
    table.begin("shah")
    other.begin("sho")
    table.play()
    other.play()
    table.play()
    assert "Shah" in table.page.locator(".sarai-picture svg").get_attribute("aria-label")
    assert "Sho" in other.page.locator(".sarai-picture svg").get_attribute("aria-label")


# In this browser every page counts as seen, whichever is in front.
HIDE = """hidden => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.mark.nightly
def test_tabs_in_the_background_leave_the_connections_to_the_others(
    context: Any, server: Running, trouble: list[str]
) -> None:
    tables = []
    # A browser has six connections to a server.
    for _ in range(8):
        tables.append(opened(context, server, trouble))
        tables[-1].begin("shah")
        tables[-1].page.evaluate(HIDE, True)
    # What happens meanwhile is shown when the page is seen again: here the answer of the agent.
    first = tables[0]
    before = first.count.inner_text()
    first.one_of(first.root.locator(".is-source")).click()
    first.page.evaluate(HIDE, False)
    first.settle(before)
    assert first.steps == (2, 2)
    expect(first.page.locator("#connection")).to_be_empty()
    assert trouble == []


@pytest.mark.nightly
def test_agents_play_alone_are_held_and_go_on(table: Table) -> None:
    # Both take some minutes for their game.
    begun = sarai.Record.from_steps("shah", [4], agents=["mcts:9999", "mcts:9999"])
    table.page.locator("summary", has_text="Record").click()
    table.page.get_by_label("Record as text").fill(begun.to_text())
    table.page.get_by_role("button", name="Load this text").click()
    table.page.get_by_role("button", name="Stop").click()
    expect(table.turn).to_have_text("The game is held.")
    expect(table.page.get_by_role("button", name="Go on")).to_be_focused()
    held = table.count.inner_text()
    table.page.keyboard.press("Enter")
    expect(table.count).not_to_have_text(held)
    table.press(table.page.get_by_role("button", name="Stop"))
    expect(table.turn).to_have_text("The game is held.")


@pytest.mark.nightly
def test_options_change_who_sits_there_and_wrong_ones_are_told(table: Table) -> None:
    form = table.page.locator(".sarai-new form")
    table.page.get_by_label("Game", exact=True).select_option("sho")
    form.locator("summary").click()
    players = form.get_by_label("players", exact=True)
    players.fill("4")
    players.blur()
    expect(form.get_by_label("Pink")).to_be_visible()
    players.fill("9")
    players.blur()
    expect(table.status).to_contain_text("option 'players' got 9; it takes an integer from 2 to 4")


KEPT = """async () => {
    const headers = { "Content-Type": "application/json", "Sarai-Session": sessionStorage.getItem("sarai.token") };
    const answer = await fetch("/api/command", { method: "POST", headers, body: JSON.stringify({ do: "save" }) });
    return (await answer.json()).record === sessionStorage.getItem("sarai._game");
}"""
"""Whether the page keeps the game as the server has it."""


@pytest.mark.nightly
def test_a_server_that_was_started_again_gets_the_game_back(browser: Any) -> None:
    server = Running()
    context = browser.new_context()
    table = opened(context, server, [])
    table.begin("sho")
    table.play()
    table.play()
    count = table.count.inner_text()
    said = table.page.locator("#connection")
    # The page asks for the game as text once it has shown it; without this the server may end before it has answered.
    table.page.wait_for_function(KEPT)
    server.end()
    expect(said).to_contain_text("The connection to the server is lost")
    # A click says so as well, and nothing breaks.
    table.one_of(table.bar if table.bar.count() else table.page.locator(".is-source")).click()
    again = Running(server.port)
    try:
        expect(said).to_contain_text("your game was put back")
        expect(table.count).to_have_text(count)
        table.page.keyboard.press("Escape")
        table.play()
    finally:
        context.close()
        assert again.end() == 0


@pytest.mark.nightly
@pytest.mark.parametrize("width", [360, 768, 1920])
@pytest.mark.parametrize("game", sarai.games())
def test_it_fits_every_width(browser: Any, server: Running, game: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 780}, has_touch=width < 500)
    table = opened(context, server, [])
    table.begin(game)
    table.play()
    page = table.page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # A place is large enough for a finger, as the guidelines ask for.
    sizes = [point.bounding_box() for point in page.locator(".is-source").all()]
    assert all(min(size["width"], size["height"]) >= 24 for size in sizes)
    context.close()


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Any, server: Running, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
    table = opened(context, server, [])
    assert table.page.locator("html").get_attribute("data-theme") == scheme
    for game in sarai.games():
        table.begin(game)
        table.play()
        assert violations(table.page) == []
    closed = table.page.locator(".sarai-side > details:not([open]) > summary")
    while closed.count():
        closed.first.click()
    table.page.get_by_role("button", name="Analyse").click()
    expect(table.page.locator(".sarai-found tbody tr").first).to_be_visible()
    source = table.page.locator(".is-source")
    if source.count():
        source.first.click()
    assert violations(table.page) == []
    context.close()


@pytest.mark.nightly
def test_the_theme_is_switched_and_stays(table: Table) -> None:
    page = table.page
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.get_by_role("button", name="Light")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
