//! How a position of Shuanglu looks to a player, as numbers.
//!
//! Both players' pieces stand by the viewer's numbers, so that cells of the same place mean the same point, a point ahead
//! of a piece has a smaller number, and a network that shares weights along the track sees blocks and distances alike.

use super::board::{BAR, OFF, mirrored};
use super::{Phase, Shuanglu, State, features};
use crate::rules::{Encode, Features, ObservationPart, Player, observation};

/// Cells of one player's points.
const POINTS: usize = BAR - 1;
/// Turns left are told apart up to this number.
const TURNS_LEFT_CAP: u16 = 127;

observation! {
    /// the viewer's pieces on points 1, 2, ... 24
    own: [0..=15; POINTS],
    /// the enemy's pieces on the same points, by the viewer's numbers
    enemy: [0..=15; POINTS],
    /// pieces on the bar, the viewer's and the enemy's
    bar: [0..=15; 2],
    /// pieces borne off, the viewer's and the enemy's
    off: [0..=15; 2],
    /// how many dice of 1, 2, ... 6 are still to be played
    dice: [0..=4; 6],
    /// 1 for whose turn it is, the viewer's or the enemy's; both 0 in phases opening and over
    to_act: [0..=1; 2],
    /// 1 for the current phase: opening, roll, move, over
    phase: [0..=1; 4],
    /// turns until the game is a draw, 127 for 127 or more
    turns_left: [0..=127; 1],
}

/// The features, by the cells of an observation.
fn write_features(observation: &[i8], out: &mut [f32]) {
    let (mut own, mut enemy) = ([0; BAR + 1], [0; BAR + 1]);
    for point in 1..BAR {
        own[point] = observation[AT.own + point - 1] as u8;
        enemy[mirrored(point)] = observation[AT.enemy + point - 1] as u8;
    }
    own[BAR] = observation[AT.bar] as u8;
    enemy[BAR] = observation[AT.bar + 1] as u8;
    features::write(own, enemy, out);
}

impl Encode for Shuanglu {
    const OBSERVATION: &'static [ObservationPart] = PARTS;
    const FEATURES: Features = Features { parts: features::PARTS, sides: true, write: write_features };

    #[cfg_attr(fast, inline(always))]
    fn observe(&self, s: &State, viewer: Player, out: &mut [i8]) {
        let out: &mut [i8; LEN] = out.try_into().expect("an observation of Shuanglu has LEN cells");
        let viewer = viewer.index() & 1;
        let (own, enemy) = (&s.counts[viewer], &s.counts[viewer ^ 1]);
        for cell in 0..POINTS {
            out[AT.own + cell] = own[cell + 1] as i8;
        }
        for cell in 0..POINTS {
            out[AT.enemy + cell] = enemy[mirrored(cell + 1)] as i8;
        }
        out[AT.bar..].fill(0);
        out[AT.bar] = own[BAR] as i8;
        out[AT.bar + 1] = enemy[BAR] as i8;
        out[AT.off] = own[OFF] as i8;
        out[AT.off + 1] = enemy[OFF] as i8;
        // In phase move there is a die at least; nothing is to act elsewhere but before a throw.
        if s.phase == Phase::Move {
            let [high, low] = s.dice.map(|die| die as usize);
            if low == 0 || low == high {
                out[AT.dice + high - 1] = s.left as i8;
            } else {
                out[AT.dice + high - 1] = 1;
                out[AT.dice + low - 1] = 1;
            }
        }
        if matches!(s.phase, Phase::Roll | Phase::Move) {
            out[AT.to_act + (s.player.index() & 1 ^ viewer)] = 1;
        }
        out[AT.phase + s.phase as usize] = 1;
        out[AT.turns_left] = (self.rules.max_turns - s.turn).min(TURNS_LEFT_CAP) as i8;
    }
}
