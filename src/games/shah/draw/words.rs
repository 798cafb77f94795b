//! A position in words.

use super::super::board::{LINE_POINTS, NAMES};
use super::super::{Phase, Shah, State};
use crate::rules::Game;

/// Who has a stone on a point.
pub(super) fn holder(s: &State, point: usize) -> Option<usize> {
    (0..2).find(|&player| s.stones[player] >> point & 1 != 0)
}

/// The lines that hold three stones of one player, and whose they are.
pub(super) fn mills(s: &State) -> Vec<([u8; 3], usize)> {
    let whole = |line: &[u8; 3]| {
        let player = holder(s, line[0].into())?;
        line.iter().all(|&point| s.stones[player] >> point & 1 != 0).then_some((*line, player))
    };
    LINE_POINTS.iter().filter_map(whole).collect()
}

/// The line for which a stone is to be removed now.
///
/// None as well where nothing says which it is: only a player's single mill is surely the one just made.
pub(super) fn new_mill(s: &State) -> Option<[u8; 3]> {
    if s.phase != Phase::Remove || s.opening_removals != 0 {
        return None;
    }
    let mills = mills(s);
    let mut own = mills.iter().filter(|(_, player)| *player == s.player.index());
    match (own.next(), own.next()) {
        (Some((line, _)), None) => Some(*line),
        _ => None,
    }
}

/// Whether the game stands in its second phase: every stone is placed, the opening removals made.
pub(super) fn is_moving(s: &State) -> bool {
    s.hand == [0, 0] && s.opening_removals == 0
}

impl Shah {
    /// The player whose turn it is.
    pub(super) fn acting(&self, s: &State) -> Option<usize> {
        self.player_on_turn(s).map(|player| player.index())
    }

    /// The player's stones on the board, a lifted one among them.
    fn on_board(&self, s: &State, player: usize) -> u32 {
        let lifted = s.lifted().is_some() && self.acting(s) == Some(player);
        s.stones[player].count_ones() + u32::from(lifted)
    }

    /// How many stones the player has lost.
    pub(super) fn lost(&self, s: &State, player: usize) -> u32 {
        u32::from(self.rules.pieces).saturating_sub(u32::from(s.hand[player]) + self.on_board(s, player))
    }

    /// What the player whose turn it is has to do.
    pub(super) fn task(&self, s: &State, player: usize) -> String {
        let to = match s.phase {
            Phase::Place => match s.hand[player] {
                left @ 2.. => return format!("to place one of {left} stones"),
                _ => "to place the last stone",
            },
            Phase::Remove => "to remove an enemy stone",
            Phase::Land => "to land the lifted stone",
            Phase::Slide | Phase::First | Phase::Over => {
                let lifts = self.rules.flying && s.hand[player] == 0 && self.on_board(s, player) == 3;
                let task = if lifts { "to lift a stone" } else { "to slide a stone" };
                return if s.extra { format!("{task}, extra move") } else { task.to_owned() };
            }
        };
        to.to_owned()
    }

    /// What stands on a point.
    pub(super) fn point_words(&self, s: &State, point: usize) -> String {
        let name = NAMES[point];
        let Some(player) = holder(s, point) else {
            let lifted = s.lifted() == Some(point as u8);
            return format!("{name}, {}", if lifted { "the stone from here is lifted" } else { "empty" });
        };
        let row = mills(s).iter().any(|(line, _)| line.contains(&(point as u8)));
        format!("{name}, a stone of player {player}{}", if row { ", in a row of three" } else { "" })
    }
}
