//! One game that is played inside the engine, by its agents and by those outside.

use serde::{Deserialize, Serialize};

use std::time::Instant;

use crate::agents::mcts::SearchTree;
use crate::agents::{Agent, BoundAgent, Stream, Streams, random, settle_told};
use crate::base::{Control, Error, digest, multiversion};
use crate::rules::{
    Action, ActionSet, FullGame, Game, MAX_PLAYERS, MAX_STATISTICS, Outcome, Player, Tally, Turn,
};

/// A cancelled game notices within so many decisions.
const CANCEL_EVERY: u32 = 1024;

/// The statistics of one game, per seat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Counts([[u32; MAX_PLAYERS]; MAX_STATISTICS]);

impl Counts {
    /// What was counted for this player under this statistic of the game.
    #[inline]
    pub fn get(&self, statistic: usize, player: Player) -> u32 {
        self.0[statistic][player.index()]
    }
}

impl Tally for Counts {
    #[cfg_attr(fast, inline(always))]
    fn add(&mut self, statistic: usize, player: Player, n: u32) {
        self.0[statistic][player.index()] += n;
    }
}

/// The most random decisions that games may begin with.
pub const MAX_RANDOM_PLIES: u32 = 1000;

/// The random decisions with which a game begins. They are drawn from a stream of their own: whoever plays, they are the
/// same, and neither the dice nor the agents' choices hang on how many they are.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    plies: u32,
    rng: Stream,
}

impl Opening {
    /// So many decisions at the beginning of this game of this seed; `None` for none.
    pub(super) fn new(plies: u32, seed: u64, game: u64) -> Option<Self> {
        (plies > 0).then(|| Opening { plies, rng: Stream::of_openings(seed, game) })
    }

    /// Plays them; fewer where the game ends before.
    pub(super) fn begin<G: FullGame, R: Recorder<G>>(
        &mut self,
        play: &mut GameInPlay<G>,
        game: &G,
        recorder: &mut R,
    ) {
        for _ in 0..self.plies {
            if recorder.is_full() {
                return;
            }
            let (state, dice, counts) = (&mut play.state, &mut play.streams.dice, &mut play.counts);
            let turn = settle_told(game, state, dice, counts, |outcome| recorder.outcome(outcome));
            let Turn::Player(player) = turn else { return };
            let legal = game.legal_actions(&play.state);
            let action = random(legal, &mut self.rng);
            play.play(game, player, legal, action, recorder);
        }
    }
}

/// Who plays a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seat<A = Agent> {
    /// An agent of the engine.
    Inside(A),
    /// Somebody outside the engine, by number; several seats may have the same.
    Outside(usize),
}

impl Seat {
    /// The same seat with its agent bound to a game.
    ///
    /// # Errors
    /// When the agent cannot play the game.
    pub fn bind<G: Game>(&self, game: &G) -> Result<BoundSeat<G>, Error> {
        Ok(match self {
            Seat::Inside(agent) => Seat::Inside(agent.bind(game)?),
            Seat::Outside(number) => Seat::Outside(*number),
        })
    }
}

/// Who plays a seat of one game.
pub type BoundSeat<G> = Seat<BoundAgent<G>>;

/// Why [`GameInPlay::advance`] stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The game is over.
    Over,
    /// Outside agent number `agent` chooses for `player`.
    Asks {
        /// The number of the outside agent.
        agent: usize,
        /// The seat.
        player: Player,
    },
    /// The caller's flag was set.
    Cancelled,
    /// The recorder takes no more.
    Full,
    /// An agent inside the engine cannot choose.
    Failed(Error),
}

/// Sees every step of a game before it is played; `()` records nothing and costs nothing.
pub trait Recorder<G: Game> {
    /// Chance brought this.
    #[cfg_attr(fast, inline(always))]
    fn outcome(&mut self, _outcome: Outcome) {}
    /// `player` chose `action` among `legal` in `state`.
    fn decision(&mut self, game: &G, state: &G::State, player: Player, legal: ActionSet, action: Action);
    /// An agent inside the engine is about to choose: the time, where it is taken.
    #[cfg_attr(fast, inline(always))]
    fn choosing(&self) -> Option<Instant> {
        None
    }
    /// The agent of `player` has chosen, and began at that time.
    #[cfg_attr(fast, inline(always))]
    fn chosen(&mut self, _player: Player, _begun: Instant) {}
    /// Whether it takes no more: the game is not worth playing on then.
    #[cfg_attr(fast, inline(always))]
    fn is_full(&self) -> bool {
        false
    }
}

impl<G: Game> Recorder<G> for () {
    #[cfg_attr(fast, inline(always))]
    fn decision(&mut self, _: &G, _: &G::State, _: Player, _: ActionSet, _: Action) {}
}

/// What the agent of each seat wants kept until its next decision of the same game.
pub type Trees<G> = [Option<Box<SearchTree<<G as Game>::State>>>; MAX_PLAYERS];

/// A game of a rollout: its position, its stream and what has been counted.
#[derive(Clone, Debug)]
pub struct GameInPlay<G: Game> {
    /// Where the game stands.
    pub state: G::State,
    /// Where its chance outcomes and its agents' choices come from.
    pub streams: Streams,
    /// Decisions so far.
    pub decisions: u32,
    /// Statistics so far.
    pub counts: Counts,
}

