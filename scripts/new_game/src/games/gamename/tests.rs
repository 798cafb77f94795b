//! The rules of Gamename, each test named after its rule, in positions set up by hand.

use super::*;
use crate::agents::greedy;
use crate::rules::{Encode, MAX_PLAYERS, Show};
use crate::testing::{self, judges_sides_alike, refused};

/// A game in progress, played by names.
type Table = testing::Table<Gamename, MAX_PLAYERS, { Gamename::STATISTICS.len() }>;

/// Seat 0 is about to throw: "hand=3 off=0 5 | hand=4 off=0".
const ROLL: &str = "roll player=0 turn=2 throw=- winner=-";

/// Seat 0 has thrown this number.
fn thrown(rules: Rules, players: &str, throw: u8) -> Table {
    let mut table = Table::read(rules, &format!("{ROLL} | {players}"));
    table.throw(throw);
    table
}

impl Table {
    fn throw(&mut self, face: u8) -> &mut Self {
        self.resolve(face as usize)
    }

    /// Phase, whose turn, and how many turns have passed.
    fn at(&self) -> (Phase, u8, u16) {
        (self.state.phase, self.state.player.0, self.state.turn)
    }

    fn part(&self, viewer: u8, name: &str) -> Vec<i8> {
        let mut cells = vec![-7; Gamename::OBSERVATION_LEN];
        self.game.observe(&self.state, Player(viewer), &mut cells);
        let part = Gamename::OBSERVATION.iter().find(|part| part.name == name).expect("a part has this name");
        cells[part.start..part.start + part.len].to_vec()
    }
}

fn overshoot() -> Rules {
    Rules { exact: false, ..Rules::default() }
}

#[test]
fn r1_two_players_begin_with_all_pieces_in_hand() {
    let t = Table::start(Rules::default());
    let line = "roll player=0 turn=0 throw=- winner=- | hand=4 off=0 | hand=4 off=0";
    assert_eq!((t.game.num_players(), t.game.text(&t.state).as_str()), (2, line));
    let t = Table::start(Rules { pieces: 6, ..Rules::default() });
    assert_eq!(t.part(0, "hand"), [6, 6]);
}

#[test]
fn r2_turns_alternate_and_the_die_shows_a_blank_or_one_to_four() {
    let mut t = Table::start(Rules::default());
    assert_eq!(t.game.chance(&t.state).weights(), &[1; 5]);
    t.throw(4).play("hand/4");
    assert_eq!(t.at(), (Phase::Roll, 1, 1));
    t.throw(1).play("hand/1");
    assert_eq!(t.at(), (Phase::Roll, 0, 2));
}

#[test]
fn r3_a_piece_enters_or_moves_by_the_throw() {
    let t = thrown(Rules::default(), "hand=2 off=0 5 9 | hand=4 off=0", 2);
    assert_eq!(t.legal(), ["hand/2", "5/7", "9/11"]);
}

#[test]
fn r3_no_piece_comes_down_on_one_of_its_own() {
    let t = thrown(Rules::default(), "hand=2 off=0 2 4 | hand=4 off=0", 2);
    assert_eq!(t.legal(), ["4/6"]);
}

#[test]
fn r4_a_captured_piece_goes_back_to_the_hand() {
    let mut t = thrown(Rules::default(), "hand=3 off=0 5 | hand=2 off=1 8", 3);
    t.play("5/8*");
    assert_eq!((t.part(0, "hand"), t.counts.0[CAPTURES]), (vec![3, 3], [1, 0, 0, 0]));
}

#[test]
fn r5_bearing_off_takes_an_exact_throw_unless_the_option_says_otherwise() {
    let players = "hand=0 off=1 10 11 12 | hand=4 off=0";
    assert_eq!(thrown(Rules::default(), players, 3).legal(), ["10/off"]);
    assert_eq!(thrown(overshoot(), players, 3).legal(), ["10/off", "11/off", "12/off"]);
}

