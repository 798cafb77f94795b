//! The board, moves and action ids, names, the dict and the line of text.

use super::super::board::{BARS_SIDES, BARS_SIDES_AND_ENDS, ENEMIES, Pieces, enemy_numbers};
use super::naive::{COURSE_STARTS, CROSSCUTS, square};
use super::*;
use crate::agents::rng::Stream;
use crate::games::tshupu::Move;

#[test]
fn tables_of_the_courses_agree_with_the_squares_of_the_loop() {
    for (place, enemy) in ENEMIES.into_iter().enumerate() {
        for own in 0..=33u8 {
            let due: Vec<u8> = (1..=29)
                .filter(|&theirs| square(0, own).is_some_and(|at| square(enemy, theirs) == Some(at)))
                .collect();
            let mut found: Vec<u8> = enemy_numbers(own, place).into_iter().filter(|&n| n <= 33).collect();
            found.sort_unstable();
            assert_eq!(found, due, "seat {enemy} on south's {own}");
        }
        for (bars, marked) in [
            (&BARS_SIDES, CROSSCUTS.to_vec()),
            (&BARS_SIDES_AND_ENDS, [&CROSSCUTS[..], &COURSE_STARTS].concat()),
        ] {
            for theirs in 0..64u8 {
                let at = square(enemy, theirs).filter(|at| marked.contains(at));
                let due = (0..=33).filter(|&own| at.is_some() && square(0, own) == at);
                let due = due.fold(0u32, |bits, own| bits | 1 << own);
                assert_eq!(bars[place][theirs as usize], due, "seat {enemy}'s {theirs}");
            }
        }
    }
}

#[test]
fn four_bytes_in_a_word_agree_with_a_sorted_list() {
    let mut rng = Stream::new(1, 0);
    for _ in 0..20_000 {
        let mut values = [0; 4].map(|_: u8| rng.below(34) as u8);
        values.sort_unstable();
        let pieces = Pieces::new(values);
        assert_eq!((pieces.values(), format!("{pieces:?}")), (values, format!("{values:?}")));
        let count = |progress: u8| values.iter().filter(|&&value| value == progress).count();
        let bits = |least: usize| (0..34).filter(|&p| count(p) >= least).fold(0u64, |bits, p| bits | 1 << p);
        assert_eq!(pieces.occupied(), (bits(1), bits(2)));

        let at = rng.below(4) as usize;
        if values[at] < 33 {
            let to = values[at] + 1 + rng.below(33 - values[at] as u32) as u8;
            let mut due = values;
            due[at] = to;
            due.sort_unstable();
            assert_eq!(pieces.advance(values[at], to).values(), due, "{values:?}, {} to {to}", values[at]);
        }
        let mut due = values;
        let mut flags = 0;
        for (byte, value) in due.iter_mut().enumerate() {
            if rng.below(2) == 0 {
                flags |= 0x80 << (8 * byte);
                *value = 0;
            }
        }
        due.sort_unstable();
        assert_eq!(pieces.send_home(flags).values(), due, "{values:?}, {flags:08x}");
    }
}

#[test]
fn every_action_is_one_move() {
    assert_eq!(TshuPu::NUM_ACTIONS, 165);
    for id in 0..165u16 {
        let from = (id % 33) as u8;
        let due = match id / 33 {
            0 => Move::Die { face: 1, from },
            1 => Move::Die { face: 3, from },
            2 => Move::Die { face: 4, from },
            3 => Move::Die { face: 6, from },
            _ => Move::Both { from },
        };
        assert_eq!(Move::from_action(Action(id)), Some(due));
        assert_eq!(due.action(), Some(Action(id)));
    }
    for id in [165, 191, 192, u16::MAX] {
        assert_eq!(Move::from_action(Action(id)), None);
    }
    for face in [0, 2, 5, 7, 255] {
        assert_eq!(Move::Die { face, from: 0 }.action(), None);
    }
    for from in [33, 34, 255] {
        assert_eq!([Move::Die { face: 1, from }, Move::Both { from }].map(Move::action), [None; 2]);
    }
}

#[test]
fn names_mark_hits_totals_hand_and_off() {
    let mut t = Table::new(Rules::default(), "0 4 31 32 | 1 1 1 12 | 1 1 1 1 | 1 1 1 1");
    t.roll(1, 4);
    assert_eq!(
        t.legal(),
        ["hand/1", "4/5*", "31/32", "32/off", "hand/4", "4/8*", "hand/5* (both)", "4/9 (both)"]
    );
    // Ids of no move have names that say so.
    assert_eq!(t.name(Action(165)), "action 165");
    assert_eq!(t.name(Action(132 + 10)), "10/15 (both)");
}

