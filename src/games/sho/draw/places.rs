//! The places of the board, which moves touch.

use super::super::Sho;
use super::super::board::NINE;
use super::super::moves::Move;
use super::super::state::State;
use super::spiral::{MARGIN, WIDTH};
use super::words::{coins, side_name};
use super::{Board, PANEL_TOP};
use crate::draw::Place;
use crate::draw::moves::Point;
use crate::draw::pieces;
use crate::draw::theme::LIGHT;
use crate::rules::action::Action;

/// How far around what is in hand and off a click is meant for it.
const NEAR_PILE: f64 = 26.0;
/// The same around a position, in coins: half the way to the next.
const NEAR_POSITION: f64 = 1.4;

impl Sho {
    /// Where the panel of a side begins, and how wide it is.
    pub(super) fn panel_of(&self, side: usize) -> (f64, f64) {
        let (lefts, width) = pieces::in_a_row(self.num_sides, MARGIN, WIDTH - MARGIN);
        (lefts[side], width)
    }

    /// Where what a side has in hand lies, and where what it has off.
    pub(super) fn piles_of(&self, side: usize) -> [Point; 2] {
        let (left, width) = self.panel_of(side);
        let middle = left + width / 2.0;
        [middle - width / 4.2, middle + width / 4.2].map(|x| (x, PANEL_TOP + 60.0))
    }

    /// The hands of all sides, the positions as the coins pass them, and what is off.
    pub(super) fn all_places(&self, state: &State) -> Vec<Place> {
        let board = Board::new(self, state, &LIGHT);
        let mut places = Vec::new();
        let pile = |side: usize, which: usize| {
            let (x, y) = self.piles_of(side)[which];
            let (name, count) = [("hand of", state.hand[side]), ("off,", state.off[side])][which];
            Place { name: format!("{name} {}", side_name(side)), x, y, r: NEAR_PILE, words: coins(count) }
        };
        places.extend((0..self.num_sides).map(|side| pile(side, 0)));
        places.extend((1..self.rules.num_shells).map(|place| {
            let at = board.spiral.position(place, 0.0);
            let r = NEAR_POSITION * board.spiral.coin;
            Place { name: place.to_string(), x: at.x, y: at.y, r, words: self.standing_on(state, place) }
        }));
        places.extend((0..self.num_sides).map(|side| pile(side, 1)));
        places
    }

    /// What stands on a position, in words.
    fn standing_on(&self, state: &State, place: u8) -> String {
        let holder = (0..self.num_sides).find(|&side| state.track[side] >> place & 1 != 0);
        let Some(side) = holder else { return "empty".to_owned() };
        let moved = if place == state.moved { ", moved just now" } else { "" };
        format!("{} of {}{moved}", coins(state.size[place as usize]), side_name(side))
    }

    /// Where a move begins and where it ends, among [`Sho::all_places`].
    pub(super) fn touched(&self, state: &State, action: Action) -> Vec<usize> {
        let side = self.side_index(state.player);
        let position = |place: u8| match place {
            0 => side,
            _ if place >= self.rules.num_shells => self.num_sides + self.rules.num_shells as usize - 1 + side,
            _ => self.num_sides + place as usize - 1,
        };
        match Move::from_action(action) {
            Some(Move::Source(source)) => vec![position(source), position(source + state.value)],
            Some(Move::BringAll) => vec![position(0), position(NINE)],
            Some(Move::Value(_) | Move::Decline) | None => Vec::new(),
        }
    }

    /// A move in plain words.
    pub(super) fn told(&self, state: &State, action: Action) -> String {
        let side = self.side_index(state.player);
        match Move::from_action(action) {
            Some(Move::Source(source)) => {
                let size = coins(self.size_at(state, side, source));
                let moving = if source == 0 {
                    format!("bring {size} in")
                } else {
                    format!("move {size} from {source}")
                };
                let target = source + state.value;
                if target >= self.rules.num_shells {
                    return format!("{moving} off");
                }
                let held = (0..self.num_sides).find(|&side| state.track[side] >> target & 1 != 0);
                let met = coins(state.size[target as usize]);
                let meeting = match held {
                    None => String::new(),
                    Some(own) if own == side => format!(", onto {met} there"),
                    Some(enemy) => format!(", killing {met} of {}", side_name(enemy)),
                };
                format!("{moving} to {target}{meeting}")
            }
            Some(Move::Value(value)) => format!("move by {value}"),
            Some(Move::BringAll) => format!("bring all {} in to 9", coins(state.hand[side])),
            Some(Move::Decline) => "leave the rest unused".to_owned(),
            None => format!("action {action}"),
        }
    }
}
