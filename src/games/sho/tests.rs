//! The rule book as tests: hand-made positions, named by rule (r1 to r15) and by worked position (s1 to s14).
//!
//! Positions are written side after side, `"10:1 23:2 h6 | 12:1 h8"`: stacks as position:size, `h` coins in hand,
//! `o` coins off, and the word `cleared`. Rolls, values and moves are played by name, and after each step the state is
//! checked against every invariant and sent through both of its written forms.

mod evaluate;
mod forms;
mod invariants;
mod observation;
mod options;
mod pool;
mod positions;
mod results;
mod rules;
mod variants;
mod walks;

use super::{PaRa, Phase, Rules, Sho, State};
use crate::base::error::Error;
use crate::rules::{Action, D6_FACES, Encode, Game, MAX_PLAYERS, Outcome, Player, Show, Turn};
use crate::testing::{self, refused};

/// Two single players, otherwise the defaults: what the worked positions are played with.
fn two() -> Rules {
    Rules { players: 2, ..Rules::default() }
}

fn flexible() -> Rules {
    Rules { pa_ra: PaRa::Flexible, ..two() }
}

/// The first group of a line of text where seat 0 is about to throw.
const ROLL: &str = "roll player=0 turn=0 pool=- value=- moved=- six_three_roll=false winner=-";

/// The first group of a line of text where seat 0 chooses a value of this pool.
fn value_of(pool: &str) -> String {
    format!("value player=0 turn=0 pool={pool} value=- moved=- six_three_roll=false winner=-")
}

/// The line of text with this first group and these sides in the short notation.
fn line(head: &str, sides: &str) -> String {
    let mut line = head.to_owned();
    for side in sides.split('|') {
        let (mut hand, mut off, mut cleared, mut stacks) = ("0", "0", false, String::new());
        for word in side.split_whitespace() {
            if let Some(coins) = word.strip_prefix('h') {
                hand = coins;
            } else if let Some(coins) = word.strip_prefix('o') {
                off = coins;
            } else if word == "cleared" {
                cleared = true;
            } else {
                stacks += &format!(" {word}");
            }
        }
        line += &format!(" | hand={hand} off={off} cleared={cleared}{stacks}");
    }
    line
}

/// A game in progress, played by names.
type Table = testing::Table<Sho, MAX_PLAYERS, 4>;

impl Table {
    /// Seat 0 is about to throw.
    fn new(rules: Rules, sides: &str) -> Table {
        Table::at(rules, ROLL, sides)
    }

    fn at(rules: Rules, head: &str, sides: &str) -> Table {
        Table::read(rules, &line(head, sides))
    }

    fn roll(&mut self, one: u8, other: u8) -> &mut Self {
        let faces = [one.min(other), one.max(other)];
        let outcome = D6_FACES.iter().position(|&seen| seen == faces).expect("two six-sided dice");
        assert_ne!(self.phase(), Phase::First);
        self.resolve(outcome)
    }

    /// In phase value: the sources that follow, value by value.
    fn pairs(&self) -> Vec<String> {
        assert_eq!(self.phase(), Phase::Value);
        let mut pairs = Vec::new();
        for action in self.actions() {
            let mut state = self.state;
            self.game.apply(&mut state, action, &mut ());
            let sources = self.game.legal_actions(&state);
            pairs.extend(sources.iter().map(|source| self.game.action_name(&state, source)));
        }
        pairs
    }

    fn phase(&self) -> Phase {
        self.state.phase
    }

    fn player(&self) -> u8 {
        self.state.player.0
    }

    fn pool(&self) -> &[u8] {
        self.state.pool.as_slice()
    }

    /// Where a side's coins are, in the short notation with the hand first.
    fn side(&self, side: usize) -> String {
        let state = &self.state;
        let mut words = vec![format!("h{}", state.hand[side])];
        if state.off[side] != 0 {
            words.push(format!("o{}", state.off[side]));
        }
        if state.cleared >> side & 1 != 0 {
            words.push("cleared".into());
        }
        for position in crate::rules::bits::bits(state.track[side]) {
            words.push(format!("{position}:{}", state.size[position]));
        }
        words.join(" ")
    }

    /// The same seat throws again, with these values left in the pool.
    #[track_caller]
    fn throws_again(&self, pool: &[u8]) {
        assert_eq!((self.phase(), self.player(), self.state.turn), (Phase::Roll, 0, 0));
        assert_eq!(self.pool(), pool);
    }

    /// Seat 0's turn is over and seat 1 throws with an empty pool.
    #[track_caller]
    fn turn_is_over(&self) {
        assert_eq!((self.phase(), self.player(), self.state.turn), (Phase::Roll, 1, 1));
        assert!(self.pool().is_empty());
    }
}
