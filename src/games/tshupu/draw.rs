//! The board of T'shu-p'u: a cross of nine by nine squares with one large square in the middle.
//!
//! Player 0 sits in the south, the others follow clockwise: west, north, east. Each player's panel stands at the right hand
//! of his arm. For another player the cross is turned until his arm is below. Pieces differ by colour and by outline: red discs, yellow squares, green diamonds, black hexagons. The
//! number on a piece or pile is how many there are; a dark plate under it means that they have come round, which tells
//! apart the pieces on a player's start square. The legend at the foot says so.

mod colours;
mod cross;
mod marks;
mod words;

use super::board::{CENTRE as CENTRAL, COLOURS, HAND, OFF, START_AGAIN};
use super::rules::Crosscuts;
use super::state::{Phase, State};
use super::{Move, TshuPu};
use crate::base::error::Error;
use crate::draw::pieces::{said, sentence};
use crate::draw::svg::Text;
use crate::draw::{Element, Options, Picture, Place, Theme, document, maths, moves, pieces, svg};
use crate::rules::action::Action;
use crate::rules::game::{Draw, Setting, Show};
use crate::rules::player::{MAX_PLAYERS, Player};
use cross::{
    CELL, CENTRE, COLUMNS, LOOP, MARGIN, PANEL, PILES, SIDE_CROSSCUTS, STARTS, Spot, Square, View, WIDTH,
    corner_of, spots_of, square_of,
};
use words::{PLACES, TEAM_LETTERS, TEAMS, asked, dice, place_of, seat_name};

const STATUS_TOP: f64 = 600.0;
const STATUS_HEIGHT: f64 = 72.0;
/// One line of the legend under it.
const LEGEND_LINE: f64 = 28.0;

