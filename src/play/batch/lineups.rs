//! Who plays the games of a batch: drawn for each game, where there is a choice.

use crate::agents::{Agent, BoundAgent, Draws};
use crate::base::{Error, counted};
use crate::rules::{FullGame, MAX_PLAYERS, Player};

/// The most lineups that a batch may draw from.
pub const MAX_LINEUPS: usize = 1 << 16;

/// Chances are counted in parts of this, which a float holds exactly.
const ONE: u64 = 1 << 53;

/// Who plays each seat of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lineup {
    /// An agent of the engine for each seat, or the caller for `None`. Empty: the caller plays every seat. Where there is
    /// a learner, the caller is asked for the decisions of its other seats one by one: see [`super::AnyBatch::answer`].
    pub agents: Vec<Option<Agent>>,
    /// The seat from which the end of a game is seen, and whose decisions `max_episode_steps` counts; `None`: the seat
    /// that acted last, and everybody's.
    pub learner: Option<Player>,
}

/// The lineups of the games of a batch, one of which is drawn for each game.
///
/// Rows are in groups of `seats`. A game draws a group by the weights, and one of its rows, each equally likely, by
/// streams that belong to nothing else: neither dice nor choices hang on them. Rows after the groups are drawn by no new
/// game; they are those of games that began when there were other lineups.
#[derive(Clone, PartialEq, Debug)]
pub struct Lineups {
    /// All lineups.
    pub rows: Vec<Lineup>,
    /// For each group, how likely it is, as a share of the sum of all.
    pub weights: Vec<f64>,
    /// How many rows a group has.
    pub seats: usize,
}

impl Default for Lineups {
    fn default() -> Self {
        Lineups::one(Vec::new(), None)
    }
}

impl Lineups {
    /// The same lineup for every game.
    ///
    /// ```
    /// use sarai::Player;
    /// use sarai::agents::Agent;
    /// use sarai::play::batch::Lineups;
    /// let lineups = Lineups::one(vec![None, Some(Agent::Greedy)], Some(Player(0)));
    /// assert_eq!((lineups.rows.len(), lineups.weights.len(), lineups.seats), (1, 1, 1));
    /// ```
    pub fn one(agents: Vec<Option<Agent>>, learner: Option<Player>) -> Self {
        Lineups { rows: vec![Lineup { agents, learner }], weights: vec![1.0], seats: 1 }
    }
}

/// A [`Lineup`] that is known to fit.
#[derive(Debug)]
pub(super) struct BoundLineup<G: FullGame> {
    /// The agents inside the engine; the caller plays every other seat.
    pub(super) agents: [Option<BoundAgent<G>>; MAX_PLAYERS],
    pub(super) learner: Option<Player>,
}

impl<G: FullGame> BoundLineup<G> {
    fn new(game: &G, lineup: &Lineup) -> Result<Self, Error> {
        let players = game.num_players();
        let mut agents = [const { None }; MAX_PLAYERS];
        if !lineup.agents.is_empty() {
            if lineup.agents.len() != players || !lineup.agents.contains(&None) {
                return Err(Error::new(format!(
                    "agents has {}; this game has {players} seats and needs an entry for each, and the \
                     caller must play at least one of them",
                    counted(lineup.agents.len(), "entry", "entries")
                )));
            }
            for (bound, agent) in agents.iter_mut().zip(&lineup.agents) {
                *bound = agent.as_ref().map(|agent| agent.bind(game)).transpose()?;
            }
        }
        if let Some(learner) = lineup.learner
            && (learner.index() >= players || agents[learner.index()].is_some())
        {
            return Err(Error::new(format!("{learner} cannot learn: the caller does not play that seat")));
        }
        Ok(BoundLineup { agents, learner: lineup.learner })
    }

    /// Whether the caller plays the same seats.
    pub(super) fn waits_like(&self, other: &Self) -> bool {
        let callers = |row: &Self| row.agents.each_ref().map(Option::is_none);
        callers(self) == callers(other) && self.learner == other.learner
    }

