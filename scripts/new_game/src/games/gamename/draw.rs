//! The board of Gamename: the track in one row, and a panel for each player under it; and a position in words.

use super::Gamename;
use super::PLAYERS;
use super::board::{HAND, OFF, TRACK};
use super::moves::Move;
use super::state::{Phase, State};
use crate::base::error::Error;
use crate::draw::moves::{Course, Reading, bent};
use crate::draw::pieces::{self, LETTERS};
use crate::draw::{Element, Options, Picture, Place, Theme, document, moves, svg};
use crate::rules::{Action, Draw, Game, Player, Setting, bits};

const WIDTH: f64 = 600.0;
const MARGIN: f64 = 12.0;
const FIELD: f64 = (WIDTH - 2.0 * MARGIN) / (TRACK + 2) as f64;
const TOP: f64 = 60.0;
const RADIUS: f64 = 0.36 * FIELD;
/// The sign of a player in the panel.
const EMBLEM: f64 = 18.0;
const STATUS_TOP: f64 = TOP + FIELD + 34.0;
const STATUS_HEIGHT: f64 = 44.0;
const PANEL_TOP: f64 = STATUS_TOP + STATUS_HEIGHT;
const PANEL_HEIGHT: f64 = 60.0;

impl Draw for Gamename {
    const COLOURS: &'static [&'static str] = &["blue", "orange"];

    fn draw(&self, s: &State, options: &Options) -> Result<Picture, Error> {
        let look = options.theme;
        let player = self.player_on_turn(s).map(|player| player.index());
        document(
            [
                Some(track(look, options.coordinates)),
                Some(placed(s, look)),
                moves::marks(options, player, PLAYERS, &course)?,
                Some(self.status(s, look)),
                Some(self.panels(s, look)),
            ],
            WIDTH,
            PANEL_TOP + PANEL_HEIGHT + MARGIN,
            options.size,
            look,
            format!("Gamename, turn {}: {}", s.turn, self.headline(s)),
            self.describe(s),
        )
    }

    fn headline(&self, s: &State) -> String {
        let asked = match s.phase {
            Phase::Roll => "is to throw the die",
            Phase::Move => "is to move",
            Phase::Over => "",
        };
        let won = self.winning(s).map(|player| format!("{player} wins"));
        pieces::said(self.player_on_turn(s).map(|player| player.index()), s.phase == Phase::Over, asked, won)
    }

    fn describe(&self, s: &State) -> String {
        let mut parts = vec![format!("A track of {TRACK} squares."), pieces::sentence(&self.headline(s))];
        if s.phase == Phase::Move {
            parts.push(format!("Thrown: {}.", s.throw));
        }
        for player in [Player(0), Player(1)] {
            let squares: Vec<String> = squares(s, player.index()).map(|square| square.to_string()).collect();
            let squares = if squares.is_empty() { "no square".to_owned() } else { squares.join(", ") };
            let (hand, off) = (self.hand(s, player), s.off[player.index()]);
            parts.push(format!("Player {}: on {squares}, {hand} in hand, {off} off.", player.0));
        }
        parts.join(" ")
    }

    // Both players see the track alike: a board with sides is turned here and in what is drawn.
    fn points(&self, s: &State, _: usize) -> Vec<Place> {
        let place = |square: usize| {
            let (x, y) = middle(square);
            let (name, words) = match square {
                HAND => ("hand".to_owned(), "the hand".to_owned()),
                OFF => ("off".to_owned(), "off the track".to_owned()),
                square => {
                    let holder = (0..PLAYERS).find(|&seat| s.on[seat] >> square & 1 != 0);
                    let held =
                        holder.map_or_else(|| "empty".to_owned(), |seat| format!("a piece of player {seat}"));
                    (square.to_string(), format!("{square}, {held}"))
                }
            };
            Place { name, x, y, r: FIELD / 2.0, words }
        };
        (HAND..=OFF).map(place).collect()
    }

    fn places(&self, s: &State, action: Action) -> Vec<usize> {
        // The places are the numbers of the squares.
        let step = Move::from_action(action);
        step.map_or_else(Vec::new, |step| vec![step.source.into(), step.target(s.throw)])
    }

    fn setting(&self, s: &State, player: usize, square: usize, seat: usize) -> Option<Setting> {
        let (name, count) = match square {
            HAND => return None,
            OFF => ("off".to_owned(), s.off[seat]),
            square => (square.to_string(), (s.on[seat] >> square & 1) as u8),
        };
        Some((if seat == player { "own" } else { "other" }, name, count))
    }

    fn action_words(&self, s: &State, action: Action) -> String {
        let Some(step) = Move::from_action(action) else {
            return format!("action {action}");
        };
        let from =
            if usize::from(step.source) == HAND { "the hand".to_owned() } else { step.source.to_string() };
        match step.target(s.throw) {
            OFF => format!("{from} off the track"),
            to if s.on[s.player.index() ^ 1] >> to & 1 != 0 => format!("{from} to {to}, capturing"),
            to => format!("{from} to {to}"),
        }
    }
}

