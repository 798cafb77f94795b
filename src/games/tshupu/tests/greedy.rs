//! What the greedy agent takes.

use proptest::prelude::*;

use super::naive::{COURSE_STARTS, CROSSCUTS, square};
use super::walks::any_rules;
use super::*;
use crate::agents::greedy;
use crate::games::tshupu::Move;

impl Table {
    fn greedy(&self) -> String {
        self.name(greedy(&self.game, &self.state, self.game.legal_actions(&self.state)))
    }
}

#[test]
fn a_finished_greedy_player_judges_his_partners_pieces() {
    // North bears off rather than go from 4 to 8, where it would hit west's four.
    let seats = "33 33 33 33 | 1 1 1 1 | 4 4 32 33 | 32 32 32 32";
    let mut t = Table::at(partner_plays(), &roll_line(0, 4, seats));
    t.roll(1, 3);
    assert_eq!(t.legal(), ["4/5", "32/off", "4/7", "4/8* (both)"]);
    assert_eq!(t.greedy(), "32/off");
}

#[test]
fn greedy_bears_off_before_it_hits() {
    let mut t = Table::new(Rules::default(), "4 4 32 33 | 12 32 32 32 | 1 1 1 1 | 32 32 32 32");
    t.roll(1, 1);
    assert_eq!(t.greedy(), "4/5*", "both dice: bearing off and hitting, in either order");
    t.play("4/5*");
    assert_eq!(t.greedy(), "32/off");
    let mut t = Table::new(Rules::default(), "4 32 33 33 | 32 32 32 32 | 1 1 1 1 | 1 1 1 1");
    t.roll(1, 3);
    // By the total the piece on 4 would hit four.
    assert!(t.legal().contains(&"4/8* (both)".to_owned()));
    assert_eq!(t.greedy(), "32/off");
}

#[test]
fn greedy_hits_before_it_reaches_the_centre() {
    let mut t = Table::new(Rules::default(), "4 29 33 33 | 32 32 32 32 | 1 1 1 1 | 1 15 15 15");
    t.roll(1, 3);
    assert_eq!(t.legal(), ["4/5", "29/30", "4/7", "29/32", "4/8* (both)"]);
    assert_eq!(t.greedy(), "4/8* (both)");
}

#[test]
fn greedy_hits_more_pieces_and_those_that_have_come_farther() {
    // West's 12 stands on 5, its 19 on 12.
    let mut t = Table::new(Rules::default(), "4 4 10 33 | 12 19 32 32 | 1 1 1 1 | 32 32 32 32");
    t.roll(1, 1);
    assert_eq!(t.legal(), ["4/5*", "10/11", "4/6 (both)", "10/12* (both)"]);
    assert_eq!(t.greedy(), "10/12* (both)");
    let mut t = Table::new(Rules::default(), "4 4 10 33 | 12 12 19 32 | 1 1 1 1 | 32 32 32 32");
    t.roll(1, 1);
    assert_eq!(t.greedy(), "4/5*");
}

#[test]
fn greedy_goes_to_the_centre_where_all_ways_are_as_long() {
    let mut t = Table::new(Rules::default(), "10 22 33 33 | 32 32 32 32 | 1 1 1 1 | 32 32 32 32");
    t.roll(4, 6);
    assert_eq!(t.legal().len(), 6);
    assert_eq!(t.greedy(), "22/32 (both)");
    // The square before the centre is worth nothing more.
    let mut t = Table::new(Rules::default(), "10 21 33 33 | 32 32 32 32 | 1 1 1 1 | 32 32 32 32");
    t.roll(4, 6);
    assert!(t.legal().contains(&"21/31 (both)".to_owned()));
    assert_eq!(t.greedy(), "10/14");
}

#[test]
fn greedy_moves_far() {
    // One die alone, and either fits.
    let mut t = Table::new(Rules::default(), "26 33 33 33 | 32 32 32 32 | 1 1 1 1 | 32 32 32 32");
    t.roll(3, 4);
    assert_eq!(t.legal(), ["26/29", "26/30"]);
    assert_eq!(t.greedy(), "26/30");
}