impl Draw for TshuPu {
    const COLOURS: &'static [&'static str] = &COLOURS;

    fn colour(&self, player: Player) -> usize {
        player.index()
    }

    fn draw(&self, s: &State, options: &Options) -> Result<Picture, Error> {
        let (look, coordinates) = (options.theme, options.coordinates);
        let view = View(options.orientation);
        let spots = spots_of(self, s, view);
        let reading = |name: &str, player: usize, ahead: bool| {
            marks::course(self, s, view, &spots, name, player, ahead)
        };
        let marks = moves::marks(options, self.acting(s), MAX_PLAYERS, &reading)?;
        let plates = marks.is_some();
        let legend_lines = if coordinates { 2.0 } else { 1.0 };
        document(
            [
                Some(self.squares(view, look)),
                Some(self.panels(s, view, look)),
                marks,
                // On top of the arrows, which would make them hard to read.
                Some(panel_words(look, plates)),
                coordinates.then(|| self.numbers(view, look, plates)),
                Some(self.stacks(s, view, &spots, look)),
                Some(self.status(s, look)),
                Some(legend(look, coordinates)),
            ],
            WIDTH,
            STATUS_TOP + STATUS_HEIGHT + legend_lines * LEGEND_LINE + 6.0,
            options.size,
            look,
            format!("T'shu-p'u, turn {}: {}", s.turn, self.headline(s)),
            self.describe(s),
        )
    }

    fn headline(&self, s: &State) -> String {
        let won = s.finished_team().map(|team| format!("{} win", TEAMS[team.index()]));
        said(self.acting(s), s.phase == Phase::Over, asked(s.phase).1, won)
    }

    fn describe(&self, s: &State) -> String {
        let mut parts = vec!["A cross of 37 squares.".to_owned(), sentence(&self.headline(s))];
        let faces: Vec<String> = dice(s).map(|face| face.to_string()).collect();
        if !faces.is_empty() {
            parts.push(format!("Dice to play: {}.", faces.join(", ")));
        }
        if let Some(mover) = self.mover(s).filter(|_| self.mover(s) != self.acting(s)) {
            parts.push(format!("The pieces of the partner, player {mover}, are moved."));
        }
        if s.moved != 0 {
            parts.push(format!("Moved just now: the piece {}.", self.where_is(self.owner(s), s.moved)));
        }
        for seat in 0..MAX_PLAYERS {
            let stands = self.stands(s, seat).into_iter();
            let held: Vec<String> =
                stands.map(|p| format!("{} {}", self.count(s, seat, p), self.where_is(seat, p))).collect();
            parts.push(format!(
                "Player {seat} ({}, {}, team {}): {}.",
                COLOURS[seat],
                PLACES[seat],
                TEAM_LETTERS[seat],
                held.join(", ")
            ));
        }
        parts.join(" ")
    }

    fn points(&self, s: &State, orientation: usize) -> Vec<Place> {
        let whole = stops().into_iter().map(|stop| {
            let (x, y) = stop.middle(View(orientation));
            let (name, r, words) = match stop {
                Stop::Square(square) => {
                    (self.place_name(place_of(square)), CELL / 2.0, self.square_words(s, square))
                }
                Stop::Centre => (CENTRAL.to_string(), 1.5 * CELL, self.centre_words(s)),
                Stop::Pile(seat, progress) => {
                    let words = format!(
                        "{}: {} {}",
                        seat_name(seat),
                        self.count(s, seat, progress),
                        self.where_is(seat, progress)
                    );
                    let name = if progress == HAND { "hand" } else { "off" };
                    (format!("{name} of {}", COLOURS[seat]), CELL / 2.0, words)
                }
            };
            Place { name, x, y, r, words }
        });
        whole.collect()
    }

    fn places(&self, s: &State, action: Action) -> Vec<usize> {
        let seat = self.owner(s);
        let stop = |progress: u8| match progress {
            HAND | OFF => Stop::Pile(seat, progress),
            CENTRAL => Stop::Centre,
            progress => Stop::Square(square_of(seat, progress)),
        };
        let stops = stops();
        let index = |progress: u8| stops.iter().position(|known| *known == stop(progress));
        self.ends(s, action).into_iter().flat_map(|(from, to)| [index(from), index(to)]).flatten().collect()
    }

    fn setting(&self, s: &State, _: usize, place: usize, seat: usize) -> Option<Setting> {
        let progress = match stops()[place] {
            Stop::Square(square) => (1..CENTRAL).find(|&progress| square_of(seat, progress) == square)?,
            Stop::Centre => CENTRAL,
            Stop::Pile(owner, OFF) if owner == seat => OFF,
            Stop::Pile(..) => return None,
        };
        let name = if progress == OFF { "off".to_owned() } else { progress.to_string() };
        Some((COLOURS[seat], name, self.count(s, seat, progress) as u8))
    }

    fn action_words(&self, s: &State, action: Action) -> String {
        let seat = self.owner(s);
        let square = |progress: u8| self.place_name(place_of(square_of(seat, progress)));
        let Some((from, to)) = self.ends(s, action) else {
            return format!("action {action}");
        };
        let start = match from {
            HAND => "bring a piece in".to_owned(),
            CENTRAL => return "take a piece off".to_owned(),
            from => format!("move from {}", square(from)),
        };
        let end = match to {
            CENTRAL => "to the centre".to_owned(),
            to => format!("to {}", square(to)),
        };
        let hits = self.enemies_hit(s, seat, to).0;
        let hit = match hits {
            0 => String::new(),
            1 => ", sending one piece home".to_owned(),
            more => format!(", sending {more} pieces home"),
        };
        let both = matches!(Move::from_action(action), Some(Move::Both { .. }));
        format!("{start} {end}{}{hit}", if both { " with both dice" } else { "" })
    }
}

/// A place that moves touch.
#[derive(Clone, Copy, PartialEq)]
enum Stop {
    Square(Square),
    Centre,
    /// The pieces of a seat in hand or off.
    Pile(usize, u8),
}

impl Stop {
    fn middle(self, view: View) -> (f64, f64) {
        match self {
            Stop::Square(square) => {
                let (left, top) = view.corner_of(square);
                (left + CELL / 2.0, top + CELL / 2.0)
            }
            Stop::Centre => (CENTRE, CENTRE),
            Stop::Pile(seat, progress) => view.middle_of(seat, progress),
        }
    }
}

/// All places, row by row as seat 0 sees them.
fn stops() -> Vec<Stop> {
    let squares = LOOP.into_iter().chain(COLUMNS.into_iter().flatten()).map(Stop::Square);
    let piles = (0..MAX_PLAYERS).flat_map(|seat| [Stop::Pile(seat, HAND), Stop::Pile(seat, OFF)]);
    let mut all: Vec<Stop> = squares.chain([Stop::Centre]).chain(piles).collect();
    all.sort_by(|one, other| {
        let ((x, y), (to_x, to_y)) = (one.middle(View(0)), other.middle(View(0)));
        y.total_cmp(&to_y).then(x.total_cmp(&to_x))
    });
    all
}

