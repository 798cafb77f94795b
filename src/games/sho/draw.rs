//! The board of Sho: a spiral of cowrie shells, laid clockwise round the leather dice pad.
//!
//! The coins enter next to the pad and leave at the outer end. A position is the gap after a shell, so position p
//! lies between shells p and p + 1. What a side has in hand and off stands in a panel under the board. Nobody has a
//! side of the board for himself: whoever sees it has the first panel.

mod colours;
mod marks;
mod pad;
mod places;
mod spiral;
mod words;

use std::collections::BTreeMap;

use self::marks::Marks;
use self::places::{NEAR_PILE, NEAR_POSITION};
use self::spiral::{CENTRE, MARGIN, RING, Spiral, Spot, WIDTH};
use self::words::{asked, coins, side_name};
use super::board::{NINE, OFF};
use super::position::SIDES;
use super::{Move, Phase, Sho, State};
use crate::base::error::Error;
use crate::draw::moves::{self, Point};
use crate::draw::pieces::LETTERS;
use crate::draw::svg::{self, Attribute, Element};
use crate::draw::theme::LIGHT;
use crate::draw::{Options, Picture, Place, Theme, document, pieces};
use crate::rules::{Action, Draw, Game, Setting, Side, bits};

const PANEL_TOP: f64 = 2.0 * CENTRE;
const PANEL_HEIGHT: f64 = 104.0;

/// Where the numbers of the positions stand.
type Labels = BTreeMap<u8, Point>;

/// A position that is drawn.
struct Board<'a> {
    game: &'a Sho,
    state: &'a State,
    player: Option<usize>,
    /// The side of the player whose turn it is.
    acting: Option<usize>,
    /// The side whose panel is the first.
    first: usize,
    spiral: Spiral,
    look: &'static Theme,
}

/// A line that is not filled, with round ends.
fn line(d: impl Into<Attribute>, colour: &'static str, width: f64) -> Element {
    svg::path(d).painted("none", colour, width)
}

/// The same with round ends.
fn round(line: Element) -> Element {
    line.set("stroke-linecap", "round")
}

