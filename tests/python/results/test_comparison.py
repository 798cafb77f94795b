"""Comparisons of variants, agents and seats: the tests, their correction, and how often chance is taken for more."""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import Any

import numpy as np
import pytest

import sarai
from helpers.learner_games import lowest
from helpers.refusals import refused
from sarai._results import differences
from sarai._results.differences import difference

stats = pytest.importorskip("scipy.stats", reason="comparisons need sarai[stats]")

SHO = {"basic": {}, "lhasa": {"game": "sho(preset=lhasa)"}}


def test_variants_are_independent_samples() -> None:
    compared = sarai.compare("sho", SHO, num_games=300, by=["turns", "kills", "win_share"], seed=4)
    one = sarai.rollout("sho", num_games=300, seed=4)
    two = sarai.rollout("sho(preset=lhasa)", num_games=300, seed=4, first_game=300)
    for name, first, other in (
        ("turns", one.turns, two.turns),
        ("kills", one.stats["kills"], two.stats["kills"]),
    ):
        row = compared["lhasa", name]
        wanted = stats.ttest_ind(other, first, equal_var=False)
        assert row.p == wanted.pvalue
        assert row.mean.value == other.mean()
        assert compared["basic", name].mean.value == first.mean()
        assert row.difference is not None
        assert row.difference.value == pytest.approx(other.mean() - first.mean())
        ends = wanted.confidence_interval()
        assert (row.difference.low, row.difference.high) == pytest.approx((ends.low, ends.high))
    wins = [np.count_nonzero(played.winner == 0) for played in (one, two)]
    chi = stats.chi2_contingency([[count, 300 - count] for count in wins], correction=False)
    assert compared["lhasa", "win_share"].p == pytest.approx(chi.pvalue)
    assert [row.p_holm for row in compared if row.difference] == pytest.approx(
        differences.holm([row.p for row in compared if row.difference])
    )


def test_any_variant_may_be_the_reference() -> None:
    how: dict[str, Any] = {"by": ["turns", "win_share"], "seed": 4}
    usual, turned = (sarai.compare("sho", SHO, 100, reference=name, **how) for name in (None, "lhasa"))
    assert (usual.reference, turned.reference) == ("basic", "lhasa")
    for shown in (str(turned), turned._repr_html_(), turned.title()):
        assert "differences from lhasa" in shown
    assert turned.to_dict()["reference"] == "lhasa"
    for by in how["by"]:
        there, back = usual["lhasa", by], turned["basic", by]
        assert (turned["lhasa", by].difference, turned["lhasa", by].method) == (None, "")
        assert (there.mean, back.mean) == (turned["lhasa", by].mean, usual["basic", by].mean)
        assert there.difference is not None
        assert back.difference is not None
        assert (back.difference.value, back.difference.low) == pytest.approx(
            (-there.difference.value, -there.difference.high)
        )
        assert back.p == pytest.approx(there.p)
    with pytest.raises(ValueError, match="reference got 'lasa'"):
        sarai.compare("sho", SHO, 100, reference="lasa")


def test_the_figure_has_all_variants_but_the_reference() -> None:
    pytest.importorskip("matplotlib")
    compared = sarai.compare("sho", {**SHO, "again": {}}, 100, by="turns", reference="lhasa", seed=4)
    (axes,) = compared.plot().axes
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        name for name in compared.variants if name != "lhasa"
    ]
    drawn = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o"]
    assert drawn == [row.difference.value for row in compared if row.difference is not None]


def test_seats_of_the_same_games_are_paired() -> None:
    seats = {f"seat {seat}": {"seat": seat} for seat in range(3)}
    compared = sarai.compare("sho", seats, num_games=400, by=["win_share", "kills"], seed=0)
    played = sarai.rollout("sho", num_games=400, seed=0)
    for seat in range(3):
        assert compared[f"seat {seat}", "win_share"].mean.value == np.mean(played.winner == seat)
        assert compared[f"seat {seat}", "kills"].mean.value == played.stats_by_seat["kills"][:, seat].mean()
    kills = played.stats_by_seat["kills"]
    assert compared["seat 2", "kills"].p == stats.ttest_rel(kills[:, 2], kills[:, 0]).pvalue
    up, down = np.sum(played.winner == 1), np.sum(played.winner == 0)
    assert compared["seat 1", "win_share"].p == stats.binomtest(int(up), int(up + down)).pvalue


