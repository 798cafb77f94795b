//! The board of Shah: three joined squares, drawn with a finger in the sand, and two sets of stones.
//!
//! Player 0 has round pale stones, player 1 square dark ones. Files a to g run from the left, ranks 1 to 7 from below. What
//! a player has in hand and has lost stands in a panel under the board. For player 1 all of that is turned by half.

mod colours;
mod words;

use super::board::{LINE_POINTS, NAMES, POINTS};
use super::position::STONES;
use super::{Move, Phase, Shah, State};
use crate::base::error::Error;
use crate::draw::moves::{Course, Reading};
use crate::draw::pieces::sentence;
use crate::draw::{Element, Options, Picture, Place, Theme, document, moves, pieces, svg};
use crate::rules::{Action, Draw, Setting};
use words::{holder, is_moving, mills, new_mill};

const WIDTH: f64 = 600.0;
const MARGIN: f64 = 12.0;
const STEP: f64 = 72.0;
const FIRST: f64 = 84.0;
const BOARD: f64 = 600.0;
const STATUS_HEIGHT: f64 = 68.0;
const PANEL_HEIGHT: f64 = 108.0;
const RADIUS: f64 = 24.0;

impl Draw for Shah {
    const COLOURS: &'static [&'static str] = &STONES;
    const SHOWS_VALUES: bool = true;

    fn draw(&self, s: &State, options: &Options) -> Result<Picture, Error> {
        let look = options.theme;
        let player = self.acting(s);
        let view = View(options.orientation);
        let course = |name: &str, _: usize, _: bool| view.course(name);
        let marks = moves::marks(options, player, 2, &course)?;
        let values = options.values.as_ref();
        let values = values.map(|values| moves::valued(values, player, &course, look)).transpose()?;
        document(
            [
                Some(view.ground(look, options.coordinates)),
                Some(view.rows(s, look)),
                Some(view.stones(s, look)),
                marks,
                values.flatten(),
                Some(self.status(s, look)),
                Some(self.panels(s, view, look)),
            ],
            WIDTH,
            BOARD + STATUS_HEIGHT + PANEL_HEIGHT + MARGIN,
            options.size,
            look,
            format!("Shah, turn {}: {}", s.turn, self.headline(s)),
            self.describe(s),
        )
    }

    fn headline(&self, s: &State) -> String {
        match (s.winner, self.acting(s)) {
            (Some(side), _) => format!("player {} wins", side.0),
            (None, _) if s.phase == Phase::Over => "the game is a draw".to_owned(),
            (None, None) => "who begins is still to be drawn".to_owned(),
            (None, Some(player)) => format!("player {player} is {}", self.task(s, player)),
        }
    }

    fn remark(&self, s: &State) -> String {
        let opening = s.opening_removals;
        match s.phase {
            Phase::Place if opening > 0 => "after placing, each player removes one enemy stone".to_owned(),
            Phase::Remove if opening > 0 => {
                format!("opening removals: the {} of two", if opening > 1 { "first" } else { "second" })
            }
            Phase::Remove if !is_moving(s) => {
                format!("for {} row of three just made", if new_mill(s).is_none() { "a" } else { "the" })
            }
            phase if is_moving(s) && phase != Phase::First => match self.rules.no_capture_limit {
                0 => format!("moves without capture: {}", s.no_capture),
                limit => format!("moves without capture: {} of {limit}", s.no_capture),
            },
            _ => String::new(),
        }
    }

    fn describe(&self, s: &State) -> String {
        let mut parts = vec!["Three joined squares of 24 points.".to_owned(), sentence(&self.headline(s))];
        if let Some(point) = s.lifted() {
            parts.push(format!("The stone from {} is lifted.", NAMES[usize::from(point)]));
        }
        if let Some(player) = s.beginner() {
            let has = if is_moving(s) { "had" } else { "has" };
            parts.push(format!("Player {player} {has} the right to begin the moving phase."));
        }
        let remark = self.remark(s);
        if !remark.is_empty() {
            parts.push(sentence(&remark));
        }
        for (player, kind) in ["round pale", "square dark"].into_iter().enumerate() {
            let held = |point: &usize| holder(s, *point) == Some(player);
            let points: Vec<&str> = (0..POINTS).filter(held).map(|point| NAMES[point]).collect();
            let points = if points.is_empty() { "none".to_owned() } else { points.join(", ") };
            parts.push(format!(
                "Player {player} ({kind} stones): {} in hand, {} lost, on the board: {points}.",
                s.hand[player],
                self.lost(s, player)
            ));
        }
        parts.join(" ")
    }

    fn points(&self, s: &State, orientation: usize) -> Vec<Place> {
        let place = |point: usize| {
            let (x, y) = View(orientation).at(point);
            Place { name: NAMES[point].to_owned(), x, y, r: 0.45 * STEP, words: self.point_words(s, point) }
        };
        (0..POINTS).map(place).collect()
    }

    fn places(&self, _: &State, action: Action) -> Vec<usize> {
        match Move::from_action(action) {
            Some(Move::Slide(from, to)) => vec![from.into(), to.into()],
            Some(Move::Place(point) | Move::Remove(point) | Move::Fly(point)) => vec![point.into()],
            None => Vec::new(),
        }
    }

    fn setting(&self, s: &State, _: usize, point: usize, player: usize) -> Option<Setting> {
        Some((STONES[player], NAMES[point].to_owned(), u8::from(holder(s, point) == Some(player))))
    }

    fn action_words(&self, s: &State, action: Action) -> String {
        let name = |point: u8| NAMES[usize::from(point)];
        match Move::from_action(action) {
            Some(Move::Place(point)) if s.phase == Phase::Land => format!("land on {}", name(point)),
            Some(Move::Place(point)) => format!("place a stone on {}", name(point)),
            Some(Move::Slide(from, to)) => format!("{} to {}", name(from), name(to)),
            Some(Move::Remove(point)) => format!("take the stone on {}", name(point)),
            Some(Move::Fly(point)) => format!("lift the stone on {}", name(point)),
            None => format!("action {action}"),
        }
    }
}

