//! Any rule book.

use std::any::Any;
use std::fmt::Debug;

use serde_json::Value;

use super::many::Many;
use crate::agents::Agent;
use crate::base::Error;
use crate::play::{AnyPosition, check_length};
#[cfg(not(target_family = "wasm"))]
use crate::rules::{Action, ActionFields, Features, ObservationPart};
use crate::rules::{FullGame, Game, Player, Position, Side, rule_book};

/// Any rule book. What only learners and tables ask for is not in a page, where nothing would drop it from the vtables.
pub trait AnyGame: Any + Many + Debug + Send + Sync {
    /// See [`Game::NAME`].
    fn name(&self) -> &'static str;
    /// The options as a JSON object.
    fn rules(&self) -> Value;
    /// See [`Game::num_players`].
    fn num_players(&self) -> usize;
    /// See [`Game::side`].
    fn side(&self, player: Player) -> Side;
    /// See [`Game::NUM_ACTIONS`].
    fn num_actions(&self) -> usize;
    /// See [`crate::Encode::OBSERVATION_LEN`].
    fn observation_len(&self) -> usize;
    /// See [`crate::Encode::OBSERVATION`].
    #[cfg(not(target_family = "wasm"))]
    fn observation(&self) -> &'static [ObservationPart];
    /// See [`crate::Encode::FEATURES`].
    #[cfg(not(target_family = "wasm"))]
    fn features(&self) -> Features;
    /// The names of [`Game::STATISTICS`].
    #[cfg(not(target_family = "wasm"))]
    fn statistics(&self) -> Vec<&'static str>;
    /// See [`Game::returns_range`].
    fn returns_range(&self) -> (f64, f64);
    /// See [`Game::max_chance_outcomes`].
    fn max_chance_outcomes(&self) -> usize;
    /// What each action is, by its id.
    #[cfg(not(target_family = "wasm"))]
    fn action_table(&self) -> Vec<ActionFields>;
    /// What each player is called: the colour of the pieces in the picture, with a number where partners share them.
    fn seat_names(&self) -> Vec<String>;
    /// See [`crate::Draw::SHOWS_VALUES`].
    fn shows_values(&self) -> bool;
    /// The start of a game.
    fn new_position(&self) -> Box<dyn AnyPosition>;
    /// The position that a line of text describes; an error where it describes none, or one that breaks an invariant.
    fn parse(&self, text: &str) -> Result<Box<dyn AnyPosition>, Error>;
    /// Refuses an agent that cannot play this game.
    fn seats(&self, agent: &Agent) -> Result<(), Error>;
}

impl<G: FullGame> AnyGame for G {
    fn name(&self) -> &'static str {
        G::NAME
    }
    fn rules(&self) -> Value {
        rule_book::to_value::<G>(Game::rules(self))
    }
    fn num_players(&self) -> usize {
        Game::num_players(self)
    }
    fn side(&self, player: Player) -> Side {
        Game::side(self, player)
    }
    fn num_actions(&self) -> usize {
        G::NUM_ACTIONS
    }
    fn observation_len(&self) -> usize {
        G::OBSERVATION_LEN
    }
    #[cfg(not(target_family = "wasm"))]
    fn observation(&self) -> &'static [ObservationPart] {
        G::OBSERVATION
    }
    #[cfg(not(target_family = "wasm"))]
    fn features(&self) -> Features {
        G::FEATURES
    }
    #[cfg(not(target_family = "wasm"))]
    fn statistics(&self) -> Vec<&'static str> {
        G::STATISTICS.iter().map(|statistic| statistic.name).collect()
    }
    fn returns_range(&self) -> (f64, f64) {
        Game::returns_range(self)
    }
    fn max_chance_outcomes(&self) -> usize {
        Game::max_chance_outcomes(self)
    }
    #[cfg(not(target_family = "wasm"))]
    fn action_table(&self) -> Vec<ActionFields> {
        (0..G::NUM_ACTIONS as u16).map(|id| G::action_fields(Action(id))).collect()
    }
    fn seat_names(&self) -> Vec<String> {
        let seats = 0..Game::num_players(self) as u8;
        seat_names(G::COLOURS, &seats.map(|seat| self.colour(Player(seat))).collect::<Vec<_>>())
    }
    fn shows_values(&self) -> bool {
        G::SHOWS_VALUES
    }
    fn new_position(&self) -> Box<dyn AnyPosition> {
        Box::new(Position::new(self.clone()))
    }
    fn parse(&self, text: &str) -> Result<Box<dyn AnyPosition>, Error> {
        check_length(text)?;
        let state = crate::Show::parse(self, text)?;
        Ok(Box::new(Position::from_state(self.clone(), state)?))
    }
    fn seats(&self, agent: &Agent) -> Result<(), Error> {
        agent.bind(self).map(drop)
    }
}

/// The names of seats by the colour of each. It stands here once, and not for every game: pages load all of it.
fn seat_names(names: &[&str], colours: &[usize]) -> Vec<String> {
    let named = |(seat, colour): (usize, &usize)| {
        let sharing = |seats: &[usize]| seats.iter().filter(|other| *other == colour).count();
        match sharing(colours) {
            1 => names[*colour].to_owned(),
            _ => format!("{} {}", names[*colour], sharing(&colours[..=seat])),
        }
    };
    colours.iter().enumerate().map(named).collect()
}
