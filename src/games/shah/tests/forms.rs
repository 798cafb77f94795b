//! The board, moves and action ids, names, the dict and the line of text.

use super::super::board::{ENDS, LINES, NAMES, in_mills, mills_at, neighbours, slides};
use super::*;
use crate::games::shah::Move;
use crate::rules::bits;

#[test]
fn the_board_has_16_lines_and_32_edges() {
    let degree = |point: usize| neighbours(1 << point).count_ones();
    let count = |degrees: u32| (0..24).filter(|&point| degree(point) == degrees).count();
    assert_eq!([count(2), count(3), count(4)], [12, 8, 4]);
    for (line, points_of) in LINES.iter().map(|&line| (line, bits(line as u64).collect::<Vec<_>>())) {
        assert_eq!(points_of.len(), 3);
        let names: Vec<&[u8]> = points_of.iter().map(|&point| NAMES[point].as_bytes()).collect();
        // A line keeps its file or its rank.
        let same = |at: usize| names.iter().all(|name| name[at] == names[0][at]);
        assert!(same(0) || same(1), "{line:024b}");
        // Its middle is beside both others.
        let ends = points_of.iter().filter(|&&point| (neighbours(1 << point) & line).count_ones() == 1);
        assert_eq!(ends.count(), 2);
    }
    for point in 0..24 {
        assert_eq!(LINES.iter().filter(|&&line| line >> point & 1 != 0).count(), 2);
    }
    assert!(ENDS.is_sorted());
    assert!(ENDS.iter().all(|&[from, to]| ENDS.contains(&[to, from])));
    // Each edge lies in exactly one line.
    for [from, to] in ENDS {
        let both = 1u32 << from | 1 << to;
        assert_eq!(LINES.iter().filter(|&&line| line & both == both).count(), 1);
    }
}

#[test]
fn tables_by_byte_agree_with_loops() {
    let mut rng = crate::agents::rng::Stream::new(1, 0);
    for _ in 0..20_000 {
        let draw = rng.next_u64();
        let (own, other) = (draw as u32 & 0xff_ffff, (draw >> 32) as u32 & 0xff_ffff);
        let has = |set: u32, point: u8| set >> point & 1 != 0;
        let edges = (0..64)
            .filter(|&edge: &usize| has(own, ENDS[edge][0]) && has(other, ENDS[edge][1]))
            .fold(0u64, |edges, edge| edges | 1 << edge);
        assert_eq!(slides(own, other), edges);
        let beside = ENDS.iter().filter(|ends| has(own, ends[0])).fold(0u32, |set, ends| set | 1 << ends[1]);
        assert_eq!(neighbours(own), beside);
        let mills: Vec<u32> = LINES.iter().copied().filter(|line| own & line == *line).collect();
        assert_eq!(in_mills(own), mills.iter().fold(0, |all, line| all | line));
        for point in bits(own as u64) {
            let through = mills.iter().filter(|&&line| line >> point & 1 != 0).count();
            assert_eq!(mills_at(own, point), through as u32);
        }
    }
}

#[test]
fn every_action_is_one_move() {
    let name = |id: u16| Move::from_action(Action(id)).expect("an action").to_string();
    for id in 0..136u16 {
        let due = match id {
            0..24 => Move::Place(id as u8),
            24..88 => Move::Slide(ENDS[id as usize - 24][0], ENDS[id as usize - 24][1]),
            88..112 => Move::Remove((id - 88) as u8),
            _ => Move::Fly((id - 112) as u8),
        };
        assert_eq!(Move::from_action(Action(id)), Some(due));
        assert_eq!(due.action(), Some(Action(id)));
    }
    assert_eq!(Shah::NUM_ACTIONS, 136);
    for id in [136, 191, 192, u16::MAX] {
        assert_eq!(Move::from_action(Action(id)), None);
    }
    for strange in [Move::Place(24), Move::Remove(255), Move::Fly(24), Move::Slide(0, 0), Move::Slide(0, 3)] {
        assert_eq!(strange.action(), None, "{strange}");
    }
    let due = ["a7", "g1", "a7-d7", "a7-a4", "d7-a7", "g1-g4", "g1-d1", "xa7", "xb6", "fly a7", "fly g1"];
    assert_eq!([0, 23, 24, 25, 26, 86, 87, 88, 91, 112, 135].map(name), due);
}

