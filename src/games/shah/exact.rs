//! The moving phase as tables of positions: who is to move has the rows, see [`Numbering`].
//!
//! A position is the stones of the side to move and those of the other. Where the side to move is blocked, it is the
//! position before an extra move of the other (R7). What the values depend on is how stones move and capture: of the rules
//! `mill_protection`, `flying` and `blocked`.

mod numbering;
mod placing;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

pub use placing::{Placing, Position};

use numbering::{Numbering, binomial, union};
use placing::{Beginner, placed};

use super::board::{ALL, ByByte, POINTS, in_mills, mills_at, neighbours, slides};
use super::state::NO_POINT;
use super::{Begin, Blocked, MillProtection, OpeningRemovals, Phase, Shah, State};
use crate::exact::solvable::{Pair, Place, Solvable, Status, Step, Tables};
use crate::rules::Player;

/// With fewer stones a side has lost (R8).
const LEAST: u8 = 3;

/// A position of the moving phase without its clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    /// The stones of the side to move.
    pub own: u32,
    /// The stones of the other side.
    pub other: u32,
}

impl Board {
    fn empty(self) -> u32 {
        ALL & !(self.own | self.other)
    }
}

/// A row of a table: one set of own stones.
pub struct Row {
    own: u32,
    others: u8,
    /// Where the free points are, by the bytes of a column.
    free: ByByte<u32>,
    /// The own stones under each symmetry.
    turned: [u32; 16],
}

/// The tables of the moving phase under one rule book.
pub struct Moving {
    game: Shah,
    most: u8,
    numbering: Numbering,
}

/// The points of a set, one after another. What a loop over them does is compiled in its place, for the same processor.
struct Points(u32);

impl Iterator for Points {
    type Item = usize;
    #[cfg_attr(fast, inline(always))]
    fn next(&mut self) -> Option<usize> {
        let first = (self.0 != 0).then_some(self.0.trailing_zeros() as usize);
        self.0 &= self.0.wrapping_sub(1);
        first
    }
}

impl Moving {
    fn new(game: &Shah, most: u8) -> Self {
        let (least, largest) = game.pieces();
        Self::of(game, LEAST, most.clamp(least, largest))
    }

    /// With the numbering of boards with at least so many stones of a side, and at most so many.
    fn of(game: &Shah, least: u8, most: u8) -> Self {
        Moving { game: game.clone(), most, numbering: Numbering::new(least as usize, most as usize) }
    }

    /// Where a stone may go from a point, of those that are given.
    #[cfg_attr(fast, inline(always))]
    fn reached(&self, stones: u32, from: usize, among: u32) -> u32 {
        if self.game.flies(stones) { among } else { neighbours(1 << from) & among }
    }

    /// Whether the side to move is blocked and the other makes extra moves.
    #[cfg_attr(fast, inline(always))]
    fn is_blocked(&self, board: Board) -> bool {
        self.game.rules.blocked == Blocked::OpponentOpens && !self.game.can_move(board.own, board.empty())
    }
}

impl Tables for Moving {
    type Board = Board;
    type Row = Row;

    const VERSION: u32 = 1;

    fn reach(&self) -> (u8, u8) {
        (LEAST, self.most)
    }

    fn rows(&self, pair: Pair) -> u32 {
        self.numbering.rows(pair.own as usize)
    }

    fn columns(&self, pair: Pair) -> u32 {
        binomial(POINTS - pair.own as usize, pair.other as usize)
    }

