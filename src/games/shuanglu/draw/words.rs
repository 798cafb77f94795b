//! A position of Shuanglu in words.

use super::super::state::{Phase, State};
use super::super::{PLAYERS, Shuanglu};

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
pub(super) fn listed(numbers: &[u8]) -> String {
    numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}

impl Shuanglu {
    /// That somebody has won, and how many points.
    pub(super) fn won(&self, state: &State) -> Option<String> {
        let points = self.points_won(state);
        let plural = if points > 1 { "s" } else { "" };
        state.winner().map(|winner| format!("{winner} wins {points} point{plural}"))
    }
}
