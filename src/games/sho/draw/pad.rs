//! The leather pad in the middle: what is asked, the values to play and those to choose from.

use super::super::Phase;
use super::Board;
use super::colours;
use super::words::asked;
use crate::draw::pieces;
use crate::draw::svg::{self, Element};

/// Where something stands on the pad: its middle, width and height.
#[derive(Clone, Copy)]
pub(super) struct Plate {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// Where on the pad so many values stand, below `top`, as large as all fit.
pub(super) fn value_plates(count: usize, top: f64) -> Vec<Plate> {
    let mut height = 26.0;
    loop {
        let plates = plates_of(count, top, height);
        if plates.len() == count {
            return plates;
        }
        height *= 0.93;
    }
}

/// As many plates of this height as there is room for, up to `count`.
fn plates_of(count: usize, top: f64, height: f64) -> Vec<Plate> {
    let (width, gap) = (1.3 * height, 0.22 * height);
    let mut plates = Vec::new();
    let mut y = top + height / 2.0;
    while plates.len() < count && y + height / 2.0 < 93.0 {
        // The round pad is narrower further down.
        let low = y + height / 2.0;
        let room = 2.0 * (94.0 * 94.0 - low * low).sqrt();
        let fit = ((room + gap) / (width + gap)) as usize;
        let row = fit.min(count - plates.len());
        for i in 0..row {
            let x = (i as f64 - (row as f64 - 1.0) / 2.0) * (width + gap);
            plates.push(Plate { x, y, width, height });
        }
        y += height + gap;
    }
    plates
}

impl Board<'_> {
    /// The pad with what is said on it; beside the plate for declining there is less room.
    pub(super) fn pad(&self, declines: bool) -> Element {
        let look = self.look;
        let mut parts = vec![
            svg::circle(0.0, 0.0, 106.0).painted(look.tint(colours::PAD), look.tint(colours::PAD_EDGE), 3.0),
            svg::circle(0.0, 0.0, 99.0)
                .painted("none", look.tint(colours::STITCH), 1.6)
                .set("stroke-dasharray", "6 4"),
        ];
        self.pad_words(declines, &mut parts);
        self.on_pad(parts)
    }

    /// What is drawn round the middle of the pad, where the pad is.
    pub(super) fn on_pad(&self, parts: Vec<Element>) -> Element {
        let (x, y) = self.spiral.centre;
        svg::group().children(parts).set("transform", svg::placed(x, y, 0.0, self.spiral.pad_scale()))
    }

    fn pad_words(&self, declines: bool, words: &mut Vec<Element>) {
        let (state, look) = (self.state, self.look);
        let bright = |text: Element| text.set("fill", look.tint(colours::ON_PAD));
        let note = if state.six_three_roll { ", 6-3" } else { "" };
        let turn = format!("turn {}{note}", state.turn);
        words.push(svg::text(turn, 0.0, -75.0, 14.0).set("fill", look.tint(colours::ON_PAD_MUTED)));
        let shown = state.winner.map_or(self.acting, |side| Some(side.index()));
        if state.phase == Phase::Over {
            let (result, y) = match shown {
                Some(side) => (format!("{} wins", pieces::LETTERS[side]), 28.0),
                None => ("draw".to_owned(), 0.0),
            };
            words.push(bright(svg::text(result, 0.0, y, 34.0)).set("font-weight", "bold"));
            if let Some(side) = shown {
                words.push(pieces::emblem(0.0, -26.0, 26.0, side, look));
                let players = self.game.players_of(side);
                words.push(svg::text(players, 0.0, 60.0, 17.0).set("fill", look.tint(colours::ON_PAD_MUTED)));
            }
            return;
        }
        let ask = if state.moved != 0 { "second stack" } else { asked(state.phase).0 };
        if let (Some(side), Some(player)) = (shown, self.player) {
            words.push(pieces::emblem(-54.0, -47.0, 17.0, side, look));
            let named = svg::text(format!("player {player}"), -31.0, -47.0, 21.0).set("text-anchor", "start");
            words.push(bright(named).set("font-weight", "bold"));
        }
        words.push(bright(svg::text(ask, 0.0, -15.0, 18.0)));
        self.pool(declines, words);
    }

    /// How high a row of values on the pad is.
    fn row_height(&self) -> f64 {
        if self.state.pool.len() <= 4 { 28.0 } else { 24.0 }
    }

    /// The middle of the line under the pool, from the middle of the pad.
    pub(super) fn below_pool(&self) -> f64 {
        let (height, rows) = (self.row_height(), self.state.pool.len().div_ceil(4));
        if rows == 0 { 26.0 } else { 5.0 + height / 2.0 + rows as f64 * (height + 4.0) }
    }

    /// The values on the pad as tiles, four to a row, and under them the distance that is to be moved.
    fn pool(&self, declines: bool, words: &mut Vec<Element>) {
        let look = self.look;
        let height = self.row_height();
        let mut y = 5.0 + height / 2.0;
        for row in self.state.pool.as_slice().chunks(4) {
            for (i, value) in row.iter().enumerate() {
                let x = (i as f64 - (row.len() - 1) as f64 / 2.0) * 39.0;
                words.push(
                    svg::rect(x - 17.0, y - height / 2.0, 34.0, height)
                        .set("rx", 6.0)
                        .set("fill", look.tint(colours::ON_PAD))
                        .set("stroke", look.tint(colours::PAD_EDGE)),
                );
                let written =
                    svg::text(value.to_string(), x, y, 19.0).set("fill", look.tint(colours::PAD_EDGE));
                words.push(written.set("font-weight", "bold"));
            }
            y += height + 4.0;
        }
        if self.state.value != 0 {
            // Beside the plate for declining, if there is one.
            let x = if declines { -42.0 } else { 0.0 };
            let written = svg::text(format!("move {}", self.state.value), x, self.below_pool(), 20.0);
            words.push(written.set("fill", look.tint(colours::ON_PAD)).set("font-weight", "bold"));
        }
    }
}
