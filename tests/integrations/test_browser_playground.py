"""The playground of the documentation in a real browser: the engine runs in the page, served as mere files."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from browser import BY_KEYS, PATIENCE, ROOT, Table, browsing, by_clicks, expect, violations

import sarai

DIST = ROOT / "web" / "dist"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and tells nobody."""

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with browsing() as found:
        yield found


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    if not (DIST / "sarai.wasm").exists():
        pytest.skip("the playground is not built: make wasm")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(DIST))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    trouble: list[str] = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda said: trouble.append(said.text) if said.type in ("error", "warning") else None)
    page.on(
        "request",
        lambda asked: (
            None if asked.url.startswith((address, "data:", "blob:")) else trouble.append(asked.url)
        ),
    )
    yield page
    # Nothing was refused by the policy of the page, nothing was fetched from elsewhere, and no script failed.
    assert trouble == []
    context.close()


def opened(page: Any, address: str, query: str = "pace=0") -> Table:
    page.goto(f"{address}playground.html?{query}")
    expect(page.locator(".sarai-point").first).to_be_visible()
    return Table(page)


@by_clicks
def test_a_whole_game_by_clicks(page: Any, address: str, game: str, options: dict[str, Any]) -> None:
    table = opened(page, address)
    seats = range(1, sarai.make(game, **options).num_players)
    table.begin(game, seats=dict.fromkeys(map(str, seats), "random"), **options)
    moves = 0
    while not table.is_over:
        table.play()
        moves += 1
    assert moves > 3
    expect(table.status).to_contain_text("The game is")
    at, length = table.steps
    assert at == length > moves
    page.get_by_role("button", name="Step back").click()
    expect(table.count).to_have_text(f"{length - 1} / {length}")
    page.get_by_role("button", name="Undo").click()
    table.wait()
    assert table.steps[1] < length


@pytest.mark.nightly
@pytest.mark.parametrize("game", sarai.games())
def test_a_whole_game_by_keyboard_alone(page: Any, address: str, game: str) -> None:
    table = opened(page, address)
    table.begin_by_keyboard(game, **BY_KEYS[game])
    moves = 0
    while not table.is_over:
        table.play_by_keyboard()
        moves += 1
    assert moves > 3
    expect(table.status).to_contain_text("The game is")


@pytest.mark.nightly
def test_a_record_goes_to_python_and_back(page: Any, address: str) -> None:
    table = opened(page, address, "pace=0&game=shah&preset=nine_mens_morris")
    table.play()
    table.play()
    page.locator("summary", has_text="Record").click()
    page.get_by_role("button", name="Show as text").click()
    area = page.get_by_label("Record as text")
    expect(area).to_have_value(re.compile("^sarai record 1\n"))
    record = sarai.Record.from_text(area.input_value())
    assert len(record) == 4
    played = sarai.Record.play("shah", ["greedy", "random"], seed=3)
    area.fill(played.to_text())
    page.get_by_role("button", name="Load this text").click()
    expect(table.count).to_have_text(f"0 / {len(played)}")
    page.get_by_role("button", name="Last position").click()
    expect(table.count).to_have_text(f"{len(played)} / {len(played)}")
    expect(page.get_by_label("Position as text")).to_have_value(str(played.final_state))


@pytest.mark.nightly
def test_the_page_stays_alive_while_an_agent_thinks(page: Any, address: str) -> None:
    table = opened(page, address, "pace=0&game=shah&theme=light")
    # Both take some minutes for their game.
    begun = sarai.Record.from_steps("shah", [4], agents=["mcts:9999", "mcts:9999"])
    page.locator("summary", has_text="Record").click()
    page.get_by_label("Record as text").fill(begun.to_text())
    page.get_by_role("button", name="Load this text").click()
    thinks = re.compile(r"^player [01] \(mcts:9999\) is to play…")
    expect(table.turn).to_have_text(thinks)
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(table.turn).to_have_text(thinks)
    page.get_by_role("button", name="Stop").click()
    expect(table.turn).to_have_text("The game is held.")


@pytest.mark.nightly
def test_a_move_is_taken_back(page: Any, address: str) -> None:
    table = opened(page, address)
    table.begin("shuanglu")
    start = table.count.inner_text()
    picture = page.locator(".sarai-picture").inner_html()
    table.play()
    assert page.locator(".sarai-picture").inner_html() != picture
    table.press(page.get_by_role("button", name="Undo"))
    expect(table.count).to_have_text(start)
    assert page.locator(".sarai-picture").inner_html() == picture


