//! Moves on a board: the last one and, on request, the legal ones, by the names that the game gives them.
//!
//! The last move is a solid line with an arrow head, a legal one a thin dashed line, so that neither needs its colour.
//! A move that hits has two heads, and they are filled. What happens at one place, without a way to it, is a ring; what
//! is taken away has a cross in it.

use super::maths::{atan2, cos, dist, hypot, sin};
use super::options::{MoveValue, Options};
use super::svg::{self, Element};
use super::theme::Theme;
use crate::base::error::Error;

/// A point of a picture.
pub type Point = (f64, f64);

/// How many legal moves one picture may show.
pub const MOST_LEGAL: usize = 1000;

const LONGEST_NAME: usize = 40;

/// How broad the lines of a legal and of the last move are.
const THIN: f64 = 2.4;
const BROAD: f64 = 4.2;

/// Where a move leads: along these points, or what happens at the only one.
#[derive(Clone, PartialEq, Debug)]
pub struct Course {
    /// The points.
    pub points: Vec<Point>,
    /// How far around its end pieces lie, which the line leaves free.
    pub clear: f64,
    /// The same for where it begins, if that is not as far.
    pub leave: Option<f64>,
    /// Whether what stands at the only place is taken off.
    pub removed: bool,
    /// Whether pieces are hit or killed at the end.
    pub hit: bool,
}

impl Course {
    /// A course that takes nothing off and hits nothing.
    pub fn new(points: Vec<Point>, clear: f64) -> Self {
        Course { points, clear, leave: None, removed: false, hit: false }
    }
}

/// What a game makes of the name of an action.
#[derive(Clone, PartialEq, Debug)]
pub enum Reading {
    /// Where it leads.
    Course(Course),
    /// A mark of its own.
    Mark(Element),
    /// There is nothing to show.
    Nothing,
}

/// What a game makes of a name, for a player, and whether the move is still to be chosen; `None` for what is no name.
pub type Read<'a> = &'a dyn Fn(&str, usize, bool) -> Option<Reading>;

/// The marks of the last move and of the legal ones: of the player whose turn it is, among so many.
///
/// # Errors
/// When a name or a seat is wrong, or nobody is to move and yet there are legal moves.
pub fn marks(
    options: &Options,
    player: Option<usize>,
    num_players: usize,
    reading: Read<'_>,
) -> Result<Option<Element>, Error> {
    let (legal, look) = (&options.legal, options.theme);
    check_legal(legal)?;
    if !legal.is_empty() && player.is_none() {
        return Err(Error::new(format!(
            "legal has {} moves, but nobody is to move in this position",
            legal.len()
        )));
    }
    let mut drawn = Vec::new();
    for (i, name) in legal.iter().enumerate() {
        let found = read(reading, name, player.unwrap_or(0), &format!("legal[{i}]"), true)?;
        drawn.push(mark(found, look, true, format!("legal: {name}")));
    }
    if let Some((seat, name)) = &options.last {
        if *seat >= num_players {
            return Err(Error::new(format!(
                "last[0] must be a seat from 0 to {}, got {seat}",
                num_players - 1
            )));
        }
        let latest = read(reading, name, *seat, "last", false)?;
        // The broad line below the thin ones.
        drawn.insert(0, mark(latest, look, false, format!("player {seat} played {name}")));
    }
    let shown: Vec<Element> = drawn.into_iter().flatten().collect();
    Ok((!shown.is_empty()).then(|| svg::group().children(shown)))
}

/// Refuses more names than a picture may show.
///
/// # Errors
/// Says how many it may.
pub fn check_legal(legal: &[String]) -> Result<(), Error> {
    if legal.len() <= MOST_LEGAL {
        return Ok(());
    }
    Err(Error::new(format!("legal has {} moves: a picture shows at most {MOST_LEGAL}", legal.len())))
}

