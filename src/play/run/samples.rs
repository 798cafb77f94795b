//! A state of each game.

use super::driver::{On, Played, Sink};
use super::{Found, RunConfig};
use crate::agents::Stream;
use crate::base::{Error, room_for};
use crate::play::{Recorder, States, Stop};
use crate::rules::{Action, ActionSet, FullGame, Player};

/// A state drawn from those in which somebody decided, each equally likely.
#[derive(Debug)]
pub(super) struct Drawn<S> {
    /// What it draws is neither of the dice nor of any seat.
    rng: Stream,
    decisions: u32,
    state: Option<S>,
}

impl<G: FullGame> Recorder<G> for Drawn<G::State> {
    fn decision(&mut self, _: &G, state: &G::State, _: Player, _: ActionSet, _: Action) {
        self.decisions += 1;
        // One in so many takes the place of what was drawn before: then each has had the same chance.
        if self.rng.below(self.decisions) == 0 {
            self.state = Some(*state);
        }
    }
}

/// The states drawn, a row a game.
#[derive(Debug)]
pub(super) struct Samples<S> {
    seed: u64,
    states: Vec<S>,
}

impl<S: Copy> Samples<S> {
    pub(super) fn new<G: FullGame<State = S>>(game: &G, config: &RunConfig) -> Result<Self, Error> {
        let games = config.num as usize;
        let mut states = room_for(games)?;
        states.resize(games, game.initial_state());
        Ok(Samples { seed: config.seed, states })
    }
}

impl<G: FullGame> Sink<G> for Samples<G::State> {
    type Notes = Drawn<G::State>;

    fn notes(&mut self, _: usize, number: u64) -> Self::Notes {
        Drawn { rng: Stream::of_samples(self.seed, number), decisions: 0, state: None }
    }

    fn play(&self, played: &mut Played<G>, notes: &mut Self::Notes, on: &On<'_, G>) -> Stop {
        on.play(played, notes)
    }

    fn take(&mut self, played: &Played<G>, notes: Self::Notes, _: &[G]) -> Result<(), Error> {
        self.states[played.row] = notes.state.unwrap_or(played.game.state);
        Ok(())
    }

    fn found(self, book: G) -> Found {
        Found::States(Box::new(States::of(book, self.states)))
    }
}
