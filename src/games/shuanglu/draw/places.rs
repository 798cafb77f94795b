//! The places of the board, which moves touch.

use super::super::board::{BAR, OFF, mirrored};
use super::super::moves::Step;
use super::super::state::State;
use super::super::{PLAYERS, Shuanglu};
use super::tray::{BAR_FEET, BOTTOM, FIELD, HORSE, TOP, WIDTH, column, is_low, place};
use super::words::horses;
use super::{PANEL_TOP, panel_of};
use crate::draw::Place;
use crate::rules::action::Action;
use crate::rules::game::Game;

/// The middle of where a point's horses stand, from the rim.
const FROM_RIM: f64 = 30.0;

/// A place of the board.
#[derive(Clone, Copy, PartialEq)]
enum Spot {
    /// By player 0's number.
    Point(usize),
    /// Where the caught horses of a player wait.
    Bar(usize),
    /// What a player has borne off.
    Off(usize),
}

/// All of them, as they are read: the upper row, the lower one, the panels below.
fn spots() -> impl Iterator<Item = Spot> {
    let points = |points: std::ops::Range<usize>| points.map(Spot::Point);
    let lower = |points: std::ops::Range<usize>| points.rev().map(Spot::Point);
    points(13..19)
        .chain([Spot::Bar(0)])
        .chain(points(19..25))
        .chain(lower(7..13))
        .chain([Spot::Bar(1)])
        .chain(lower(1..7))
        .chain((0..PLAYERS).map(Spot::Off))
}

/// Where a player has a piece that is at this index of the counts.
fn spot(player: usize, index: usize) -> Spot {
    match index {
        BAR => Spot::Bar(player),
        OFF => Spot::Off(player),
        _ => Spot::Point(place(player, index)),
    }
}

impl Shuanglu {
    /// The points, by the numbers of the player whose turn it is, the bars and what is borne off.
    pub(super) fn all_places(&self, state: &State) -> Vec<Place> {
        let player = self.player_on_turn(state).map_or(0, |player| player.index());
        let counts = &state.counts;
        let placed = |spot: Spot| match spot {
            Spot::Point(point) => {
                let y = if is_low(point) { BOTTOM - FROM_RIM } else { TOP + FROM_RIM };
                let held = [counts[0][point], counts[1][mirrored(point)]];
                let holder = (0..PLAYERS).find(|&player| held[player] != 0);
                let words = holder.map_or("empty".to_owned(), |player| {
                    format!("{} of player {player}", horses(held[player]))
                });
                Place { name: place(player, point).to_string(), x: column(point), y, r: FIELD / 2.0, words }
            }
            Spot::Bar(player) => Place {
                name: format!("bar of player {player}"),
                x: WIDTH / 2.0,
                y: BAR_FEET[player] - HORSE / 2.0,
                r: 30.0,
                words: horses(counts[player][BAR]),
            },
            Spot::Off(player) => {
                let (left, width) = panel_of(player);
                Place {
                    name: format!("off, player {player}"),
                    x: left + width / 2.0,
                    y: PANEL_TOP + 70.0,
                    r: 24.0,
                    words: horses(counts[player][OFF]),
                }
            }
        };
        spots().map(placed).collect()
    }

    /// Where a step begins and where it ends, among [`Shuanglu::all_places`].
    pub(super) fn touched(&self, state: &State, action: Action) -> Vec<usize> {
        let Some(step) = Step::from_action(action) else { return Vec::new() };
        let player = state.player.index();
        let (from, to) = step.path();
        [from, to]
            .iter()
            .filter_map(|&index| spots().position(|known| known == spot(player, index)))
            .collect()
    }

    /// A step in plain words.
    pub(super) fn told(&self, state: &State, action: Action) -> String {
        let Some(step) = Step::from_action(action) else { return format!("action {action}") };
        let (from, to) = step.path();
        if to == OFF {
            let larger = step.die as usize > from;
            let with = if larger { format!(", with a {}", step.die) } else { String::new() };
            return format!("bear off a horse from {from}{with}");
        }
        let moving =
            if from == BAR { "bring a horse in".to_owned() } else { format!("move a horse from {from}") };
        let hit = state.counts[state.player.index() ^ 1][mirrored(to)] != 0;
        format!("{moving} to {to}{}", if hit { ", hitting the one there" } else { "" })
    }
}