@pytest.mark.nightly
def test_a_record_is_loaded_and_stepped_through(page: Any, address: str, tmp_path: Path) -> None:
    played = sarai.Record.play("shah", ["greedy", "random"], seed=3)
    last = len(played)
    played.save(tmp_path / "game.json")
    table = opened(page, address)
    page.locator("summary", has_text="Record").click()
    table.tab_to(page.get_by_label("Load a file"))
    page.get_by_label("Load a file").set_input_files(tmp_path / "game.json")
    expect(table.status).to_have_text("Loaded. Step through it with the arrow keys.")
    keys = [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowRight", 3),
        ("ArrowLeft", 2),
        ("End", last),
        ("Home", 0),
    ]
    for key, place in keys:
        page.keyboard.press(key)
        expect(table.count).to_have_text(f"{place} / {last}")
        expect(page.get_by_label("Position as text")).to_have_value(str(played.states()[place]))
        if place:
            expect(table.status).to_contain_text(played.names[place - 1])


@pytest.mark.nightly
@pytest.mark.parametrize("game", sarai.games())
def test_a_reload_shows_the_same_game(page: Any, address: str, game: str) -> None:
    table = opened(page, address)
    table.begin(game)
    table.play()
    table.play()
    count = table.count.inner_text()
    log = page.locator(".sarai-log li").all_inner_texts()
    page.reload()
    expect(table.count).to_have_text(count)
    assert page.locator(".sarai-log li").all_inner_texts() == log
    assert page.get_by_label("Game", exact=True).input_value() == game
    table.play()
    page.get_by_role("button", name="First position").click()
    expect(table.count).to_have_text(re.compile("^0 / "))
    page.reload()
    expect(table.count).to_have_text(re.compile("^0 / [1-9]"))


@pytest.mark.nightly
def test_a_reload_shows_the_end_of_a_game_that_is_over(page: Any, address: str) -> None:
    table = opened(page, address)
    table.begin("shah", max_turns=2)
    table.play()
    assert table.is_over
    page.reload()
    expect(table.count).to_have_text("2 / 2")
    expect(table.turn).to_have_text("The game is over.")


@pytest.mark.nightly
def test_a_reload_leaves_agents_that_were_stopped_alone(page: Any, address: str) -> None:
    table = opened(page, address)
    begun = sarai.Record.from_steps("shah", [4], agents=["mcts:9999", "mcts:9999"])
    page.locator("summary", has_text="Record").click()
    page.get_by_label("Record as text").fill(begun.to_text())
    page.get_by_role("button", name="Load this text").click()
    page.get_by_role("button", name="Stop").click()
    expect(table.turn).to_have_text("The game is held.")
    expect(page.get_by_role("button", name="Go on")).to_be_focused()
    page.reload()
    expect(table.turn).to_have_text("The game is held.")


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(page: Any, address: str, theme: str) -> None:
    table = opened(page, address, f"pace=0&theme={theme}")
    for game in sarai.games():
        table.begin(game)
        table.play()
        assert violations(page) == []
    closed = page.locator(".sarai-side > details:not([open]) > summary")
    while closed.count():
        closed.first.click()
    page.get_by_role("button", name="Analyse").click()
    expect(page.locator(".sarai-found tbody tr").first).to_be_visible()
    assert violations(page) == []


@pytest.mark.nightly
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1920])
def test_the_page_fits_its_window(page: Any, address: str, theme: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    table = opened(page, address, f"pace=0&theme={theme}")
    for game in sarai.games():
        table.begin(game)
        table.play()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        # A place is large enough for a finger, as the guidelines ask for.
        sizes = [point.bounding_box() for point in page.locator(".is-source").all()]
        assert all(min(size["width"], size["height"]) >= 24 for size in sizes)
    assert page.evaluate("document.documentElement.dataset.theme") == theme


EMBEDDED = """<!doctype html>
<html lang="en" data-theme="dark"><head><title>Games</title><link rel="icon" href="data:,"></head><body>
<div class="sarai-playground" data-game="shah"></div>
<div class="sarai-playground" data-game="shuanglu" data-preset="backgammon"></div>
<script type="module" src="playground.js"></script></body></html>"""


@pytest.mark.nightly
def test_boards_stand_in_other_pages_and_follow_their_theme(page: Any, address: str) -> None:
    page.route("**/embedded.html", lambda route: route.fulfill(body=EMBEDDED, content_type="text/html"))
    page.goto(f"{address}embedded.html")
    tables = page.locator(".sarai-table")
    expect(tables).to_have_count(2)
    for number, game in enumerate(("shah", "shuanglu")):
        expect(tables.nth(number)).to_have_attribute("data-theme", "dark")
        table = Table(page, tables.nth(number))
        expect(tables.nth(number).get_by_label("Game", exact=True)).to_have_value(game)
        table.wait()
        table.play()
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    for number in range(2):
        expect(tables.nth(number)).to_have_attribute("data-theme", "light")
