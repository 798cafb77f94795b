"""How often chance is taken for more, and how often intervals hold the truth, in comparisons of what does not differ.

Each trial compares games with other games of the same kind, so that every rejection at 5% is an error, and every
interval of a difference should hold 0 in 95 of 100 trials. The unit is a share of the trials; shares of a few thousand
trials are off by half a point or so.
"""

from __future__ import annotations

import argparse

import numpy as np

import sarai
from sarai._results.differences import difference

TRIALS = 2_000
SIZES = (30, 300)


def main() -> None:
    """Print a row for each game, size of sample and kind of test."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(f"{'game':<10}{'games':>7}  {'what':<16}{'rejected':>10}{'covered':>10}")
    for name in sarai.games():
        for size in SIZES:
            played = sarai.rollout(name, num_games=2 * TRIALS * size, seed=1)
            seats = played.returns.reshape(TRIALS, 2, size, -1)
            wins = (played.winner == 0).reshape(TRIALS, 2, size)
            turns = played.turns.reshape(TRIALS, 2, size)
            # Two seats of one game are exchanged at random, so that neither is better.
            rng = np.random.default_rng(1)
            exchanged = rng.random((TRIALS, size)) < 0.5
            pairs = [np.where(exchanged, seats[:, 0, :, one], seats[:, 0, :, 1 - one]) for one in (0, 1)]
            statistic = next(iter(played.stats_by_seat.values())).reshape(TRIALS, 2, size, -1)[:, 0]
            stat_pairs = [np.where(exchanged, statistic[..., one], statistic[..., 1 - one]) for one in (0, 1)]
            kinds = {
                "turns": (turns[:, 0], turns[:, 1], False, False),
                "turns_median": (turns[:, 0], turns[:, 1], False, False),
                "win_share": (wins[:, 0], wins[:, 1], True, False),
                "return, paired": (pairs[0], pairs[1], False, True),
                "median, paired": (*stat_pairs, False, True),
                "wins, paired": (pairs[0] > 0, pairs[1] > 0, True, True),
            }
            for kind, (first, other, share, paired) in kinds.items():
                found = [
                    difference(one, two, share=share, paired=paired, median="median" in kind)
                    for one, two in zip(first, other, strict=True)
                ]
                rejected = np.mean([one.p < 0.05 for one in found])
                covered = np.mean([one.estimate.low <= 0 <= one.estimate.high for one in found])
                print(f"{name:<10}{size:>7}  {kind:<16}{rejected:>10.3f}{covered:>10.3f}")


if __name__ == "__main__":
    main()
