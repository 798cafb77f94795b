//! What a greedy player likes: to win, then mills, then what makes mills likelier and the enemy's less likely.
//!
//! Many moves are weighed in a position, and little of it changes from one to the next. So what they have in common is
//! worked out first, and a move is weighed by what its point adds.

use std::hint::select_unpredictable;

use super::board::{POINT, Point, across, gaps, in_lines, in_mills, lines_through, neighbours};
use super::moves::REMOVE;
use super::state::NO_POINT;
use super::{Blocked, Move, Phase, Shah, State};
use crate::rules::{Action, ActionSet, Best, Heuristic, bits};

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

impl Reach {
    /// The points that stones can come to from outside a line, as bits of that line.
    #[cfg_attr(fast, inline(always))]
    fn near(self, stones: u32) -> u64 {
        match self {
            Reach::Anywhere => u64::MAX,
            Reach::Neighbours => across(stones),
        }
    }
}

/// The lines in which a player has two stones, and the third point is empty and within reach of another stone, each as a
/// bit.
#[cfg_attr(fast, inline(always))]
pub(super) fn threats(stones: u32, empty: u32, reach: Reach) -> u64 {
    gaps(in_lines(stones), in_lines(empty)) & reach.near(stones)
}

/// The value of stones as they stand after a move: threats, then how many more points can be moved to.
#[cfg_attr(fast, inline(always))]
fn standing(own_threats: u64, enemy_threats: u64, own_room: u32, enemy_room: u32) -> i32 {
    let [own, enemy] = [own_threats, enemy_threats].map(|threats| threats.count_ones() as i32);
    let [room, enemy_room] = [own_room, enemy_room].map(|points| points.count_ones() as i32);
    OWN_THREAT * own - ENEMY_THREAT * enemy + room - enemy_room
}

impl Shah {
    #[cfg_attr(fast, inline(always))]
    pub(super) fn reach(&self, s: &State, seat: usize) -> Reach {
        self.reach_of(s.hand[seat], s.stones[seat])
    }

    #[cfg_attr(fast, inline(always))]
    fn reach_of(&self, hand: u8, stones: u32) -> Reach {
        if hand != 0 || self.flies(stones) { Reach::Anywhere } else { Reach::Neighbours }
    }

    /// What the arrivals of a stone at an empty point have in common: of the one that stands on `from`, or where that is
    /// [`NO_POINT`] of one from the hand or in the air.
    #[cfg_attr(fast, inline(always))]
    fn arrivals(&self, s: &State, from: u8) -> Arrivals {
        let (me, enemy) = (s.player.index(), 1 - s.player.index());
        let lifted = 1 << from & !(1 << NO_POINT);
        let (own, theirs) = (s.stones[me] & !lifted, s.stones[enemy]);
        let hand = if from == NO_POINT { s.hand[me].saturating_sub(1) } else { s.hand[me] };
        // How many stones there are decides, not where they stand.
        let reach = self.reach_of(hand, own | 1 << NO_POINT);
        let empty = s.empty() | lifted;
        let lines = in_lines(own);
        let moving = s.phase != Phase::Place;
        let pays =
            if moving { !s.extra } else { self.rules.placement_captures || s.beginner == State::NOBODY };
        let wins = moving && theirs.count_ones() == 3;
        let blocks = moving && self.rules.blocked == Blocked::Loses && !self.flies(theirs);
        Arrivals {
            lines,
            near: reach.near(own),
            room: neighbours(own),
            empty,
            empty_lines: in_lines(empty),
            enemy_threats: threats(theirs, empty, self.reach(s, enemy)),
            enemy_room: neighbours(theirs) & empty,
            mills: if pays { gaps(lines, u64::MAX) } else { 0 },
            mill: if wins { MILL + WIN } else { MILL },
            block: if blocks { WIN } else { 0 },
        }
    }

    /// What the removals of enemy stones have in common.
    #[cfg_attr(fast, inline(always))]
    fn removals(&self, s: &State) -> Removals {
        let (me, enemy) = (s.player.index(), 1 - s.player.index());
        let (own, stones, empty) = (s.stones[me], s.stones[enemy], s.empty());
        // Without any one of them it is as many stones as without the lowest.
        let reach = self.reach_of(s.hand[enemy], stones & stones.wrapping_sub(1));
        Removals {
            stones,
            lines: in_lines(stones),
            in_mills: in_mills(stones),
            reach,
            empty,
            empty_lines: in_lines(empty),
            own_threats: threats(own, u32::MAX, self.reach(s, me)),
            own_room: neighbours(own),
        }
    }