#[test]
fn greedy_leaves_danger_for_a_crosscut() {
    // West's 17 stands on 10 and threatens the piece on 11; 13 is a cross-cut.
    let mut t = Table::new(Rules::default(), "4 11 33 33 | 17 32 32 32 | 1 1 1 1 | 32 32 32 32");
    t.roll(1, 1);
    assert_eq!(t.legal(), ["4/5", "11/12", "4/6 (both)", "11/13 (both)"]);
    assert_eq!(t.greedy(), "11/13 (both)");
}

#[test]
fn greedy_stays_out_of_danger() {
    // West's 16 stands on 9: it reaches 11, 12 and, by 6-6, 21, but not 22.
    let mut t = Table::new(Rules::default(), "10 20 33 33 | 16 32 32 32 | 1 1 1 1 | 32 32 32 32");
    t.roll(1, 1);
    assert_eq!(t.legal(), ["10/11", "20/21", "10/12 (both)", "20/22 (both)"]);
    assert_eq!(t.greedy(), "20/22 (both)");
}

#[test]
fn greedy_takes_the_smallest_id_of_equals() {
    let mut t = Table::new(Rules::default(), "0 0 0 0 | 32 32 32 32 | 1 1 1 1 | 32 32 32 32");
    t.roll(1, 3);
    assert_eq!(t.greedy(), "hand/1");
}

/// What a piece may lose where it stands: its progress, for each enemy piece that one die or both would bring there.
fn risk(game: &TshuPu, s: &State, owner: usize, progress: u8) -> i32 {
    let Some(at) = square(owner, progress) else { return 0 };
    let ends = game.rules().crosscuts == Crosscuts::SidesAndEnds;
    if CROSSCUTS.contains(&at) || ends && COURSE_STARTS.contains(&at) {
        return 0;
    }
    let faces = [1, 3, 4, 6];
    let sums = faces.into_iter().flat_map(|one| faces.map(|other| one + other));
    let throws: Vec<u8> = faces.into_iter().chain(sums).collect();
    let mut threats = 0;
    for enemy in [owner + 1, owner + 3].map(|seat| seat % 4) {
        let comes = |from: &u8| {
            let mut ends = throws.iter().map(|throw| from + throw);
            *from < 33 && ends.any(|to| square(enemy, to) == Some(at))
        };
        threats += s.pieces[enemy].values().iter().filter(|from| comes(from)).count();
    }
    threats as i32 * i32::from(progress)
}

/// What it is worth that a piece moves.
fn step(game: &TshuPu, s: &State, owner: usize, from: u8, distance: u8) -> i32 {
    let to = from + distance;
    if to == 33 {
        return 2000;
    }
    let mut worth = 4 * i32::from(distance) + if to == 32 { 200 } else { 0 };
    for enemy in [owner + 1, owner + 3].map(|seat| seat % 4) {
        for value in s.pieces[enemy].values() {
            if square(owner, to).is_some() && square(enemy, value) == square(owner, to) {
                worth += 300 + 20 * i32::from(value);
            }
        }
    }
    worth + risk(game, s, owner, from) - risk(game, s, owner, to)
}

/// What an action is worth: a first die with the best that can follow.
fn worth(game: &TshuPu, s: &State, action: Action) -> i32 {
    let (from, distance) = match Move::from_action(action).expect("an action of the game") {
        Move::Die { face, from } => (from, face),
        Move::Both { from } => (from, s.dice[0] + s.dice[1]),
    };
    let first = step(game, s, game.owner(s), from, distance);
    let mut after = *s;
    game.apply(&mut after, action, &mut ());
    if s.phase != Phase::Move || after.phase != Phase::Second {
        return first;
    }
    let seconds = game.legal_actions(&after);
    first + seconds.iter().map(|second| worth(game, &after, second)).max().expect("a second move")
}

proptest! {
    #[test]
    fn greedy_weighs_all_moves_together_as_one_by_one(rules in any_rules(), seed in any::<u64>()) {
        testing::weighs_moves(rules, seed, worth);
    }
}
