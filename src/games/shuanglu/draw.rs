//! The board of Shuanglu: a wooden tray with twelve fields on either side, on which slim wooden horses stand.
//!
//! Player 0 has red horses with a round head, player 1 horses of plain wood with a pointed head. Player 0's points
//! run from 1 at the lower right to 24 at the upper right, player 1's the other way round; seen from player 1's side, the board
//! is mirrored top to bottom, so that his points run as player 0's do. The large fields in the
//! middle are not counted: the dice are thrown there, and horses that were caught wait there. What is borne off
//! stands in a panel under the board.

mod colours;
mod places;
mod tray;
mod words;

use self::places::{FROM_RIM, Spot, spot, spots};
use self::tray::{
    BAR_FEET, BEHIND, BOTTOM, FIELD, HORSE, MARGIN, MOST_HORSES, RIM, TOP, WIDTH, badge, column, horse,
    is_low, place,
};
use self::words::{KINDS, asked, horses, listed};
use super::board::{BAR, OFF, PIECES, mirrored};
use super::moves::Step;
use super::position::SEEN;
use super::state::{Phase, State};
use super::{PLAYERS, Shuanglu};
use crate::base::error::Error;
use crate::draw::moves::{self, Course, Reading};
use crate::draw::svg::{self, Element};
use crate::draw::{Options, Picture, Place, Theme, document, pieces};
use crate::rules::action::Action;
use crate::rules::game::{Draw, Game, Setting};

const STATUS_TOP: f64 = BOTTOM + 52.0;
const STATUS_HEIGHT: f64 = 44.0;
const PANEL_TOP: f64 = STATUS_TOP + STATUS_HEIGHT;
const PANEL_HEIGHT: f64 = 96.0;
/// What the two lines of numbers take above the board, and again below it.
const NUMBERS_HEIGHT: f64 = 34.0;

/// Where the panel of a player begins, and how wide it is; the first is that of whoever sees the board.
fn panel_of(player: usize, viewer: usize) -> (f64, f64) {
    let (lefts, width) = pieces::in_a_row(PLAYERS, MARGIN, WIDTH - MARGIN);
    (lefts[player ^ viewer], width)
}

/// A position that is drawn.
struct Board<'a> {
    game: &'a Shuanglu,
    state: &'a State,
    player: Option<usize>,
    /// From whose side the board is seen.
    viewer: usize,
    look: &'static Theme,
}

