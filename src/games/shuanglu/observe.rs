//! How a position of Shuanglu looks to a player, as numbers.
//!
//! Both players' pieces stand by the viewer's numbers, so that cells of the same place mean the same point, a point ahead
//! of a piece has a smaller number, and a network that shares weights along the track sees blocks and distances alike.

use super::Shuanglu;
use super::board::{BAR, OFF, mirrored};
use super::state::{Phase, State};
use crate::rules::game::ObservationPart;
use crate::rules::player::Player;

/// Cells of one player's points.
const POINTS: usize = BAR - 1;
/// Turns left are told apart up to this number.
const TURNS_LEFT_CAP: u16 = 127;

const OWN: usize = 0;
const ENEMY: usize = OWN + POINTS;
const ON_BAR: usize = ENEMY + POINTS;
const BORNE_OFF: usize = ON_BAR + 2;
const DICE: usize = BORNE_OFF + 2;
const TO_ACT: usize = DICE + 6;
const PHASE: usize = TO_ACT + 2;
const TURNS_LEFT: usize = PHASE + 4;

/// The number of cells.
pub(super) const LEN: usize = TURNS_LEFT + 1;

const fn part(
    name: &'static str,
    start: usize,
    end: usize,
    high: i8,
    meaning: &'static str,
) -> ObservationPart {
    ObservationPart { name, start, len: end - start, low: 0, high, meaning }
}

/// The parts, in order.
pub(super) const PARTS: &[ObservationPart] = &[
    part("own", OWN, ENEMY, 15, "the viewer's pieces on his points 1, 2, ... 24"),
    part("enemy", ENEMY, ON_BAR, 15, "the enemy's pieces on the same points, by the viewer's numbers"),
    part("bar", ON_BAR, BORNE_OFF, 15, "pieces on the bar, the viewer's and the enemy's"),
    part("off", BORNE_OFF, DICE, 15, "pieces borne off, the viewer's and the enemy's"),
    part("dice", DICE, TO_ACT, 4, "how many dice of 1, 2, ... 6 are still to be played"),
    part(
        "to_act",
        TO_ACT,
        PHASE,
        1,
        "1 for whose turn it is, the viewer's or the enemy's; none in opening and over",
    ),
    part("phase", PHASE, TURNS_LEFT, 1, "1 for the phase, of opening, roll, move, over"),
    part("turns_left", TURNS_LEFT, LEN, 127, "turns until the game is a draw, 127 for that many and more"),
];

impl Shuanglu {
    #[inline(always)]
    pub(super) fn write_observation(&self, s: &State, viewer: Player, out: &mut [i8]) {
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
