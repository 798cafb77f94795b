//! A position of Shuanglu in words.

use super::super::board::{BAR, OFF};
use super::super::state::{Phase, State};
use super::super::{PLAYERS, Shuanglu};
use crate::draw::pieces;
use crate::rules::game::Game;

/// What the horses of each player are.
pub(super) const KINDS: [&str; PLAYERS] = ["red horses", "plain horses"];

/// What the player is asked for, as shown under the board and as said in the description.
pub(super) const fn asked(phase: Phase) -> (&'static str, &'static str) {
    match phase {
        Phase::Opening => ("each throws one die", "each is to throw one die for the first turn"),
        Phase::Roll => ("to throw the dice", "is to throw the dice"),
        Phase::Move => ("to play the dice", "is to play the dice"),
        Phase::Over => ("", "the game is over"),
    }
}

/// So many horses, in words.
pub(super) fn horses(count: u8) -> String {
    format!("{count} horse{}", if count == 1 { "" } else { "s" })
}

/// A list of numbers, in words.
fn listed(numbers: &[u8]) -> String {
    numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}

impl Shuanglu {
    /// That somebody has won, and how many points.
    pub(super) fn won(&self, state: &State) -> Option<String> {
        let points = self.points_won(state);
        let plural = if points > 1 { "s" } else { "" };
        state.winner().map(|winner| format!("{winner} wins {points} point{plural}"))
    }

    /// The position in a few words.
    pub(super) fn said(&self, state: &State) -> String {
        let over = state.phase == Phase::Over;
        let player = self.player_on_turn(state).map(|player| player.index());
        pieces::said(player, over, asked(state.phase).1, self.won(state))
    }

    /// The whole position in words, for those who do not see the picture.
    pub(super) fn described(&self, state: &State) -> String {
        let mut parts = vec![format!("A tray with 24 points. {}", pieces::sentence(&self.said(state)))];
        let dice = state.dice();
        if !dice.is_empty() {
            parts.push(format!("Dice to play: {}.", listed(&dice)));
        }
        for (player, counts) in state.counts.iter().enumerate() {
            let held: Vec<String> = (1..BAR)
                .rev()
                .filter(|&point| counts[point] != 0)
                .map(|point| format!("{} on {point}", counts[point]))
                .collect();
            let held = if held.is_empty() { "none on points".to_owned() } else { held.join(", ") };
            parts.push(format!(
                "Player {player} ({}, in his own numbering): {held}, {} on the bar, {} off.",
                KINDS[player], counts[BAR], counts[OFF],
            ));
        }
        parts.join(" ")
    }
}
