//! The worked positions of the rule book.

use super::*;

fn set<const N: usize>(results: [&str; N]) -> BTreeSet<String> {
    results.map(str::to_owned).into()
}

#[test]
fn u1_the_higher_die_begins() {
    let mut t = Table::start(Rules::default());
    t.open(3, 5);
    assert_eq!((t.phase(), t.player(), t.state.turn), (Phase::Move, 1, 0));
    assert_eq!(t.state.dice(), [5, 3]);
    let mut t = Table::start(Rules::default());
    t.open(5, 3);
    assert_eq!((t.player(), t.state.dice()), (0, vec![5, 3]));
    assert!(OPENING_FACES.iter().all(|[one, other]| one != other), "equal throws are thrown again");
}

/// How many results each roll has, in the order 1-1, 1-2, ... 6-6.
fn counts(rules: Rules) -> Vec<usize> {
    let setup = match rules.setup {
        Setup::English => "24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5",
        Setup::FromOrigin => "19:5 17:3 12:5 1:2 | 19:5 17:3 12:5 1:2",
    };
    D6_FACES
        .iter()
        .map(|&[one, other]| {
            let mut t = Table::new(rules.clone(), setup);
            assert_eq!(t.state.counts, Table::start(rules.clone()).state.counts);
            t.roll(one, other);
            t.ends().len()
        })
        .collect()
}

#[test]
fn u2_results_of_every_roll_from_the_start() {
    let two = [9, 15, 16, 14, 8, 10, 13, 17, 18, 8, 14, 13, 17, 9, 14, 12, 9, 14, 3, 7, 6];
    assert_eq!(counts(Rules::default()), two);
    assert_eq!(two.iter().sum::<usize>(), 246);
    let mut western = two;
    for (outcome, results) in [(0, 42), (6, 75), (11, 73), (15, 52), (18, 4), (20, 11)] {
        western[outcome] = results;
    }
    assert_eq!(counts(four()), western);
    assert_eq!(counts(backgammon()), western);
    assert_eq!(western.iter().sum::<usize>(), 447);
    assert_eq!(
        counts(Rules { setup: Setup::FromOrigin, ..Rules::default() }),
        [9, 11, 10, 6, 9, 6, 6, 11, 4, 10, 5, 7, 6, 11, 5, 2, 5, 3, 8, 4, 2]
    );
}

#[test]
fn u3_double_five_from_the_start() {
    let t = thrown(Rules::default(), "24:2 13:5 8:3 6:5 | 24:2 13:5 8:3 6:5", 5, 5);
    assert_eq!(t.results(), set(["24:2 13:3 8:5 6:5", "24:2 13:4 8:3 6:5 3:1", "24:2 13:5 8:1 6:5 3:2"]));
}

const BLOCKED: &str = "6:2 5:2 4:2 3:2 2:2 13:5";

#[test]
fn u4_a_piece_on_the_bar_enters_first() {
    let players = format!("bar1 6:5 8:4 13:5 | {BLOCKED}");
    let mut t = thrown(Rules::default(), &players, 4, 1);
    assert_eq!(t.legal(), ["bar/24"]);
    assert_eq!(t.results(), set(["24:1 13:4 9:1 8:4 6:5", "24:1 13:5 8:3 6:5 4:1", "24:1 13:5 8:4 6:4 2:1"]));
    t.play("bar/24");
    assert_eq!(t.legal(), ["6/2", "8/4", "13/9"]);
    thrown(Rules::default(), &players, 6, 5).turn_is_over();
}

#[test]
fn u5_two_pieces_on_the_bar() {
    let players = format!("bar2 6:5 8:3 13:5 | {BLOCKED}");
    let mut t = thrown(Rules::default(), &players, 4, 1);
    assert_eq!(t.legal(), ["bar/24"]);
    t.play("bar/24").turn_is_over();
    assert_eq!(t.pieces(0), "bar1 24:1 13:5 8:3 6:5");
    let mut t = thrown(Rules::default(), &players, 1, 1);
    t.play("bar/24").play("bar/24").turn_is_over();
    assert_eq!(t.pieces(0), "24:2 13:5 8:3 6:5");
}

#[test]
fn u6_the_larger_die_must_be_played() {
    let players = "20:1 2:7 1:7 | 13:2 6:5 4:4 3:4";
    let t = thrown(Rules::default(), players, 5, 3);
    assert_eq!(t.legal(), ["20/15"]);
    assert_eq!(t.results(), set(["15:1 2:7 1:7"]));
    let t = thrown(Rules { larger_die: false, ..Rules::default() }, players, 5, 3);
    assert_eq!(t.legal(), ["20/17", "20/15"]);
    assert_eq!(t.results(), set(["15:1 2:7 1:7", "17:1 2:7 1:7"]));
}