def test_policies_of_the_same_name_are_two() -> None:
    # Both are called "<lambda>".
    variants: dict[str, dict[str, Any]] = {
        "lowest": {"agents": [lambda _, masks: masks.argmax(axis=1), "random"]},
        "highest": {
            "agents": [lambda _, masks: masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1), "random"]
        },
    }
    compared = sarai.compare("shuanglu", variants, num_games=50, by="turns", seed=0)
    assert compared["lowest", "turns"].mean != compared["highest", "turns"].mean


def test_agents_are_compared() -> None:
    agents = {
        "random": {},
        "greedy": {"agents": ["greedy", "random"]},
        "policy": {"agents": [lowest, "random"]},
    }
    compared = sarai.compare("shuanglu", agents, num_games=200, by="win_share", num_threads=1, seed=0)
    assert compared.variants["policy"]["agents"] == ["lowest", "random"]
    row = compared["greedy", "win_share"]
    assert row.difference is not None
    assert row.difference.low > 0.2
    assert row.p_holm < 1e-6
    assert repr(compared.rows) == repr(
        sarai.compare("shuanglu", agents, num_games=200, by="win_share", num_threads=2, seed=0).rows
    )


def test_rare_events_have_an_exact_test() -> None:
    one, two = np.zeros(50, bool), np.zeros(50, bool)
    two[:4] = True
    found = difference(one, two, share=True, paired=False)
    assert found.method == differences.FISHER
    assert found.p == pytest.approx(stats.fisher_exact([[0, 50], [4, 46]]).pvalue)
    # Newcombe's interval by hand: Wilson's are 0 to 0.07135 and 0.03155 to 0.18838.
    assert found.estimate.low == pytest.approx(0.08 - math.hypot(0.08 - 0.03155, 0.07135), abs=2e-5)
    assert found.estimate.high == pytest.approx(0.08 + (0.18838 - 0.08), abs=2e-5)
    assert found.effect == pytest.approx(2 * math.asin(math.sqrt(0.08)))
    # Rare failures as well.
    failures = difference(~one, ~two, share=True, paired=False)
    assert (failures.method, failures.p) == (differences.FISHER, found.p)


def test_effect_sizes_by_hand() -> None:
    one, two = np.array([1, 2, 3, 4]), np.array([3, 4, 5, 6])
    # Both have a variance of 5/3.
    assert difference(one, two, share=False, paired=False).effect == pytest.approx(2 / math.sqrt(5 / 3))
    three = np.array([2, 2, 5, 5])
    apart = three - one
    found = difference(one, three, share=False, paired=True)
    assert found.effect == pytest.approx(apart.mean() / apart.std(ddof=1))


def test_a_sample_that_does_not_vary() -> None:
    one, two = np.full(30, 24), np.arange(40)
    there, back = (difference(*pair, share=False, paired=False) for pair in ((one, two), (two, one)))
    assert there.p == back.p == pytest.approx(stats.ttest_1samp(two, 24).pvalue)
    assert (there.estimate.low, there.estimate.high) == pytest.approx(
        (-back.estimate.high, -back.estimate.low)
    )


def test_medians_are_resampled_as_scipy_does_it() -> None:
    played = sarai.rollout("sho", num_games=120, seed=5)
    other = sarai.rollout("sho(preset=lhasa)", num_games=80, seed=5, first_game=200)
    kills = played.stats_by_seat["kills"]
    how = {"n_resamples": 3000, "axis": -1, "vectorized": True}

    def apart(two: Any, one: Any, axis: int = -1) -> Any:
        return np.median(two, axis=axis) - np.median(one, axis=axis)

    for one, two, paired in ((played.turns, other.turns, False), (kills[:, 0], kills[:, 1], True)):
        found = difference(one, two, share=False, paired=paired, median=True)
        wanted = stats.bootstrap((two, one), apart, paired=paired, method="percentile", rng=1, **how)
        ends = wanted.confidence_interval
        assert found.estimate.value == np.median(two) - np.median(one)
        # Whole numbers and halves: both come to the same, or to neighbours.
        assert abs(found.estimate.low - ends.low) <= 1
        assert abs(found.estimate.high - ends.high) <= 1
        kind = "samples" if paired else "independent"
        p = stats.permutation_test((two, one), apart, permutation_type=kind, rng=1, **how).pvalue
        assert found.p == pytest.approx(p, abs=0.03)
        assert found.method == (differences.PAIRED_MEDIANS if paired else differences.MEDIANS)
        assert found == difference(one, two, share=False, paired=paired, median=True)
        u = stats.mannwhitneyu(two, one).statistic
        assert found.effect == pytest.approx(2 * u / (len(one) * len(two)) - 1)


