//! The places of the board, which moves touch.

use super::super::{Sho, State};
use super::PANEL_TOP;
use super::spiral::{MARGIN, WIDTH};
use super::words::{coins, side_name};
use crate::draw::moves::Point;
use crate::draw::pieces;
use crate::rules::Player;

/// How far around what is in hand and off a click is meant for it.
pub(super) const NEAR_PILE: f64 = 26.0;
/// The same around a position, in coins: half the way to the next.
pub(super) const NEAR_POSITION: f64 = 1.4;

impl Sho {
    /// The side whose panel is the first where the board is seen by this seat.
    pub(super) fn first_panel(&self, orientation: usize) -> usize {
        self.side_index(Player(orientation as u8))
    }

    /// Where the panel of a side begins, and how wide it is; the others follow the first in the order of their numbers.
    pub(super) fn panel_of(&self, side: usize, first: usize) -> (f64, f64) {
        let (lefts, width) = pieces::in_a_row(self.num_sides, MARGIN, WIDTH - MARGIN);
        (lefts[(side + self.num_sides - first) % self.num_sides], width)
    }

    /// Where what a side has in hand lies, and where what it has off.
    pub(super) fn piles_of(&self, side: usize, first: usize) -> [Point; 2] {
        let (left, width) = self.panel_of(side, first);
        let middle = left + width / 2.0;
        [middle - width / 4.2, middle + width / 4.2].map(|x| (x, PANEL_TOP + 60.0))
    }

    /// What stands on a position, in words.
    pub(super) fn standing_on(&self, state: &State, place: u8) -> String {
        let holder = (0..self.num_sides).find(|&side| state.track[side] >> place & 1 != 0);
        let Some(side) = holder else { return "empty".to_owned() };
        let moved = if place == state.moved { ", moved just now" } else { "" };
        format!("{} of {}{moved}", coins(state.size[place as usize]), side_name(side))
    }
}
