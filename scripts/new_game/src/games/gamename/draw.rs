//! The board of Gamename: the track in one row, and a panel for each player under it.
//!
//! What several boards share is in [`crate::draw`]. Split a file above 500 lines into the folder `draw/`.

use super::board::{HAND, OFF, TRACK};
use super::state::{Phase, State};
use super::{Gamename, Move, PLAYERS};
use crate::base::error::BadRequest;
use crate::draw::moves::{self, Course, Point, Reading};
use crate::draw::svg::{self, Element};
use crate::draw::{Options, Picture, Place, Theme, document, pieces};
use crate::rules::action::Action;
use crate::rules::bits::bits;
use crate::rules::game::{Draw, Game};
use crate::rules::player::Player;

const WIDTH: f64 = 600.0;
const MARGIN: f64 = 12.0;
const FIELD: f64 = (WIDTH - 2.0 * MARGIN) / (TRACK + 2) as f64;
const TOP: f64 = 60.0;
const RADIUS: f64 = 0.36 * FIELD;
const STATUS_TOP: f64 = TOP + FIELD + 34.0;
const STATUS_HEIGHT: f64 = 44.0;
const PANEL_TOP: f64 = STATUS_TOP + STATUS_HEIGHT;
const PANEL_HEIGHT: f64 = 60.0;

/// What the player is to do, as shown under the board and as put in the description.
const fn asked(phase: Phase) -> (&'static str, &'static str) {
    match phase {
        Phase::Roll => ("to throw the die", "is to throw the die"),
        Phase::Move => ("to move", "is to move"),
        Phase::Over => ("", "the game is over"),
    }
}

/// The middle of a square. Left of the first one lies the hand, right of the last one what is off.
fn middle(square: usize) -> Point {
    (MARGIN + FIELD * (square as f64 + 0.5), TOP + FIELD / 2.0)
}

/// Where the panel of a player begins, and how wide it is.
fn panel_of(player: usize) -> (f64, f64) {
    let (lefts, width) = pieces::in_a_row(PLAYERS, MARGIN, WIDTH - MARGIN);
    (lefts[player], width)
}

fn track(look: &Theme, coordinates: bool) -> Element {
    let mut drawn = Vec::new();
    for square in 1..=TRACK {
        let (x, y) = middle(square);
        drawn.push(
            svg::rect(x - FIELD / 2.0, y - FIELD / 2.0, FIELD, FIELD)
                .set("fill", look.panel)
                .set("stroke", look.line)
                .set("stroke-width", 1.5),
        );
        if coordinates {
            let number = svg::text(square.to_string(), x, y + 0.8 * FIELD, 16.0);
            drawn.push(number.set("fill", look.muted));
        }
    }
    svg::group().children(drawn)
}

/// Where a move leads, by its name: `5/8`, `hand/3*`, `11/off`.
fn course(name: &str) -> Option<Course> {
    let (start, end) = name.split_once('/')?;
    let (end, hit) = end.strip_suffix('*').map_or((end, false), |end| (end, true));
    let start = if start == "hand" { HAND } else { start.parse().ok()? };
    let end = if end == "off" { OFF } else { end.parse().ok()? };
    if start >= end || end > OFF {
        return None;
    }
    let above = (WIDTH / 2.0, 0.0);
    Some(Course { hit, ..Course::new(moves::bent(middle(start), middle(end), above, 1.0), RADIUS) })
}

impl Gamename {
    /// The pieces on the track, each marked with its side's letter so that it can be told without colours.
    fn pieces(&self, state: &State, look: &Theme) -> Element {
        let mut drawn = Vec::new();
        for (player, &on) in state.on.iter().enumerate() {
            for square in bits(on as u64) {
                let (x, y) = middle(square);
                let label = format!("player {player}: a piece on {square}");
                let letter = Some(pieces::LETTERS[player]);
                drawn.push(pieces::pile(x, y, RADIUS, 1, player, look, label, letter));
            }
        }
        svg::group().children(drawn)
    }

    /// The line under the board: whose turn it is and what comes next, or the result.
    fn status(&self, state: &State, look: &Theme) -> Element {
        let y = STATUS_TOP + STATUS_HEIGHT / 2.0;
        let words = match (self.player_on_turn(state), self.winning(state)) {
            (Some(player), _) => format!("{player}: {}", asked(state.phase).0),
            (None, Some(winner)) => format!("{winner} wins"),
            (None, None) => "draw".to_owned(),
        };
        let die = || pieces::die(WIDTH / 2.0, y, 36.0, 36.0, state.throw, look);
        svg::group()
            .child(pieces::bold(words, MARGIN + 6.0, y, 20.0, look))
            .child((state.throw != 0).then(die))
            .child(pieces::turn_number(state.turn.into(), WIDTH - MARGIN - 6.0, y, look))
    }