def test_medians_by_hand() -> None:
    one, two = np.arange(1, 6), np.arange(1, 6) + 10
    found = difference(one, two, share=False, paired=False, median=True)
    # Of the 252 ways to part ten games those are as far apart that keep 1, 2, 3 together and 13, 14, 15: 2 x 6.
    assert found.p == pytest.approx(12 / 252, abs=0.01)
    assert (found.estimate.value, found.effect) == (10, 1)
    # Turned round within games, the medians are 10 apart only if three games or more are turned the same way.
    assert difference(one, two, share=False, paired=True, median=True).p > 0.05
    same = difference(one, one, share=False, paired=True, median=True)
    assert (same.method, same.estimate.value) == (differences.CONSTANT, 0)
    compared = sarai.compare("sho", SHO, num_games=301, by=["turns_median", "kills_median"], seed=4)
    turns = np.sort(sarai.rollout("sho", num_games=301, seed=4).turns)
    mean = compared["basic", "turns_median"].mean
    assert mean.value == turns[150]
    # The exact interval by scipy's binomial: as many games below as a fair coin may show.
    least = int(stats.binom.ppf(0.025, 301, 0.5))
    assert abs(mean.low - turns[least]) <= abs(turns[least + 1] - turns[least - 1])
    assert "difference of medians" in str(compared)


def test_where_there_is_no_test() -> None:
    same = np.full(10, 7)
    for other in (same, same + 1):
        found = difference(same, other, share=False, paired=False)
        assert (found.method, math.isnan(found.p)) == (differences.CONSTANT, True)
    # Everybody against nobody is a difference all the same.
    assert difference(np.zeros(20, bool), np.ones(20, bool), share=True, paired=False).p < 1e-6
    alike = sarai.compare(
        "shah", {"greedy": {"agents": "greedy"}, "random": {}}, num_games=50, by="turns", seed=0
    )
    assert alike["random", "turns"].method == differences.ALIKE
    assert math.isnan(alike["random", "turns"].p_holm)


