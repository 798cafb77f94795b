//! What the names of actions mean on this board.

use super::super::TshuPu;
use super::super::board::{CENTRE as CENTRAL, HAND, OFF};
use super::super::state::State;
use super::cross::{CELL, CENTRE, Spot, View};
use crate::draw::maths::dist;
use crate::draw::moves::{Course, Point, Reading, bent};

/// Where a move of this name leads, for a player; `None` for what is no name.
pub(super) fn course(
    game: &TshuPu,
    s: &State,
    view: View,
    spots: &[Spot],
    name: &str,
    player: usize,
    ahead: bool,
) -> Option<Reading> {
    let name = name.strip_suffix(" (both)").unwrap_or(name);
    let hit = name.ends_with('*');
    let (start, end) = name.strip_suffix('*').unwrap_or(name).split_once('/')?;
    let start = if start == "hand" { HAND } else { number(start)? };
    let end = if end == "off" { OFF } else { number(end)? };
    if start >= end || end > OFF {
        return None;
    }
    let seat = game.whose(s, player);
    if seat != player && end == OFF && !ahead {
        // His own last piece, or one of his partner's: the position does not tell.
        return Some(Reading::Nothing);
    }
    // Away from the pile itself, which may share its square; one in hand is larger.
    let spot = spots.iter().find(|spot| (spot.seat, spot.progress) == (seat, start));
    let alone = || (view.middle_of(seat, start), if start == HAND { 24.0 } else { 17.0 });
    let (from, leave) = spot.map_or_else(alone, |spot| (spot.middle, spot.radius));
    // Round the inner corners, not over the panels.
    let inwards = (CENTRE, CENTRE);
    let way = bent(from, view.middle_of(seat, end), inwards, 1.0);
    let (points, clear) = if end == OFF {
        (way, 24.0)
    } else {
        (bent(from, arrival(game, s, spots, &way, seat, end), inwards, 1.0), 0.0)
    };
    Some(Reading::Course(Course { leave: Some(leave), hit, ..Course::new(points, clear) }))
}

fn number(text: &str) -> Option<u8> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// Where an arrow ends: near the middle of an empty place, else beside the piles.
fn arrival(game: &TshuPu, s: &State, spots: &[Spot], way: &[Point], seat: usize, end: u8) -> Point {
    let (x, y) = way[way.len() - 1];
    let held: Vec<(Point, f64)> = if end == CENTRAL {
        (game.count(s, seat, end) > 0).then_some(((x, y), 23.0)).into_iter().collect()
    } else {
        let near = spots.iter().filter(|spot| dist(spot.middle, (x, y)) < CELL / 2.0);
        near.map(|spot| (spot.middle, spot.radius)).collect()
    };
    let back = *way.iter().rev().find(|point| dist(**point, (x, y)) > 25.0).unwrap_or(&way[0]);
    let far = dist(back, (x, y));
    let (mut across, mut down) = ((back.0 - x) / far, (back.1 - y) / far);
    if !held.is_empty() && end != CENTRAL && down < -0.7 {
        // Coming from above, past the number in the upper edge.
        (across, down) = (f64::copysign(0.82, across), -0.57);
    }
    // Between two piles the head needs room for its sides.
    let room = if held.len() == 1 { 1.0 } else { 7.0 };
    let mut steps = (3..60).map(|step| (x + across * f64::from(step), y + down * f64::from(step)));
    steps
        .find(|point| held.iter().all(|(middle, radius)| dist(*point, *middle) >= radius + room))
        .unwrap_or((x, y))
}
