//! The rule book as tests: hand-made positions, named by rule (r1 to r9) and by worked position (u1 to u13).
//!
//! Positions are written player after player, each by his own numbers: `"bar1 24:2 13:5 off8 | 6:15"`. Rolls and steps
//! are played by name, and after each of them the state is checked against every invariant and sent through both of its
//! written forms.

mod evaluate;
mod features;
mod forms;
mod invariants;
mod observation;
mod options;
mod positions;
mod results;
mod rules;
mod walks;

use std::collections::BTreeSet;

use super::board::{BAR, OFF};
use super::{BearOff, OPENING_FACES, Phase, Rules, Scoring, Setup, Shuanglu, State};
use crate::base::error::Error;
use crate::rules::{Action, D6_FACES, Encode, Game, MAX_PLAYERS, Outcome, Player, Show, Side, TWO_D6, Turn};
use crate::testing::{self, refused};

/// How the game starts.
const ENGLISH: &str = "24:2 13:5 8:3 6:5";

fn overshoot() -> Rules {
    Rules { bear_off: BearOff::Overshoot, ..Rules::default() }
}

fn four() -> Rules {
    Rules { doubles: 4, ..Rules::default() }
}

fn backgammon() -> Rules {
    Rules { doubles: 4, bear_off: BearOff::Overshoot, ..Rules::default() }
}

/// The first group of a line of text where seat 0 is about to throw.
const ROLL: &str = "roll player=0 turn=1 dice=- winner=- points_won=0";

/// The line of text with this first group and these players in the short notation.
fn line(head: &str, players: &str) -> String {
    let mut line = head.to_owned();
    for player in players.split('|') {
        let (mut bar, mut off, mut points) = ("0", "0", String::new());
        for word in player.split_whitespace() {
            if let Some(pieces) = word.strip_prefix("bar") {
                bar = pieces;
            } else if let Some(pieces) = word.strip_prefix("off") {
                off = pieces;
            } else {
                points += &format!(" {word}");
            }
        }
        line += &format!(" | bar={bar} off={off}{points}");
    }
    line
}

/// A game in progress, played by names.
type Table = testing::Table<Shuanglu, MAX_PLAYERS, 3>;

impl Table {
    /// Seat 0 is about to throw.
    fn new(rules: Rules, players: &str) -> Table {
        Table::at(rules, ROLL, players)
    }

    fn at(rules: Rules, head: &str, players: &str) -> Table {
        Table::read(rules, &line(head, players))
    }

    /// The opening throw: seat 0's die and seat 1's.
    fn open(&mut self, first: u8, second: u8) -> &mut Self {
        assert_eq!(self.phase(), Phase::Opening);
        let outcome = OPENING_FACES.iter().position(|&faces| faces == [first, second]);
        self.resolve(outcome.expect("two dice that differ"))
    }

    fn roll(&mut self, one: u8, other: u8) -> &mut Self {
        assert_eq!(self.phase(), Phase::Roll);
        let faces = [one.min(other), one.max(other)];
        let outcome = D6_FACES.iter().position(|&seen| seen == faces);
        self.resolve(outcome.expect("two six-sided dice"))
    }

    fn phase(&self) -> Phase {
        self.state.phase
    }

    fn player(&self) -> u8 {
        self.state.player.0
    }

    /// Where a player's pieces are, in the short notation: bar, points from the farthest, off.
    fn pieces(&self, seat: usize) -> String {
        pieces(&self.state, seat)
    }

    /// The distinct positions at the end of the turn of the player to act, whatever steps led there.
    fn ends(&self) -> Vec<State> {
        fn follow(game: &Shuanglu, state: State, turn: u16, seat: Player, ends: &mut Vec<State>) {
            if state.phase != Phase::Move || state.turn != turn || state.player != seat {
                if !ends.contains(&state) {
                    ends.push(state);
                }
                return;
            }
            for action in game.legal_actions(&state) {
                let mut next = state;
                game.apply(&mut next, action, &mut ());
                follow(game, next, turn, seat, ends);
            }
        }
        let mut ends = Vec::new();
        follow(&self.game, self.state, self.state.turn, self.state.player, &mut ends);
        ends
    }

    /// The same as the mover's pieces in the short notation.
    fn results(&self) -> BTreeSet<String> {
        let seat = self.state.player.index();
        self.ends().iter().map(|state| pieces(state, seat)).collect()
    }

    /// The turn of seat 0 is over and seat 1 throws.
    #[track_caller]
    fn turn_is_over(&self) {
        assert_eq!((self.phase(), self.player(), self.state.turn), (Phase::Roll, 1, 2));
        assert!(self.state.dice().is_empty());
    }
}

fn pieces(state: &State, seat: usize) -> String {
    let counts = &state.counts[seat];
    let mut words = Vec::new();
    if counts[BAR] != 0 {
        words.push(format!("bar{}", counts[BAR]));
    }
    for point in (1..BAR).rev().filter(|&point| counts[point] != 0) {
        words.push(format!("{point}:{}", counts[point]));
    }
    if counts[OFF] != 0 {
        words.push(format!("off{}", counts[OFF]));
    }
    words.join(" ")
}

/// A table where seat 0 has thrown these dice.
fn thrown(rules: Rules, players: &str, one: u8, other: u8) -> Table {
    let mut table = Table::new(rules, players);
    table.roll(one, other);
    table
}