/// The board, seen from the side of this player.
#[derive(Clone, Copy)]
struct View(usize);

impl View {
    /// Where a point lies.
    fn at(self, point: usize) -> (f64, f64) {
        let name = NAMES[point].as_bytes();
        (self.along(f64::from(name[0] - b'a')), self.along(f64::from(b'7' - name[1])))
    }

    /// So many steps from the upper left corner that player 0 sees, across or down.
    fn along(self, steps: f64) -> f64 {
        FIRST + STEP * if self.0 == 0 { steps } else { 6.0 - steps }
    }

    fn line(self, [first, _, last]: [u8; 3]) -> Element {
        let ends = [self.at(first.into()), self.at(last.into())];
        svg::path(format!("M{}", svg::points(&ends))).set("fill", "none")
    }

    fn ground(self, look: &Theme, coordinates: bool) -> Element {
        let side = BOARD - 2.0 * MARGIN;
        let sand = svg::rect(MARGIN, MARGIN, side, side).set("rx", 26).painted(
            look.tint(colours::SAND),
            look.tint(colours::SAND_EDGE),
            3,
        );
        let groove = |points: &[u8; 3]| {
            self.line(*points)
                .set("stroke", look.tint(colours::GROOVE))
                .set("stroke-width", 5)
                .set("stroke-linecap", "round")
        };
        let hollow = |point: usize| {
            svg::circle(self.at(point).0, self.at(point).1, 7.0).set("fill", look.tint(colours::GROOVE))
        };
        let mut drawn = svg::group()
            .child(sand)
            .children(LINE_POINTS.iter().map(groove))
            .children((0..POINTS).map(hollow));
        if coordinates {
            for (i, file) in ["a", "b", "c", "d", "e", "f", "g"].into_iter().enumerate() {
                // Turned or not, files stand below and ranks at the left.
                let place = self.along(i as f64);
                let written = |content: String, x: f64, y: f64| {
                    svg::text(content, x, y, 22.0)
                        .set("fill", look.tint(colours::ON_SAND))
                        .set("font-weight", "bold")
                };
                drawn = drawn.child(written(file.to_owned(), place, 560.0)).child(written(
                    (7 - i).to_string(),
                    40.0,
                    place,
                ));
            }
        }
        drawn
    }

