//! How a position of Shuanglu looks to a player, as numbers.
//!
//! Both players' pieces stand by the viewer's numbers, so that cells of the same place mean the same point, a point ahead
//! of a piece has a smaller number, and a network that shares weights along the track sees blocks and distances alike.

use super::Shuanglu;
use super::board::{BAR, OFF, mirrored};
use super::state::{Phase, State};
use crate::rules::game::Encode;
use crate::rules::observation::{ObservationPart, cells, layout};
use crate::rules::player::Player;

/// Cells of one player's points.
const POINTS: usize = BAR - 1;
/// Turns left are told apart up to this number.
const TURNS_LEFT_CAP: u16 = 127;

/// The parts, in order.
const PARTS: [ObservationPart; 8] = layout([
    ("own", POINTS, 15, "the viewer's pieces on points 1, 2, ... 24"),
    ("enemy", POINTS, 15, "the enemy's pieces on the same points, by the viewer's numbers"),
    ("bar", 2, 15, "pieces on the bar, the viewer's and the enemy's"),
    ("off", 2, 15, "pieces borne off, the viewer's and the enemy's"),
    ("dice", 6, 4, "how many dice of 1, 2, ... 6 are still to be played"),
    (
        "to_act",
        2,
        1,
        "1 for whose turn it is, the viewer's or the enemy's; both 0 in phases opening and over",
    ),
    ("phase", 4, 1, "1 for the current phase: opening, roll, move, over"),
    ("turns_left", 1, 127, "turns until the game is a draw, 127 for 127 or more"),
]);

/// The number of cells.
const LEN: usize = cells(&PARTS);

const OWN: usize = PARTS[0].start;
const ENEMY: usize = PARTS[1].start;
const ON_BAR: usize = PARTS[2].start;
const BORNE_OFF: usize = PARTS[3].start;
const DICE: usize = PARTS[4].start;
const TO_ACT: usize = PARTS[5].start;
const PHASE: usize = PARTS[6].start;
const TURNS_LEFT: usize = PARTS[7].start;

impl Encode for Shuanglu {
    const OBSERVATION_LEN: usize = LEN;
    const OBSERVATION: &'static [ObservationPart] = &PARTS;

    #[cfg_attr(fast, inline(always))]
    fn observe(&self, s: &State, viewer: Player, out: &mut [i8]) {
        let out: &mut [i8; LEN] = out.try_into().expect("an observation of Shuanglu has LEN cells");
        let viewer = viewer.index() & 1;
        let (own, enemy) = (&s.counts[viewer], &s.counts[viewer ^ 1]);
        for cell in 0..POINTS {
            out[OWN + cell] = own[cell + 1] as i8;
        }
        for cell in 0..POINTS {
            out[ENEMY + cell] = enemy[mirrored(cell + 1)] as i8;
        }
        out[ON_BAR..].fill(0);
        out[ON_BAR] = own[BAR] as i8;
        out[ON_BAR + 1] = enemy[BAR] as i8;
        out[BORNE_OFF] = own[OFF] as i8;
        out[BORNE_OFF + 1] = enemy[OFF] as i8;
        // In phase move there is a die at least; nothing is to act elsewhere but before a throw.
        if s.phase == Phase::Move {
            let [high, low] = s.dice.map(|die| die as usize);
            if low == 0 || low == high {
                out[DICE + high - 1] = s.left as i8;
            } else {
                out[DICE + high - 1] = 1;
                out[DICE + low - 1] = 1;
            }
        }
        if matches!(s.phase, Phase::Roll | Phase::Move) {
            out[TO_ACT + (s.player.index() & 1 ^ viewer)] = 1;
        }
        out[PHASE + s.phase as usize] = 1;
        out[TURNS_LEFT] = (self.rules.max_turns - s.turn).min(TURNS_LEFT_CAP) as i8;
    }
}
