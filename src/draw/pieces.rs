//! What several games share: round pieces of up to four sides, alone or in piles, dice and panels.
//!
//! Sides differ by colour and, for eyes that see few colours and for print without any, by the light plate in the middle of
//! a piece: a disc, a square, a diamond, or none.

use super::svg::{self, Element, Text};
use super::theme::Theme;

/// The letter of each side.
pub const LETTERS: [&str; 4] = ["A", "B", "C", "D"];

/// A pile of `count` pieces of a side (0 to 3) around (x, y), each of that radius, the count or `face` on top; an empty
/// place where it is 0. The label is what the pile is, in words.
#[allow(clippy::too_many_arguments, reason = "a shape has as many")]
pub fn pile(
    x: f64,
    y: f64,
    radius: f64,
    count: usize,
    side: usize,
    theme: &Theme,
    label: impl Into<Text>,
    face: Option<&'static str>,
) -> Element {
    if count == 0 {
        return svg::group()
            .child(svg::circle(x, y, radius).painted("none", theme.muted, 1.5).set("stroke-dasharray", "3 3"))
            .child(svg::text("0", x, y, 1.06 * radius).set("fill", theme.muted))
            .label(label);
    }
    let step = pile_step(count, radius);
    let top = y - step * (count - 1) as f64 / 2.0;
    let coin = |y: f64, edge: f64| {
        svg::circle(x, y, radius).painted(theme.sides[side], theme.outline, edge * radius)
    };
    let face = face.map_or_else(|| Text::from(count.to_string()), Text::from);
    // Thin edges below, or a high pile of small pieces would be all edge and no colour.
    svg::group()
        .children((1..count).rev().map(|i| coin(top + step * i as f64, 0.035)))
        .child(coin(top, 0.07))
        .child(plate(x, top, radius, side, theme))
        .child(svg::text(face, x, top, 1.12 * radius).set("fill", theme.on_plate).set("font-weight", "bold"))
        .label(label)
}

/// How far each piece of a pile stands above the next: a high pile is pressed together.
pub fn pile_step(count: usize, radius: f64) -> f64 {
    f64::min(0.14 * radius, 0.7 * radius / count.saturating_sub(1).max(1) as f64)
}

/// One piece with the letter of its side: the key to the colours and plates on a board.
pub fn emblem(x: f64, y: f64, radius: f64, side: usize, theme: &Theme) -> Element {
    let letter = LETTERS[side];
    pile(x, y, radius, 1, side, theme, format!("side {letter}"), Some(letter))
}

fn plate(x: f64, y: f64, radius: f64, side: usize, theme: &Theme) -> Option<Element> {
    let shape = match side {
        0 => svg::circle(x, y, 0.68 * radius),
        1 => {
            let half = 0.57 * radius;
            svg::rect(x - half, y - half, 2.0 * half, 2.0 * half)
        }
        2 => {
            let half = 0.86 * radius;
            let corners = svg::points(&[(x, y - half), (x + half, y), (x, y + half), (x - half, y)]);
            svg::path(format!("M{corners}Z"))
        }
        _ => return None,
    };
    Some(shape.painted(theme.plate, theme.outline, 0.05 * radius).set("stroke-linejoin", "round"))
}