#[test]
fn the_dict_has_the_keys_of_the_rule_book() {
    let json = |t: &Table| serde_json::to_string(&t.game.to_dict(&t.state)).expect("plain data");
    let mut t = Table::start(Rules { first_player: FirstPlayer::Random, ..Rules::default() });
    let pieces = "[[1,1,1,1],[1,1,1,1],[1,1,1,1],[1,1,1,1]]";
    let due = |phase: &str, player: &str, dice: &str| {
        format!(
            r#"{{"phase":"{phase}","player":{player},"pieces":{pieces},"dice":{dice},"moved":null,"turn":0,"winner":null}}"#
        )
    };
    assert_eq!(json(&t), due("first", "null", "[]"));
    t.resolve(2);
    assert_eq!(json(&t), due("roll", "2", "[]"));
    t.roll(6, 3);
    assert_eq!(json(&t), due("move", "2", "[3,6]"));
    t.play("1/7");
    assert_eq!(
        json(&t),
        concat!(
            r#"{"phase":"second","player":2,"pieces":[[1,1,1,1],[1,1,1,1],[1,1,1,7],[1,1,1,1]],"#,
            r#""dice":[3],"moved":7,"turn":0,"winner":null}"#
        )
    );
    let mut t = Table::new(Rules::default(), "32 33 33 33 | 1 1 1 1 | 33 33 33 33");
    t.roll(1, 6).play("32/off");
    assert_eq!(
        json(&t),
        concat!(
            r#"{"phase":"over","player":null,"pieces":[[33,33,33,33],[1,1,1,1],[33,33,33,33],[1,1,1,1]],"#,
            r#""dice":[],"moved":null,"turn":0,"winner":0}"#
        )
    );
}

#[test]
fn the_text_is_one_line() {
    let mut t =
        Table::at(Rules::default(), &roll_line(0, 12, "0 10 10 10 | 1 1 8 30 | 0 0 12 33 | 1 32 32 33"));
    t.roll(6, 3).play("hand/3");
    assert_eq!(
        t.game.text(&t.state),
        "second player=0 turn=12 dice=6 moved=3 winner=- | 3 10 10 10 | 1 1 8 30 | 0 0 12 33 | 1 32 32 33"
    );
    let mut t = Table::at(Rules { pieces: 1, ..Rules::default() }, &roll_line(0, 0, "32 | 1 | 33 | 1"));
    t.roll(1, 3).play("32/off");
    assert_eq!(t.game.text(&t.state), "over player=- turn=0 dice=- moved=- winner=0 | 33 | 1 | 33 | 1");
}

#[test]
fn a_text_in_another_form_is_refused() {
    let good = roll_line(0, 0, "1 1 10 33 | 1 1 1 1");
    let cases = [
        (String::new(), "a position must begin with its phase"),
        (good.replace("roll", "rolling"), "a position must begin with its phase, not 'rolling'"),
        (good.replace("turn=0 ", ""), "expected 'turn=...', but found 'dice=-'"),
        (good.replace("turn=0", "turn=-1"), "'-1' is not a valid value there"),
        (good.replace("turn=0", "turn=65536"), "'65536' is not a valid value there"),
        (good.replace("dice=-", "dice=1,x"), "'x' is not a valid value there"),
        (good.replace("dice=-", "dice=1,"), "'' is not a valid value there"),
        (good.replace("dice=-", "dice=2"), "a die shows 2; its faces are 1, 3, 4 and 6"),
        (good.replace("winner=-", "winner=- more"), "unexpected word 'more'"),
        (good.replace("10", "ten"), "'ten' is not a valid value there"),
        (good.replace("10", "10 10"), "seat 0 has 5 pieces, not 4"),
        (good.replace(" | 1 1 10 33", ""), "pieces has 3 entries, not 4"),
        (good.clone() + " |", "pieces has 5 entries, not 4"),
        (good.replace("1 10", "10 1"), "the pieces of seat 0, [1, 10, 1, 33], are not in ascending order"),
        (good.replace("33", "34"), "seat 0 has a piece on 34; progress is 0 to 33"),
    ];
    for (text, due) in cases {
        let error = refused::<TshuPu>(Rules::default(), &text);
        assert!(error.starts_with(due), "{text}: {error}");
    }
    let long = "x".repeat(100_000);
    assert!(refused::<TshuPu>(Rules::default(), &long).len() < 200);
}
