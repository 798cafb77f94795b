//! Where the shells and the positions lie.

use std::f64::consts::PI;

use crate::draw::maths::{cos, sin};
use crate::draw::moves::Point;

pub(super) const WIDTH: f64 = 600.0;
pub(super) const CENTRE: f64 = 300.0;
pub(super) const MARGIN: f64 = 12.0;
/// How wide the mark round a stack that moved just now is, in coins.
pub(super) const RING: f64 = 1.3;

const OUTER: f64 = 268.0;
const PITCH: f64 = 56.0;
const GAP: f64 = 45.0;
const FEWEST_TURNS: f64 = 0.92;

/// Where shells and positions lie.
///
/// The radius grows by `PITCH` in each turn and reaches `OUTER` at the last shell. The number of turns follows
/// from the number of shells; a short line of shells is spread over one turn instead, with larger coins. The
/// whole is then moved and scaled to fill its square: a spiral does not lie evenly round its own centre.
pub(super) struct Spiral {
    pub inner: f64,
    growth: f64,
    pub length: f64,
    pub gap: f64,
    pub coin: f64,
    pub reach: f64,
    pub centre: Point,
    num_shells: u8,
}

/// A point on the line of shells, and its angle in degrees, clockwise from the right.
pub(super) struct Spot {
    pub x: f64,
    pub y: f64,
    pub angle: f64,
}

impl Spot {
    pub fn point(&self) -> Point {
        (self.x, self.y)
    }
}

impl Spiral {
    pub fn new(num_shells: u8) -> Spiral {
        let gaps = (num_shells - 1) as f64;
        let turns = (OUTER - (OUTER * OUTER - PITCH * gaps * GAP / PI).sqrt()) / PITCH;
        let turns = turns.max(FEWEST_TURNS);
        let length = 2.0 * PI * (OUTER * turns - PITCH * (turns * turns) / 2.0);
        let gap = length / gaps;
        let spiral = Spiral {
            inner: OUTER - PITCH * turns,
            growth: PITCH / (2.0 * PI),
            length,
            gap,
            coin: (0.345 * gap).min(24.0),
            reach: (0.75 * gap).min(38.0),
            centre: (0.0, 0.0),
            num_shells,
        };
        spiral.filling()
    }

    /// The spiral scaled and moved so that its band fills the square, the margin left free.
    fn filling(self) -> Spiral {
        let line = self.line();
        let span = |each: fn(&Point) -> f64| {
            let all = || line.iter().map(each);
            (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max))
        };
        let ((left, right), (top, bottom)) = (span(|point| point.0), span(|point| point.1));
        let room = WIDTH - 2.0 * MARGIN;
        let scale = room / ((right - left).max(bottom - top) + 2.1 * self.coin);
        Spiral {
            inner: scale * self.inner,
            growth: scale * self.growth,
            length: scale * self.length,
            gap: scale * self.gap,
            coin: scale * self.coin,
            reach: scale * self.reach,
            centre: (CENTRE - scale * (right + left) / 2.0, CENTRE - scale * (bottom + top) / 2.0),
            num_shells: self.num_shells,
        }
    }

    /// The line of shells with a bit more at both ends.
    pub fn line(&self) -> Vec<Point> {
        let steps = 200;
        (0..=steps)
            .map(|i| {
                let along = -self.reach + (self.length + 2.0 * self.reach) * i as f64 / steps as f64;
                self.at(along, 0.0).point()
            })
            .collect()
    }

    /// The point that far along the line of shells, and so much nearer to the pad.
    pub fn at(&self, distance: f64, inwards: f64) -> Spot {
        let turned =
            ((self.inner * self.inner + 2.0 * self.growth * distance).sqrt() - self.inner) / self.growth;
        let angle = turned - PI / 2.0;
        let radius = self.inner + self.growth * turned - inwards;
        let (x, y) = self.centre;
        Spot { x: x + radius * cos(angle), y: y + radius * sin(angle), angle: angle.to_degrees() }
    }

    /// Where a shell lies.
    pub fn shell(&self, index: u8) -> Spot {
        self.at((index - 1) as f64 * self.gap, 0.0)
    }

    /// Where a position lies, and so much nearer to the pad.
    pub fn position(&self, index: u8, inwards: f64) -> Spot {
        self.at((index as f64 - 0.5) * self.gap, inwards)
    }

    /// How far along the shells a position lies; the hand before all of them and what is off behind them.
    pub fn along(&self, place: u8) -> f64 {
        if place == 0 {
            -0.5 * self.reach
        } else if place == self.num_shells {
            self.length + 0.5 * self.reach
        } else {
            (place as f64 - 0.5) * self.gap
        }
    }

    /// How much larger numbers are on a short line of shells.
    pub fn enlarged(&self) -> f64 {
        1.0 + 0.5 * (self.coin / 15.5 - 1.0)
    }

    /// How large the numbers of the positions are.
    pub fn number_size(&self) -> f64 {
        14.5 * self.enlarged()
    }

    /// How large the pad is drawn.
    pub fn pad_scale(&self) -> f64 {
        (self.inner - 1.1 * self.coin - 24.0).min(150.0) / 106.0
    }
}
