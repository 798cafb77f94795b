//! Chance outcomes drawn, and whole games played at random.

use super::greedy::greedy;
use super::random::random;
use super::rng::Stream;
use crate::base::multiversion;
use crate::rules::{Chance, Game, Heuristic, Outcome, Tally, Turn};

/// Draws an outcome of a chance node.
#[cfg_attr(fast, inline(always))]
pub fn sample(chance: &Chance, rng: &mut Stream) -> Outcome {
    chance.at(rng.below(chance.total()))
}

/// Draws chance outcomes until a player has to choose or the game is over.
#[cfg_attr(fast, inline(always))]
pub fn settle<G: Game, T: Tally>(game: &G, state: &mut G::State, rng: &mut Stream, tally: &mut T) -> Turn {
    settle_told(game, state, rng, tally, |_| ())
}

/// [`settle`] with a callback for each outcome before it is played.
#[cfg_attr(fast, inline(always))]
pub fn settle_told<G: Game, T: Tally>(
    game: &G,
    state: &mut G::State,
    rng: &mut Stream,
    tally: &mut T,
    mut told: impl FnMut(Outcome),
) -> Turn {
    loop {
        match game.turn(state) {
            Turn::Chance => {
                let outcome = sample(game.chance(state), rng);
                told(outcome);
                game.resolve(state, outcome, tally);
            }
            turn => return turn,
        }
    }
}

multiversion! {
    /// Plays a game on to its end with random choices, dice and choices from one stream as a search wants them; returns how
    /// many decisions that took.
    ///
    /// ```
    /// use sarai::games::sho::Sho;
    /// use sarai::agents::playout::random_playout;
    /// use sarai::agents::rng::Stream;
    /// use sarai::{Game, Turn};
    /// let game = Sho::new(Default::default())?;
    /// let mut state = game.initial_state();
    /// let decisions = random_playout(&game, &mut state, &mut Stream::new(1, 0));
    /// assert!(decisions > 0);
    /// assert_eq!(game.turn(&state), Turn::Over);
    /// # Ok::<(), sarai::Error>(())
    /// ```
    pub fn random_playout[G: Heuristic](game: &G, state: &mut G::State, rng: &mut Stream) -> u32 {
        playout::<_, false>(game, state, rng)
    }
}

multiversion! {
    /// [`random_playout`] with greedy choices.
    pub fn greedy_playout[G: Heuristic](game: &G, state: &mut G::State, rng: &mut Stream) -> u32 {
        playout::<_, true>(game, state, rng)
    }
}

#[cfg_attr(fast, inline(always))]
fn playout<G: Heuristic, const GREEDY: bool>(game: &G, state: &mut G::State, rng: &mut Stream) -> u32 {
    let mut decisions = 0;
    while let Turn::Player(_) = settle(game, state, rng, &mut ()) {
        let legal = game.legal_actions(state);
        let action = if GREEDY { greedy(game, state, legal) } else { random(legal, rng) };
        game.apply(state, action, &mut ());
        decisions += 1;
    }
    decisions
}
