//! What the names of actions mean on this board.

use std::collections::BTreeSet;

use super::colours;
use super::pad::{Plate, value_plates};
use super::spiral::RING;
use super::{Board, Labels};
use crate::draw::maths::{atan2, cos, sin};
use crate::draw::moves::{self, Course, Point, Reading};
use crate::draw::pieces;
use crate::draw::svg::{self, Element};

/// The largest distance of a move.
const MOST_VALUE: u8 = 64;

/// What the name of an action says.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Named<'a> {
    /// A value to choose, as it is written.
    Value(u8, &'a str),
    Decline,
    /// From a position, 0 for the hand, to another; `None` is off.
    Move {
        start: u8,
        end: Option<u8>,
        hit: bool,
        second: bool,
    },
}

/// One or two digits as a number.
fn digits(word: &str) -> Option<u8> {
    let written = matches!(word.len(), 1 | 2) && word.bytes().all(|byte| byte.is_ascii_digit());
    if written { word.parse().ok() } else { None }
}

/// `7/15+`, `hand/6*`, `hand/9 all`, `60/off`, `value 11`, `decline`.
fn named(name: &str) -> Option<Named<'_>> {
    if name == "decline" {
        return Some(Named::Decline);
    }
    if let Some(value) = name.strip_prefix("value ") {
        return Some(Named::Value(digits(value)?, value));
    }
    let (start, end) = name.split_once('/')?;
    let (end, hit, second) = if let Some(end) = end.strip_suffix('*') {
        (end, true, false)
    } else if let Some(end) = end.strip_suffix(" all") {
        (end, false, true)
    } else {
        (end.strip_suffix('+').unwrap_or(end), false, false)
    };
    let start = if start == "hand" { 0 } else { digits(start)? };
    let end = if end == "off" { None } else { Some(digits(end)?) };
    Some(Named::Move { start, end, hit, second })
}

/// What the moves that are to be marked need to know of one another.
pub(super) struct Marks<'a> {
    board: &'a Board<'a>,
    /// Where the values stand that are to choose from, ascending.
    plates: Vec<(u8, Plate)>,
    pub labels: Labels,
}

