//! The rule book as tests: hand-made positions, named by rule (r1 to r12) and by worked position (t1 to t16).
//!
//! Positions are written seat after seat, `"1 10 33 33 | 1 1 1 1 | ..."`; seats that are left out have all their pieces on
//! their start squares. Throws and moves are played by name, and after each step the state is checked against every
//! invariant and sent through both of its written forms.

mod evaluate;
mod forms;
mod greedy;
mod invariants;
mod naive;
mod observation;
mod options;
mod positions;
mod results;
mod rules;
mod walks;

use super::{Crosscuts, FOUR_SIDED_FACES, FinishedPlayer, Phase, Rules, State, TshuPu};
use crate::base::error::Error;
use crate::rules::{Action, Encode, FirstPlayer, Game, MAX_PLAYERS, Outcome, Player, Show, Turn};
use crate::testing::{self, refused};

fn ends() -> Rules {
    Rules { crosscuts: Crosscuts::SidesAndEnds, ..Rules::default() }
}

fn same_piece() -> Rules {
    Rules { same_piece_both_dice: true, ..Rules::default() }
}

fn partner_plays() -> Rules {
    Rules { finished_player: FinishedPlayer::PartnerPlays, ..Rules::default() }
}

/// The line of text in which this seat is about to throw, with these pieces.
fn roll_line(player: u8, turn: u16, seats: &str) -> String {
    line(&format!("roll player={player} turn={turn} dice=- moved=- winner=-"), seats)
}

/// The line of text with this first group and these seats; those that are left out stand on their starts.
fn line(head: &str, seats: &str) -> String {
    let mut seats: Vec<&str> = seats.split('|').collect();
    seats.resize(MAX_PLAYERS, "1 1 1 1");
    format!("{head} | {}", seats.join(" | "))
}

/// A game in progress, played by names.
type Table = testing::Table<TshuPu, MAX_PLAYERS, 3>;

impl Table {
    /// Seat 0 is about to throw.
    fn new(rules: Rules, seats: &str) -> Table {
        Table::at(rules, &roll_line(0, 0, seats))
    }

    fn at(rules: Rules, line: &str) -> Table {
        Table::read(rules, line)
    }

    fn roll(&mut self, one: u8, other: u8) -> &mut Self {
        let faces = [one.min(other), one.max(other)];
        let outcome = FOUR_SIDED_FACES.iter().position(|&seen| seen == faces).expect("faces of these dice");
        assert_eq!(self.state.phase, Phase::Roll);
        self.resolve(outcome)
    }

    /// Every way to play the throw, "3/4 & 10/16" in both orders where both are legal, ascending.
    fn turns(&self) -> Vec<String> {
        assert_eq!(self.state.phase, Phase::Move, "{}", self.game.text(&self.state));
        let mut turns = Vec::new();
        for action in self.actions() {
            let mut state = self.state;
            self.game.apply(&mut state, action, &mut ());
            let first = self.name(action);
            if state.phase != Phase::Second {
                turns.push(first);
                continue;
            }
            let second = self.game.legal_actions(&state);
            assert!(!second.is_empty());
            turns.extend(
                second.iter().map(|other| format!("{first} & {}", self.game.action_name(&state, other))),
            );
        }
        turns.sort();
        turns
    }

    /// The throw can be played in exactly these ways; "a & b" stands for both orders.
    #[track_caller]
    fn plays(&mut self, one: u8, other: u8, due: &[&str]) -> &mut Self {
        self.roll(one, other);
        let mut all: Vec<String> = due.iter().map(|turn| (*turn).to_owned()).collect();
        all.extend(due.iter().filter_map(|turn| {
            let (first, second) = turn.split_once(" & ")?;
            (first != second).then(|| format!("{second} & {first}"))
        }));
        all.sort();
        assert_eq!(self.turns(), all);
        self
    }

    /// The throw cannot be played at all: the next seat throws.
    #[track_caller]
    fn passes(&mut self, one: u8, other: u8) {
        let (before, player, turn) = (self.state.pieces, self.state.player, self.state.turn);
        self.roll(one, other);
        assert_eq!(self.state.pieces, before);
        self.thrower((player.0 + 1) % 4, turn + 1);
    }

    /// This seat is about to throw, after so many turns.
    #[track_caller]
    fn thrower(&self, player: u8, turn: u16) {
        let state = &self.state;
        assert_eq!((state.phase, state.player.0, state.turn), (Phase::Roll, player, turn));
    }

    /// The pieces of a seat.
    fn seat(&self, seat: usize) -> [u8; 4] {
        self.state.pieces[seat].values()
    }
}
