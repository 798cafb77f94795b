//! How good a position of Shuanglu looks: the race, and while the sides still meet, single pieces, points and blockades.

use super::board::{BAR, mirrored};
use super::{BearOff, PLAYERS, Shuanglu, State};
use crate::rules::{Evaluate, PerPlayer, Player};

/// In pips, as are all that follow: a point made in the own home or just before it.
const POINT: f64 = 3.0;
/// Each further point of a row of them that an enemy piece has yet to pass.
const BLOCKADE: f64 = 2.0;
/// What a single piece loses if it is hit, times the chance of that: near enemies and far ones.
const NEAR: f64 = 0.35;
const FAR: f64 = 0.12;
/// An enemy piece on the bar, for each point that bars its way in.
const BAR_IN: f64 = 2.0;
/// Two pieces on the same point of the own home wait for the same die where none bears off but the exact one, the longer
/// the less dice can move them: so much for each pair, times the dice that cannot.
const WAIT: f64 = 0.6;
/// To be on move: half a throw.
const TURN: f64 = 4.0;

/// The pips that a player still has to go.
fn pips(counts: &[u8; BAR + 1]) -> f64 {
    counts.iter().enumerate().map(|(at, &count)| at as f64 * f64::from(count)).sum()
}

/// How many pips more it takes to bear pieces off by exact dice.
fn waiting(counts: &[u8; BAR + 1]) -> f64 {
    let pairs = |count: u8| f64::from(u32::from(count) * u32::from(count.saturating_sub(1)) / 2);
    (1..=6).map(|at| pairs(counts[at]) * (7 - at) as f64).sum::<f64>() * WAIT
}

/// What a player's pieces are worth beside the race.
fn structure(own: &[u8; BAR + 1], enemy: &[u8; BAR + 1]) -> f64 {
    // Where the enemy stands, in the own numbers: whatever is above the rearmost has nothing to fear from it.
    let enemies = |from: usize, to: usize| (from..to).any(|at| enemy[mirrored(at)] != 0);
    if !(0..BAR).any(|at| own[at + 1] != 0 && enemies(0, at + 1)) {
        return 0.0;
    }
    let mut value = 0.0;
    let mut row = 0;
    for (at, &count) in own.iter().enumerate().take(BAR).skip(1) {
        match count {
            0 => row = 0,
            1 => {
                row = 0;
                let near = enemies(at.saturating_sub(6), at);
                let far = enemies(at.saturating_sub(12), at.saturating_sub(6));
                let chance = if near {
                    NEAR
                } else if far {
                    FAR
                } else {
                    0.0
                };
                value -= chance * (BAR - at) as f64;
            }
            _ => {
                if at <= 8 {
                    value += POINT;
                }
                row += 1;
                if row > 1 && enemies(0, at) {
                    value += BLOCKADE * f64::from(row - 1);
                }
            }
        }
    }
    let barred = own[1..=6].iter().filter(|&&count| count > 1).count();
    value + BAR_IN * f64::from(enemy[BAR]) * barred as f64
}

impl Evaluate for Shuanglu {
    fn evaluate(&self, s: &State) -> PerPlayer<f64> {
        let [one, other] = &s.counts;
        let (mut left, mut behind) = (pips(one), pips(other));
        if self.rules.bear_off == BearOff::Exact {
            left += waiting(one);
            behind += waiting(other);
        }
        let turn = if s.player == Player(0) { TURN } else { -TURN };
        let lead = behind - left + structure(one, other) - structure(other, one) + turn;
        // The same lead counts for more as less is left to go.
        let value = lead / (lead.abs() + 8.0 + (left + behind) / 10.0);
        let mut values = PerPlayer::new(PLAYERS, value);
        values[Player(1)] = -value;
        values
    }
}
