"""What each metric of a game is: the one place that says so; `scripts/metrics_page.py` makes docs/metrics.md of it."""

from __future__ import annotations

from dataclasses import dataclass

BROWNE = "C. Browne, Automatic Generation and Evaluation of Recombination Games, PhD thesis, 2008"
LUDII = "M. Stephenson and others, the metrics of Ludii (its Evaluation module)"
OWN = "this package"


@dataclass(frozen=True)
class Measure:
    """A metric.

    Attributes:
        name: What `sarai.results.Metrics` calls it.
        unit: What its values count, or "share" for 0 to 1.
        meaning: What it is, in one sentence.
        formula: How one value comes about, and of what the mean is taken.
        source: Where the formula is from.
        example: An example checked by hand.
        ludii: What Ludii computes otherwise, as far as it has the metric.
        judged: Whether it needs judgements of positions, and so an evaluator.
    """

    name: str
    unit: str
    meaning: str
    formula: str
    source: str
    example: str
    ludii: str = ""
    judged: bool = False


MEASURES = (
    Measure(
        "duration_turns",
        "turns",
        "How many turns a game lasts.",
        "The mean over games of the number of turns played, as in `Rollout.turns`.",
        LUDII,
        "Games of 10 and 14 turns: 12.",
    ),
    Measure(
        "duration_decisions",
        "decisions",
        "How many decisions a game takes, of all seats together.",
        "The mean over games of the number of decisions, as in `Rollout.lengths`.",
        LUDII,
        "Games of 3 and 5 decisions: 4.",
        "Ludii counts moves without those of the initial placement.",
    ),
    Measure(
        "branching_factor",
        "options",
        "How many options a decision has; its curve is by tenths of the game.",
        "The options of all decisions of all games, divided by the number of decisions. Decision t of d, from t = 0, "
        "lies in tenth ⌊10 t / d⌋.",
        LUDII,
        "A game whose decisions have 3, 1, 2, 4, 1 options, and one with a single decision of 4: 15 / 6 = 2.5.",
        "Ludii takes the mean over games of each game's mean: (11/5 + 4) / 2 = 3.1 in the example.",
    ),
    Measure(
        "branching_factor_choices",
        "options",
        "How many options a decision has where there is a choice.",
        "The same over the decisions with two or more options.",
        LUDII,
        "3, 1, 2, 4, 1 options: (3 + 2 + 4) / 3 = 3.",
        "Ludii's decision factor is the mean over games of each game's mean.",
    ),
    Measure(
        "game_tree_complexity",
        "log10 of leaves",
        "The size of the tree of all games: the logarithm of the number of its leaves.",
        "The mean over games of the sum over decisions of log10 of the number of options; outcomes of chance count as "
        "one. Logarithms are kept to 24 binary places.",
        "L. V. Allis, Searching for Solutions in Games and Artificial Intelligence, PhD thesis, 1994",
        "3, 1, 2, 4, 1 options: log10(24) = 1.38.",
        "Ludii takes d log10 of a game's mean number of options: 5 log10(11/5) = 1.71 in the example. In "
        "some versions, its code divides integers in that mean: 5 log10(2) = 1.51.",
    ),
    Measure(
        "state_space",
        "positions",
        "How many different positions the games visit; its curve is by the number of games.",
        "The number of different positions in which a player decided, in the first `board_games` games, ignoring "
        "clocks, estimated by HyperLogLog with 16,384 registers. The interval is that of the estimate, whose standard "
        "error is 0.81%; it does not cover positions that other games would visit.",
        "P. Flajolet and others, HyperLogLog, 2007; O. Ertl, New cardinality estimation algorithms for HyperLogLog "
        "sketches, 2017",
        "One game of T'shu-p'u with 200 decisions, all in different positions: 200, give or take 1%.",
        "Ludii's state space complexity is a bound from the board's sites, not what games visit.",
    ),
    Measure(
        "decision_moves",
        "share",
        "How much of a game is a choice.",
        "The mean over games of the share of decisions that have two or more options.",
        LUDII,
        "3, 1, 2, 4, 1 options: 3 / 5 = 0.6.",
    ),
    Measure(
        "completion",
        "share",
        "How many games have a winner.",
        "Games with a winner, divided by all games.",
        BROWNE,
        "7 wins, 2 draws and 1 game ended by a limit: 0.7.",
    ),
    Measure(
        "drawishness",
        "share",
        "How many games end in a draw by the rules.",
        "Games without a winner that did not end by a limit, divided by all games.",
        BROWNE,
        "7 wins, 2 draws and 1 game ended by a limit: 0.2.",
        "Ludii's text excludes timeouts; its code excludes a game only if it goes beyond the limit, so a game that "
        "stops at the limit is a draw: 0.3 in the example.",
    ),
    Measure(
        "timeouts",
        "share",
        "How many games end by a limit.",
        "Games ended by a limit (`max_turns`, `no_capture_limit`) without a winner, divided by all games.",
        LUDII,
        "7 wins, 2 draws and 1 game ended by a limit: 0.1.",
    ),
    Measure(
        "balance",
        "share",
        "How similar the sides' chances are, 1 if they are equal.",
        "1 minus the largest share of games won by a side plus the smallest.",
        LUDII,
        "10 games, of which one side wins 5, the other 2: 1 - 0.5 + 0.2 = 0.7.",
        "In some versions, Ludii's code truncates draws to whole numbers, which changes the shares if there are draws.",
    ),
    Measure(
        "advantage",
        "share",
        "The advantage of a seat; one metric per seat, such as `advantage_0`.",
        "The share of games won by the seat's side, minus 1 / S for S sides; a game without a winner counts 1 / S "
        "for each side.",
        OWN,
        "10 games of two sides, of which one wins 5, the other 2: 5/10 + 3/10/2 - 1/2 = 0.15 for the first, -0.15 for "
        "the other.",
        "Ludii's AdvantageP1 is the share of games that the first player wins: 0.5 in the example.",
    ),
    Measure(
        "outcome_uniformity",
        "share",
        "How similar the outcomes of games are, 1 if a seat always gets the same.",
        "1 minus the variance of a seat's return over the games, returns scaled to -1 to 1; the mean over seats.",
        LUDII,
        "Two seats that win 1 and lose 1 in turns: the variance is 1 for each, the uniformity 0.",
    ),
    Measure(
        "lead_changes",
        "share",
        "How often the lead changes.",
        "The mean over games of the number of times that a different side takes the sole lead, divided by the number "
        "of positions less one.",
        BROWNE,
        "Sides judged 0.5-0.5, 0.75-0.25, 0.25-0.75, 0.25-0.75, 1-0: 2 changes of 4 = 0.5.",
        "Ludii's code counts the first position as a change, treats a shared lead as another leader, and "
        "divides by the number of moves: 4 / 5 = 0.8 in the example.",
        judged=True,
    ),
    Measure(
        "drama",
        "share",
        "How far behind the winner was.",
        "The mean over games with a winner of the mean over positions of the best judgement minus the winner's.",
        LUDII,
        "The winner judged 0.5, 0.75, 0.25, 0.25, 1 against the rest: (0 + 0 + 0.5 + 0.5 + 0) / 5 = 0.2.",
        "Browne takes the mean of the square roots of the differences, over positions where the winner is behind: "
        "0.71 in the example.",
        judged=True,
    ),
    Measure(
        "decisiveness_threshold",
        "share",
        "How good the best position of a side that did not win was.",
        "The mean over games with a winner of the largest judgement that another side ever had.",
        LUDII,
        "The winner judged 0.5, 0.75, 0.25, 0.25, 1 against the other: 0.75.",
        judged=True,
    ),
    Measure(
        "decisive_moves",
        "share",
        "How much of a game is played once it is decided.",
        "The mean over games with a winner of the share of positions from the first on in which the winner is judged "
        "better than that game's decisiveness threshold.",
        LUDII,
        "The winner judged 0.5, 0.75, 0.25, 0.25, 1 against the other: only the last is above 0.75, 1 / 5 = 0.2.",
        "Ludii's text says the same, but its code takes the share of moves before, 4 / 5 in the example, and divides "
        "integers, which gives 0.",
        judged=True,
    ),
    Measure(
        "stability",
        "variance",
        "How much judgements vary within a game, 0 if they do not.",
        "The mean over games of the variance of a side's judgements over the positions, the mean over sides.",
        LUDII,
        "A side judged 0.5, 0.75, 0.25, 0.25, 1 against the other: 0.085 for both.",
        judged=True,
    ),
    Measure(
        "clarity",
        "variance",
        "How much options differ in value.",
        "The mean over games of the mean over decisions with a choice of the variance of the judgements of its "
        "options for the player who decides.",
        f"{BROWNE}; {LUDII}",
        "Options worth 1, 0.875, 0.125 and 0: (0.5² + 0.375²) / 2 = 0.195.",
        judged=True,
    ),
    Measure(
        "narrowness",
        "share",
        "How many options are nearly as good as the best.",
        "The mean over games of the mean over decisions with a choice of the share of options worth at least the mean "
        "plus three quarters of the best one's distance from the mean.",
        LUDII,
        "Options worth 1, 0.875, 0.125 and 0: 2 of 4 are worth 0.875 or more, 0.5.",
        "Ludii's code requires more than the threshold, 0.25 in the example, and divides integers, which gives 0 for "
        "every share.",
        judged=True,
    ),
    Measure(
        "killer_moves",
        "share",
        "How much a single decision can gain.",
        "The mean over games of the largest gain of a player's judgement by a decision of their own: that of the "
        "position after it minus that of the position before, 0 if there is none.",
        BROWNE,
        "Decisions that bring their players from 0.5 to 0.75 and from 0.25 to 0.2: 0.25.",
        judged=True,
    ),
    Measure(
        "comeback_probability",
        "share",
        "How many games are won from behind.",
        "Games won by a side that was judged worse than another in position ⌊d / 2⌋ of d, from 0 on, divided by all "
        "games with a winner.",
        OWN,
        "The winner judged 0.5, 0.75, 0.25, 0.25, 1 against the other: position 2, 0.25 to 0.75, a comeback.",
        judged=True,
    ),
    Measure(
        "skill_trace",
        "share",
        "How much more effort gains, and whether even more would.",
        "Agents mcts:N in one seat against mcts:N/2 in the others, in each seat equally often, for N = 2, 4, 8, ..., "
        "which gives utilities u from -1 to 1; then y + (1 - y) A, where A is the sum of the squares of the positive "
        "u, at most 1, and y what a line through them predicts for the next doubling, between 0 and 1. It is "
        "computed only if `skill_levels` is given.",
        f"{LUDII}, after M. Stephenson and C. Browne",
        "Utilities 0, 0 and 0: 0. Utilities 0.5, 0.5 and 0.5: y = 0.5, A = 0.75, 0.875.",
        "Ludii does not bound A, predicts one step further than the next doubling, and gives a decision N simulations "
        "for every option.",
    ),
)

BY_NAME = {measure.name: measure for measure in MEASURES}
