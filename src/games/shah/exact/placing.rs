//! The turns before the moving phase as layers: placements, with their captures, and opening removals.
//!
//! A layer holds the positions in which so many turns have passed. The stones of who acts in even turns have the rows: from
//! row to row only that side's stones change, so that what a row leads to stands in few rows of the next layer.
//!
//! Who begins the moving phase is part of a position where it depends on who made the first mill, and cannot be seen from
//! the board: two columns then stand for the same stones. Where it can be seen, both hold the same.

use super::super::board::{ALL, in_mills, mills_at};
use super::super::{Begin, MillProtection};
use super::{Board, LEAST, Moving, Points, Row, Shah};
use crate::exact::solvable::{Key, Layers, Next, Pair, Place, TARGETS, Tables};

/// A position before the moving phase, seen by who acts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The stones of who acts.
    pub own: u32,
    /// The stones of the other.
    pub other: u32,
    /// Who begins the moving phase, if it is one of the two and cannot be seen: the other, else who acts.
    pub other_begins: bool,
}

/// The side that begins the moving phase, seen by who acts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Beginner {
    Own,
    Other,
    Nobody,
}

/// A row: one set of stones of who acts in even turns.
pub struct PlacingRow {
    layer: u16,
    row: Row,
}

/// The layers of one rule book.
pub struct Placing {
    boards: Moving,
    /// The tables of each layer.
    pairs: Vec<Vec<Pair>>,
}

/// How many stones who acts has placed after so many turns, and how many the other.
#[cfg_attr(fast, inline(always))]
pub(super) fn placed(layer: u16) -> (u8, u8) {
    (layer as u8 / 2, layer.div_ceil(2) as u8)
}

/// The numbers of targets: with a capture, and where who acts begins the moving phase.
#[cfg_attr(fast, inline(always))]
fn target(captures: bool, again: bool) -> usize {
    captures as usize + 2 * again as usize
}

impl Shah {
    /// The layer in which all stones are placed.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn full(&self) -> u16 {
        2 * self.rules.pieces as u16
    }

    /// Whether positions with the same stones may differ in who begins.
    #[cfg_attr(fast, inline(always))]
    fn hides_beginner(&self, layer: u16) -> bool {
        self.rules.begin == Begin::FirstMill && layer < self.full()
    }

    /// Who begins the moving phase, as far as that is decided.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn beginner_in(&self, layer: u16, position: Position) -> Beginner {
        let Position { own, other, other_begins } = position;
        if layer >= self.full() {
            return if layer == self.full() { Beginner::Own } else { Beginner::Other };
        }
        if self.rules.begin == Begin::FirstPlayer {
            return if layer.is_multiple_of(2) { Beginner::Own } else { Beginner::Other };
        }
        let hidden = if other_begins { Beginner::Other } else { Beginner::Own };
        if self.rules.placement_captures {
            // Every mill has captured.
            let missing = placed(layer) != (own.count_ones() as u8, other.count_ones() as u8);
            return if missing { hidden } else { Beginner::Nobody };
        }
        match (in_mills(own) != 0, in_mills(other) != 0) {
            (false, false) => Beginner::Nobody,
            (true, false) => Beginner::Own,
            (false, true) => Beginner::Other,
            (true, true) => hidden,
        }
    }
}

impl Placing {
    pub(super) fn new(game: &Shah, last: u16) -> Self {
        // Boards of many stones take a tenth of a second to number.
        let most = u16::from(game.rules.pieces).min(last.div_ceil(2)) as u8;
        let mut placing =
            Placing { boards: Moving::of(game, 0, most), pairs: vec![vec![Pair { own: 0, other: 0 }]] };
        for layer in 0..game.moving_from {
            let mut next = Vec::new();
            for &pair in &placing.pairs[layer as usize] {
                let targets = placing.targets(layer, pair);
                let layered = |(layer, pair): Key| layer.is_some().then_some(pair);
                next.extend(targets.into_iter().flatten().filter_map(layered));
            }
            next.sort();
            next.dedup();
            placing.pairs.push(next);
        }
        placing
    }

    /// See [`Numbering::smallest`](super::numbering::Numbering::smallest).
    pub(super) fn smallest(&self, own: u32, other: u32) -> (u32, u32) {
        self.boards.numbering.smallest(own, other)
    }

    #[cfg_attr(fast, inline(always))]
    fn game(&self) -> &Shah {
        &self.boards.game
    }

    /// The stones that have the rows in this layer, and the others.
    #[cfg_attr(fast, inline(always))]
    fn sides<T>(layer: u16, own: T, other: T) -> (T, T) {
        if layer.is_multiple_of(2) { (own, other) } else { (other, own) }
    }

    /// The same for a pair, as the numbering of boards has it.
    fn turned_pair(layer: u16, pair: Pair) -> Pair {
        let (own, other) = Self::sides(layer, pair.own, pair.other);
        Pair { own, other }
    }

    /// Where a position of a layer stands.
    #[cfg_attr(fast, inline(always))]
    fn stands(&self, layer: u16, position: Position) -> Place {
        let (own, other) = Self::sides(layer, position.own, position.other);
        let place = self.boards.place(Board { own, other });
        if self.game().hides_beginner(layer) {
            Place { column: 2 * place.column + position.other_begins as u32, ..place }
        } else {
            place
        }
    }

