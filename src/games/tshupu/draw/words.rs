//! A position in words.

use super::super::board::{CENTRE, COLOURS, HAND, OFF, START_AGAIN, is_crosscut};
use super::super::rules::{Crosscuts, FinishedPlayer};
use super::super::state::{Phase, State};
use super::super::{Move, TshuPu};
use super::cross::{COLUMNS, LOOP, STARTS, Square, square_of};
use crate::rules::action::Action;
use crate::rules::game::{Game, Show};
use crate::rules::player::MAX_PLAYERS;

pub(super) const PLACES: [&str; MAX_PLAYERS] = ["south", "west", "north", "east"];
pub(super) const TEAM_LETTERS: [&str; MAX_PLAYERS] = ["A", "B", "A", "B"];
pub(super) const TEAMS: [&str; 2] = ["red and green", "yellow and black"];

/// What the player is asked for, as shown under the board and as said in the description.
pub(super) fn asked(phase: Phase) -> (&'static str, &'static str) {
    match phase {
        Phase::First => ("who begins?", "who begins is still to be drawn"),
        Phase::Roll => ("to throw the dice", "is to throw the dice"),
        Phase::Move => ("to play the dice", "is to play the dice"),
        Phase::Second => ("to play the other die", "is to play the other die"),
        Phase::Over => ("", "the game is over"),
    }
}

/// A seat in words.
pub(super) fn seat_name(seat: usize) -> String {
    format!("player {seat}, {}", COLOURS[seat])
}

/// The number of a square among the places of the board.
pub(super) fn place_of(square: Square) -> usize {
    let squares = LOOP.into_iter().chain(COLUMNS.into_iter().flatten());
    squares.into_iter().take_while(|&known| known != square).count()
}

/// The dice that are still to play.
pub(super) fn dice(s: &State) -> impl Iterator<Item = u8> {
    s.dice.into_iter().filter(|&face| face != 0)
}

impl TshuPu {
    /// The player whose turn it is.
    pub(super) fn acting(&self, s: &State) -> Option<usize> {
        self.player_on_turn(s).map(|player| player.index())
    }

    /// The seat whose pieces a player moves: his own, or his partner's once his own are all off.
    pub(super) fn whose(&self, s: &State, player: usize) -> usize {
        let partner_plays = self.rules.finished_player == FinishedPlayer::PartnerPlays;
        let finished = partner_plays && self.own(s, player).iter().all(|&piece| piece == OFF);
        if finished { (player + 2) % MAX_PLAYERS } else { player }
    }

    /// Whose pieces are moved.
    pub(super) fn mover(&self, s: &State) -> Option<usize> {
        self.acting(s).map(|player| self.whose(s, player))
    }

    /// The progress of each piece of a seat, ascending.
    pub(super) fn own(&self, s: &State, seat: usize) -> Vec<u8> {
        self.values(s.pieces[seat])
    }

    /// The same, each only once.
    pub(super) fn stands(&self, s: &State, seat: usize) -> Vec<u8> {
        let mut own = self.own(s, seat);
        own.dedup();
        own
    }

    /// How many pieces of a seat have that progress.
    pub(super) fn count(&self, s: &State, seat: usize, progress: u8) -> usize {
        self.own(s, seat).into_iter().filter(|&piece| piece == progress).count()
    }

    /// Where a piece of that progress is, by the names of the board.
    pub(super) fn where_is(&self, seat: usize, progress: u8) -> String {
        match progress {
            HAND => "in hand".to_owned(),
            CENTRE => "in the centre".to_owned(),
            OFF => "off".to_owned(),
            progress => format!("on {}", self.place_name(place_of(square_of(seat, progress)))),
        }
    }

    /// What a square is and what stands there.
    pub(super) fn square_words(&self, s: &State, square: Square) -> String {
        let mut words = self.place_name(place_of(square));
        if let Some(owner) = STARTS.iter().position(|&start| LOOP[start] == square) {
            words += &format!(", start of {}", COLOURS[owner]);
        }
        let ends = self.rules.crosscuts == Crosscuts::SidesAndEnds;
        if LOOP.iter().position(|&known| known == square).is_some_and(|at| is_crosscut(at, ends)) {
            words += ", cross-cut";
        }
        let mut held = Vec::new();
        for (owner, colour) in COLOURS.into_iter().enumerate() {
            for progress in self.stands(s, owner).into_iter().filter(|p| (1..CENTRE).contains(p)) {
                if square_of(owner, progress) == square {
                    let round = if progress == START_AGAIN { " that came round" } else { "" };
                    held.push(format!("{} {colour}{round}", self.count(s, owner, progress)));
                }
            }
        }
        format!("{words}: {}", if held.is_empty() { "empty".to_owned() } else { held.join(", ") })
    }

    /// What stands in the centre.
    pub(super) fn centre_words(&self, s: &State) -> String {
        let count = |seat: usize| (self.count(s, seat, CENTRE), COLOURS[seat]);
        let held: Vec<String> = (0..MAX_PLAYERS)
            .map(count)
            .filter(|(count, _)| *count > 0)
            .map(|(count, colour)| format!("{count} {colour}"))
            .collect();
        format!(
            "{CENTRE}, the centre: {}",
            if held.is_empty() { "empty".to_owned() } else { held.join(", ") }
        )
    }

    /// From where to where an action moves a piece.
    pub(super) fn ends(&self, s: &State, action: Action) -> Option<(u8, u8)> {
        match Move::from_action(action)? {
            Move::Die { face, from } => Some((from, from + face)),
            Move::Both { from } => Some((from, from + s.dice[0] + s.dice[1])),
        }
    }
}
