//! How a position of T'shu-p'u looks to a player, as numbers.
//!
//! Seats are relative to the viewer: seat `k` is the one `k` places after the viewer's in turn order, so 0 is the viewer,
//! 2 the partner, 1 and 3 are the enemies. The board looks alike from every seat: the square with progress `p` of seat
//! `k` is that with progress `p - 7k` of the viewer's, plus 28 where that is below 1.

use super::board::{FACES, MAX_PIECES, OFF, mode};
use super::{Phase, State, TshuPu};
use crate::rules::{Encode, Game, MAX_PLAYERS, ObservationPart, Player, Symmetry, observation};

/// Cells of one seat's course: a progress each, 0 to 33.
const COURSE: usize = OFF as usize + 1;
/// Turns left are told apart up to this number.
const TURNS_LEFT_CAP: u16 = 127;

observation! {
    /// 34 cells for each seat in turn order, the viewer's first: how many of its pieces have progress 0, 1, ... 33
    pieces: [0..=MAX_PIECES as i8; COURSE * MAX_PLAYERS],
    /// 1 for the seat whose turn it is, counted from the viewer's; all 0 in phases first and over
    to_act: [0..=1; MAX_PLAYERS],
    /// 1 for the current phase: first, roll, move, second, over
    phase: [0..=1; 5],
    /// how many dice still to play show 1, 3, 4, 6
    dice: [0..=2; FACES.len()],
    /// where the first piece is while the second die is still to be played, 33 if it is off; otherwise 0
    moved: [0..=OFF as i8; 1],
    /// turns until the game is a draw, 127 for 127 or more
    turns_left: [0..=TURNS_LEFT_CAP as i8; 1],
}

impl Encode for TshuPu {
    const OBSERVATION: &'static [ObservationPart] = PARTS;

    #[cfg_attr(fast, inline(always))]
    fn observe(&self, s: &State, viewer: Player, out: &mut [i8]) {
        let out: &mut [i8; LEN] = out.try_into().expect("an observation of T'shu-p'u has LEN cells");
        out.fill(0);
        let without_piece = (MAX_PIECES - self.rules.pieces as usize) as i8;
        for seen in 0..MAX_PLAYERS {
            let course = &mut out[AT.pieces + COURSE * seen..][..COURSE];
            for progress in s.pieces[(viewer.index() + seen) % MAX_PLAYERS].values() {
                course[progress.min(OFF) as usize] += 1;
            }
            course[OFF as usize] -= without_piece;
        }
        let due = !matches!(s.phase, Phase::First | Phase::Over);
        out[AT.to_act + (s.player.index() + MAX_PLAYERS - viewer.index()) % MAX_PLAYERS] = due as i8;
        out[AT.phase + s.phase as usize] = 1;
        for face in s.dice {
            out[AT.dice + mode(face) as usize % FACES.len()] += (face != 0) as i8;
        }
        out[AT.moved] = s.moved as i8;
        out[AT.turns_left] = (self.rules.max_turns - s.turn).min(TURNS_LEFT_CAP) as i8;
    }

    /// Every player so many seats further, under the eyes of the same viewer.
    fn symmetries(&self) -> Vec<Symmetry> {
        let of = |places: usize| {
            let mut symmetry =
                Symmetry::identity(Self::OBSERVATION_LEN, Self::NUM_ACTIONS, self.num_players());
            for seat in 0..MAX_PLAYERS {
                let before = (seat + MAX_PLAYERS - places) % MAX_PLAYERS;
                for cell in 0..COURSE {
                    symmetry.observation[AT.pieces + COURSE * seat + cell] =
                        AT.pieces + COURSE * before + cell;
                }
                symmetry.observation[AT.to_act + seat] = AT.to_act + before;
                symmetry.seats[seat] = before;
            }
            symmetry
        };
        (0..MAX_PLAYERS).map(of).collect()
    }
}