    fn panel(&self, state: &State, player: Player, look: &Theme) -> Element {
        let seat = player.index();
        let ((left, width), y) = (panel_of(seat), PANEL_TOP + PANEL_HEIGHT / 2.0);
        let counts = format!("{} in hand, {} off", self.hand(state, player), state.off[seat]);
        let lit = [self.player_on_turn(state), self.winning(state)].contains(&Some(player));
        let written = svg::text(counts.clone(), left + width - 14.0, y, 17.0);
        svg::group()
            .child(pieces::panel(left, PANEL_TOP, width, PANEL_HEIGHT, look, lit.then_some(look.sides[seat])))
            .child(pieces::emblem(left + 28.0, y, RADIUS, seat, look))
            .child(pieces::bold(player.to_string(), left + 54.0, y, 19.0, look))
            .child(written.set("text-anchor", "end").set("fill", look.ink))
            .label(format!("{player}: {counts}"))
    }
}

impl Draw for Gamename {
    fn draw(&self, state: &State, options: &Options) -> Result<Picture, BadRequest> {
        let look = options.theme;
        let player = self.player_on_turn(state).map(|player| player.index());
        let read = |name: &str, _: usize, _: bool| course(name).map(Reading::Course);
        let marked = moves::marks(options, player, PLAYERS, &read)?;
        let panels = [Player(0), Player(1)].map(|player| self.panel(state, player, look));
        document(
            [
                Some(track(look, options.coordinates)),
                Some(self.pieces(state, look)),
                marked,
                Some(self.status(state, look)),
                Some(svg::group().children(panels)),
            ],
            WIDTH,
            PANEL_TOP + PANEL_HEIGHT + MARGIN,
            options.size,
            look,
            format!("Gamename, turn {}: {}", state.turn, self.headline(state)),
            self.describe(state),
        )
    }

    fn headline(&self, state: &State) -> String {
        let player = self.player_on_turn(state).map(|player| player.index());
        let won = self.winning(state).map(|winner| format!("{winner} wins"));
        pieces::said(player, state.phase == Phase::Over, asked(state.phase).1, won)
    }

    fn describe(&self, state: &State) -> String {
        let said = pieces::sentence(&self.headline(state));
        let mut parts = vec![format!("A track of {TRACK} squares. {said}")];
        if state.throw != 0 {
            parts.push(format!("Thrown: {}.", state.throw));
        }
        for player in [Player(0), Player(1)] {
            let (seat, hand) = (player.index(), self.hand(state, player));
            let squares: Vec<String> = bits(state.on[seat] as u64).map(|square| square.to_string()).collect();
            let squares = if squares.is_empty() { "no square".to_owned() } else { squares.join(", ") };
            parts.push(format!("Player {seat}: on {squares}, {hand} in hand, {} off.", state.off[seat]));
        }
        parts.join(" ")
    }

    /// The squares, then for each player what is in hand and what is off.
    fn points(&self, state: &State) -> Vec<Place> {
        let square = |square: usize| {
            let holder = (0..PLAYERS).find(|&seat| state.on[seat] >> square & 1 != 0);
            let words = holder.map_or("empty".to_owned(), |seat| format!("a piece of player {seat}"));
            let (x, y) = middle(square);
            Place { name: square.to_string(), x, y, r: FIELD / 2.0, words }
        };
        let mut places: Vec<Place> = (1..=TRACK).map(square).collect();
        for player in [Player(0), Player(1)] {
            let (left, width) = panel_of(player.index());
            let counts = [("hand", self.hand(state, player), 0.55), ("off", state.off[player.index()], 0.85)];
            places.extend(counts.map(|(name, count, share)| Place {
                name: format!("{name}, {player}"),
                x: left + share * width,
                y: PANEL_TOP + PANEL_HEIGHT / 2.0,
                r: 0.14 * width,
                words: format!("{count} {}", if count == 1 { "piece" } else { "pieces" }),
            }));
        }
        places
    }

    fn places(&self, state: &State, action: Action) -> Vec<usize> {
        let Some(step) = Move::from_action(action) else { return Vec::new() };
        let index = |square: usize| match square {
            HAND => TRACK + 2 * state.player.index(),
            OFF => TRACK + 2 * state.player.index() + 1,
            square => square - 1,
        };
        vec![index(step.source as usize), index(step.target(state.throw))]
    }

    fn action_words(&self, state: &State, action: Action) -> String {
        let Some(step) = Move::from_action(action) else {
            return format!("action {action}");
        };
        let moving = match step.source as usize {
            HAND => "bring a piece in".to_owned(),
            square => format!("move a piece from {square}"),
        };
        match step.target(state.throw) {
            OFF => format!("{moving} off"),
            target => {
                let captures = state.on[state.player.index() ^ 1] >> target & 1 != 0;
                format!("{moving} to {target}{}", if captures { ", capturing the one there" } else { "" })
            }
        }
    }
}