@pytest.mark.parametrize(
    ("many", "pairs"),
    [(120, 100), *(pytest.param(many, 400, marks=pytest.mark.nightly) for many in (40, 120))],
)
def test_chance_is_taken_for_more_about_one_time_in_twenty(many: int, pairs: int) -> None:
    played = sarai.rollout("sho", num_games=2 * pairs * many, seed=11)
    rejected = {"turns": 0, "win_share": 0, "seats": 0}
    medians = [0, 0]
    covered = dict.fromkeys(rejected, 0)
    for place in range(pairs):
        first = slice(2 * place * many, (2 * place + 1) * many)
        other = slice(first.stop, first.stop + many)
        found = {
            "turns": difference(played.turns[first], played.turns[other], share=False, paired=False),
            "win_share": difference(
                played.winner[first] == 0, played.winner[other] == 0, share=True, paired=False
            ),
            "seats": difference(
                played.returns[first, 0], played.returns[other, 0], share=False, paired=False
            ),
        }
        if many == 40 and place < 120:
            half = difference(
                played.turns[first], played.turns[other], share=False, paired=False, median=True
            )
            medians[0] += half.p < 0.05
            medians[1] += half.estimate.low <= 0 <= half.estimate.high
        for name, one in found.items():
            rejected[name] += one.p < 0.05
            covered[name] += one.estimate.low <= 0 <= one.estimate.high
    # 20 of 400 are to be expected, give or take 4.4: these bounds lie more than three times as far, or twice of 100.
    most = {100: 12, 400: 37}[pairs]
    assert all(pairs // 80 <= count <= most for count in rejected.values()), rejected
    assert all(count >= pairs - most for count in covered.values()), covered
    if many == 40:
        # Medians of whole numbers are often equal, so fewer than 6 of 120 are rejected.
        assert medians[0] <= 13
        assert medians[1] >= 107


def test_holm_by_hand() -> None:
    assert differences.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert differences.holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert differences.holm([]) == []


def test_what_cannot_be_compared() -> None:
    def call(**given: Any) -> None:
        sarai.compare(**{"game": "sho", "variants": SHO, "num_games": 2, **given})

    wrong: list[Any] = [
        {"game": "sho(preset=tibet)"},
        {"game": "sho(playerz=2)"},
        {"agents": ["random"]},
        {"game": "shah"},
        {"num_games": 3},
        {1: 2},
    ]
    values = {
        "variants": [{"basic": {}}, *({"a": {}, "b": one} for one in wrong)],
        "by": ["turn", "win_share_median", [], ["turns", "turns"], itertools.repeat("turns")],
        "num_games": [1],
        "agents": [["greedy"], itertools.repeat("greedy")],
    }
    types = {
        "variants": [[{}, {}], {1: {}, 2: {}}], "by": [3], "num_games": [2.5],
    }  # fmt: skip
    refused(call, values, types)
    with pytest.raises(ValueError, match="seat got 3"):
        call(variants={"a": {}, "b": {"seat": 3}})


def test_agents_of_an_iterator_play_in_every_variant() -> None:
    agents = ["greedy", "random", "random"]
    seats = {"a": {"seat": 0}, "b": {"seat": 1}}
    compared = sarai.compare("sho", seats, agents=(agent for agent in agents), num_games=10, seed=0)
    assert compared.variants["b"]["agents"] == agents
    assert compared.rows == sarai.compare("sho", seats, agents=agents, num_games=10, seed=0).rows


def test_many_variants_are_not_told_all() -> None:
    compared = sarai.compare("sho", SHO, num_games=2, seed=0)
    many = dataclasses.replace(compared, variants={str(number) * 200: {} for number in range(50)})
    with pytest.raises(KeyError, match="give a variant") as refusal:
        many["x", "y"]
    assert len(str(refusal.value)) < 1500


def test_no_p_value_is_zero() -> None:
    for paired in (False, True):
        found = difference(np.arange(40), np.arange(40) + 100, share=False, paired=paired, median=True)
        # None of 9,999 permutations is as far apart; the games themselves are one more.
        assert found.p == 1 / 10_000


def test_what_is_told_of_a_comparison() -> None:
    reports: list[int] = []
    how: dict[str, Any] = {"random_plies": np.uint8(2), "progress": reports.append, "seed": 0}
    compared = sarai.compare("sho", SHO, 100, by=["turns", "kills", "win_share", "draw_share"], **how)
    assert reports[-1] == 200
    assert reports == sorted(reports)
    assert "corrected for" in str(compared)
    assert differences.WELCH in str(compared)
    assert compared._repr_html_().count("<tr>") == 1 + len(compared) == 9
    frame = compared.to_pandas()
    assert list(frame["variant"]) == ["basic", "lhasa"] * 4
    assert np.isnan(frame["difference"][0])
    assert compared.to_dict()["rows"][0]["difference"] is None


def test_a_variant_may_be_a_game_alone() -> None:
    long = sarai.compare("sho", {"a": {}, "b": {"game": "sho(preset=lhasa)"}}, 20, seed=1)
    for short in ("sho(preset=lhasa)", sarai.make("sho", preset="lhasa")):
        assert sarai.compare("sho", {"a": {}, "b": short}, 20, seed=1) == long


def test_a_variant_is_a_preset_and_options_or_a_game() -> None:
    differing: dict[str, Any] = {
        "usual": {},
        "preset": {"preset": "lhasa"},
        "both": {"preset": "lhasa", "players": 2},
        "option": {"max_turns": 90},
    }
    games = {
        "usual": "sho(players=4)",
        "preset": "sho(preset=lhasa)",
        "both": "sho(preset=lhasa,players=2)",
        "option": "sho(players=4,max_turns=90)",
    }
    ours = sarai.compare("sho(players=4)", differing, 20, by="turns", seed=1)
    assert ours == sarai.compare("sho(players=4)", games, 20, by="turns", seed=1)
    assert ours.setting() == ["agents: random"]
    assert "agents: random" in str(ours)
    for twice in ({"game": "sho", "players": 2}, {"players": 9}, {"game": "sho", "preset": "lhasa"}):
        with pytest.raises(ValueError, match="variant 'b'"):
            sarai.compare("sho", {"a": {}, "b": twice}, 20, seed=1)


def test_a_figure_says_whose_wins_it_shows() -> None:
    pytest.importorskip("matplotlib")
    found = sarai.compare("shuanglu", {"a": {}, "b": {"agents": "greedy"}}, 20, by="win_share", seed=1)
    assert found.setting() == ["win_share of seat 0"]
    assert any("win_share of seat 0" in text.get_text() for text in found.plot().texts)
