//! What a network needs to know about its game, and what its outputs mean.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::error::Error;
use crate::games::{self, Visit};
use crate::rules::rule_book;
use crate::rules::{Features, FullGame, Game, ObservationPart, PerPlayer, Player, Side};

/// What the outputs of a network mean, in the units of [`Game::returns`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outputs {
    /// There is one: what the viewer and its side may expect. The other side, of which there is one, may expect as much less.
    Viewer,
    /// One for each seat, the viewer's first, then those after it in the order of play.
    Seats,
    /// One logit for each action of the game.
    Policy,
    /// Those of [`Outputs::Policy`], then that of [`Outputs::Viewer`].
    PolicyViewer,
    /// Those of [`Outputs::Policy`], then those of [`Outputs::Seats`].
    PolicySeats,
}

impl Outputs {
    /// All of them, with their names in files.
    pub const ALL: [(&'static str, Outputs); 5] = [
        ("viewer", Outputs::Viewer),
        ("seats", Outputs::Seats),
        ("policy", Outputs::Policy),
        ("policy_viewer", Outputs::PolicyViewer),
        ("policy_seats", Outputs::PolicySeats),
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    /// Whether logits of actions come first.
    pub const fn has_policy(self) -> bool {
        matches!(self, Outputs::Policy | Outputs::PolicyViewer | Outputs::PolicySeats)
    }

    /// Whether there are expected returns.
    pub const fn has_values(self) -> bool {
        !matches!(self, Outputs::Policy)
    }

    /// Whether the expected return is that of the viewer alone, which takes a game with two sides.
    pub const fn is_viewers(self) -> bool {
        matches!(self, Outputs::Viewer | Outputs::PolicyViewer)
    }
}

/// What a network needs to know about its game.
pub(super) struct Book {
    pub name: &'static str,
    pub layout: &'static [ObservationPart],
    pub features: Features,
    pub rules: Value,
    pub players: usize,
    pub actions: usize,
    pub sides: PerPlayer<Side>,
}

impl Book {
    /// A game by its name and options; `None` where there is no such game.
    pub fn find(name: &str, rules: &str) -> Option<Result<Book, Error>> {
        struct Find<'a> {
            name: &'a str,
            rules: &'a str,
            found: Option<Result<Book, Error>>,
        }
        impl Visit for Find<'_> {
            fn game<G: FullGame>(&mut self) {
                if G::NAME == self.name {
                    self.found =
                        Some(rule_book::game_from_json(None, self.rules).map(|game| Book::of::<G>(&game)));
                }
            }
        }
        let mut find = Find { name, rules, found: None };
        games::visit(&mut find);
        find.found
    }

    fn of<G: FullGame>(game: &G) -> Book {
        let players = game.num_players();
        let rules = rule_book::to_value::<G>(game.rules());
        Book {
            name: G::NAME,
            layout: G::OBSERVATION,
            features: G::FEATURES,
            rules,
            players,
            actions: G::NUM_ACTIONS,
            sides: sides(game),
        }
    }
}

/// The side of each seat.
pub(crate) fn sides<G: Game>(game: &G) -> PerPlayer<Side> {
    let mut sides = PerPlayer::new(game.num_players(), Side(0));
    for (seat, side) in sides.as_mut_slice().iter_mut().enumerate() {
        *side = game.side(Player(seat as u8));
    }
    sides
}

/// Whether there are two sides.
pub(crate) fn are_two(sides: &PerPlayer<Side>) -> bool {
    sides.as_slice().iter().all(|side| side.index() < 2)
}