    /// A stroke under each row of three, a much broader one under the one that a stone is to be removed for.
    fn rows(self, s: &State, look: &Theme) -> Element {
        let made = new_mill(s);
        svg::group().children(mills(s).into_iter().map(|(row, player)| {
            let new = made == Some(row);
            let names = row.map(|point| NAMES[usize::from(point)]).join("-");
            let stroke = self
                .line(row)
                .set("stroke", look.tint(colours::MILL))
                .set("stroke-width", if new { 30 } else { 9 })
                .set("stroke-linecap", "round");
            let just = if new { ", just made" } else { "" };
            svg::group().child(stroke).label(format!("player {player}: three in a row on {names}{just}"))
        }))
    }

    fn stones(self, s: &State, look: &Theme) -> Element {
        let held = (0..POINTS).filter_map(|point| {
            let player = holder(s, point)?;
            let (x, y) = self.at(point);
            let label = format!("player {player}: a stone on {}", NAMES[point]);
            Some(stone(x, y, RADIUS, player, look).label(label))
        });
        let lifted = s.lifted().map(|point| {
            let (x, y) = self.at(point.into());
            let ring = svg::circle(x, y, RADIUS)
                .painted(look.tint(colours::SAND), look.tint(colours::ON_SAND), 3)
                .set("stroke-dasharray", "6 4");
            let (player, name) = (s.player, NAMES[usize::from(point)]);
            svg::group().child(ring).label(format!("{player}: the stone from {name} is lifted"))
        });
        svg::group().children(held).child(lifted)
    }

    /// What "a7", "a7-a4", "xb6" and "fly a7" mean on the board.
    fn course(self, name: &str) -> Option<Reading> {
        let known = |name: &str| NAMES.iter().position(|known| *known == name).map(|point| self.at(point));
        let rest = name.strip_prefix('x').or_else(|| name.strip_prefix("fly "));
        let points = match (rest, name.split_once('-')) {
            (Some(point), _) => vec![known(point)?],
            (None, Some((from, to))) => vec![known(from)?, known(to)?],
            (None, None) => vec![known(name)?],
        };
        Some(Reading::Course(Course { removed: name.starts_with('x'), ..Course::new(points, RADIUS) }))
    }
}

/// A stone: round and pale with a ring for player 0, square and dark with a square for player 1.
fn stone(x: f64, y: f64, radius: f64, player: usize, look: &Theme) -> Element {
    let (body, mark) = if player == 0 {
        (svg::circle(x, y, radius), svg::circle(x, y, 0.52 * radius))
    } else {
        // A square as large to the eye as the disc.
        let square = |half: f64, round: f64| {
            svg::rect(x - half, y - half, 2.0 * half, 2.0 * half).set("rx", round * radius)
        };
        (square(0.88 * radius, 0.26), square(0.42 * radius, 0.1))
    };
    let body = body.painted(
        look.tint(colours::STONE[player]),
        look.tint(colours::EDGE[player]),
        f64::max(0.09 * radius, 1.2),
    );
    let mark = mark.painted("none", look.tint(colours::MARK[player]), 0.1 * radius);
    svg::group().child(body).child(mark)
}

