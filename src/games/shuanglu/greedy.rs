//! What a greedy player of Shuanglu likes: win, bear off, hit, make points, and leave no piece alone.

use super::board::{BAR, OFF, PIECES, mirrored};
use super::{Shuanglu, State, Step};
use crate::rules::{Action, Heuristic};

const WIN: i32 = 10_000;
const BEAR_OFF: i32 = 2_000;
/// More than any step can change on the points that it touches.
const HIT: i32 = 600;
const POINT: i32 = 60;
/// A point that the enemy needs: the own home and the two before it.
const NEAR_POINT: i32 = 30;

/// What `count` own pieces on a point are worth: two and more are a point made, a single one that the enemy may still hit
/// costs what it would have to walk again, and more where one die is enough to hit it.
fn worth(s: &State, point: usize, count: u8) -> i32 {
    if count > 1 {
        return POINT + if point <= 8 { NEAR_POINT } else { 0 };
    }
    if count == 0 {
        return 0;
    }
    let enemy = &s.counts[s.player.index() ^ 1];
    // The enemy comes from the smaller numbers of the mover, from behind the first of them if he is on the bar.
    let nearest = (0..point).rev().find(|&index| enemy[mirrored(index)] != 0);
    match nearest {
        None => 0,
        Some(index) if point - index <= 6 => -3 * (BAR - point) as i32 - 20,
        Some(_) => -((BAR - point) as i32) - 10,
    }
}

/// How good a step is: what it gains at once, and what its two points are worth after it and before.
pub(super) fn score(s: &State, action: Action) -> i32 {
    let Some(step) = Step::from_action(action) else {
        return i32::MIN;
    };
    let (from, to) = step.path();
    let seat = s.player.index();
    let (own, enemy) = (&s.counts[seat], &s.counts[seat ^ 1]);
    let mut score = 0;
    if from != BAR {
        score += worth(s, from, own[from] - 1) - worth(s, from, own[from]);
    }
    if to == OFF {
        score += if own[OFF] + 1 == PIECES { WIN } else { BEAR_OFF };
    } else {
        score += worth(s, to, own[to] + 1) - worth(s, to, own[to]);
        if enemy[mirrored(to)] != 0 {
            // The farther the piece has come, the more it loses.
            score += HIT + 5 * to as i32;
        }
    }
    // Of equals the rearmost.
    score * 32 + from as i32
}

impl Heuristic for Shuanglu {
    fn score(&self, state: &State, action: Action) -> i32 {
        score(state, action)
    }
}