    /// What a turn leads to that leaves these stones to who acts after it, if that is the other side.
    #[cfg_attr(fast, inline(always))]
    fn after(&self, layer: u16, (own, other): (u32, u32), captures: bool, begins: Beginner) -> Next {
        let next = layer + 1;
        // Who acts after the last placement is who begins the moving phase: by then that is decided.
        let again = next == self.game().full() && begins == Beginner::Own;
        let (own, other) = if again { (other, own) } else { (own, other) };
        let place = if next == self.game().moving_from {
            self.boards.place(Board { own, other })
        } else {
            self.stands(next, Position { own, other, other_begins: begins == Beginner::Own })
        };
        Next::Position { target: target(captures, again), place, again }
    }
}

impl Layers for Placing {
    type Position = Position;
    type Row = PlacingRow;

    const VERSION: u32 = 1;

    fn count(&self) -> u16 {
        self.game().moving_from
    }

    fn pairs(&self, layer: u16) -> &[Pair] {
        &self.pairs[layer as usize]
    }

    fn targets(&self, layer: u16, pair: Pair) -> [Option<Key>; TARGETS] {
        let mut targets = [None; TARGETS];
        let (rules, next) = (&self.game().rules, layer + 1);
        let of = (next != self.game().moving_from).then_some(next);
        let to = |pair| Some((of, pair));
        if layer >= self.game().full() {
            // Who acts next has lost a stone.
            targets[target(false, false)] = to(Pair { own: pair.other - 1, other: pair.own });
            return targets;
        }
        let (hand, own) = (rules.pieces - placed(layer).1, pair.own + 1);
        let may_begin = next == self.game().full() && rules.begin == Begin::FirstMill;
        let may_capture = rules.placement_captures && own >= 3 && pair.other + hand > LEAST;
        for captures in [false, true].into_iter().filter(|&captures| may_capture || !captures) {
            let after = Pair { own: pair.other - captures as u8, other: own };
            targets[target(captures, false)] = to(after);
            // Who has placed the last stone may be the one who begins to move.
            targets[target(captures, true)] = if may_begin { to(after.turned()) } else { None };
        }
        targets
    }

    fn rows(&self, layer: u16, pair: Pair) -> u32 {
        self.boards.rows(Self::turned_pair(layer, pair))
    }

    fn columns(&self, layer: u16, pair: Pair) -> u32 {
        self.boards.columns(Self::turned_pair(layer, pair)) << self.game().hides_beginner(layer) as u32
    }

    fn row(&self, layer: u16, pair: Pair, row: u32) -> PlacingRow {
        PlacingRow { layer, row: self.boards.row(Self::turned_pair(layer, pair), row) }
    }

    #[cfg_attr(fast, inline(always))]
    fn position(&self, row: &PlacingRow, column: u32) -> Position {
        let hides = self.game().hides_beginner(row.layer) as u32;
        let board = self.boards.board(&row.row, column >> hides);
        let (own, other) = Self::sides(row.layer, board.own, board.other);
        Position { own, other, other_begins: column & hides != 0 }
    }

    fn place(&self, layer: u16, position: Position) -> (Pair, Place) {
        let Position { own, other, .. } = position;
        (self.boards.pair(Board { own, other }), self.stands(layer, position))
    }

    fn weight(&self, layer: u16, pair: Pair, row: u32) -> u32 {
        self.boards.weight(Self::turned_pair(layer, pair), row)
    }

    #[cfg_attr(fast, inline(always))]
    fn same_as(&self, row: &PlacingRow, column: u32) -> Option<u32> {
        let position = self.position(row, column);
        let same = position.other_begins
            && self.game().beginner_in(row.layer, position)
                == self.game().beginner_in(row.layer, Position { other_begins: false, ..position });
        same.then(|| column - 1)
    }

    #[cfg_attr(fast, inline(always))]
    fn successors(&self, layer: u16, position: Position, mut visit: impl FnMut(Next)) {
        let Position { own, other, .. } = position;
        let begins = self.game().beginner_in(layer, position);
        if layer >= self.game().full() {
            for taken in Points(other) {
                // After both removals, or between them, it is the other's turn.
                visit(self.after(layer, (other & !(1 << taken), own), false, begins));
            }
            return;
        }
        let rules = &self.game().rules;
        let hand = rules.pieces - placed(layer).1;
        let outside = match rules.mill_protection {
            MillProtection::None => 0,
            MillProtection::UnlessAllInMills => other & !in_mills(other),
        };
        let removable = if outside != 0 { outside } else { other };
        let wins = other.count_ones() as u8 + hand <= LEAST;
        for point in Points(ALL & !(own | other)) {
            let stones = own | 1 << point;
            let mill = mills_at(stones, point) != 0;
            let begins = match begins {
                Beginner::Nobody if mill || layer + 1 == self.game().full() => Beginner::Own,
                begins => begins,
            };
            let captures = mill && rules.placement_captures;
            let mut taken = if captures { removable } else { 1 };
            while taken != 0 {
                let gone = if captures { taken & taken.wrapping_neg() } else { 0 };
                visit(if captures && wins {
                    Next::Win
                } else {
                    self.after(layer, (other & !gone, stones), captures, begins)
                });
                taken &= taken - 1;
            }
        }
    }
}