/// Moves with what they are worth, on a plate: "+7" for won in 7 turns, "=" for drawn, "-12" for lost in 12; where the turns
/// are not known, the sign alone. Of the player whose turn it is.
///
/// # Errors
/// When a name is wrong, or there are too many.
pub fn valued(
    values: &[(String, MoveValue)],
    player: Option<usize>,
    reading: Read<'_>,
    look: &Theme,
) -> Result<Option<Element>, Error> {
    if values.len() > MOST_LEGAL {
        return Err(Error::new(format!(
            "values must be a dict with at most {MOST_LEGAL} names of actions and their values"
        )));
    }
    let mut best_last: Vec<&(String, MoveValue)> = values.iter().collect();
    // Quick wins before slow ones, and slow losses before quick ones; the best on top.
    best_last
        .sort_by_key(|(_, (value, turns))| (*value, -i128::from(*value) * i128::from(turns.unwrap_or(0))));
    let (mut lines, mut plates) = (Vec::new(), Vec::new());
    for (name, (value, turns)) in best_last {
        let Reading::Course(found) = read(reading, name, player.unwrap_or(0), "values", true)? else {
            continue;
        };
        // Each dark enough for white figures on it, and apart for the colour-blind; the figures differ too.
        let (colour, sign, word) = match value {
            1 => ("#00704f", "+", "won"),
            0 => ("#575e6b", "=", "drawn"),
            _ => ("#b03f06", "\u{2212}", "lost"),
        };
        let (line, at) = valued_line(&found);
        let inked = |stroke: &'static str, width: f64| {
            svg::path(line.clone())
                .set("stroke", stroke)
                .set("stroke-width", width)
                .set("fill", "none")
                .set("stroke-linecap", "round")
        };
        lines.push(inked(look.background, BROAD + 3.2));
        lines.push(inked(colour, BROAD));
        let figure = turns.map_or_else(|| sign.to_owned(), |turns| format!("{sign}{turns}"));
        let width = 12.0 + 10.5 * figure.chars().count() as f64;
        let ends = turns.map_or_else(String::new, |turns| format!(" in {turns}"));
        let plate = svg::rect(at.0 - width / 2.0, at.1 - 11.0, width, 22.0).set("rx", 8).painted(
            colour,
            look.background,
            1.6,
        );
        let figure = svg::text(figure, at.0, at.1, 16.0).set("fill", "#ffffff").set("font-weight", "bold");
        plates.push(svg::group().child(plate).child(figure).label(format!("{name}: {word}{ends}")));
    }
    Ok((!plates.is_empty()).then(|| svg::group().children(lines).children(plates)))
}

/// The line of a move that has a value, and where the plate with its value lies.
fn valued_line(found: &Course) -> (String, Point) {
    if let [(x, y)] = found.points[..] {
        let plate = (x + 0.75 * found.clear, y - 0.75 * found.clear);
        return (circle(x, y, found.clear + 4.0), plate);
    }
    // Beside the end and on the way there, so that plates of several ways to one place stand apart.
    let way = reversed(&cut(&found.points, found.clear));
    let back = cut(&way, 0.8 * found.clear);
    (format!("M{}", svg::points(&reversed(&back))), back[0])
}

fn read(reading: Read<'_>, name: &str, player: usize, place: &str, ahead: bool) -> Result<Reading, Error> {
    let short = name.chars().count() <= LONGEST_NAME;
    short.then(|| reading(name, player, ahead)).flatten().ok_or_else(|| {
        let shown: String = name.chars().take(LONGEST_NAME).collect();
        Error::new(format!(
            "{place} is {}, which names no action: give what state.action_to_string says",
            quoted(&shown)
        ))
    })
}

/// A text in quotes, as Python writes it.
fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x1f' | '\x7f'..='\u{a0}' => out.push_str(&format!("\\x{:02x}", character as u32)),
            _ if character == quote => out.extend(['\\', quote]),
            _ => out.push(character),
        }
    }
    out.push(quote);
    out
}

/// A curve from start to end that leans towards a point, the more the longer it is, and `times` as much.
pub fn bent(start: Point, end: Point, towards: Point, times: f64) -> Vec<Point> {
    let (along_x, along_y) = (end.0 - start.0, end.1 - start.1);
    let (middle_x, middle_y) = ((start.0 + end.0) / 2.0, (start.1 + end.1) / 2.0);
    // Square to the straight line, on the side of the point.
    let side = along_x * (towards.1 - middle_y) - along_y * (towards.0 - middle_x);
    // A short way is bent enough to be seen beside what it leads past.
    let lean = times * f64::max(0.3, 18.0 / f64::max(hypot(along_x, along_y), 18.0)).copysign(side);
    let over = (middle_x - lean * along_y, middle_y + lean * along_x);
    let steps = 16;
    (0..=steps)
        .map(|i| {
            let t = f64::from(i) / f64::from(steps);
            let left = (1.0 - t) * (1.0 - t);
            (
                left * start.0 + 2.0 * t * (1.0 - t) * over.0 + t * t * end.0,
                left * start.1 + 2.0 * t * (1.0 - t) * over.1 + t * t * end.1,
            )
        })
        .collect()
}