impl<'a> Marks<'a> {
    pub fn new(board: &'a Board<'a>, legal: &[String], coordinates: bool) -> Marks<'a> {
        let (mut values, mut ringed) = (BTreeSet::new(), BTreeSet::new());
        for name in legal {
            match named(name) {
                Some(Named::Value(value, _)) => drop(values.insert(value)),
                Some(Named::Move { end: Some(end), .. }) => drop(ringed.insert(end)),
                _ => {}
            }
        }
        let values: Vec<u8> = values.into_iter().collect();
        let plates = value_plates(values.len(), board.below_pool() - 13.0);
        let labels = if coordinates { board.labels(&ringed) } else { Labels::new() };
        Marks { board, plates: values.into_iter().zip(plates).collect(), labels }
    }

    /// What is marked for a move: an arrow for the last one, for a legal one its ends or a plate on the pad.
    pub fn reading(&self, name: &str, ahead: bool) -> Option<Reading> {
        let last = self.board.game.rules.num_shells;
        let (start, end, hit, second) = match named(name)? {
            Named::Value(..) | Named::Decline if !ahead => return Some(Reading::Nothing),
            Named::Decline => {
                let y = self.board.below_pool();
                let plate = Plate { x: 38.0, y, width: 70.0, height: 24.0 };
                return Some(Reading::Mark(self.plate("decline", 15.0, plate)));
            }
            Named::Value(value, word) => {
                if !(1..=MOST_VALUE).contains(&value) {
                    return None;
                }
                let (_, plate) = *self.plates.iter().find(|(known, _)| *known == value)?;
                return Some(Reading::Mark(self.plate(word, 0.76 * plate.height, plate)));
            }
            Named::Move { start, end, hit, second } => (start, end.unwrap_or(last), hit, second),
        };
        if start >= end || end > last {
            return None;
        }
        Some(if ahead {
            Reading::Mark(self.ends(start, end, hit, second))
        } else {
            Reading::Course(self.way(start, end, hit))
        })
    }

    /// The way of a move, on the outer edge of the band.
    fn way(&self, start: u8, end: u8, hit: bool) -> Course {
        let spiral = &self.board.spiral;
        let (begin, far) = (spiral.along(start), spiral.along(end));
        let steps = 4 * (end - start) as usize;
        let mut points = vec![spiral.at(begin, 0.0).point()];
        points.extend((1..steps).map(|i| {
            let along = begin + (far - begin) * i as f64 / steps as f64;
            spiral.at(along, -0.95 * spiral.coin).point()
        }));
        points.push(spiral.at(far, 0.0).point());
        Course { hit, ..Course::new(points, spiral.coin) }
    }

    /// A short arrow beside what can move and a ring where it comes down: whole ways would run together.
    fn ends(&self, start: u8, end: u8, hit: bool, second: bool) -> Element {
        let Board { spiral, state, look, .. } = self.board;
        let (begin, coin) = (spiral.along(start), spiral.coin);
        let arrow = |ahead: f64| -> Vec<Point> {
            (0..7).map(|i| spiral.at(begin + (i as f64 / 4.0 + ahead) * coin, -1.4 * coin).point()).collect()
        };
        // Where it touches no number of the next ring; the first place, if it does everywhere.
        let beside = [-0.7, -0.1, -1.2, 0.4, 0.9, -1.8]
            .map(arrow)
            .into_iter()
            .find(|way| !self.touches(way))
            .unwrap_or_else(|| arrow(-0.7));
        let ((back_x, back_y), (x, y)) = (beside[beside.len() - 2], beside[beside.len() - 1]);
        let tip = moves::head(x, y, atan2(y - back_y, x - back_x), 0.5 * coin);
        let at = spiral.at(spiral.along(end), 0.0);
        // A coin that would lie there, or round those that do; a ring that is there already shows what moved just now.
        let held = end < 64 && state.occupied() >> end & 1 != 0;
        let ring = if end == state.moved { RING } else { 1.0 };
        let radius = coin * (ring + if held { 0.2 } else { 0.0 });
        let mut ring = moves::circle(at.x, at.y, radius);
        if second {
            ring += &moves::circle(at.x, at.y, radius - 5.0);
        }
        let mut ticks = String::new();
        for corner in if hit { &[45.0, 135.0, 225.0, 315.0][..] } else { &[] } {
            let angle = (at.angle + corner).to_radians();
            let to = |r: f64| (at.x + r * cos(angle), at.y + r * sin(angle));
            ticks += &format!("M{}", svg::points(&[to(radius - 3.0), to(radius + 7.0)]));
        }
        let arrow = format!("M{}{tip}", svg::points(&beside));
        svg::group().children([
            moves::inked(&ring, &ticks, look, true, None, false),
            moves::inked("", &arrow, look, true, None, false),
        ])
    }

    /// Whether something there would cover a number.
    fn touches(&self, points: &[Point]) -> bool {
        let spiral = &self.board.spiral;
        let (size, room) = (spiral.number_size(), 0.3 * spiral.coin);
        self.labels.iter().any(|(&place, &(label_x, label_y))| {
            let wide = 0.32 * size * if place < 10 { 1.0 } else { 2.0 } + room;
            points.iter().any(|&(x, y)| (x - label_x).abs() < wide && (y - label_y).abs() < 0.4 * size + room)
        })
    }

    /// What may be chosen, on the pad.
    fn plate(&self, word: &str, size: f64, at: Plate) -> Element {
        let look = self.board.look;
        let Plate { x, y, width, height } = at;
        self.board.on_pad(vec![
            svg::rect(x - width / 2.0, y - height / 2.0, width, height)
                .set("rx", height / 4.0)
                .painted(look.tint(colours::PAD), look.tint(colours::ON_PAD), (0.1 * height).min(1.8))
                .set("stroke-dasharray", "4 2.6"),
            svg::text(word.to_owned(), x, y, size)
                .set("fill", look.tint(colours::ON_PAD))
                .set("font-weight", "bold"),
        ])
    }
}

impl Board<'_> {
    /// Where the numbers of the positions stand; around those that are ringed there is a ring as for a legal move.
    ///
    /// A free position has its number on the band itself. Where coins lie it moves towards the pad.
    fn labels(&self, ringed: &BTreeSet<u8>) -> Labels {
        let (spiral, state) = (&self.spiral, self.state);
        let (larger, size) = (spiral.enlarged(), spiral.number_size());
        let label = |place: u8| {
            let at = spiral.position(place, 0.0);
            let count = state.size[place as usize];
            if count == 0 {
                return at.point();
            }
            // Just inside the coins: what counts is how far coins and number reach in that direction.
            let angle = at.angle.to_radians();
            let pile = pieces::pile_step(count.into(), spiral.coin) * (count - 1) as f64 / 2.0;
            let beside = 0.33 * size * if place < 10 { 1.0 } else { 2.0 };
            let below = 0.36 * size + pile;
            let mut edge = if place == state.moved { RING } else { 1.0 } * spiral.coin + 2.0 * larger;
            if ringed.contains(&place) {
                edge += 0.2 * spiral.coin + 2.0;
            }
            let inwards = edge + beside * cos(angle).abs() + below * sin(angle).abs();
            spiral.position(place, inwards).point()
        };
        (1..self.game.rules.num_shells).map(|place| (place, label(place))).collect()
    }
}
