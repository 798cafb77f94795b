//! A position of Sho in words.

use super::super::{Phase, Sho};
use crate::draw::pieces::LETTERS;
use crate::rules::Player;

/// What the player is asked for, as shown on the pad and as said in the description.
pub(super) const fn asked(phase: Phase) -> (&'static str, &'static str) {
    match phase {
        Phase::First => ("who begins?", "who begins is still to be drawn"),
        Phase::Roll => ("to throw", "is to throw the dice"),
        Phase::Reroll => ("to throw again", "threw 1-1 and is to throw again"),
        Phase::Value => ("choose a value", "is to choose a value"),
        Phase::Source => ("choose a stack", "is to choose what moves"),
        Phase::Overflow => ("use the rest?", "may move another stack by what is left over"),
        Phase::Over => ("", "the game is over"),
    }
}

/// A side in words.
pub(super) fn side_name(side: usize) -> String {
    format!("side {}", LETTERS[side])
}

/// So many coins, in words.
pub(super) fn coins(count: u8) -> String {
    format!("{count} {}", if count == 1 { "coin" } else { "coins" })
}

impl Sho {
    /// The players of a side, in words.
    pub(super) fn players_of(&self, side: usize) -> String {
        let seats: Vec<String> = (0..self.rules.players)
            .filter(|&seat| self.side_index(Player(seat)) == side)
            .map(|seat| seat.to_string())
            .collect();
        format!("player{} {}", if seats.len() > 1 { "s" } else { "" }, seats.join(", "))
    }
}
