//! Chance outcomes drawn, and whole games played at random.

use std::ops::Range;

use super::greedy::greedy;
use super::random::random;
use super::rng::{Stream, Streams};
use crate::base::cpu::{self, Work};
use crate::rules::chance::{Chance, Outcome};
use crate::rules::game::{Game, Heuristic, Tally, Turn};

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
pub fn random_playout<G: Heuristic>(game: &G, state: &mut G::State, rng: &mut Stream) -> u32 {
    cpu::run(Playout::<_, false> { game, state, rng })
}

/// [`random_playout`] with greedy choices.
pub fn greedy_playout<G: Heuristic>(game: &G, state: &mut G::State, rng: &mut Stream) -> u32 {
    cpu::run(Playout::<_, true> { game, state, rng })
}

/// See [`random_playout`].
struct Playout<'a, G: Game, const GREEDY: bool> {
    game: &'a G,
    state: &'a mut G::State,
    rng: &'a mut Stream,
}

impl<G: Heuristic, const GREEDY: bool> Work for Playout<'_, G, GREEDY> {
    type Output = u32;

    #[cfg_attr(fast, inline(always))]
    fn run(self) -> u32 {
        let Playout { game, state, rng } = self;
        let mut decisions = 0;
        while let Turn::Player(_) = settle(game, state, rng, &mut ()) {
            let legal = game.legal_actions(state);
            let action = if GREEDY { greedy(game, state, legal) } else { random(legal, rng) };
            game.apply(state, action, &mut ());
            decisions += 1;
        }
        decisions
    }
}

/// Plays games `first_game` and on of a seed with random choices on this thread; returns how many decisions that took:
/// the bare speed of the rules.
///
/// Two games are interleaved, as in [`crate::play::game_in_play::GameInPlay::advance_two_at_random`].
pub fn random_playouts<G: Game>(game: &G, seed: u64, first_game: u64, num_games: u64) -> u64 {
    cpu::run(Playouts { game, seed, numbers: first_game..first_game.saturating_add(num_games) })
}

/// See [`random_playouts`].
struct Playouts<'a, G> {
    game: &'a G,
    seed: u64,
    numbers: Range<u64>,
}

impl<G: Game> Work for Playouts<'_, G> {
    type Output = u64;

    #[cfg_attr(fast, inline(always))]
    fn run(self) -> u64 {
        let Playouts { game, seed, mut numbers } = self;
        let mut next = || numbers.next().map(|number| (game.initial_state(), Streams::new(seed, number)));
        let mut decisions = 0;
        let (mut one, mut other) = (next(), next());
        while let (Some((state, streams)), Some((second_state, second_streams))) = (&mut one, &mut other) {
            let went_on = random_decision(game, state, streams, &mut ());
            let second_went_on = random_decision(game, second_state, second_streams, &mut ());
            decisions += went_on as u64 + second_went_on as u64;
            if !went_on {
                one = next();
            }
            if !second_went_on {
                other = next();
            }
        }
        for (mut state, mut streams) in one.into_iter().chain(other) {
            while random_decision(game, &mut state, &mut streams, &mut ()) {
                decisions += 1;
            }
        }
        decisions
    }
}

/// Plays a random decision, with the chance outcomes before it; whether there was one.
#[cfg_attr(fast, inline(always))]
fn random_decision<G: Game, T: Tally>(
    game: &G,
    state: &mut G::State,
    streams: &mut Streams,
    tally: &mut T,
) -> bool {
    let Turn::Player(player) = settle(game, state, &mut streams.dice, tally) else { return false };
    let action = random(game.legal_actions(state), &mut streams.seats[player.index()]);
    game.apply(state, action, tally);
    true
}