/// The middle of a square; 0 is the hand, and the number past the last square is off.
fn middle(square: usize) -> (f64, f64) {
    (MARGIN + FIELD * (square as f64 + 0.5), TOP + FIELD / 2.0)
}

fn squares(s: &State, seat: usize) -> impl Iterator<Item = usize> {
    bits(s.on[seat].into())
}

fn track(look: &Theme, coordinates: bool) -> Element {
    let square = |square: usize| {
        let (x, y) = middle(square);
        let field = svg::rect(x - FIELD / 2.0, y - FIELD / 2.0, FIELD, FIELD)
            .set("fill", look.panel)
            .set("stroke", look.line)
            .set("stroke-width", 1.5);
        let number = || svg::text(square.to_string(), x, y + 0.8 * FIELD, 16.0).set("fill", look.muted);
        [Some(field), coordinates.then(number)]
    };
    svg::group().children((1..=TRACK).flat_map(square))
}

/// The pieces, each with its side's letter so that it can be told without colours.
fn placed(s: &State, look: &Theme) -> Element {
    svg::group().children((0..PLAYERS).flat_map(|seat| {
        squares(s, seat).map(move |square| {
            let (x, y) = middle(square);
            let label = format!("player {seat}: a piece on {square}");
            pieces::pile(x, y, RADIUS, 1, seat, look, label, Some(LETTERS[seat]))
        })
    }))
}

/// What "hand/3", "5/8*" and "11/off" mean on the board. The squares here have the same names for both players; in other
/// games it matters who moves, or whether the move is still to be chosen.
fn course(name: &str, _player: usize, _to_choose: bool) -> Option<Reading> {
    let hit = name.ends_with('*');
    let (start, end) = name.strip_suffix('*').unwrap_or(name).split_once('/')?;
    let number = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    let start = if start == "hand" { HAND } else { number(start)? };
    let end = if end == "off" { OFF } else { number(end)? };
    let way = || bent(middle(start), middle(end), (WIDTH / 2.0, 0.0), 1.0);
    (start < end && end <= OFF).then(|| Reading::Course(Course { hit, ..Course::new(way(), RADIUS) }))
}

impl Gamename {
    /// The line under the board: whose turn it is and what comes next, or the result.
    fn status(&self, s: &State, look: &Theme) -> Element {
        let y = STATUS_TOP + STATUS_HEIGHT / 2.0;
        let words = match (s.phase, self.winning(s)) {
            (Phase::Roll, _) => format!("{}: to throw the die", s.player),
            (Phase::Move, _) => format!("{}: to move", s.player),
            (Phase::Over, Some(winner)) => format!("{winner} wins"),
            (Phase::Over, None) => "draw".to_owned(),
        };
        let die = || pieces::die(WIDTH / 2.0, y, 36.0, 36.0, s.throw, look);
        svg::group()
            .child(pieces::bold(words, MARGIN + 6.0, y, 20.0, look))
            .child((s.phase == Phase::Move && s.throw > 0).then(die))
            .child(pieces::turn_number(s.turn.into(), WIDTH - MARGIN - 6.0, y, look))
    }

    fn panels(&self, s: &State, look: &Theme) -> Element {
        let (lefts, width) = pieces::in_a_row(PLAYERS, MARGIN, WIDTH - MARGIN);
        let players = [Player(0), Player(1)].into_iter().zip(lefts);
        svg::group().children(players.map(|(player, left)| self.panel(s, player, left, width, look)))
    }

    fn panel(&self, s: &State, player: Player, left: f64, width: f64, look: &Theme) -> Element {
        let (seat, y) = (player.index(), PANEL_TOP + PANEL_HEIGHT / 2.0);
        let counts = format!("{} in hand, {} off", self.hand(s, player), s.off[seat]);
        let lit = self.player_on_turn(s).or(self.winning(s)) == Some(player);
        let written = svg::text(counts.clone(), left + width - 14.0, y, 14.0)
            .set("text-anchor", "end")
            .set("fill", look.ink);
        svg::group()
            .child(pieces::panel(left, PANEL_TOP, width, PANEL_HEIGHT, look, lit.then_some(look.sides[seat])))
            .child(pieces::emblem(left + 28.0, y, EMBLEM, seat, look))
            .child(pieces::bold(player.to_string(), left + 52.0, y, 17.0, look))
            .child(written)
            .label(format!("{player}: {counts}"))
    }
}