impl<'a> Board<'a> {
    fn new(game: &'a Sho, state: &'a State, orientation: usize, look: &'static Theme) -> Board<'a> {
        let player = game.player_on_turn(state);
        let acting = player.map(|player| game.side_index(player));
        let player = player.map(|player| player.index());
        let first = game.first_panel(orientation);
        Board { game, state, player, acting, first, spiral: Spiral::new(game.rules.num_shells), look }
    }

    /// A cowrie seen from its slit, lying along the radius.
    fn shell(&self, at: Spot, scale: f64) -> Element {
        let look = self.look;
        let body = "M-15 0C-15 -5 -6 -7 2 -6.6C10 -6.2 15 -4 15 0C15 4 10 6.2 2 6.6C-6 7 -15 5 -15 0Z";
        svg::group()
            .children([
                svg::path(body).painted(look.tint(colours::SHELL), look.tint(colours::SHELL_EDGE), 1.1),
                line("M-11 0C-4 -1.6 5 -1.2 12 0", look.tint(colours::SHELL_SLIT), 5.0)
                    .set("stroke-dasharray", "0.9 1.9"),
                line("M-11.5 0C-4 -1.6 5 -1.2 12.5 0", look.tint(colours::SHELL_SLIT), 1.5),
            ])
            .set("transform", svg::placed(at.x, at.y, at.angle, scale))
    }

    fn track(&self, tabs: Element) -> Element {
        let spiral = &self.spiral;
        let scale = spiral.coin / 15.5;
        let band = format!("M{}", svg::points(&spiral.line()));
        let band = round(line(band, self.look.tint(colours::TRACK), 1.9 * spiral.coin))
            .set("stroke-linejoin", "round");
        let mut parts = vec![band, tabs];
        let ends = [-0.75 * spiral.reach, spiral.length + 0.75 * spiral.reach];
        parts.extend(ends.map(|end| self.arrow(spiral.at(end, 0.0))));
        parts.extend((1..=self.game.rules.num_shells).map(|i| self.shell(spiral.shell(i), scale)));
        svg::group().children(parts)
    }

    /// A chevron that points clockwise: the way in at the pad, the way out at the last shell.
    fn arrow(&self, at: Spot) -> Element {
        let radius = self.spiral.coin;
        let size = 0.5 * radius;
        let d = svg::points(&[(-size, -0.6 * size), (0.0, 0.6 * size), (size, -0.6 * size)]);
        round(line(format!("M{d}"), self.look.muted, 0.2 * radius))
            .set("stroke-linejoin", "round")
            .set("transform", svg::placed(at.x, at.y, at.angle, 1.0))
    }

    /// The numbers of the positions and, to lie under the shells, the tabs of those that coins would cover.
    ///
    /// A tab is of the same band, so that its number cannot be taken for one of the next ring.
    fn numbers(&self, labels: &Labels) -> (Element, Element) {
        let size = self.spiral.number_size();
        let (mut tabs, mut written) = (Vec::new(), Vec::new());
        for (&place, &label) in labels {
            if self.state.size[place as usize] != 0 {
                let d = svg::points(&[self.spiral.position(place, 0.0).point(), label]);
                tabs.push(round(line(format!("M{d}"), self.look.tint(colours::TRACK), 1.6 * size)));
            }
            // Bold means every fifth position and nothing else.
            let weight = (place % 5 == 0).then_some("bold");
            let number = svg::text(place.to_string(), label.0, label.1, size);
            written.push(number.set("fill", self.look.ink).set("font-weight", weight));
        }
        (svg::group().children(tabs), svg::group().children(written))
    }

    fn stacks(&self) -> Element {
        let (coin, look) = (self.spiral.coin, self.look);
        let mut drawn = Vec::new();
        for side in 0..self.game.num_sides {
            for place in bits(self.state.track[side]).map(|place| place as u8) {
                let Spot { x, y, .. } = self.spiral.position(place, 0.0);
                let count = self.state.size[place as usize];
                let mut label = format!("{}: {} on {place}", side_name(side), coins(count));
                if place == self.state.moved {
                    drawn.push(pieces::moved_ring(x, y, RING * coin, 2.4, look));
                    label += ", moved just now";
                }
                drawn.push(pieces::pile(x, y, coin, count.into(), side, look, label, None));
            }
        }
        svg::group().children(drawn)
    }

    fn panels(&self) -> Element {
        svg::group().children((0..self.game.num_sides).map(|side| self.panel(side)))
    }

    fn panel(&self, side: usize) -> Element {
        let (state, look) = (self.state, self.look);
        let ((left, width), top) = (self.game.panel_of(side, self.first), PANEL_TOP);
        let lit = match state.winner {
            Some(winner) => winner.index() == side,
            None => self.acting == Some(side),
        };
        let (hand, off) = (state.hand[side], state.off[side]);
        let mut parts = vec![
            pieces::panel(left, top, width, PANEL_HEIGHT, look, lit.then_some(look.sides[side])),
            pieces::emblem(left + 21.0, top + 21.0, 14.0, side, look),
            pieces::bold(self.game.players_of(side), left + 40.0, top + 21.0, 17.0, look),
        ];
        let piles = [("hand", hand), ("off", off)].into_iter().zip(self.game.piles_of(side, self.first));
        for ((word, number), (x, y)) in piles {
            let label = format!("{}: {number} {word}", side_name(side));
            parts.push(pieces::pile(x, y, 17.0, number.into(), side, look, label, None));
            parts.push(svg::text(word, x, top + 92.0, 16.0).set("fill", look.muted));
        }
        if state.cleared >> side & 1 != 0 {
            parts.push(sent_home(left + width / 2.0, top + 60.0, look));
        }
        svg::group().children(parts).label(format!("{}: {hand} in hand, {off} off", side_name(side)))
    }
}

/// An arrow that turns back to the hand: all coins of the side were sent home.
fn sent_home(x: f64, y: f64, look: &Theme) -> Element {
    let d = "M9 7V2A7 7 0 0 0 2 -5H-7M-2 -10L-7 -5L-2 0";
    svg::group()
        .children([round(line(d, look.muted, 2.4)).set("stroke-linejoin", "round")])
        .label("all its coins were sent home")
        .set("transform", svg::placed(x, y, 0.0, 1.0))
}

impl Draw for Sho {
    const COLOURS: &'static [&'static str] = &["blue", "orange", "green", "pink"];

    fn draw(&self, state: &State, options: &Options) -> Result<Picture, Error> {
        let board = Board::new(self, state, options.orientation, options.theme);
        moves::check_legal(&options.legal)?;
        let marks = Marks::new(&board, &options.legal, options.coordinates);
        let (tabs, numbers) = board.numbers(&marks.labels);
        let declines = options.legal.iter().any(|name| name == "decline");
        let read = |name: &str, _: usize, ahead: bool| marks.reading(name, ahead);
        let marked = moves::marks(options, board.player, self.num_players(), &read)?;
        let mut painted = vec![board.track(tabs), board.pad(declines)];
        painted.extend(marked);
        // On top of the marks, which would make them hard to read.
        painted.extend([numbers, board.stacks(), board.panels()]);
        document(
            painted,
            WIDTH,
            PANEL_TOP + PANEL_HEIGHT + MARGIN,
            options.size,
            options.theme,
            format!("Sho, turn {}: {}", state.turn, self.headline(state)),
            self.describe(state),
        )
    }

    fn headline(&self, state: &State) -> String {
        let won = state.winner.map(|Side(side)| format!("{} wins", side_name(side as usize)));
        let over = state.phase == Phase::Over;
        let player = self.player_on_turn(state).map(|player| player.index());
        pieces::said(player, over, asked(state.phase).1, won)
    }