#[test]
fn the_dict_has_the_keys_of_the_rule_book() {
    let json = |t: &Table| serde_json::to_string(&t.game.to_dict(&t.state)).expect("plain data");
    let t = Table::start(Rules { first_player: FirstPlayer::Random, ..Rules::default() });
    assert_eq!(
        json(&t),
        concat!(
            r#"{"phase":"first","player":null,"board":"........................","hand":[12,12],"#,
            r#""beginner":null,"opening_removals":2,"extra":false,"lifted":null,"no_capture":0,"turn":0,"#,
            r#""winner":null}"#
        )
    );
    let mut t = Table::moving(Rules { flying: true, ..Rules::default() }, &[0, 10, 23], &[1, 3, 9, 14], 0);
    t.plays("fly:b4");
    assert_eq!(
        json(&t),
        concat!(
            r#"{"phase":"land","player":0,"board":"01.1.....1....1........0","hand":[0,0],"#,
            r#""beginner":0,"opening_removals":0,"extra":false,"lifted":10,"no_capture":0,"turn":30,"#,
            r#""winner":null}"#
        )
    );
    let mut t = Table::moving(Rules::default(), &[0, 1, 14], &[3, 4, 20], 0);
    t.plays("g4-g7 xb6");
    assert!(json(&t).starts_with(r#"{"phase":"over","player":null,"board":"000.1"#), "{}", json(&t));
    assert!(json(&t).ends_with(r#""turn":30,"winner":0}"#), "{}", json(&t));
    let t = Table::extra(Rules::default(), &[1, 9, 14, 22], &[0, 2, 21], 0);
    assert!(json(&t).contains(r#""extra":true"#));
}

#[test]
fn the_text_is_one_line() {
    let mut t = Table::start(Rules::default());
    t.plays("a7 b6 d7");
    assert_eq!(
        t.game.text(&t.state),
        "place player=1 board=00.1.................... hand=10,11 beginner=- opening_removals=2 extra=false \
         lifted=- no_capture=0 turn=3 winner=-"
    );
}

#[test]
fn a_text_in_another_form_is_refused() {
    let mut t = Table::start(Rules::default());
    t.plays("a7 b6 d7");
    let good = t.game.text(&t.state);
    let cases = [
        (String::new(), "a position must begin with its phase"),
        (good.replace("place", "placing"), "a position must begin with its phase, not 'placing'"),
        (good.replace("turn=3 ", ""), "expected 'turn=...', but found 'winner=-'"),
        (good.replace("turn=3", "turn=-1"), "'-1' is not a valid value there"),
        (good.replace("hand=10,11", "hand=10"), "hand is written 'hand=3,4', not 'hand=10'"),
        (good.replace("hand=10,11", "hand=10,11,0"), "'11,0' is not a valid value there"),
        (good.replace("board=00", "board=0"), "board has 23 characters, not 24"),
        (good.replace("board=00", "board=0x"), "board has 'x' on point 1 (d7)"),
        (good.replace("lifted=-", "lifted=24"), "lifted is 24; points are 0 to 23"),
        (good.replace("player=1", "player=2"), "player is 2; seats are 0 and 1"),
        (good.replace("player=1", "player=-"), "player is null in phase place"),
        (good.replace("winner=-", "winner=- more"), "unexpected word 'more'"),
    ];
    for (text, due) in cases {
        let error = t.game.parse(&text).expect_err(&text).to_string();
        assert!(error.starts_with(due), "{text}: {error}");
    }
}
