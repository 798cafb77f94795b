//! Who judges positions: for searches, for trees of many positions, and for the metrics of games.

use std::fmt::{self, Display};
use std::str::FromStr;
use std::sync::Arc;

use super::playout::{greedy_playout, random_playout};
use super::rng::Stream;
use crate::base::{Error, did_you_mean, shorten};
use crate::nets::Named;
use crate::rules::{Evaluate, Game, Heuristic, PerPlayer};

/// The most random games by which a position is judged.
pub const MAX_PLAYOUTS: u32 = 10_000;

/// How a position is judged.
///
/// ```
/// use sarai::agents::Evaluator;
/// assert_eq!("playout:16".parse::<Evaluator>()?.to_string(), "playout:16");
/// assert!("playout:0".parse::<Evaluator>().is_err());
/// assert!("clever".parse::<Evaluator>().is_err());
/// # Ok::<(), sarai::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Evaluator {
    /// By the game's own [`Evaluate`].
    Heuristic,
    /// By a network that fits the game, see [`crate::nets::Net::evaluate`].
    Network(Arc<Named>),
    /// By the mean return of so many random games from there.
    Playouts(u32),
    /// By the return of a greedy game from there.
    GreedyPlayout,
}

impl Evaluator {
    /// The network, if it is one.
    pub fn network(&self) -> Option<&Named> {
        match self {
            Evaluator::Network(named) => Some(named),
            Evaluator::Heuristic | Evaluator::Playouts(_) | Evaluator::GreedyPlayout => None,
        }
    }

    /// Whether it plays games to their end.
    pub const fn plays_out(&self) -> bool {
        matches!(self, Evaluator::Playouts(_) | Evaluator::GreedyPlayout)
    }

    /// Refuses an evaluator whose network does not fit the game; `owner` is who has it, as in "agent 'net:x'".
    ///
    /// # Errors
    /// When it does not.
    pub fn fits<G: Game>(&self, game: &G, owner: impl Display) -> Result<(), Error> {
        match self.network().map(|named| named.net().judges(game)) {
            Some(Err(why)) => Err(Error::new(format!("the network of {owner} {why}"))),
            _ => Ok(()),
        }
    }

    /// What each player may expect in a position that is not over. Only playouts draw from `rng`.
    #[cfg_attr(fast, inline(always))]
    pub fn evaluate<G: Heuristic + Evaluate>(
        &self,
        game: &G,
        state: &G::State,
        rng: &mut Stream,
    ) -> PerPlayer<f64> {
        match self {
            Evaluator::Heuristic => game.evaluate(state),
            Evaluator::Network(named) => named.net().evaluate(game, state),
            Evaluator::Playouts(games) => mean_playout(game, state, *games, rng),
            Evaluator::GreedyPlayout => {
                let mut end = *state;
                greedy_playout(game, &mut end, rng);
                game.returns(&end)
            }
        }
    }
}

/// The mean return of so many random games.
#[inline(never)]
fn mean_playout<G: Heuristic>(game: &G, state: &G::State, games: u32, rng: &mut Stream) -> PerPlayer<f64> {
    let mut mean = PerPlayer::new(game.num_players(), 0.0);
    for _ in 0..games {
        let mut end = *state;
        random_playout(game, &mut end, rng);
        for (sum, score) in mean.as_mut_slice().iter_mut().zip(game.returns(&end).as_slice()) {
            *sum += score;
        }
    }
    mean.as_mut_slice().iter_mut().for_each(|sum| *sum /= f64::from(games));
    mean
}

impl FromStr for Evaluator {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name.split_once(':') {
            None if name == "heuristic" => Ok(Evaluator::Heuristic),
            None if name == "playout=greedy" => Ok(Evaluator::GreedyPlayout),
            Some(("net", file)) if !file.is_empty() => Named::parse(file).map(Evaluator::Network),
            Some(("playout", games)) => match games.parse() {
                Ok(games) if (1..=MAX_PLAYOUTS).contains(&games) => Ok(Evaluator::Playouts(games)),
                _ => Err(Error::new(format!(
                    "evaluator '{}' needs a number of random games from 1 to {MAX_PLAYOUTS}, as in \"playout:16\"",
                    shorten(name)
                ))),
            },
            _ => Err(Error::new(format!(
                "unknown evaluator '{}'{}; there are \"heuristic\", \"playout:N\" with N random games a position, \
                 \"playout=greedy\" with a greedy game, and \"net:FILE\"",
                shorten(name),
                did_you_mean(name, ["heuristic", "playout=greedy"])
            ))),
        }
    }
}

/// The name that parses back to it.
impl Display for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluator::Heuristic => f.write_str("heuristic"),
            Evaluator::Network(named) => write!(f, "net:{named}"),
            Evaluator::Playouts(games) => write!(f, "playout:{games}"),
            Evaluator::GreedyPlayout => f.write_str("playout=greedy"),
        }
    }
}