fn mark(found: Reading, look: &Theme, dashed: bool, label: String) -> Option<Element> {
    let course = match found {
        Reading::Nothing => return None,
        Reading::Mark(own) => return Some(svg::group().child(own).label(label)),
        Reading::Course(course) => course,
    };
    let width = if dashed { THIN } else { BROAD };
    let (line, head) = if course.points.len() == 1 { ring(&course, width) } else { arrow(&course, width) };
    Some(inked(&line, &head, look, dashed, Some(label), course.hit))
}

/// Path data as a mark: `line` solid for the last move and dashed for a legal one, `head` always solid, and filled where
/// asked; none where it is empty.
pub fn inked(
    line: &str,
    head: &str,
    look: &Theme,
    dashed: bool,
    label: Option<String>,
    filled: bool,
) -> Element {
    let width = if dashed { THIN } else { BROAD };
    let stroke = |d: &str, first: &'static str, value: Option<&'static str>| {
        (!d.is_empty()).then(|| {
            svg::path(d.to_owned()).set(first, value).set("stroke", look.ink).set("stroke-width", width)
        })
    };
    // A rim of the other tone, so that the line is seen on every ground.
    let rim =
        svg::path(format!("{line}{head}")).set("stroke", look.background).set("stroke-width", width + 3.2);
    let whole = svg::group()
        .child(rim)
        .child(stroke(line, "stroke-dasharray", dashed.then_some("7 5")))
        .child(stroke(head, "fill", filled.then_some(look.ink)))
        .set("fill", "none")
        .set("stroke-linecap", "round")
        .set("stroke-linejoin", "round");
    match label {
        Some(label) => whole.label(label),
        None => whole,
    }
}

/// A ring, and a cross for what is taken away.
fn ring(course: &Course, width: f64) -> (String, String) {
    let (x, y) = course.points[0];
    let radius = course.clear + width + 3.0;
    let mut cross = String::new();
    if course.removed {
        let reach = 0.5 * course.clear;
        for way in [1.0, -1.0] {
            let ends = [(x - reach, y - way * reach), (x + reach, y + way * reach)];
            cross += &format!("M{}", svg::points(&ends));
        }
    }
    (circle(x, y, radius), cross)
}

/// Path data of a circle.
pub fn circle(x: f64, y: f64, radius: f64) -> String {
    let far = svg::number(radius);
    let half = |to: f64| format!("A{far} {far} 0 0 1 {}", svg::points(&[(to, y)]));
    format!("M{}{}{}", svg::points(&[(x - radius, y)]), half(x + radius), half(x - radius))
}

/// A line, and the head at its end; two for a hit, closed.
fn arrow(course: &Course, width: f64) -> (String, String) {
    let left = cut(&course.points, course.leave.unwrap_or(course.clear));
    let points = reversed(&cut(&reversed(&left), course.clear + width));
    let (back_x, back_y) = before(&points, 8.0);
    let (x, y) = points[points.len() - 1];
    let angle = atan2(y - back_y, x - back_x);
    let size = 5.0 + 2.8 * width;
    let close = if course.hit { "Z" } else { "" };
    let backs: &[f64] = if course.hit { &[0.0, 6.0 + 2.2 * width] } else { &[0.0] };
    let heads: String = backs
        .iter()
        .map(|back| head(x - back * cos(angle), y - back * sin(angle), angle, size) + close)
        .collect();
    (format!("M{}", svg::points(&points)), heads)
}

/// Path data of the head of an arrow with its tip there, which points at that angle, clockwise from the right.
pub fn head(x: f64, y: f64, angle: f64, size: f64) -> String {
    let wing = |turn: f64| (x - size * cos(angle + turn), y - size * sin(angle + turn));
    format!("M{}", svg::points(&[wing(-0.5), (x, y), wing(0.5)]))
}

fn reversed(points: &[Point]) -> Vec<Point> {
    points.iter().rev().copied().collect()
}

/// A line without its first part of that length; at least its last third is left.
fn cut(points: &[Point], off: f64) -> Vec<Point> {
    let whole: f64 = points.windows(2).map(|pair| dist(pair[0], pair[1])).sum();
    let mut left = off.min(whole / 3.0);
    for (i, pair) in points.windows(2).enumerate() {
        let (a, b) = (pair[0], pair[1]);
        let step = dist(a, b);
        if left < step {
            let share = left / step;
            let first = (a.0 + share * (b.0 - a.0), a.1 + share * (b.1 - a.1));
            return [&[first], &points[i + 1..]].concat();
        }
        left -= step;
    }
    points[points.len().saturating_sub(2)..].to_vec()
}

/// The point of the line about so far before its end.
fn before(points: &[Point], distance: f64) -> Point {
    let end = points[points.len() - 1];
    let far = points.iter().rev().find(|point| dist(**point, end) >= distance);
    *far.unwrap_or(&points[0])
}
