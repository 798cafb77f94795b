//! A position in words.

use super::super::board::{LINE_POINTS, NAMES, POINTS};
use super::super::state::{Phase, State};
use super::super::{Move, Shah};
use crate::draw::pieces::sentence;
use crate::rules::action::Action;
use crate::rules::game::Game;

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

    /// The position in a few words.
    pub(super) fn said(&self, s: &State) -> String {
        match (s.winner, self.acting(s)) {
            (Some(side), _) => format!("player {} wins", side.0),
            (None, _) if s.phase == Phase::Over => "the game is a draw".to_owned(),
            (None, None) => "who begins is still to be drawn".to_owned(),
            (None, Some(player)) => format!("player {player} is {}", self.task(s, player)),
        }
    }

    /// The second half of the line under the board: what is still to come or is being counted.
    pub(super) fn note(&self, s: &State) -> String {
        let opening = s.opening_removals;
        match s.phase {
            Phase::Place if opening > 0 => "after placing, each player removes one enemy stone".to_owned(),
            Phase::Remove if opening > 0 => {
                format!("opening removals: the {} of two", if opening > 1 { "first" } else { "second" })
            }
            Phase::Remove if !is_moving(s) => {
                format!("for {} row of three just made", if new_mill(s).is_none() { "a" } else { "the" })
            }
            phase if is_moving(s) && phase != Phase::First => match self.rules.no_capture_limit {
                0 => format!("moves without capture: {}", s.no_capture),
                limit => format!("moves without capture: {} of {limit}", s.no_capture),
            },
            _ => String::new(),
        }
    }

    /// The whole position in words.
    pub(super) fn told(&self, s: &State) -> String {
        let mut parts = vec!["Three joined squares of 24 points.".to_owned(), sentence(&self.said(s))];
        if let Some(point) = s.lifted() {
            parts.push(format!("The stone from {} is lifted.", NAMES[usize::from(point)]));
        }
        if let Some(player) = s.beginner() {
            let has = if is_moving(s) { "had" } else { "has" };
            parts.push(format!("Player {player} {has} the right to begin the moving phase."));
        }
        let remark = self.note(s);
        if !remark.is_empty() {
            parts.push(sentence(&remark));
        }
        for (player, kind) in ["round pale", "square dark"].into_iter().enumerate() {
            let held = |point: &usize| holder(s, *point) == Some(player);
            let points: Vec<&str> = (0..POINTS).filter(held).map(|point| NAMES[point]).collect();
            let points = if points.is_empty() { "none".to_owned() } else { points.join(", ") };
            parts.push(format!(
                "Player {player} ({kind} stones): {} in hand, {} lost, on the board: {points}.",
                s.hand[player],
                self.lost(s, player)
            ));
        }
        parts.join(" ")
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

    /// An action in plain words.
    pub(super) fn move_words(&self, s: &State, action: Action) -> String {
        let name = |point: u8| NAMES[usize::from(point)];
        match Move::from_action(action) {
            Some(Move::Place(point)) if s.phase == Phase::Land => format!("land on {}", name(point)),
            Some(Move::Place(point)) => format!("place a stone on {}", name(point)),
            Some(Move::Slide(from, to)) => format!("{} to {}", name(from), name(to)),
            Some(Move::Remove(point)) => format!("take the stone on {}", name(point)),
            Some(Move::Fly(point)) => format!("lift the stone on {}", name(point)),
            None => format!("action {action}"),
        }
    }
}