#[test]
fn r6_the_first_without_pieces_wins_at_once() {
    let mut t = thrown(Rules::default(), "hand=0 off=3 12 | hand=0 off=3 11", 1);
    t.play("12/off");
    assert_eq!((t.at(), t.game.winner(&t.state)), ((Phase::Over, 0, 2), Some(Side(0))));
    assert_eq!(t.game.returns(&t.state).as_slice(), [1.0, -1.0]);
}

#[test]
fn r7_a_player_who_cannot_move_passes() {
    let t = thrown(Rules::default(), "hand=0 off=2 11 12 | hand=4 off=0", 4);
    assert_eq!((t.at(), t.counts.0[FORCED_PASSES]), ((Phase::Roll, 1, 3), [1, 0, 0, 0]));
    let t = thrown(overshoot(), "hand=0 off=2 11 12 | hand=4 off=0", 0);
    assert_eq!((t.at(), t.counts.0[FORCED_PASSES]), ((Phase::Roll, 1, 3), [1, 0, 0, 0]));
}

#[test]
fn max_turns_ends_the_game_as_a_draw() {
    let mut t = Table::start(Rules { max_turns: 2, ..Rules::default() });
    t.throw(1).play("hand/1").throw(2).play("hand/2");
    assert_eq!((t.at(), t.game.winner(&t.state)), ((Phase::Over, 0, 2), None));
    assert_eq!(t.game.returns(&t.state).as_slice(), [0.0, 0.0]);
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let good = "move player=0 turn=2 throw=3 winner=- | hand=3 off=0 5 | hand=2 off=1 8";
    for (old, new, due) in [
        ("hand=3", "hand=4", "player 0 has 5 pieces, not 4"),
        ("off=0 5", "off=0 13", "player 0 has a piece on 13, which is not a square"),
        ("1 8", "1 5", "both players stand on square 5"),
        ("throw=3", "throw=5", "throw is 5 in phase move"),
        ("throw=3", "throw=-", "throw is - in phase move"),
        ("player=0", "player=2", "player is 2 in phase move"),
        ("winner=-", "winner=0", "winner is 0, but by the pieces borne off it is -"),
        ("turn=2", "turn=1000", "phase is move with turn 1000 and winner null"),
        ("hand=3 off=0 5", "hand=0 off=3 12", "player 0 cannot move by 3, so the turn should have passed"),
    ] {
        assert_eq!(refused::<Gamename>(Rules::default(), &good.replacen(old, new, 1)), due);
    }
}

#[test]
fn viewers_see_their_own_pieces_first() {
    let t = thrown(Rules::default(), "hand=3 off=0 5 | hand=2 off=1 8", 3);
    assert_eq!((t.part(0, "own"), t.part(1, "own")), (t.part(1, "enemy"), t.part(0, "enemy")));
    assert_eq!((t.part(0, "off"), t.part(1, "off")), (vec![0, 1], vec![1, 0]));
    assert_eq!((t.part(0, "to_act"), t.part(1, "to_act")), (vec![1, 0], vec![0, 1]));
    assert_eq!((t.part(0, "throw"), t.part(1, "phase")), (vec![3], vec![0, 1, 0]));
}

#[test]
fn greedy_bears_off_then_captures_then_runs() {
    let greedy = |players: &str, throw| {
        let t = thrown(Rules::default(), players, throw);
        t.name(greedy(&t.game, &t.state, t.game.legal_actions(&t.state)))
    };
    assert_eq!(greedy("hand=2 off=0 5 11 | hand=3 off=0 7", 2), "11/off");
    assert_eq!(greedy("hand=2 off=0 5 10 | hand=3 off=0 7", 2), "5/7*");
    assert_eq!(greedy("hand=2 off=0 5 10 | hand=4 off=0", 2), "10/12");
}

#[test]
fn the_evaluation_judges_both_sides_alike() {
    judges_sides_alike::<Gamename>(
        Rules::default(),
        |state| {
            state.on.swap(0, 1);
            state.off.swap(0, 1);
            state.player = state.player.next(PLAYERS);
        },
        |seat| seat.next(PLAYERS),
    );
}
