//! A position of Sho in words.

use super::super::Sho;
use super::super::board::OFF;
use super::super::state::{Phase, State};
use crate::draw::pieces::{self, LETTERS};
use crate::rules::bits::bits;
use crate::rules::game::Game;
use crate::rules::player::{Player, Side};

/// What the player is asked for, as shown on the pad and as said in the description.
pub(super) const fn asked(phase: Phase) -> (&'static str, &'static str) {
    match phase {
        Phase::First => ("who begins?", "who begins is still to be drawn"),
        Phase::Roll => ("to roll", "is to roll the dice"),
        Phase::Reroll => ("to roll again", "threw 1-1 and is to roll again"),
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

    /// The position in a few words.
    pub(super) fn said(&self, state: &State) -> String {
        let won = state.winner.map(|Side(side)| format!("{} wins", side_name(side as usize)));
        let over = state.phase == Phase::Over;
        let player = self.player_on_turn(state).map(|player| player.index());
        pieces::said(player, over, asked(state.phase).1, won)
    }

    /// The whole position in words, for those who do not see the picture.
    pub(super) fn described(&self, state: &State) -> String {
        let said = pieces::sentence(&self.said(state));
        let mut parts = vec![format!("A spiral of {} shells. {said}", self.rules.num_shells)];
        let pool: Vec<String> = state.pool.as_slice().iter().map(u8::to_string).collect();
        if !pool.is_empty() {
            parts.push(format!("Values in the pool: {}.", pool.join(", ")));
        }
        if state.value != 0 {
            parts.push(format!("To move: {}.", state.value));
        }
        if state.moved == OFF {
            parts.push("Moved just now, so it rests: a stack that went off.".to_owned());
        } else if state.moved != 0 {
            parts.push(format!("Moved just now, so it rests: the stack on {}.", state.moved));
        }
        if state.six_three_roll {
            parts.push("The roll is 6-3.".to_owned());
        }
        for (side, letter) in LETTERS.iter().enumerate().take(self.num_sides) {
            let stacks: Vec<String> =
                bits(state.track[side]).map(|place| format!("{} on {place}", state.size[place])).collect();
            let stacks = if stacks.is_empty() { "none".to_owned() } else { stacks.join(", ") };
            let cleared = if state.cleared >> side & 1 != 0 { " All its coins were sent home." } else { "" };
            parts.push(format!(
                "Side {letter} ({}): {} in hand, {} off, on the track: {stacks}.{cleared}",
                self.players_of(side),
                state.hand[side],
                state.off[side],
            ));
        }
        parts.join(" ")
    }
}