    fn describe(&self, state: &State) -> String {
        let said = pieces::sentence(&self.headline(state));
        let mut parts = vec![format!("A spiral of {} shells. {said}", self.rules.num_shells)];
        let pool: Vec<String> = state.pool.as_slice().iter().map(u8::to_string).collect();
        if !pool.is_empty() {
            parts.push(format!("Values in the pool: {}.", pool.join(", ")));
        }
        if state.value != 0 {
            parts.push(format!("To move: {}.", state.value));
        }
        if state.moved == OFF {
            parts.push("Moved just now, so it rests: a stack that went off.".to_owned());
        } else if state.moved != 0 {
            parts.push(format!("Moved just now, so it rests: the stack on {}.", state.moved));
        }
        if state.six_three_roll {
            parts.push("The throw is 6-3.".to_owned());
        }
        for (side, letter) in LETTERS.iter().enumerate().take(self.num_sides) {
            let stacks: Vec<String> =
                bits(state.track[side]).map(|place| format!("{} on {place}", state.size[place])).collect();
            let stacks = if stacks.is_empty() { "none".to_owned() } else { stacks.join(", ") };
            let cleared = if state.cleared >> side & 1 != 0 { " All its coins were sent home." } else { "" };
            parts.push(format!(
                "Side {letter} ({}): {} in hand, {} off, on the track: {stacks}.{cleared}",
                self.players_of(side),
                state.hand[side],
                state.off[side],
            ));
        }
        parts.join(" ")
    }

    fn points(&self, state: &State, orientation: usize) -> Vec<Place> {
        let board = Board::new(self, state, orientation, &LIGHT);
        let mut places = Vec::new();
        let pile = |side: usize, which: usize| {
            let (x, y) = self.piles_of(side, board.first)[which];
            let (name, count) = [("hand of", state.hand[side]), ("off,", state.off[side])][which];
            Place { name: format!("{name} {}", side_name(side)), x, y, r: NEAR_PILE, words: coins(count) }
        };
        places.extend((0..self.num_sides).map(|side| pile(side, 0)));
        places.extend((1..self.rules.num_shells).map(|place| {
            let at = board.spiral.position(place, 0.0);
            let r = NEAR_POSITION * board.spiral.coin;
            Place { name: place.to_string(), x: at.x, y: at.y, r, words: self.standing_on(state, place) }
        }));
        places.extend((0..self.num_sides).map(|side| pile(side, 1)));
        places
    }

    fn places(&self, state: &State, action: Action) -> Vec<usize> {
        let side = self.side_index(state.player);
        let position = |place: u8| match place {
            0 => side,
            _ if place >= self.rules.num_shells => self.num_sides + self.rules.num_shells as usize - 1 + side,
            _ => self.num_sides + place as usize - 1,
        };
        match Move::from_action(action) {
            Some(Move::Source(source)) => vec![position(source), position(source + state.value)],
            Some(Move::BringAll) => vec![position(0), position(NINE)],
            Some(Move::Value(_) | Move::Decline) | None => Vec::new(),
        }
    }

    fn setting(&self, state: &State, _: usize, place: usize, side: usize) -> Option<Setting> {
        // Hands come first, and what is off last.
        let position = (place + 1).checked_sub(self.num_sides).filter(|&position| position > 0)?;
        if position < usize::from(self.rules.num_shells) {
            let size = if state.track[side] >> position & 1 != 0 { state.size[position] } else { 0 };
            return Some((SIDES[side], position.to_string(), size));
        }
        (position - usize::from(self.rules.num_shells) == side)
            .then(|| (SIDES[side], "off".to_owned(), state.off[side]))
    }

    fn action_words(&self, state: &State, action: Action) -> String {
        let side = self.side_index(state.player);
        match Move::from_action(action) {
            Some(Move::Source(source)) => {
                let size = coins(self.size_at(state, side, source));
                let moving = if source == 0 {
                    format!("bring {size} in")
                } else {
                    format!("move {size} from {source}")
                };
                let target = source + state.value;
                if target >= self.rules.num_shells {
                    return format!("{moving} off");
                }
                let held = (0..self.num_sides).find(|&side| state.track[side] >> target & 1 != 0);
                let met = coins(state.size[target as usize]);
                let meeting = match held {
                    None => String::new(),
                    Some(own) if own == side => format!(", onto {met} there"),
                    Some(enemy) => format!(", killing {met} of {}", side_name(enemy)),
                };
                format!("{moving} to {target}{meeting}")
            }
            Some(Move::Value(value)) => format!("move by {value}"),
            Some(Move::BringAll) => format!("bring all {} in to 9", coins(state.hand[side])),
            Some(Move::Decline) => "leave the rest unused".to_owned(),
            None => format!("action {action}"),
        }
    }
}