/// The colour of a square.
fn fill(square: Square, look: &Theme) -> &'static str {
    let own = |seat: &usize| LOOP[STARTS[*seat]] == square || COLUMNS[*seat].contains(&square);
    look.tint((0..MAX_PLAYERS).find(own).map_or(colours::SQUARE, |seat| colours::COLUMN[seat]))
}

fn crosscut((left, top): (f64, f64), look: &Theme) -> Element {
    let far = CELL - 2.0;
    let down = svg::points(&[(2.0, 2.0), (far, far)]);
    let up = svg::points(&[(far, 2.0), (2.0, far)]);
    let cross = svg::path(format!("M{down}M{up}"))
        .set("fill", "none")
        .set("stroke", look.tint(colours::CROSSCUT))
        .set("stroke-width", 3.5)
        .set("transform", svg::placed(left, top, 0.0, 1.0));
    svg::group().child(cross).label("a cross-cut square")
}

/// A small arrow head from the start square of that seat to the next: anti-clockwise.
fn arrow(seat: usize, view: View, look: &Theme) -> Element {
    let ((x, y), (next_x, next_y)) =
        (view.corner_of(LOOP[STARTS[seat]]), view.corner_of(LOOP[STARTS[seat] + 1]));
    // Beside the numbers: towards the end of the arm, and a little more on the next square than on the start.
    let (out_x, out_y) = [(0.0, 0.34), (-0.34, 0.0), (0.0, -0.34), (0.34, 0.0)][view.arm(seat)];
    let (ahead_x, ahead_y) = (0.55 * (next_x - x), 0.55 * (next_y - y));
    let (left, top) = (x + ahead_x + CELL * (0.5 + out_x), y + ahead_y + CELL * (0.5 + out_y));
    let turned = maths::atan2(next_y - y, next_x - x).to_degrees();
    svg::path("M-5 -7 7 0 -5 7Z")
        .set("fill", look.tint(colours::SEAT[seat]))
        .set("stroke", look.tint(colours::LINE))
        .set("stroke-width", 1.5)
        .set("transform", svg::placed(left, top, turned, 1.0))
}