/// Where the pips of a die lie, from the middle, in thirds of its width and height.
fn pips(value: u8) -> &'static [(i8, i8)] {
    match value {
        1 => &[(0, 0)],
        2 => &[(-1, -1), (1, 1)],
        3 => &[(-1, -1), (0, 0), (1, 1)],
        4 => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5 => &[(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        6 => &[(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
        _ => panic!("a die shows 1 to 6, not {value}"),
    }
}

/// A die around (x, y) that shows `value` pips; as wide as high it is a cube, else a long die.
///
/// # Panics
/// When the value is none of 1 to 6.
///
/// ```
/// use sarai::draw::{pieces::die, theme::LIGHT};
/// assert_eq!(die(20.0, 20.0, 36.0, 36.0, 5, &LIGHT).written().matches("<circle").count(), 5);
/// ```
pub fn die(x: f64, y: f64, width: f64, height: f64, value: u8, theme: &Theme) -> Element {
    // Six pips lie in threes along the longer side.
    let turned = value == 6 && width > height;
    let least = f64::min(width, height);
    let dots = pips(value).iter().map(|&(column, row)| {
        let (column, row) = if turned { (row, column) } else { (column, row) };
        let (x, y) = (x + 0.265 * width * f64::from(column), y + 0.265 * height * f64::from(row));
        svg::circle(x, y, 0.115 * least).set("fill", theme.on_plate)
    });
    let body = svg::rect(x - width / 2.0, y - height / 2.0, width, height).set("rx", 0.17 * least).painted(
        theme.plate,
        theme.outline,
        1.5,
    );
    svg::group().child(body).children(dots).label(format!("a die: {value}"))
}

/// The box of a player or side; `lit` is the colour of its edge where it is their turn or their win.
pub fn panel(
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    theme: &Theme,
    lit: Option<&'static str>,
) -> Element {
    svg::rect(left, top, width, height).set("rx", 10).painted(
        theme.panel,
        lit.unwrap_or(theme.line),
        if lit.is_some() { 4.0 } else { 1.5 },
    )
}

/// Where boxes side by side begin, and how wide each is.
///
/// ```
/// assert_eq!(sarai::draw::pieces::in_a_row(2, 0.0, 108.0), (vec![0.0, 58.0], 50.0));
/// ```
pub fn in_a_row(count: usize, left: f64, right: f64) -> (Vec<f64>, f64) {
    let gap = 8.0;
    let width = (right - left - gap * (count as f64 - 1.0)) / count as f64;
    ((0..count).map(|i| left + i as f64 * (width + gap)).collect(), width)
}

/// A line in bold that starts at `left`: a name, or what is asked.
pub fn bold(content: impl Into<Text>, left: f64, y: f64, size: f64, theme: &Theme) -> Element {
    svg::text(content, left, y, size)
        .set("text-anchor", "start")
        .set("fill", theme.ink)
        .set("font-weight", "bold")
}

/// The number of the turn, at the right end of a line.
pub fn turn_number(turn: u32, right: f64, y: f64, theme: &Theme) -> Element {
    svg::text(format!("turn {turn}"), right, y, 19.0).set("text-anchor", "end").set("fill", theme.muted)
}

/// The dashed mark round a pile into which pieces moved just now.
pub fn moved_ring(x: f64, y: f64, radius: f64, width: f64, theme: &Theme) -> Element {
    svg::circle(x, y, radius).painted("none", theme.ink, width).set("stroke-dasharray", "5 3.2")
}

/// A position in a few words: the result, or who is to do what.
///
/// `asked` is what is said of the player whose turn it is, or of all where it is nobody's; `won` that somebody has won.
///
/// ```
/// use sarai::draw::pieces::said;
/// assert_eq!(said(Some(1), false, "is to throw", None), "player 1 is to throw");
/// assert_eq!(said(None, true, "", Some("side A wins".into())), "side A wins");
/// ```
pub fn said(player: Option<usize>, over: bool, asked: &str, won: Option<String>) -> String {
    match (won, player) {
        (Some(won), _) => won,
        (None, _) if over => "the game is a draw".to_owned(),
        (None, None) => asked.to_owned(),
        (None, Some(player)) => format!("player {player} {asked}"),
    }
}

/// A sentence with a capital at its beginning and a stop at its end.
///
/// ```
/// assert_eq!(sarai::draw::pieces::sentence("the game is a draw"), "The game is a draw.");
/// ```
pub fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters.next().into_iter().map(|letter| letter.to_ascii_uppercase()).collect();
    format!("{first}{}.", letters.as_str())
}
