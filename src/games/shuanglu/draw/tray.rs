//! The wooden tray: its measures, its fields and the horses on it.

use super::super::board::mirrored;
use super::colours;
use crate::draw::svg::{self, Element};
use crate::draw::theme::Theme;

pub(super) const WIDTH: f64 = 600.0;
pub(super) const MARGIN: f64 = 12.0;
/// The wooden rim lies between the outer edge and these.
pub(super) const RIM: f64 = 13.0;
pub(super) const LEFT: f64 = MARGIN + RIM;
pub(super) const TOP: f64 = 58.0;
pub(super) const FIELD: f64 = 36.0;
pub(super) const INNER_WIDTH: f64 = WIDTH - 2.0 * LEFT;
pub(super) const MIDDLE: f64 = INNER_WIDTH - 12.0 * FIELD;
pub(super) const INNER_HEIGHT: f64 = 396.0;
pub(super) const BOTTOM: f64 = TOP + INNER_HEIGHT;
/// How deep a field is.
pub(super) const DEPTH: f64 = 76.0;
/// A horse is this high, and the next one stands this far behind it: head and foot of each are to be seen.
pub(super) const HORSE: f64 = 44.0;
pub(super) const BEHIND: f64 = 35.0;
pub(super) const MOST_HORSES: u8 = 5;
/// Where the feet of the horses on each bar stand: in the upper large field those of whoever sees the board, who enters there.
pub(super) const BAR_FEET: [f64; 2] = [TOP + 36.0 + HORSE, BOTTOM - 36.0];

/// The number by which player 0 knows a player's point.
pub(super) fn place(player: usize, point: usize) -> usize {
    if player == 0 { point } else { mirrored(point) }
}

/// Whether a point of player 0 lies along the bottom.
pub(super) fn is_low(place: usize) -> bool {
    place <= 12
}

/// The middle of a point of player 0, from the left.
pub(super) fn column(place: usize) -> f64 {
    let along = (place - 1) % 12;
    // The first twelve points run to the left along the bottom, the others back along the top.
    let from_left = if is_low(place) { 11 - along } else { along };
    LEFT + FIELD * (from_left as f64 + 0.5) + if from_left > 5 { MIDDLE } else { 0.0 }
}

/// The tray, without anything on it.
pub(super) fn tray(look: &Theme) -> Element {
    let rim = svg::rect(MARGIN, TOP - RIM, WIDTH - 2.0 * MARGIN, INNER_HEIGHT + 2.0 * RIM)
        .set("rx", 8.0)
        .painted(look.tint(colours::RIM), look.tint(colours::RIM_EDGE), 2.0);
    let floor = svg::rect(LEFT, TOP, INNER_WIDTH, INNER_HEIGHT).painted(
        look.tint(colours::FLOOR),
        look.tint(colours::RIM_EDGE),
        2.0,
    );
    let mut parts = vec![rim, floor];
    parts.extend((1..=24).map(|place| field(place, look)));
    parts.push(middle_fields(look));
    svg::group().children(parts)
}

/// One of the 24 outlined fields, rounded towards the middle of the tray.
fn field(place: usize, look: &Theme) -> Element {
    let (x, half) = (column(place), FIELD / 2.0 - 2.0);
    let (edge, inwards, sweep) = if is_low(place) { (BOTTOM - 2.0, -1.0, 1) } else { (TOP + 2.0, 1.0, 0) };
    let [left, right, end, edge, half] =
        [x - half, x + half, edge + inwards * DEPTH, edge, half].map(svg::number);
    svg::path(format!("M{left} {edge}V{end}A{half} {half} 0 0 {sweep} {right} {end}V{edge}Z")).painted(
        look.tint(colours::HOME),
        look.tint(colours::OUTLINE),
        1.8,
    )
}

/// The two large fields, not counted in moving.
fn middle_fields(look: &Theme) -> Element {
    let left = LEFT + 6.0 * FIELD + 6.0;
    let height = INNER_HEIGHT / 2.0 - 7.0;
    let large = |top| {
        svg::rect(left, top, MIDDLE - 12.0, height).set("rx", 12.0).painted(
            look.tint(colours::HOME),
            look.tint(colours::OUTLINE),
            1.8,
        )
    };
    svg::group().children([large(TOP + 3.0), large(BOTTOM - 3.0 - height)])
}

/// A horse that stands on (x, y): a slim pin with a round head (player 0) or a pointed one (player 1).
pub(super) fn horse(x: f64, y: f64, height: f64, player: usize, look: &Theme) -> Element {
    let painted = |shape: Element| {
        shape
            .painted(look.tint(colours::HORSE[player]), look.tint(colours::EDGE[player]), 2.4)
            .set("stroke-linejoin", "round")
    };
    let head =
        if player == 0 { svg::circle(0.0, -38.0, 8.4) } else { svg::path("M0 -48 9 -38 0 -28 -9 -38Z") };
    svg::group()
        .children([
            painted(svg::path("M-12 0V-5C-6 -9 -5 -19 -4.5 -31H4.5C5 -19 6 -9 12 -5V0Z")),
            svg::path("M-6 -12H6").painted("none", look.tint(colours::BAND[player]), 2.4),
            painted(head),
        ])
        .set("transform", svg::placed(x, y, 0.0, height / 48.0))
}

/// How many horses there are, where not all of them are drawn.
pub(super) fn badge(x: f64, y: f64, count: u8, player: usize, look: &Theme) -> Element {
    svg::group().children([
        svg::circle(x, y, 14.0).painted(look.plate, look.tint(colours::EDGE[player]), 1.6),
        svg::text(count.to_string(), x, y, 18.0).set("fill", look.on_plate).set("font-weight", "bold"),
    ])
}