/// The outline of a piece: disc, square, diamond or hexagon, all about as large to the eye.
fn outline(x: f64, y: f64, radius: f64, seat: usize) -> Element {
    let corners: &[(f64, f64)] = match seat {
        0 => return svg::circle(x, y, radius),
        1 => {
            let half = 0.89 * radius;
            return svg::rect(x - half, y - half, 2.0 * half, 2.0 * half).set("rx", 0.12 * radius);
        }
        2 => {
            let reach = 1.16 * radius;
            &[(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
        }
        _ => {
            let (reach, half, up) = (1.14 * radius, 0.57 * radius, 0.99 * radius);
            let above = [(x - reach, y), (x - half, y - up), (x + half, y - up)];
            let below = [(x + reach, y), (x + half, y + up), (x - half, y + up)];
            &[above, below].concat()
        }
    };
    svg::path(format!("M{}Z", svg::points(corners))).set("stroke-linejoin", "round")
}

/// How many pieces, on a plate: dark on light, or light on dark if they have come round.
fn counted(x: f64, y: f64, radius: f64, count: usize, look: &Theme, home: bool) -> [Element; 2] {
    let (plate, figure) = if home { (look.on_plate, look.plate) } else { (look.plate, look.on_plate) };
    [
        svg::circle(x, y, radius).set("fill", plate).set("stroke", figure).set("stroke-width", 1),
        svg::text(count.to_string(), x, y, 1.64 * radius).set("fill", figure).set("font-weight", "bold"),
    ]
}

fn emblem(x: f64, y: f64, seat: usize, look: &Theme) -> Element {
    outline(x, y, 14.0, seat)
        .set("fill", look.tint(colours::SEAT[seat]))
        .set("stroke", look.tint(colours::EDGE[seat]))
        .set("stroke-width", 1.5)
}

/// A line of small text that starts there.
fn note(content: impl Into<Text>, left: f64, y: f64, size: f64, colour: &'static str) -> Element {
    svg::text(content, left, y, size).set("text-anchor", "start").set("fill", colour)
}

/// What the piles in the panels are.
fn panel_words(look: &Theme, plates: bool) -> Element {
    let mut written = svg::group();
    for (left, top) in (0..MAX_PLAYERS).map(|seat| View(0).panel_corner(seat)) {
        for (word, x) in ["hand", "off"].into_iter().zip(PILES) {
            if plates {
                let plate = svg::rect(left + x - 24.0, top + 145.0, 48.0, 20.0);
                written = written.child(plate.set("rx", 5).set("fill", look.panel));
            }
            written = written.child(svg::text(word, left + x, top + 155.0, 18.0).set("fill", look.muted));
        }
    }
    written
}

impl TshuPu {
    fn squares(&self, view: View, look: &Theme) -> Element {
        let square = |square: Square| {
            let (left, top) = view.corner_of(square);
            svg::rect(left, top, CELL, CELL)
                .set("fill", fill(square, look))
                .set("stroke", look.tint(colours::LINE))
                .set("stroke-width", 2)
        };
        let cross = |i: usize| crosscut(view.corner_of(LOOP[i]), look);
        let ends = self.rules.crosscuts == Crosscuts::SidesAndEnds;
        let (left, top) = corner_of((3, 3));
        let centre = svg::rect(left, top, 3.0 * CELL, 3.0 * CELL)
            .set("fill", look.tint(colours::CENTRE))
            .set("stroke", look.tint(colours::LINE))
            .set("stroke-width", 3);
        let inner = svg::rect(left + 9.0, top + 9.0, 3.0 * CELL - 18.0, 3.0 * CELL - 18.0)
            .set("fill", "none")
            .set("stroke", look.tint(colours::CROSSCUT))
            .set("stroke-width", 2);
        svg::group()
            .children(LOOP.into_iter().chain(COLUMNS.into_iter().flatten()).map(square))
            .children(SIDE_CROSSCUTS.into_iter().map(cross))
            .children(STARTS.into_iter().filter(|_| ends).map(cross))
            .children((0..MAX_PLAYERS).map(|seat| arrow(seat, view, look)))
            .child(centre)
            .child(inner)
    }

    /// The numbers of the squares, the same whoever moves; on plates where arrows lead.
    fn numbers(&self, view: View, look: &Theme, plates: bool) -> Element {
        let squares =
            LOOP.into_iter().chain(COLUMNS.into_iter().flatten()).enumerate().map(|(place, square)| {
                let (left, top) = view.corner_of(square);
                // The colour says whose column it is.
                let number =
                    if place < LOOP.len() { place + 1 } else { usize::from(START_AGAIN) + 1 + place % 2 };
                (number, fill(square, look), left + CELL / 2.0, top + 10.0)
            });
        let (left, top) = corner_of((3, 3));
        let centre = (usize::from(CENTRAL), look.tint(colours::CENTRE), left + 24.0, top + 22.0);
        let mut written = svg::group();
        for (number, ground, x, y) in squares.chain([centre]) {
            let number = number.to_string();
            if plates {
                let half = 2.5 + 4.6 * number.len() as f64;
                let plate = svg::rect(x - half, y - 7.5, 2.0 * half, 15.0);
                written = written.child(plate.set("rx", 5).set("fill", ground));
            }
            written = written.child(svg::text(number, x, y, 15.0).set("fill", look.tint(colours::NUMBER)));
        }
        written
    }

    fn stacks(&self, s: &State, view: View, spots: &[Spot], look: &Theme) -> Element {
        let central = (0..MAX_PLAYERS).filter(|&seat| self.count(s, seat, CENTRAL) > 0).map(|seat| Spot {
            seat,
            progress: CENTRAL,
            middle: view.middle_of(seat, CENTRAL),
            radius: 23.0,
        });
        svg::group().children(spots.iter().copied().chain(central).flat_map(|spot| self.stack(s, spot, look)))
    }

    /// A pile, and before it the ring of one that moved just now.
    fn stack(&self, s: &State, spot: Spot, look: &Theme) -> Vec<Element> {
        let Spot { seat, progress, middle: (x, y), radius } = spot;
        let count = self.count(s, seat, progress);
        let mut label = format!("{}: {count} {}", seat_name(seat), self.where_is(seat, progress));
        let mut drawn = Vec::new();
        if Some(seat) == self.mover(s) && s.moved != 0 && progress == s.moved {
            drawn.push(pieces::moved_ring(x, y, 1.36 * radius, 2.6, look));
            label += ", moved just now";
        }
        drawn.push(pile(x, y, radius, count, seat, look, label, progress >= START_AGAIN));
        drawn
    }

    fn panels(&self, s: &State, view: View, look: &Theme) -> Element {
        svg::group().children((0..MAX_PLAYERS).map(|seat| self.panel(s, seat, view, look)))
    }

    fn panel(&self, s: &State, seat: usize, view: View, look: &Theme) -> Element {
        let (left, top) = view.panel_corner(seat);
        let won = s.finished_team().is_some_and(|team| team.index() == seat % 2);
        let lit = won || self.acting(s) == Some(seat);
        let (hand, off) = (self.count(s, seat, HAND), self.count(s, seat, OFF));
        let team = format!("{}, team {}", COLOURS[seat], TEAM_LETTERS[seat]);
        let piles = [HAND, OFF].into_iter().zip(PILES).flat_map(|(progress, x)| {
            self.stack(s, Spot { seat, progress, middle: (left + x, top + 105.0), radius: 24.0 }, look)
        });
        svg::group()
            .child(pieces::panel(left, top, PANEL, PANEL, look, lit.then_some(look.ink)))
            .child(emblem(left + 24.0, top + 35.0, seat, look))
            .child(pieces::bold(format!("player {seat}"), left + 46.0, top + 25.0, 20.0, look))
            .child(note(team, left + 46.0, top + 49.0, 16.0, look.muted))
            .children(piles)
            .label(format!("{}: {hand} in hand, {off} off", seat_name(seat)))
    }

    /// The line under the board: whose turn, what is asked, the dice that are still to play.
    fn status(&self, s: &State, look: &Theme) -> Element {
        let y = STATUS_TOP + STATUS_HEIGHT / 2.0 - 4.0;
        let left = MARGIN + 6.0;
        let drawn = svg::group().child(pieces::turn_number(s.turn.into(), WIDTH - MARGIN - 6.0, y, look));
        let words = match s.finished_team() {
            Some(team) => format!("{} win", TEAMS[team.index()]),
            None if s.phase == Phase::Over => "draw".to_owned(),
            None => asked(s.phase).0.to_owned(),
        };
        let Some(player) = self.acting(s) else {
            return drawn.child(pieces::bold(words, left, y, 22.0, look));
        };
        let mover = self.whose(s, player);
        let instead = if mover == player { String::new() } else { format!(" for {mover}") };
        drawn
            .child(emblem(left + 16.0, y, player, look))
            .child(pieces::bold(format!("player {player}{instead}"), left + 42.0, y - 13.0, 20.0, look))
            .child(note(words, left + 42.0, y + 14.0, 19.0, look.ink))
            .children(
                dice(s)
                    .enumerate()
                    .map(|(i, face)| pieces::die(316.0 + 82.0 * i as f64, y, 72.0, 44.0, face, look)),
            )
    }
}

/// What the figures on the board mean.
fn legend(look: &Theme, coordinates: bool) -> Element {
    let y = STATUS_TOP + STATUS_HEIGHT + LEGEND_LINE / 2.0 - 4.0;
    let left = MARGIN + 6.0;
    let mut written = svg::group();
    for (x, home, words) in
        [(left, false, "pieces on their way round"), (CENTRE, true, "pieces that came round")]
    {
        written = written.children(counted(x + 11.0, y, 10.0, 2, look, home)).child(note(
            words,
            x + 28.0,
            y,
            16.5,
            look.muted,
        ));
    }
    let words = "small numbers: the squares, from the start of red";
    written.child(coordinates.then(|| note(words, left, y + LEGEND_LINE, 16.5, look.muted)))
}

/// A pile of pieces with their number on top; an empty place if there are none.
#[allow(clippy::too_many_arguments, reason = "a shape has as many")]
fn pile(
    x: f64,
    y: f64,
    radius: f64,
    count: usize,
    seat: usize,
    look: &Theme,
    label: String,
    home: bool,
) -> Element {
    if count == 0 {
        return pieces::pile(x, y, radius, 0, seat, look, label, None);
    }
    // Where many piles share a square, the figures are to be read all the same.
    let inner = if radius > 14.0 { 0.64 } else { 0.76 };
    let step = pieces::pile_step(count, radius);
    let top = y - step * (count - 1) as f64 / 2.0;
    let piece = |i: usize| {
        outline(x, top + step * i as f64, radius, seat)
            .set("fill", look.tint(colours::SEAT[seat]))
            .set("stroke", look.tint(colours::EDGE[seat]))
            .set("stroke-width", f64::max(0.07 * radius, 1.2))
    };
    svg::group()
        .children((0..count).rev().map(piece))
        .children(counted(x, top, inner * radius, count, look, home))
        .label(label)
}
