"""Write the leaderboard in docs/benchmark.md from the score cards in benchmarks/cards.

python scripts/leaderboard.py
"""

from __future__ import annotations

import math
import re
from pathlib import Path

from sarai._benchmark import suite
from sarai._benchmark.card import read
from sarai._tables.estimates import Estimate
from sarai.matches import ScoreCard

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmark.md"
CARDS = ROOT / "benchmarks" / "cards"
BEGIN, END = "<!-- leaderboard: begin -->\n", "<!-- leaderboard: end -->\n"
SUITE = "sarai-1"


def half(found: Estimate | None, decimals: int, sign: str = "") -> str:
    """A number and its interval."""
    if found is None or math.isnan(found.value):
        return "-"
    text = f"{found.value:{sign}.{decimals}f}"
    return (
        text
        if math.isnan(found.low)
        else f"{text} ({found.low:{sign}.{decimals}f} to {found.high:{sign}.{decimals}f})"
    )


def row(card: ScoreCard, game: str, budget: float | None) -> str:
    """What a card says of a game."""
    regrets, score = card.regrets(game, budget), card.games[game]
    answered = sum(not math.isnan(regret) for regret in regrets)
    name = f"`{card.agent}`" if budget is None else f"`{card.agent}`, {budget:g} ms"
    if answered < len(regrets):
        name += f", {answered} of {len(regrets)} positions"
    cells = (
        name,
        half(card.regret(game, budget=budget), 4),
        f"{card.blunders(game, budget=budget).value:.1%}",
        half(score.rating, 0, "+"),
        "-" if budget else f"{float(f'{score.decisions_per_second:.2g}'):,.0f}",
    )
    return f"| {' | '.join(cells)} |\n"


def tables(cards: list[ScoreCard]) -> str:
    """A table for each game, the least regret first."""
    parts = []
    for game in suite.load(SUITE).games.values():
        rows = [
            (card.regret(game.name, budget=budget).value, card.agent, row(card, game.name, budget))
            for card in cards
            if card.suite == SUITE and game.name in card.games
            for budget in card.games[game.name].budgets or (None,)
        ]
        parts.append(
            f"### {game.name}\n\n`{game.game}`, {len(game.positions):,} positions\n\n"
            "| agent | regret | blunders | Elo | decisions/s |\n| --- | --- | --- | --- | --- |\n"
            + "".join(text for *_, text in sorted(rows))
        )
    return "\n".join(parts)


def written(text: str, cards: list[ScoreCard]) -> str:
    """The page with the leaderboard of these cards."""
    begin, end = map(re.escape, (BEGIN, END))
    return re.sub(f"(?s)({begin}).*({end})", lambda found: f"{BEGIN}\n{tables(cards)}\n{END}", text)


def main() -> None:
    """Write the page."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), read(CARDS)), encoding="utf-8")


if __name__ == "__main__":
    main()
