//! The rule book as tests: hand-made positions, named by rule (r1 to r14) and by worked position (h1 to h13).
//!
//! Stones are sets of point numbers, moves are played by name, and after each step the state is checked against every
//! invariant and sent through both of its written forms.

mod evaluate;
mod features;
mod forms;
mod greedy;
mod invariants;
mod observation;
mod options;
mod placing;
mod positions;
mod results;
mod rules;
mod variants;
mod walks;

use super::{Begin, Blocked, MillProtection, OpeningRemovals, Phase, Rules, Shah, State};
use crate::base::error::Error;
use crate::rules::{Action, Encode, FirstPlayer, Game, Outcome, Player, Show, Side, Turn};
use crate::testing;

fn morris() -> Rules {
    (Shah::PRESETS[1].rules)()
}

/// Nothing is removed between placing and moving, so that any number of pieces may play.
fn plain(pieces: u8) -> Rules {
    Rules { pieces, opening_removals: OpeningRemovals::None, ..Rules::default() }
}

fn set(points: &[usize]) -> u32 {
    points.iter().fold(0, |set, point| set | 1 << point)
}

/// A game in progress, played by names.
type Table = testing::Table<Shah, 2, 3>;

impl Table {
    /// Well into the moving phase: these stones, and this seat to move.
    fn moving(rules: Rules, zero: &[usize], one: &[usize], player: u8) -> Table {
        Table::changed(rules, zero, one, |s| s.player = Player(player))
    }

    /// The same, with an extra move due.
    fn extra(rules: Rules, zero: &[usize], one: &[usize], player: u8) -> Table {
        Table::changed(rules, zero, one, |s| {
            s.player = Player(player);
            s.extra = true;
        })
    }

    /// Well into the moving phase, with seat 0 to move unless the change says otherwise.
    fn changed(rules: Rules, zero: &[usize], one: &[usize], change: impl FnOnce(&mut State)) -> Table {
        Table::of(rules, |game| {
            let mut state = game.initial_state();
            state.stones = [set(zero), set(one)];
            state.hand = [0, 0];
            state.turn = 30;
            state.opening_removals = 0;
            state.beginner = 0;
            state.phase = Phase::Slide;
            change(&mut state);
            state
        })
    }

    /// Plays the legal actions with exactly these names, one after another.
    #[track_caller]
    fn plays(&mut self, names: &str) -> &mut Self {
        for name in names.split_whitespace() {
            // "fly:a7" is one word here.
            self.play(&name.replace(':', " "));
        }
        self
    }

    #[track_caller]
    fn legal_are(&self, names: &str) {
        let mut due: Vec<String> = names.split_whitespace().map(|name| name.replace(':', " ")).collect();
        let mut legal = self.legal();
        due.sort_unstable();
        legal.sort_unstable();
        assert_eq!(legal, due);
    }

    /// Phase, who acts, and the turn.
    #[track_caller]
    fn stands(&self, phase: Phase, player: u8, turn: u16) -> &Self {
        assert_eq!((self.state.phase, self.state.player.0, self.state.turn), (phase, player, turn));
        self
    }

    /// The game is over with this winner, so many turns passed.
    #[track_caller]
    fn ends(&self, winner: Option<u8>, turn: u16) {
        self.stands(Phase::Over, 0, turn);
        assert_eq!(self.game.turn(&self.state), Turn::Over);
        assert_eq!(self.game.winner(&self.state), winner.map(Side));
        let due = match winner {
            None => [0.0, 0.0],
            Some(0) => [1.0, -1.0],
            Some(_) => [-1.0, 1.0],
        };
        assert_eq!(self.game.returns(&self.state).as_slice(), due);
        assert!(self.actions().is_empty());
    }
}

/// Placements of two full sets in turn: the points of each seat in the order in which they are taken.
fn placements(zero: &[usize], one: &[usize]) -> String {
    let pairs = zero.iter().zip(one);
    pairs.flat_map(|(a, b)| [super::board::NAMES[*a], " ", super::board::NAMES[*b], " "]).collect()
}