    /// Whether a policy decides for this player, who is none of the engine's.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn asks_for(&self, player: Player) -> bool {
        self.learner.is_some_and(|learner| learner != player)
    }

    fn inside(&self) -> impl Iterator<Item = &BoundAgent<G>> {
        self.agents.iter().flatten()
    }
}

/// [`Lineups`] that are known to fit.
#[derive(Debug)]
pub(super) struct BoundLineups<G: FullGame> {
    rows: Vec<BoundLineup<G>>,
    /// For each group, the sum of its chance and those before it, in parts of [`ONE`].
    chances: Vec<u64>,
    seats: u32,
    asks: bool,
}

impl<G: FullGame> BoundLineups<G> {
    pub(super) fn new(game: &G, lineups: &Lineups) -> Result<Self, Error> {
        let Lineups { rows, weights, seats } = lineups;
        let drawn = weights.len().saturating_mul(*seats);
        if !(1..=MAX_LINEUPS).contains(&drawn) || drawn > rows.len() {
            return Err(Error::new(format!(
                "{} weights of {seats} lineups each do not fit {} lineups; a batch draws from 1 to {MAX_LINEUPS} of its lineups",
                weights.len(),
                rows.len()
            )));
        }
        let total: f64 = weights.iter().sum();
        if weights.iter().any(|weight| weight.is_nan() || *weight < 0.0)
            || !(total > 0.0 && total.is_finite())
        {
            return Err(Error::new(
                "weights must be numbers from 0 up, at least one of them above 0, with a finite sum",
            ));
        }
        let mut sum = 0.0;
        let mut chances: Vec<u64> = weights
            .iter()
            .map(|weight| {
                sum += weight;
                // The last sum is the total, and more than all cannot be.
                ((sum / total * ONE as f64) as u64).min(ONE)
            })
            .collect();
        // What rounding has left over belongs to the last that is likely at all.
        let last = weights.iter().rposition(|weight| *weight > 0.0).unwrap_or_default();
        chances[last..].fill(ONE);
        let rows = rows.iter().map(|lineup| BoundLineup::new(game, lineup)).collect::<Result<Vec<_>, _>>()?;
        let policy = |row: &BoundLineup<G>, seat: usize| {
            row.agents[seat].is_none() && row.asks_for(Player(seat as u8))
        };
        let asks = rows.iter().any(|row| (0..game.num_players()).any(|seat| policy(row, seat)));
        Ok(BoundLineups { rows, chances, seats: *seats as u32, asks })
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    #[cfg_attr(fast, inline(always))]
    pub(super) fn row(&self, lineup: u32) -> &BoundLineup<G> {
        &self.rows[lineup as usize]
    }

    /// Whether a step may take so long that somebody wants to cancel it.
    pub(super) fn is_slow(&self) -> bool {
        self.rows.iter().flat_map(BoundLineup::inside).any(Agent::is_slow)
    }

    /// Whether any seat is a policy's.
    pub(super) fn asks(&self) -> bool {
        self.asks
    }

    /// What stepping a lane costs at most, in units of a random decision.
    pub(super) fn cost(&self) -> u64 {
        let cost = |row: &BoundLineup<G>| row.inside().map(Agent::cost).fold(1, u64::saturating_add);
        self.rows.iter().map(cost).max().unwrap_or(1)
    }

    /// Whether any agent draws its choices.
    pub(super) fn draws_choices(&self) -> bool {
        self.rows.iter().flat_map(BoundLineup::inside).any(|agent| !matches!(agent, Agent::Greedy))
    }

    /// Whether every game has the first lineup.
    #[cfg_attr(fast, inline(always))]
    pub(super) fn is_one(&self) -> bool {
        self.chances.len() == 1 && self.seats == 1
    }

    /// The lineup of this game.
    pub(super) fn draw(&self, draws: &mut Draws) -> u32 {
        let drawn = draws.opponents.next_u64() >> 11;
        let group = self.chances.partition_point(|sum| *sum <= drawn) as u32;
        group * self.seats + draws.seat.below(self.seats)
    }
}