    #[cfg_attr(fast, inline(always))]
    fn row(&self, pair: Pair, row: u32) -> Row {
        let (own, _) = self.numbering.row(pair.own as usize, row);
        let mut free = [[0; 256]; 3];
        for (bit, point) in Points(ALL & !own).enumerate() {
            let table = &mut free[bit / 8];
            let step = 1 << (bit % 8);
            // The values with this bit as their highest are those below it once more.
            for below in 0..step {
                table[step + below] = table[below] | 1 << point;
            }
        }
        Row {
            own,
            others: pair.other,
            free,
            turned: std::array::from_fn(|turn| self.numbering.turned(turn, own)),
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn board(&self, row: &Row, column: u32) -> Board {
        let other = union(&row.free, self.numbering.column(row.others as usize, column));
        Board { own: row.own, other }
    }

    #[cfg_attr(fast, inline(always))]
    fn pair(&self, board: Board) -> Pair {
        Pair { own: board.own.count_ones() as u8, other: board.other.count_ones() as u8 }
    }

    #[cfg_attr(fast, inline(always))]
    fn place(&self, board: Board) -> Place {
        let count = board.own.count_ones() as usize;
        self.numbering.place(count, board.own, |turn| self.numbering.turned(turn, board.other))
    }

    fn weight(&self, pair: Pair, row: u32) -> u32 {
        let (own, _) = self.numbering.row(pair.own as usize, row);
        let all = self.numbering.symmetries();
        let fixed = (0..all).filter(|&turn| self.numbering.turned(turn, own) == own).count();
        (all / fixed) as u32
    }

    #[cfg_attr(fast, inline(always))]
    fn is_symmetric(&self, pair: Pair, row: u32) -> bool {
        self.numbering.row(pair.own as usize, row).1
    }

    #[cfg_attr(fast, inline(always))]
    fn status(&self, board: Board) -> Status {
        let empty = board.empty();
        if self.game.can_move(board.own, empty) {
            Status::Moves
        } else if self.game.rules.blocked == Blocked::Loses {
            Status::Lost
        } else if empty == 0 {
            Status::Drawn
        } else {
            Status::Blocked
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn successors(&self, board: Board, mut visit: impl FnMut(Step<Board>) -> ControlFlow<()>) {
        let Board { own, other } = board;
        let empty = board.empty();
        if self.is_blocked(board) {
            // A move opens if and only if it leaves a neighbour of who is blocked. If one does, the others are illegal.
            let beside = neighbours(own);
            let only = if slides(other & beside, empty) != 0 { beside } else { ALL };
            for from in Points(other & only) {
                for to in Points(neighbours(1 << from) & empty) {
                    let next = Board { own, other: other ^ (1 << from | 1 << to) };
                    if visit(Step::Quiet(next)).is_break() {
                        return;
                    }
                }
            }
            return;
        }
        let protected = match self.game.rules.mill_protection {
            MillProtection::None => 0,
            MillProtection::UnlessAllInMills => in_mills(other),
        };
        let removable = if other & !protected != 0 { other & !protected } else { other };
        let wins = other.count_ones() as u8 <= LEAST;
        for from in Points(own) {
            for to in Points(self.reached(own, from, empty)) {
                let moved = own ^ (1 << from | 1 << to);
                let quiet = mills_at(moved, to) == 0;
                // One place to visit from, so that what is done there is compiled once.
                let mut taken = if quiet || wins { 1 } else { removable };
                while taken != 0 {
                    let step = if quiet {
                        Step::Quiet(Board { own: other, other: moved })
                    } else if wins {
                        Step::Win
                    } else {
                        Step::Capture(Board { own: other & !(taken & taken.wrapping_neg()), other: moved })
                    };
                    if visit(step).is_break() {
                        return;
                    }
                    taken &= taken - 1;
                }
            }
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn equals(&self, board: Board, row: u32, mut visit: impl FnMut(Board, Place)) {
        let (own, _) = self.numbering.row(board.own.count_ones() as usize, row);
        for turn in 0..self.numbering.symmetries() {
            if self.numbering.turned(turn, board.own) == own {
                let board = Board { own, other: self.numbering.turned(turn, board.other) };
                visit(board, self.place(board));
            }
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn predecessors(&self, row: &Row, board: Board, mut visit: impl FnMut(Board, Place)) {
        let Board { own, other } = board;
        let empty = board.empty();
        let count = row.others as usize;
        for to in Points(other) {
            // Who made a mill has captured.
            if mills_at(other, to) != 0 {
                continue;
            }
            for from in Points(self.reached(other, to, empty)) {
                let before = other ^ (1 << from | 1 << to);
                let place = self.numbering.place(count, before, |turn| row.turned[turn % 16]);
                visit(Board { own: before, other: own }, place);
            }
        }
    }

    #[cfg_attr(fast, inline(always))]
    fn blocked_predecessors(&self, board: Board, mut visit: impl FnMut(Board, Place)) {
        let Board { own, other } = board;
        let (empty, beside) = (board.empty(), neighbours(board.own));
        // Before the move no neighbour was empty. After it the point that was left may be one.
        let free = beside & empty;
        if self.game.rules.blocked == Blocked::Loses
            || free & free.wrapping_sub(1) != 0
            || self.game.flies(own)
        {
            return;
        }
        let from_among = if free != 0 { free } else { empty };
        for from in Points(from_among) {
            for to in Points(neighbours(1 << from) & other & !beside) {
                let before = Board { own, other: other ^ (1 << from | 1 << to) };
                if free != 0 || slides(before.other & beside, before.empty()) == 0 {
                    visit(before, self.place(before));
                }
            }
        }
    }
}

impl Solvable for Shah {
    type Tables = Moving;
    type Layers = Placing;

    const DECISIVE: &'static [&'static str] = &["mill_protection", "flying", "blocked"];
    const LAYERED: &'static [&'static str] = &[
        "pieces",
        "placement_captures",
        "begin",
        "opening_removals",
        "mill_protection",
        "flying",
        "blocked",
    ];

    fn pieces(&self) -> (u8, u8) {
        let removed = (self.rules.opening_removals == OpeningRemovals::Both) as u8;
        (LEAST, self.rules.pieces - removed)
    }

    fn tables(&self, most: u8) -> Moving {
        Moving::new(self, most)
    }

    fn is_tabled(&self, state: &State) -> bool {
        match state.phase {
            Phase::Slide | Phase::Land => true,
            Phase::Remove => state.turn >= self.moving_from,
            Phase::First | Phase::Place | Phase::Over => false,
        }
    }

    fn board(&self, state: &State) -> Option<(Board, bool)> {
        let me = state.player.index();
        let (own, other) = (state.stones[me], state.stones[1 - me]);
        match state.phase {
            Phase::Slide if state.extra => Some((Board { own: other, other: own }, false)),
            Phase::Slide => Some((Board { own, other }, true)),
            _ => None,
        }
    }

    fn state(&self, board: Board) -> State {
        let extra = !self.can_move(board.own, board.empty());
        State {
            stones: [board.own, board.other],
            no_capture: 0,
            turn: self.moving_from,
            hand: [0; 2],
            phase: Phase::Slide,
            player: Player(extra as u8),
            beginner: 0,
            opening_removals: 0,
            extra,
            lifted: NO_POINT,
            winner: None,
        }
    }

    fn layers(&self, last: u16) -> Placing {
        Placing::new(self, last)
    }

    fn layer_of(&self, state: &State) -> Option<(u16, Position)> {
        let due = match state.phase {
            Phase::Place => true,
            Phase::Remove => state.opening_removals != 0,
            Phase::First | Phase::Slide | Phase::Land | Phase::Over => false,
        };
        let me = state.player.index();
        let other_begins = self.rules.begin == Begin::FirstMill
            && state.phase == Phase::Place
            && state.beginner as usize == 1 - me;
        due.then(|| {
            (state.turn, Position { own: state.stones[me], other: state.stones[1 - me], other_begins })
        })
    }

    fn state_in(&self, layer: u16, position: Position) -> State {
        let first = self.rules.first_player.seat().map_or(0, Player::index);
        // Who begins the moving phase makes the first removal: that may be the seat that placed first.
        let (me, full) = (first ^ (layer % 2) as usize, self.full());
        let mut state = State {
            stones: [position.own; 2],
            no_capture: 0,
            turn: layer,
            hand: [0; 2],
            phase: if layer < full { Phase::Place } else { Phase::Remove },
            player: Player(me as u8),
            beginner: match self.beginner_in(layer, position) {
                Beginner::Own => me as u8,
                Beginner::Other => 1 - me as u8,
                Beginner::Nobody => State::NOBODY,
            },
            opening_removals: 0,
            extra: false,
            lifted: NO_POINT,
            winner: None,
        };
        state.stones[1 - me] = position.other;
        if layer < full {
            let (own, other) = placed(layer);
            state.hand[me] = self.rules.pieces - own;
            state.hand[1 - me] = self.rules.pieces - other;
        }
        if self.rules.opening_removals == OpeningRemovals::Both {
            state.opening_removals = if layer <= full { 2 } else { 1 };
        }
        state
    }

    /// From the lowest bit: the stones of the other and of who acts, 24 bits each; whether the other begins the moving phase,
    /// where that cannot be seen; the turn.
    fn number(&self, layers: &Placing, state: &State) -> u64 {
        let me = state.player.index();
        let (own, other) = layers.smallest(state.stones[me], state.stones[1 - me]);
        let begins = self.layer_of(state).is_some_and(|(_, position)| position.other_begins);
        let turn = u64::from(state.turn.min(self.moving_from));
        ((turn << 1 | u64::from(begins)) << POINTS | u64::from(own)) << POINTS | u64::from(other)
    }

    fn numbered(&self, number: u64) -> State {
        let stones = |from: usize| (number >> from) as u32 & ALL;
        let (own, other) = (stones(POINTS), stones(0));
        let (turn, other_begins) = ((number >> (2 * POINTS + 1)) as u16, number >> (2 * POINTS) & 1 != 0);
        if turn == self.moving_from {
            return Solvable::state(self, Board { own, other });
        }
        self.state_in(turn, Position { own, other, other_begins })
    }
}
