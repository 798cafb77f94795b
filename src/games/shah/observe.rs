//! How a position looks to a player, as numbers.
//!
//! Everything is relative to the viewer: plane 0 and seat 0 are the viewer's own. Sets of points become cells by a
//! table, eight at a time.

use super::board::{POINTS, symmetries};
use super::state::NO_POINT;
use super::{Move, Phase, Shah, State, features};
use crate::rules::{
    Action, Encode, Features, Game, ObservationPart, Player, Symmetry, const_for, observation,
};

/// Turns and moves left are told apart up to this number.
const LEFT_CAP: u32 = 127;

observation! {
    /// 1 where the viewer has a stone, one cell for each point
    own: [0..=1; POINTS],
    /// 1 where the opponent has a stone
    enemy: [0..=1; POINTS],
    /// 1 where there is no stone
    empty: [0..=1; POINTS],
    /// 1 on the point from which a stone was lifted to fly
    lifted: [0..=1; POINTS],
    /// 1 for the player who acts, the viewer first; both 0 in phases first and over
    to_act: [0..=1; 2],
    /// 1 for the current phase: first, place, remove, slide, land, over
    phase: [0..=1; 6],
    /// stones in hand, the viewer's first
    hand: [0..=12; 2],
    /// 1 for the player who begins the moving phase, the viewer first; both 0 until that is decided
    beginner: [0..=1; 2],
    /// 1 until the last placement is complete, with its capture
    placing: [0..=1; 1],
    /// opening removals still to be made
    opening_removals: [0..=2; 1],
    /// 1 if the next move is an extra one
    extra: [0..=1; 1],
    /// moves without a capture until the game is a draw, 127 for 127 or more, and for no limit
    moves_left: [0..=127; 1],
    /// turns until the game is a draw, 127 for 127 or more
    turns_left: [0..=127; 1],
}

/// The bits of a byte as cells, lowest first.
static CELLS: [[i8; 8]; 256] = {
    let mut cells = [[0; 8]; 256];
    const_for!(0, 256, |byte| {
        const_for!(0, 8, |bit| {
            cells[byte][bit] = (byte >> bit & 1) as i8;
        });
    });
    cells
};

/// Writes a set of points as a plane.
#[cfg_attr(fast, inline(always))]
fn plane(out: &mut [i8; LEN], start: usize, set: u32) {
    for byte in 0..3 {
        let at = start + 8 * byte;
        out[at..at + 8].copy_from_slice(&CELLS[(set >> (8 * byte)) as u8 as usize]);
    }
}

/// The features, by the cells of an observation.
fn write_features(observation: &[i8], out: &mut [f32]) {
    let set = |start: usize| {
        let cells = &observation[start..start + POINTS];
        cells.iter().enumerate().fold(0, |set, (point, &cell)| set | (cell as u32 & 1) << point)
    };
    features::write(set(AT.own), set(AT.enemy), out);
}

impl Encode for Shah {
    const OBSERVATION: &'static [ObservationPart] = PARTS;
    const FEATURES: Features = Features { parts: features::PARTS, sides: true, write: write_features };

    #[cfg_attr(fast, inline(always))]
    fn observe(&self, s: &State, viewer: Player, out: &mut [i8]) {
        let out: &mut [i8; LEN] = out.try_into().expect("an observation of Shah has LEN cells");
        let (me, enemy) = (viewer.index() & 1, 1 - (viewer.index() & 1));
        plane(out, AT.own, s.stones[me]);
        plane(out, AT.enemy, s.stones[enemy]);
        plane(out, AT.empty, s.empty());
        plane(out, AT.lifted, if s.lifted == NO_POINT { 0 } else { 1 << s.lifted });
        // Two cells for who acts and six for the phase: a byte of bits.
        let acts = !matches!(s.phase, Phase::First | Phase::Over) as usize;
        let seat = (s.player.index() != me) as usize;
        let bits = acts << seat | 4 << s.phase as usize;
        out[AT.to_act..AT.hand].copy_from_slice(&CELLS[bits & 255]);
        out[AT.hand] = s.hand[me] as i8;
        out[AT.hand + 1] = s.hand[enemy] as i8;
        out[AT.beginner] = (s.beginner as usize == me) as i8;
        out[AT.beginner + 1] = (s.beginner as usize == enemy) as i8;
        let turns_placing = 2 * self.rules.pieces as u16;
        out[AT.placing] = (s.turn < turns_placing) as i8;
        out[AT.opening_removals] = s.opening_removals as i8;
        out[AT.extra] = s.extra as i8;
        let limit = self.rules.no_capture_limit as u32;
        let moves_left = if limit == 0 { LEFT_CAP } else { limit - s.no_capture };
        out[AT.moves_left] = moves_left.min(LEFT_CAP) as i8;
        out[AT.turns_left] = ((self.rules.max_turns - s.turn) as u32).min(LEFT_CAP) as i8;
    }

    /// Those of the board.
    fn symmetries(&self) -> Vec<Symmetry> {
        let of = |images: [u8; POINTS]| {
            let image = |point: u8| images[point as usize];
            let mut symmetry =
                Symmetry::identity(Self::OBSERVATION_LEN, Self::NUM_ACTIONS, self.num_players());
            for plane in [AT.own, AT.enemy, AT.empty, AT.lifted] {
                for (point, &image) in images.iter().enumerate() {
                    symmetry.observation[plane + image as usize] = plane + point;
                }
            }
            for id in 0..Self::NUM_ACTIONS {
                let turned = match Move::from_action(Action(id as u16)).expect("an action of the game") {
                    Move::Place(point) => Move::Place(image(point)),
                    Move::Slide(from, to) => Move::Slide(image(from), image(to)),
                    Move::Remove(point) => Move::Remove(image(point)),
                    Move::Fly(point) => Move::Fly(image(point)),
                };
                let turned = turned.action().expect("neighbours stay neighbours");
                symmetry.actions[turned.index()] = id;
            }
            symmetry
        };
        symmetries().into_iter().map(of).collect()
    }
}