impl Board<'_> {
    /// The points as both players count them, each line with a horse of the player it belongs to.
    fn numbers(&self) -> Element {
        let look = self.look;
        let mut written = Vec::new();
        for player in 0..PLAYERS {
            let strong = self.plays(player);
            let inked = |text: Element| {
                text.set("fill", if strong { look.ink } else { look.muted })
                    .set("font-weight", strong.then_some("bold"))
            };
            for top in [true, false] {
                let away = if player == 1 { 15.0 } else { 34.0 };
                let y = if top { TOP - RIM - away + 4.0 } else { BOTTOM + RIM + away - 3.0 };
                for point in if top { 13..25 } else { 1..13 } {
                    let number = place(player ^ self.viewer, point).to_string();
                    written.push(inked(svg::text(number, column(point), y, 17.0)));
                }
                let named = svg::group().children([
                    horse(WIDTH / 2.0 - 44.0, y + 8.5, 17.0, player, look),
                    inked(svg::text(format!("player {player}"), WIDTH / 2.0 + 8.0, y, 17.0)),
                ]);
                written.push(named.label(format!("points as player {player} counts them")));
            }
        }
        svg::group().children(written)
    }

    /// Whether it is the turn of this seat.
    fn plays(&self, seat: usize) -> bool {
        self.player == Some(seat)
    }

    fn horses(&self) -> Element {
        let mut drawn = Vec::new();
        for (player, counts) in self.state.counts.iter().enumerate() {
            let held = (1..BAR).filter(|&point| counts[point] != 0);
            drawn.extend(held.map(|point| self.stack(point, counts[point], player)));
        }
        svg::group().children(drawn)
    }

    /// The horses on a point, in that player's numbering: those behind first, so that the nearest covers them.
    fn stack(&self, point: usize, count: u8, player: usize) -> Element {
        let place = place(player ^ self.viewer, point);
        let x = column(place);
        let shown = count.min(MOST_HORSES);
        // Along the top the first horse stands nearest to the rim, along the bottom too.
        let nearest =
            if is_low(place) { BOTTOM - 6.0 } else { TOP + 6.0 + HORSE + BEHIND * (shown - 1) as f64 };
        let feet = |i: u8| nearest - BEHIND * i as f64;
        let mut parts: Vec<Element> =
            (0..shown).rev().map(|i| horse(x, feet(i), HORSE, player, self.look)).collect();
        if count > shown {
            let middle = (feet(shown - 1) - HORSE + feet(0)) / 2.0;
            parts.push(badge(x, middle, count, player, self.look));
        }
        svg::group().children(parts).label(format!("player {player}: {} on {point}", horses(count)))
    }

    /// What the large fields are for, and whose: each enters from the one that is far from his home.
    fn bar_labels(&self) -> Element {
        let ink = self.look.tint(colours::OUTLINE);
        let labels = (0..PLAYERS).map(|player| {
            let y = [TOP + 18.0, BOTTOM - 18.0][player ^ self.viewer];
            svg::group()
                .children([
                    horse(WIDTH / 2.0 - 24.0, y + 8.5, 17.0, player, self.look),
                    svg::text("bar", WIDTH / 2.0 + 6.0, y, 17.0).set("fill", ink),
                ])
                .label(format!("the bar of player {player}"))
        });
        svg::group().children(labels)
    }

    /// Caught horses in the large fields, where their owners enter.
    fn bar(&self) -> Element {
        let mut drawn = Vec::new();
        for player in 0..PLAYERS {
            let (feet, count) = (BAR_FEET[player ^ self.viewer], self.state.counts[player][BAR]);
            if count == 0 {
                continue;
            }
            let shown = count.min(MOST_HORSES);
            let step = 19.0;
            let first = WIDTH / 2.0 - step * (shown - 1) as f64 / 2.0;
            let mut parts: Vec<Element> =
                (0..shown).map(|i| horse(first + step * i as f64, feet, HORSE, player, self.look)).collect();
            if count > shown {
                parts.push(badge(WIDTH / 2.0, feet - HORSE / 2.0, count, player, self.look));
            }
            drawn.push(
                svg::group().children(parts).label(format!("player {player}: {} on the bar", horses(count))),
            );
        }
        svg::group().children(drawn)
    }

    /// Where a move leads, by its name.
    fn course(&self, name: &str, player: usize) -> Option<Course> {
        let found = Named::read(name)?;
        // Away from the horses, towards the middle of the tray.
        let middle = (WIDTH / 2.0, (TOP + BOTTOM) / 2.0);
        // One piece may be borne off by either die: two names, two lines beside each other.
        let times = 1.0 + 0.15 * found.die as f64;
        let (start, end) = (self.over(player, found.start), self.over(player, found.end));
        let points = moves::bent(start, end, middle, times);
        Some(Course { hit: found.hit, ..Course::new(points, 4.0) })
    }

    /// Just beyond the horses on a point, on the side of the middle; the bar for 25, the rim for 0.
    fn over(&self, player: usize, point: usize) -> (f64, f64) {
        let near = player == self.viewer;
        match point {
            BAR => (WIDTH / 2.0, BAR_FEET[usize::from(!near)] - HORSE / 2.0),
            OFF => (WIDTH - MARGIN - RIM / 2.0, if near { BOTTOM - 120.0 } else { TOP + 120.0 }),
            _ => {
                let counts = &self.state.counts;
                let held = counts[player][point].max(counts[player ^ 1][mirrored(point)]).min(MOST_HORSES);
                let place = place(player ^ self.viewer, point);
                let height = 8.0 + HORSE + BEHIND * held.saturating_sub(1) as f64;
                (column(place), if is_low(place) { BOTTOM - height } else { TOP + height })
            }
        }
    }

    /// The dice still to play, two in a row, in the large field that is nearer to the thrower's own end.
    fn dice(&self) -> Element {
        let dice = self.state.dice();
        let rows: Vec<&[u8]> = dice.chunks(2).collect();
        let middle = (TOP + BOTTOM) / 2.0 + if self.plays(self.viewer) { 57.0 } else { -57.0 };
        let mut drawn = Vec::new();
        for (j, row) in rows.iter().enumerate() {
            for (i, &face) in row.iter().enumerate() {
                let x = WIDTH / 2.0 + 46.0 * (i as f64 - (row.len() - 1) as f64 / 2.0);
                let y = middle + 44.0 * (j as f64 - (rows.len() - 1) as f64 / 2.0);
                drawn.push(pieces::die(x, y, 40.0, 40.0, face, self.look));
            }
        }
        svg::group().children(drawn)
    }

    /// The line under the board: whose turn and what is asked, or the result.
    fn status(&self) -> Element {
        let y = STATUS_TOP + STATUS_HEIGHT / 2.0;
        let asked = asked(self.state.phase).0;
        let words = match (self.player, self.game.won(self.state)) {
            (Some(player), _) => format!("player {player}: {asked}"),
            (None, Some(won)) => won,
            (None, None) if self.state.phase == Phase::Over => "draw".to_owned(),
            (None, None) => format!("who begins? {asked}"),
        };
        svg::group().children([
            pieces::bold(words, MARGIN + 6.0, y, 20.0, self.look),
            pieces::turn_number(self.state.turn as u32, WIDTH - MARGIN - 6.0, y, self.look),
        ])
    }

    fn panels(&self) -> Element {
        svg::group().children((0..PLAYERS).map(|player| self.panel(player)))
    }

    fn panel(&self, player: usize) -> Element {
        let ((left, width), top, look) = (panel_of(player, self.viewer), PANEL_TOP, self.look);
        let off = self.state.counts[player][OFF];
        let wins = self.state.winner().is_some_and(|winner| winner.index() == player);
        let lit = (self.plays(player) || wins).then_some(look.tint(colours::LIT));
        let mut parts = vec![
            pieces::panel(left, top, width, PANEL_HEIGHT, look, lit),
            horse(left + 24.0, top + 40.0, 32.0, player, look),
            pieces::bold(format!("player {player}"), left + 44.0, top + 24.0, 19.0, look),
            svg::text(format!("{off} off"), left + width - 14.0, top + 24.0, 19.0)
                .set("text-anchor", "end")
                .set("fill", look.ink),
        ];
        let step = (width - 36.0) / (PIECES - 1) as f64;
        for i in 0..PIECES {
            let x = left + 18.0 + step * i as f64;
            parts.push(if i < off {
                svg::group()
                    .children([horse(x, top + 86.0, 32.0, player, look)])
                    .label(format!("player {player}: a horse borne off"))
            } else {
                svg::circle(x, top + 84.0, 2.5).set("fill", look.muted)
            });
        }
        svg::group().children(parts).label(format!("player {player}: {off} off"))
    }
}