    /// A lifted stone is worth its best landing.
    #[cfg_attr(fast, inline(always))]
    fn lift(&self, s: &State, from: u8) -> i32 {
        let arrivals = self.arrivals(s, from);
        let mut best = i32::MIN;
        for to in bits(s.empty() as u64) {
            best = best.max(arrivals.at(to));
        }
        best
    }
}

/// See [`Shah::arrivals`].
struct Arrivals {
    /// The stones that stay, as bits of lines.
    lines: u64,
    /// Where stones can come from outside a line.
    near: u64,
    /// The points beside them.
    room: u32,
    empty: u32,
    empty_lines: u64,
    enemy_threats: u64,
    enemy_room: u32,
    /// Where a stone makes a mill that is worth something, and how much.
    mills: u64,
    mill: i32,
    /// What it is worth that the enemy cannot move.
    block: i32,
}

impl Arrivals {
    /// What it is worth to come to this point.
    #[cfg_attr(fast, inline(always))]
    fn at(&self, to: usize) -> i32 {
        let Point { bit, lines, across, beside } = POINT[to % POINT.len()];
        let own_threats = gaps(self.lines | lines, self.empty_lines & !lines) & (self.near | across);
        let enemy_threats = self.enemy_threats & !lines;
        let own_room = (self.room | beside) & self.empty & !bit;
        let enemy_room = self.enemy_room & !bit;
        standing(own_threats, enemy_threats, own_room, enemy_room)
            + select_unpredictable(self.mills & lines != 0, self.mill, 0)
            + if enemy_room == 0 { self.block } else { 0 }
    }
}

/// See [`Shah::removals`].
struct Removals {
    /// The enemy's stones, and as bits of lines.
    stones: u32,
    lines: u64,
    in_mills: u32,
    /// How he may move without one of them.
    reach: Reach,
    empty: u32,
    empty_lines: u64,
    /// The mills that the mover could make if every point were empty, and the points that he could move to.
    own_threats: u64,
    own_room: u32,
}

impl Removals {
    /// A stone is worth what its removal leaves; of a mill, more.
    #[cfg_attr(fast, inline(always))]
    fn of(&self, point: usize) -> i32 {
        let Point { bit, lines, .. } = POINT[point % POINT.len()];
        let (stones, empty, empty_lines) = (self.stones & !bit, self.empty | bit, self.empty_lines | lines);
        let enemy_threats = gaps(self.lines & !lines, empty_lines) & self.reach.near(stones);
        let [one, other] = lines_through(point);
        standing(
            self.own_threats & empty_lines,
            enemy_threats,
            self.own_room & empty,
            neighbours(stones) & empty,
        ) + if self.in_mills & bit != 0 { OWN_THREAT } else { 0 }
            + i32::from(stones & one != 0)
            + i32::from(stones & other != 0)
    }
}

impl Heuristic for Shah {
    #[cfg_attr(fast, inline(always))]
    fn score(&self, s: &State, action: Action) -> i32 {
        match Move::from_action(action) {
            Some(Move::Place(to)) => self.arrivals(s, NO_POINT).at(to as usize),
            Some(Move::Slide(from, to)) => self.arrivals(s, from).at(to as usize),
            Some(Move::Remove(point)) => self.removals(s).of(point as usize),
            Some(Move::Fly(from)) => self.lift(s, from),
            None => i32::MIN,
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn best(&self, s: &State, legal: ActionSet) -> Option<Action> {
        let mut best = Best::default();
        match s.phase {
            Phase::Remove => {
                let removals = self.removals(s);
                for action in legal {
                    best.weigh(action, removals.of(action.index() - REMOVE as usize));
                }
            }
            Phase::Slide if self.flies(s.stones[s.player.index()]) => {
                for action in legal {
                    best.weigh(action, self.score(s, action));
                }
            }
            _ => {
                // Slides of one stone come one after the other.
                let mut lifted = NO_POINT;
                let mut arrivals = self.arrivals(s, lifted);
                for action in legal {
                    let (from, to) = match Move::from_action(action) {
                        Some(Move::Slide(from, to)) => (from, to),
                        _ => (NO_POINT, action.0 as u8),
                    };
                    if from != lifted {
                        (lifted, arrivals) = (from, self.arrivals(s, from));
                    }
                    best.weigh(action, arrivals.at(to as usize));
                }
            }
        }
        best.action()
    }
}