impl<G: FullGame> GameInPlay<G> {
    /// A game that starts in this state, on these streams.
    pub fn new(state: G::State, streams: Streams) -> Self {
        GameInPlay { state, streams, decisions: 0, counts: Counts::default() }
    }

    /// What tells a game that is over, after so many turns, from others: the last position, and what was counted.
    ///
    /// Games that went alike have the same; of those that did not, the ones that came by different ways to the same end
    /// and counts.
    pub(super) fn digest(&self, turns: i32) -> u64 {
        let counts = self.counts.0.as_flattened().iter().copied();
        digest(&self.state, [self.decisions, turns as u32].into_iter().chain(counts))
    }

    /// Plays on until the game is over or an outside agent has to choose. `trees` are those of this game, empty at its
    /// beginning and when it is over.
    pub fn advance<R: Recorder<G>>(
        &mut self,
        game: &G,
        seats: &[BoundSeat<G>],
        trees: &mut Trees<G>,
        recorder: &mut R,
        control: &Control,
    ) -> Stop {
        let stop = advance(self, game, seats, trees, recorder, control);
        if stop == Stop::Over {
            *trees = Default::default();
        }
        stop
    }

    #[cfg_attr(fast, inline(always))]
    fn advance_here<R: Recorder<G>>(
        &mut self,
        game: &G,
        seats: &[BoundSeat<G>],
        trees: &mut Trees<G>,
        recorder: &mut R,
        control: &Control,
    ) -> Stop {
        loop {
            if recorder.is_full() {
                return Stop::Full;
            }
            let (state, streams, counts) = (&mut self.state, &mut self.streams, &mut self.counts);
            let player = match settle_told(game, state, &mut streams.dice, counts, |outcome| {
                recorder.outcome(outcome)
            }) {
                Turn::Player(player) => player,
                Turn::Over | Turn::Chance => return Stop::Over,
            };
            let agent = match &seats[player.index()] {
                Seat::Inside(agent) => agent,
                &Seat::Outside(agent) => return Stop::Asks { agent, player },
            };
            let legal = game.legal_actions(&self.state);
            let rng = &mut self.streams.seats[player.index()];
            let kept = &mut trees[player.index()];
            let begun = recorder.choosing();
            let action = match agent.choose(game, &self.state, legal, rng, control, kept) {
                Ok(action) => action,
                Err(error) => return Stop::Failed(error),
            };
            if let Some(begun) = begun {
                recorder.chosen(player, begun);
            }
            if (self.decisions.is_multiple_of(CANCEL_EVERY)
                || !matches!(agent, Agent::Random | Agent::Greedy))
                && control.is_cancelled()
            {
                return Stop::Cancelled;
            }
            self.play(game, player, legal, action, recorder);
        }
    }

    /// Plays two games with random choices until one of them is over, or it is cancelled.
    ///
    /// A decision hangs on the one before it in its game, and while the processor waits for one game's it works on the
    /// other's: that is faster than one game after the other, and each game is the same as by itself.
    pub fn advance_two_at_random<R: Recorder<G>>(
        game: &G,
        one: &mut Self,
        other: &mut Self,
        recorders: (&mut R, &mut R),
        control: &Control,
    ) {
        advance_two(game, one, other, recorders, control);
    }

    /// Plays a random decision; whether there was one.
    #[cfg_attr(fast, inline(always))]
    fn decide_at_random<R: Recorder<G>>(&mut self, game: &G, recorder: &mut R) -> bool {
        let (state, dice, counts) = (&mut self.state, &mut self.streams.dice, &mut self.counts);
        let turn = settle_told(game, state, dice, counts, |outcome| recorder.outcome(outcome));
        let Turn::Player(player) = turn else { return false };
        let legal = game.legal_actions(&self.state);
        let action = random(legal, &mut self.streams.seats[player.index()]);
        self.play(game, player, legal, action, recorder);
        true
    }

    /// Plays a legal action of `player`.
    #[cfg_attr(fast, inline(always))]
    pub fn play<R: Recorder<G>>(
        &mut self,
        game: &G,
        player: Player,
        legal: ActionSet,
        action: Action,
        recorder: &mut R,
    ) {
        recorder.decision(game, &self.state, player, legal, action);
        game.apply(&mut self.state, action, &mut self.counts);
        self.decisions += 1;
    }
}

multiversion! {
    fn advance[G: FullGame, R: Recorder<G>](
        play: &mut GameInPlay<G>,
        game: &G,
        seats: &[BoundSeat<G>],
        trees: &mut Trees<G>,
        recorder: &mut R,
        control: &Control,
    ) -> Stop {
        // A copy that the compiler need not write back after every decision.
        let mut copy = play.clone();
        let stop = copy.advance_here(game, seats, trees, recorder, control);
        *play = copy;
        stop
    }
}

multiversion! {
    fn advance_two[G: FullGame, R: Recorder<G>](
        game: &G,
        one: &mut GameInPlay<G>,
        other: &mut GameInPlay<G>,
        recorders: (&mut R, &mut R),
        control: &Control,
    ) -> () {
        // Copies, as above.
        let (mut first, mut second) = (one.clone(), other.clone());
        let mut decisions = 0;
        loop {
            let went_on = first.decide_at_random(game, recorders.0);
            if !(second.decide_at_random(game, recorders.1) && went_on) {
                break;
            }
            decisions += 1;
            if decisions % CANCEL_EVERY == 0 && control.is_cancelled() {
                break;
            }
        }
        (*one, *other) = (first, second);
    }
}