impl Shah {
    /// Two lines under the board: whose turn and what is asked, or the result; what is to come or is counted.
    fn status(&self, s: &State, look: &Theme) -> Element {
        let y = BOARD + 14.0;
        let left = MARGIN + 6.0;
        let words = match (self.acting(s), s.winner) {
            (Some(player), _) => format!("player {player}: {}", self.task(s, player)),
            (None, Some(side)) => format!("player {} wins", side.0),
            (None, None) if s.phase == Phase::Over => "draw".to_owned(),
            (None, None) => "who begins?".to_owned(),
        };
        let remark = svg::text(self.remark(s), left, y + 30.0, 18.0);
        svg::group()
            .child(pieces::bold(words, left, y, 20.0, look))
            .child(pieces::turn_number(s.turn.into(), WIDTH - left, y, look))
            .child(remark.set("text-anchor", "start").set("fill", look.ink))
    }

    /// The panels, first that of the player from whose side the board is seen.
    fn panels(&self, s: &State, View(first): View, look: &Theme) -> Element {
        let (lefts, width) = pieces::in_a_row(2, MARGIN, WIDTH - MARGIN);
        svg::group().children((0..2).map(|player| self.panel(s, player, lefts[player ^ first], width, look)))
    }

    fn panel(&self, s: &State, player: usize, left: f64, width: f64, look: &Theme) -> Element {
        let top = BOARD + STATUS_HEIGHT;
        let won = s.winner.is_some_and(|side| side.index() == player);
        let active = won || self.acting(s) == Some(player);
        let privilege = s.beginner().map(usize::from) == Some(player) && !is_moving(s);
        let words = format!("{} in hand, {} lost", s.hand[player], self.lost(s, player));
        let counts = svg::text(words.clone(), left + 14.0, top + 55.0, 18.0)
            .set("text-anchor", "start")
            .set("fill", if active { look.ink } else { look.muted });
        svg::group()
            .child(pieces::panel(
                left,
                top,
                width,
                PANEL_HEIGHT,
                look,
                active.then_some(look.tint(colours::MILL)),
            ))
            .child(stone(left + 25.0, top + 24.0, 13.0, player, look))
            .child(pieces::bold(format!("player {player}"), left + 46.0, top + 24.0, 19.0, look))
            .child(privilege.then(|| badge(left + width - 12.0, top + 24.0, player, look)))
            .child(counts)
            .child(self.supply(s, player, left + 21.0, top + 85.0, (width - 42.0) / 11.0, look))
            .label(format!("player {player}: {words}"))
    }

    /// A place for each stone of the player: in hand a stone, on the board a dot, lost a cross.
    fn supply(&self, s: &State, player: usize, x: f64, y: f64, step: f64, look: &Theme) -> Element {
        let pieces = u32::from(self.rules.pieces);
        svg::group().children((0..pieces).map(|i| {
            let middle = x + step * f64::from(i);
            if i < s.hand[player].into() {
                let label = format!("player {player}: a stone in hand");
                return stone(middle, y, 9.0, player, look).label(label);
            }
            if i < pieces - self.lost(s, player) {
                return svg::circle(middle, y, 2.5).set("fill", look.muted);
            }
            svg::path("M-5 -5 5 5M5 -5 -5 5")
                .painted("none", look.muted, 2.4)
                .set("stroke-linecap", "round")
                .set("transform", svg::placed(middle, y, 0.0, 1.0))
        }))
    }
}

/// This player has the right to begin the moving phase.
fn badge(right: f64, y: f64, player: usize, look: &Theme) -> Element {
    let plate = svg::rect(right - 126.0, y - 13.0, 126.0, 26.0).set("rx", 13).set("fill", look.ink);
    let words = svg::text("moves first", right - 63.0, y, 16.0)
        .set("fill", look.background)
        .set("font-weight", "bold");
    let label = format!("player {player} has the right to begin the moving phase");
    svg::group().child(plate).child(words).label(label)
}