#[test]
fn u7_only_one_die_or_none() {
    let mut t = thrown(Rules::default(), "20:1 2:7 1:7 | 13:2 10:2 6:5 4:3 3:3", 5, 3);
    assert_eq!(t.legal(), ["20/17"]);
    t.play("20/17").turn_is_over();
    thrown(Rules::default(), "20:1 2:7 1:7 | 13:2 10:2 8:2 6:5 3:4", 5, 3).turn_is_over();
}

#[test]
fn u8_one_piece_takes_both_dice_in_the_only_order() {
    let mut t = thrown(Rules::default(), "20:1 2:7 1:7 | 10:2 6:5 4:4 3:4", 5, 3);
    assert_eq!(t.legal(), ["20/17"]);
    t.play("20/17");
    assert_eq!(t.legal(), ["17/12"]);
    t.play("17/12").turn_is_over();
}

#[test]
fn u9_bearing_off_exactly_and_from_below_the_die() {
    let players = "5:2 3:2 2:3 off8 | 6:15";
    let off = |rules: Rules, one, other| {
        let ends = thrown(rules, players, one, other).ends();
        ends.iter().map(|end| end.counts[0][OFF]).collect::<Vec<_>>()
    };
    assert_eq!(off(Rules::default(), 6, 5), [9]);
    assert_eq!(off(overshoot(), 6, 5), [10]);
    thrown(Rules::default(), players, 6, 6).turn_is_over();
    assert_eq!(off(overshoot(), 6, 6), [10]);
    for rules in [Rules::default(), overshoot()] {
        assert_eq!(thrown(rules, players, 4, 1).ends().len(), 4);
    }
}

#[test]
fn u10_the_last_piece_comes_home_within_the_turn() {
    let t = thrown(Rules::default(), "8:1 6:3 4:2 off9 | 6:15", 6, 2);
    assert_eq!(t.results(), set(["6:3 4:2 off10", "6:2 4:3 2:1 off9", "6:3 4:1 2:2 off9"]));
}

#[test]
fn u11_the_last_piece() {
    for (one, other, wins) in [(2, 1, true), (1, 1, true), (6, 5, false)] {
        for (rules, wins) in [(Rules::default(), wins), (overshoot(), true), (backgammon(), true)] {
            let mut t = thrown(rules.clone(), "2:1 off14 | 6:15", one, other);
            if !wins {
                t.turn_is_over();
                continue;
            }
            while t.phase() == Phase::Move {
                let first = t.legal()[0].clone();
                t.play(&first);
            }
            assert_eq!(t.game.winner(&t.state), Some(Side(0)), "{one}-{other} {rules:?}");
            assert_eq!(t.state.turn, 1);
        }
    }
}

#[test]
fn u12_a_closed_board() {
    for rules in [Rules::default(), backgammon()] {
        for [one, other] in D6_FACES {
            let players = "bar1 6:1 5:1 off12 | 6:3 5:3 4:3 3:2 2:2 1:2";
            thrown(rules.clone(), players, one, other).turn_is_over();
        }
    }
}

#[test]
fn u13_one_place_by_two_ways() {
    let t = thrown(Rules::default(), "13:1 6:5 5:5 4:4 | 15:1 6:14", 3, 2);
    let ends = t.ends();
    assert_eq!(ends.len(), 17);
    let moved: Vec<&State> = ends.iter().filter(|end| end.counts[0][8] == 1).collect();
    let mut bars: Vec<u8> = moved.iter().map(|end| end.counts[1][BAR]).collect();
    bars.sort();
    assert_eq!(bars, [0, 1]);
    let mut by_ten = Table::on(&t.game, t.state);
    by_ten.play("13/10*").play("10/8").turn_is_over();
    assert_eq!(by_ten.pieces(1), "bar1 6:14");
    let mut by_eleven = Table::on(&t.game, t.state);
    by_eleven.play("13/11").play("11/8").turn_is_over();
    assert_eq!(by_eleven.pieces(1), "15:1 6:14");
}

#[test]
fn two_plies_from_the_start() {
    let mut results = 0;
    for high in 2..=6 {
        for low in 1..high {
            let mut t = Table::start(Rules::default());
            t.open(high, low);
            results += t.ends().len();
        }
    }
    assert_eq!(results, 190);
}
