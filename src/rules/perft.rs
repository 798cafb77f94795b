//! Counts of paths, for tests and for comparison with other engines.

use crate::base::control::Control;
use crate::rules::{Game, Outcome, Turn};

/// How many ways there are to play `depth` steps on, where a step is an action or a chance outcome and every outcome
/// counts once, whatever its weight. A game that ends sooner has no way to go on.
///
/// ```
/// use sarai::games::sho::Sho;
/// use sarai::{Game, perft};
/// let game = Sho::new(Default::default())?;
/// // 21 throws; after each but 1-1 one hand coin may move, after 1-1 there are 21 throws more.
/// assert_eq!(perft(&game, &game.initial_state(), 1), 21);
/// assert_eq!(perft(&game, &game.initial_state(), 2), 20 + 21);
/// # Ok::<(), sarai::Error>(())
/// ```
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    count_paths(game, state, depth, &Control::default()).expect("nobody cancels it")
}

/// The same count, or `None` when it was cancelled before it was complete.
pub(crate) fn count_paths<G: Game>(game: &G, state: &G::State, depth: u32, control: &Control) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    match game.turn(state) {
        Turn::Over => Some(0),
        Turn::Chance => {
            let outcomes = game.chance(state).weights().len() as u8;
            if depth == 1 {
                return Some(outcomes as u64);
            }
            let mut count = 0;
            for outcome in 0..outcomes {
                let mut next = *state;
                game.resolve(&mut next, Outcome(outcome), &mut ());
                count += count_paths(game, &next, depth - 1, control)?;
            }
            Some(count)
        }
        Turn::Player(_) => {
            let legal = game.legal_actions(state);
            if depth == 1 {
                return Some(legal.len() as u64);
            }
            if control.is_cancelled() {
                return None;
            }
            let mut count = 0;
            for action in legal {
                let mut next = *state;
                game.apply(&mut next, action, &mut ());
                count += count_paths(game, &next, depth - 1, control)?;
            }
            Some(count)
        }
    }
}