/// What the name of a step says.
struct Named {
    start: usize,
    end: usize,
    hit: bool,
    /// The die, where it is larger than the point; 0 where not.
    die: u8,
}

impl Named {
    /// `13/8`, `bar/21*`, `4/off(6)`.
    fn read(name: &str) -> Option<Named> {
        let (start, end) = name.split_once('/')?;
        let (end, hit) = match end.strip_suffix('*') {
            Some(end) => (end, true),
            None => (end, false),
        };
        let (end, die) = match end.strip_suffix(')') {
            Some(end) if !hit => {
                let (end, die) = end.split_once('(')?;
                let die = ["1", "2", "3", "4", "5", "6"].iter().position(|face| *face == die)?;
                (end, die as u8 + 1)
            }
            _ => (end, 0),
        };
        let point = |word: &str| {
            let digits = word.bytes().all(|byte| byte.is_ascii_digit());
            if digits { word.parse::<usize>().ok() } else { None }
        };
        let start = if start == "bar" { BAR } else { point(start)? };
        let end = if end == "off" { OFF } else { point(end)? };
        (end < start && start <= BAR).then_some(Named { start, end, hit, die })
    }
}

impl Draw for Shuanglu {
    const COLOURS: &'static [&'static str] = &["red", "plain"];

    fn draw(&self, state: &State, options: &Options) -> Result<Picture, Error> {
        let (look, player) = (options.theme, self.player_on_turn(state).map(|player| player.index()));
        let board = Board { game: self, state, player, viewer: options.orientation, look };
        let closer = if options.coordinates { 0.0 } else { NUMBERS_HEIGHT };
        let read = |name: &str, seat: usize, _: bool| board.course(name, seat).map(Reading::Course);
        let marked = moves::marks(options, player, PLAYERS, &read)?;
        let tray = svg::group()
            .child(tray::tray(look))
            .child(board.bar_labels())
            .child(options.coordinates.then(|| board.numbers()))
            .child(marked)
            .children([board.horses(), board.bar(), board.dice()])
            .set("transform", svg::placed(0.0, -closer, 0.0, 1.0));
        let below = svg::group()
            .children([board.status(), board.panels()])
            .set("transform", svg::placed(0.0, -2.0 * closer, 0.0, 1.0));
        document(
            vec![tray, below],
            WIDTH,
            PANEL_TOP + PANEL_HEIGHT + MARGIN - 2.0 * closer,
            options.size,
            look,
            format!("Shuanglu, turn {}: {}", state.turn, self.headline(state)),
            self.describe(state),
        )
    }

    fn headline(&self, state: &State) -> String {
        let over = state.phase == Phase::Over;
        let player = self.player_on_turn(state).map(|player| player.index());
        pieces::said(player, over, asked(state.phase).1, self.won(state))
    }

    fn describe(&self, state: &State) -> String {
        let mut parts = vec![format!("A tray with 24 points. {}", pieces::sentence(&self.headline(state)))];
        let dice = state.dice();
        if !dice.is_empty() {
            parts.push(format!("Dice to play: {}.", listed(&dice)));
        }
        for (player, counts) in state.counts.iter().enumerate() {
            let held: Vec<String> = (1..BAR)
                .rev()
                .filter(|&point| counts[point] != 0)
                .map(|point| format!("{} on {point}", counts[point]))
                .collect();
            let held = if held.is_empty() { "none on points".to_owned() } else { held.join(", ") };
            parts.push(format!(
                "Player {player} ({}, in his own numbering): {held}, {} on the bar, {} off.",
                KINDS[player], counts[BAR], counts[OFF],
            ));
        }
        parts.join(" ")
    }

    fn points(&self, state: &State, orientation: usize) -> Vec<Place> {
        let player = self.player_on_turn(state).map_or(0, |player| player.index());
        let counts = &state.counts;
        let placed = |spot: Spot| match spot {
            Spot::Point(point) => {
                let low = is_low(place(orientation, point));
                let y = if low { BOTTOM - FROM_RIM } else { TOP + FROM_RIM };
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
                y: BAR_FEET[player ^ orientation] - HORSE / 2.0,
                r: 30.0,
                words: horses(counts[player][BAR]),
            },
            Spot::Off(player) => {
                let (left, width) = panel_of(player, orientation);
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

    fn places(&self, state: &State, action: Action) -> Vec<usize> {
        let Some(step) = Step::from_action(action) else { return Vec::new() };
        let player = state.player.index();
        let (from, to) = step.path();
        [from, to]
            .iter()
            .filter_map(|&index| spots().position(|known| known == spot(player, index)))
            .collect()
    }

    fn setting(&self, state: &State, player: usize, place: usize, colour: usize) -> Option<Setting> {
        let (index, name) = match spots().nth(place)? {
            Spot::Point(point) => {
                let own = tray::place(colour, point);
                (own, own.to_string())
            }
            Spot::Bar(owner) if owner == colour => (BAR, "bar".to_owned()),
            Spot::Bar(_) | Spot::Off(_) => return None,
        };
        Some((SEEN[usize::from(colour != player)], name, state.counts[colour][index]))
    }

    fn action_words(&self, state: &State, action: Action) -> String {
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
