//! What a greedy player likes: to win, then mills, then what makes mills likelier and the enemy's less likely.

use super::Shah;
use super::board::{across, gaps, in_lines, in_mills, lines_through, mills_at, neighbours};
use super::moves::Move;
use super::rules::Blocked;
use super::state::{Phase, State};
use crate::rules::action::Action;
use crate::rules::bits::bits;
use crate::rules::game::Heuristic;

const WIN: i32 = 1_000_000;
/// A mill that captures, or that earns the right to begin.
const MILL: i32 = 10_000;
/// A mill that the enemy could make next: he gets nothing more from a second one.
const ENEMY_THREAT: i32 = 500;
/// A mill that the mover could make later.
const OWN_THREAT: i32 = 100;

/// How stones can come to a point.
#[derive(Clone, Copy)]
pub(super) enum Reach {
    /// From the hand, or flying: to any point.
    Anywhere,
    /// Along an edge.
    Neighbours,
}

/// The lines in which a player has two stones, and the third point is empty and within reach of another stone, each as a
/// bit.
#[inline(always)]
pub(super) fn threats(stones: u32, empty: u32, reach: Reach) -> u64 {
    let gaps = gaps(in_lines(stones), in_lines(empty));
    match reach {
        Reach::Anywhere => gaps,
        Reach::Neighbours => gaps & across(stones),
    }
}

impl Shah {
    #[inline(always)]
    pub(super) fn reach(&self, s: &State, seat: usize) -> Reach {
        if s.hand[seat] != 0 || self.flies(s.stones[seat]) { Reach::Anywhere } else { Reach::Neighbours }
    }

    /// The value of stones as they stand after a move: threats, then how many more points can be moved to.
    #[inline(always)]
    fn standing(&self, s: &State) -> i32 {
        let (me, enemy) = (s.player.index(), 1 - s.player.index());
        let empty = s.empty();
        let threats = |seat: usize| threats(s.stones[seat], empty, self.reach(s, seat)).count_ones() as i32;
        let room = |seat: usize| (neighbours(s.stones[seat]) & empty).count_ones() as i32;
        OWN_THREAT * threats(me) - ENEMY_THREAT * threats(enemy) + room(me) - room(enemy)
    }

    /// The value of a stone that has come to a point, in a state where it stands there already.
    #[inline(always)]
    fn arrival(&self, s: &State, to: usize) -> i32 {
        let (me, enemy) = (s.player.index(), 1 - s.player.index());
        let moving = s.phase != Phase::Place;
        let mut score = self.standing(s);
        let mills = mills_at(s.stones[me], to) as i32;
        let pays =
            if moving { !s.extra } else { self.rules.placement_captures || s.beginner == State::NOBODY };
        if mills != 0 && pays {
            score += MILL;
            if moving && s.stones[enemy].count_ones() == 3 {
                score += WIN;
            }
        }
        if moving && self.rules.blocked == Blocked::Loses && !self.can_move(s.stones[enemy], s.empty()) {
            score += WIN;
        }
        score
    }

    /// A lifted stone is worth its best landing.
    #[inline(always)]
    fn lift(&self, s: &State, from: usize) -> i32 {
        let me = s.player.index();
        let mut score = i32::MIN;
        for to in bits(s.empty() as u64) {
            let mut after = *s;
            after.stones[me] ^= 1 << from | 1 << to;
            score = score.max(self.arrival(&after, to));
        }
        score
    }

    /// A stone is worth what its removal leaves; of a mill, more.
    #[inline(always)]
    fn removal(&self, s: &State, point: usize) -> i32 {
        let enemy = 1 - s.player.index();
        let mut after = *s;
        after.stones[enemy] &= !(1 << point);
        let in_mill = in_mills(s.stones[enemy]) >> point & 1;
        let beside = lines_through(point).iter().filter(|&&rest| s.stones[enemy] & rest != 0).count();
        self.standing(&after) + OWN_THREAT * in_mill as i32 + beside as i32
    }
}

impl Heuristic for Shah {
    #[inline(always)]
    fn score(&self, s: &State, action: Action) -> i32 {
        let me = s.player.index();
        let mut after = *s;
        match Move::from_action(action) {
            Some(Move::Place(to)) => {
                after.stones[me] |= 1 << to;
                after.hand[me] = s.hand[me].saturating_sub(1);
                self.arrival(&after, to as usize)
            }
            Some(Move::Slide(from, to)) => {
                after.stones[me] ^= 1 << from | 1 << to;
                self.arrival(&after, to as usize)
            }
            Some(Move::Remove(point)) => self.removal(s, point as usize),
            Some(Move::Fly(from)) => self.lift(s, from as usize),
            None => i32::MIN,
        }
    }
}
